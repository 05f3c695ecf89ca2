//! Random positions that are the same in every run.

use fastrand::Rng;
use soffio::board::Square;
use soffio::position::{EndingAges, Piece, Setup};
use soffio::rules::{Color, RuleSet};
use std::collections::BTreeMap;

/// Returns a random legal position with up to `max_pieces` pieces on each side. Each piece is a king with probability
/// `kings`.
pub fn random_setup(rng: &mut Rng, spec: &RuleSet, max_pieces: usize, kings: f64) -> Setup {
    loop {
        let mut squares: Vec<Square> = spec.shape.all_squares().collect();
        rng.shuffle(&mut squares);
        let mut pieces = BTreeMap::new();
        for color in [Color::White, Color::Black] {
            for _ in 0..rng.usize(1..=max_pieces) {
                let square = squares.pop().expect("there are more squares than pieces");
                pieces.insert(square, Piece { color, king: rng.f64() < kings });
            }
        }
        let side = if rng.bool() { Color::White } else { Color::Black };
        let setup = Setup {
            side,
            pieces,
            quiet_plies: rng.u16(0..20),
            move_number: rng.u16(1..40),
            king_runs: [None; 2],
            ages: EndingAges::default(),
        };
        if setup.check(spec).is_ok() {
            return setup;
        }
    }
}
