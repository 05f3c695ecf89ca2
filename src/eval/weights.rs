//! The weights of the terms.
//!
//! The tables were fitted by logistic regression to the results of quick games that the evaluation played against
//! itself, and kept where they won matches against the ones before them. A value of the full board that looks odd, a
//! penalty for outposts say, is the far end of a line that was fitted where the term occurs.

use super::Term;
use super::term::TERMS;
use crate::board::Lines;
use crate::rules::{Objective, RuleSet};

/// The weight of each term in 1/100 man: one for the full board and one for the empty board, interpolated linearly by
/// the number of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    full: [i32; TERMS],
    empty: [i32; TERMS],
}

impl Weights {
    /// The weights of a list of terms, each with its value on the full and on the empty board; terms that are not
    /// listed are worth nothing.
    pub const fn new(list: &[(Term, i32, i32)]) -> Self {
        let mut weights = Self { full: [0; TERMS], empty: [0; TERMS] };
        let mut index = 0;
        while index < list.len() {
            let (term, full, empty) = list[index];
            weights.full[term as usize] = full;
            weights.empty[term as usize] = empty;
            index += 1;
        }
        weights
    }

    /// The weights for the game by the rules `spec`: those of the known game that is played most like it.
    pub const fn of(spec: &RuleSet) -> Self {
        match (spec.objective, spec.captures) {
            (Objective::Losing, _) => LOSING,
            (Objective::FirstKing, _) => BREAKTHROUGH,
            (Objective::Normal, Lines::Orthogonal) => TURKISH,
            (Objective::Normal, Lines::Diagonal | Lines::Both) => match (spec.flying_kings, spec.men_capture_kings) {
                (true, _) => INTERNATIONAL,
                (false, true) => ENGLISH,
                (false, false) => ITALIAN,
            },
        }
    }

    /// The weight of `term` with `pieces` left of the `most` that the board began with, rounded to the nearest.
    pub const fn at(&self, term: Term, pieces: usize, most: usize) -> i32 {
        let full = self.full[term as usize] * pieces as i32;
        let empty = self.empty[term as usize] * (most - pieces) as i32;
        let most = most as i32;
        (2 * (full + empty) + most).div_euclid(2 * most)
    }
}

const ITALIAN: Weights = Weights::new(&[
    (Term::Man, 100, 96),
    (Term::King, 148, 159),
    (Term::FirstKing, 36, 19),
    (Term::Turn, 1, 2),
    (Term::Advance, -4, 9),
    (Term::Front, 3, -2),
    (Term::HomeRow, 19, 3),
    (Term::Bridge, 15, 22),
    (Term::Centre, 0, -7),
    (Term::Edge, 13, 0),
    (Term::Support, 7, 2),
    (Term::Outpost, -13, 15),
    (Term::Imbalance, 1, -7),
    (Term::SafeMoves, 6, 10),
    (Term::TrappedMen, 10, -20),
    (Term::DogHole, -17, -25),
    (Term::RunawayNear, 7, 12),
    (Term::RunawayFar, -1, 15),
    (Term::KingCentre, 2, 2),
    (Term::KingEdge, -6, -6),
    (Term::TrappedKing, -18, -18),
    (Term::Refuge, 31, 31),
]);

const ENGLISH: Weights = Weights::new(&[
    (Term::Man, 100, 80),
    (Term::King, 106, 99),
    (Term::FirstKing, 45, -1),
    (Term::Advance, -8, 6),
    (Term::Front, 7, -5),
    (Term::HomeRow, 9, 7),
    (Term::Bridge, 5, 42),
    (Term::Centre, 3, -6),
    (Term::Edge, 13, -3),
    (Term::Support, 14, -1),
    (Term::Outpost, -9, 9),
    (Term::Imbalance, -5, 2),
    (Term::SafeMoves, 19, -7),
    (Term::TrappedMen, 4, -13),
    (Term::DogHole, -27, -20),
    (Term::RunawayNear, 5, -3),
    (Term::RunawayFar, -11, 8),
    (Term::KingCentre, 3, 3),
    (Term::KingEdge, -10, -10),
    (Term::TrappedKing, -9, -9),
    (Term::Refuge, 41, 41),
    (Term::Opposition, 5, 5),
]);

const INTERNATIONAL: Weights = Weights::new(&[
    (Term::Man, 100, 65),
    (Term::King, 147, 125),
    (Term::FirstKing, 115, 94),
    (Term::Turn, 0, 8),
    (Term::Advance, -6, 4),
    (Term::Front, -2, 28),
    (Term::HomeRow, -13, 20),
    (Term::Bridge, 8, 11),
    (Term::Centre, 3, 0),
    (Term::Edge, 4, -7),
    (Term::Support, -5, 7),
    (Term::Outpost, -9, 6),
    (Term::Imbalance, 6, -11),
    (Term::SafeMoves, -4, -1),
    (Term::TrappedMen, 5, -13),
    (Term::DogHole, -27, -9),
    (Term::RunawayNear, 114, 90),
    (Term::RunawayFar, 23, 18),
    (Term::KingCentre, -23, -23),
    (Term::KingEdge, -3, -3),
    (Term::TrappedKing, -6, -6),
    (Term::Refuge, 81, 81),
]);

/// On rows and columns most terms, which look along diagonals, mean nothing. Kings move like rooks and decide games.
const TURKISH: Weights = Weights::new(&[
    (Term::Man, 100, 100),
    (Term::King, 350, 300),
    (Term::FirstKing, 100, 50),
    (Term::Turn, 2, 5),
    (Term::Advance, 2, 8),
    (Term::Front, 5, 30),
    (Term::HomeRow, 10, 0),
    (Term::Centre, 2, 0),
]);

/// In losing draughts few pieces and high mobility are good. Not fitted, but it beats material alone, as
/// `tests/strength.rs` shows.
const LOSING: Weights = Weights::new(&[
    (Term::Man, -40, -100),
    (Term::King, -40, -70),
    (Term::Turn, 2, 5),
    (Term::Advance, -2, -4),
    (Term::SafeMoves, 4, 4),
]);

/// The first king wins: what counts is a man that nothing can stop. Not fitted, as [`LOSING`].
const BREAKTHROUGH: Weights = Weights::new(&[
    (Term::Man, 100, 100),
    (Term::Turn, 5, 15),
    (Term::Advance, -2, 8),
    (Term::HomeRow, 25, 25),
    (Term::Bridge, 10, 20),
    (Term::Support, 2, 2),
    (Term::SafeMoves, 1, 2),
    (Term::TrappedMen, -2, -8),
    (Term::RunawayNear, 300, 400),
    (Term::RunawayFar, 40, 120),
]);
