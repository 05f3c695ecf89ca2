//! Runs every benchmark: `cargo bench -p soffio-benches`.

criterion::criterion_main!(soffio_benches::all);
