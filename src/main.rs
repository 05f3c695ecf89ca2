//! tmp
use soffio::eval::*;
use soffio::position::*;
use soffio::rules::*;
use soffio::search::*;
use std::sync::atomic::AtomicBool;
fn run<R: Rules>(d: u8) {
    let p = Position::<R>::start();
    let t = std::time::Instant::now();
    let s = AtomicBool::new(false);
    let n = perft(&p, d, CaptureOrder::Merged, &s).unwrap();
    let e = t.elapsed().as_secs_f64();
    println!("{} {} {} {:.1} M/s", R::VARIANT, d, n, n as f64 / e / 1e6);
}
fn think<R: Rules>(d: u8) {
    let t = Table::new(64).unwrap();
    let e = HandMade::<R>::new();
    let l = Limits { depth: Some(d), ..Limits::default() };
    let g = Game::<R>::new();
    search(&g, &l, (&t, &e), &Signal::default(), std::time::Instant::now(), &mut |r: Report<R>| {
        println!(
            "d {} sd {} {:?} {:?} n {} t {:.3} Mnps {:.2} pv {}",
            r.depth,
            r.selective_depth,
            r.score.value(),
            r.bound,
            r.nodes,
            r.time.as_secs_f64(),
            r.nodes as f64 / r.time.as_secs_f64() / 1e6,
            r.line.len()
        );
    });
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let d: u8 = a[2].parse().unwrap();
    match a[1].as_str() {
        "i" => run::<International>(d),
        "e" => run::<English>(d),
        "t" => run::<Italian>(d),
        "I" => think::<International>(d),
        "E" => think::<English>(d),
        _ => think::<Italian>(d),
    }
}
