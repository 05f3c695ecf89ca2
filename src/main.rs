//! tmp
use soffio::position::*;
use soffio::rules::*;
use std::sync::atomic::AtomicBool;
fn run<R: Rules>(d: u8) {
    let p = Position::<R>::start();
    let t = std::time::Instant::now();
    let s = AtomicBool::new(false);
    let n = perft(&p, d, CaptureOrder::Merged, &s).unwrap();
    let e = t.elapsed().as_secs_f64();
    println!("{} {} {} {:.1} M/s", R::VARIANT, d, n, n as f64 / e / 1e6);
}
fn main() {
    for _ in 0..3 {
        run::<International>(10);
        run::<English>(11);
        run::<Italian>(11);
    }
}
