//! Micro-benchmarks of move generation, fixed-depth search and PDN parsing.

use criterion::{BatchSize, Criterion, criterion_group};
use soffio::notation::pdn::read_games;
use soffio::position::CaptureOrder;
use soffio::{Engine, Game, Limits, Variant};
use std::fmt::Write;
use std::hint::black_box;

/// Variants from rule families that differ in speed.
const VARIANTS: [Variant; 4] = [Variant::English, Variant::International, Variant::Russian, Variant::Turkish];

fn movegen(bench: &mut Criterion) {
    for variant in VARIANTS {
        let game = Game::new(variant);
        bench.bench_function(&format!("perft 6 {variant}"), |b| {
            b.iter(|| game.perft(black_box(6), CaptureOrder::Counted, &|| false));
        });
    }
}

fn search(bench: &mut Criterion) {
    for variant in VARIANTS {
        let game = Game::new(variant);
        bench.bench_function(&format!("search to depth 10 {variant}"), |b| {
            let start = || Engine::new();
            let search = |mut engine: Engine| engine.go(&game, Limits { depth: Some(10), ..engine.limits() });
            b.iter_batched(start, search, BatchSize::PerIteration);
        });
    }
}

fn pdn(bench: &mut Criterion) {
    let mut text = String::new();
    for number in 0..1000 {
        let _ = write!(
            text,
            "[Event \"{number}\"]\n[GameType \"21\"]\n\n1. 11-15 22-18 2. 15x22 25x18 3. 8-11 {{book}} *\n\n"
        );
    }
    bench.bench_function("read 1,000 short games of PDN", |b| b.iter(|| read_games(black_box(&text))));
}

criterion_group!(all, movegen, search, pdn);
