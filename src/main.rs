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
    let a: Vec<String> = std::env::args().collect();
    let d: u8 = a[2].parse().unwrap();
    match a[1].as_str() {
        "i" => run::<International>(d),
        "e" => run::<English>(d),
        _ => run::<Italian>(d),
    }
}
