//! Tests that capture generation stays fast in crafted positions: 10x10 boards on which flying kings can capture in a
//! lattice of enemy pieces separated by empty squares.

use crate::common;

use common::{counted_paths, position, slowness, thread_time};
use fastrand::Rng;
use soffio::board::Square;
use soffio::position::{EndingAges, GameRules, MoveList, Piece, Setup, paths};
use soffio::rules::Color;
use soffio::rules::Variant::International;
use std::collections::BTreeMap;
use std::time::Duration;

const SETUPS: usize = if cfg!(debug_assertions) { 100 } else { 4_000 };

/// Returns a position with kings of the side to move and enemy pieces on inner squares. Most enemy pieces are on one of
/// two grids with a spacing of two squares.
fn lattice(rng: &mut Rng) -> Setup {
    let shape = International.spec().shape;
    let is_inner = |square: &Square| International.spec().shape.inner_mask(1) >> square.index() & 1 == 1;
    let grid = rng.u8(0..2);
    let (mut on_grid, mut others): (Vec<_>, Vec<_>) =
        shape.all_squares().filter(is_inner).partition(|&square| shape.row(square) % 2 == grid);
    rng.shuffle(&mut on_grid);
    rng.shuffle(&mut others);
    let count = rng.usize(12..=20);
    let astray = rng.usize(0..=4);
    let mut pieces: BTreeMap<_, _> = others
        .into_iter()
        .take(astray)
        .chain(on_grid)
        .take(count)
        .map(|square| (square, Piece { color: Color::Black, king: true }))
        .collect();
    let mut free: Vec<_> = shape.all_squares().filter(|square| !pieces.contains_key(square)).collect();
    rng.shuffle(&mut free);
    let kings = rng.usize(1..=5);
    pieces.extend(free.into_iter().take(kings).map(|square| (square, Piece { color: Color::White, king: true })));
    Setup {
        side: Color::White,
        pieces,
        quiet_plies: 0,
        move_number: 1,
        king_runs: [None; 2],
        ages: EndingAges::default(),
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    fast: Duration,
    reference: Duration,
    moves: usize,
    paths: u64,
}

fn cost(setup: &Setup) -> Cost {
    let rules = GameRules::<u64>::for_variant(International).expect("a board of up to 64 squares");
    let position = position(rules, setup);
    let mut list = MoveList::new();
    let begun = thread_time();
    position.moves(&mut list);
    let fast = thread_time() - begun;
    Cost { fast, reference: Duration::ZERO, moves: list.len(), paths: counted_paths(&position) }
}

fn reference_time(setup: &Setup) -> Duration {
    let begun = thread_time();
    std::hint::black_box(paths::legal_sequences(International.spec(), setup));
    thread_time() - begun
}

#[test]
fn random_lattices_cost_little() {
    let mut rng = Rng::with_seed(5);
    let mut worst = Cost::default();
    for index in 0..SETUPS {
        let setup = lattice(&mut rng);
        let cost = cost(&setup);
        worst.fast = worst.fast.max(cost.fast);
        worst.moves = worst.moves.max(cost.moves);
        worst.paths = worst.paths.max(cost.paths);
        if index % 10 == 0 {
            worst.reference = worst.reference.max(reference_time(&setup));
        }
    }
    println!("worst of {SETUPS} lattices: {worst:?}");
    assert!(worst.paths > 10, "the lattices are too easy to prove anything: {worst:?}");
    assert!(worst.fast < Duration::from_secs(2) * slowness(), "{worst:?}");
    assert!(worst.reference < Duration::from_secs(20) * slowness(), "{worst:?}");
}
