//! Runs all benchmarks. Start them with `cargo bench -p soffio-benches`.

criterion::criterion_main!(soffio_benches::all);
