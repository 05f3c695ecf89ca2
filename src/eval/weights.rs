//! What the terms are worth.

use super::Term;
use super::term::TERMS;
use crate::rules::RuleSet;

/// What each term is worth in 1/100 man: a value for the full board and one for the empty board. In between the
/// values change in step with the number of pieces, so that men which are worth more on the empty board make the side
/// that is ahead look for exchanges.
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
        if spec.flying_kings {
            INTERNATIONAL
        } else if spec.men_capture_kings {
            ENGLISH
        } else {
            ITALIAN
        }
    }

    /// What `term` is worth with `pieces` on a board that began with `most`, rounded to the nearest.
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
    (Term::Man, 100, 95),
    (Term::King, 109, 123),
    (Term::FirstKing, 26, 12),
    (Term::Advance, -7, 7),
    (Term::Front, -1, -5),
    (Term::HomeRow, 8, 10),
    (Term::Bridge, 12, 27),
    (Term::Centre, 6, -9),
    (Term::Edge, 13, 1),
    (Term::Support, 10, 4),
    (Term::Outpost, -14, 8),
    (Term::Imbalance, 1, -4),
    (Term::SafeMoves, 11, 4),
    (Term::TrappedMen, 2, -6),
    (Term::DogHole, -23, -18),
    (Term::RunawayNear, 8, 4),
    (Term::RunawayFar, 2, 6),
    (Term::TrappedKing, -14, -13),
    (Term::Refuge, 21, 21),
    (Term::Opposition, 2, 2),
]);

const INTERNATIONAL: Weights = Weights::new(&[
    (Term::Man, 100, 91),
    (Term::King, 197, 197),
    (Term::FirstKing, 113, 90),
    (Term::Turn, 1, 8),
    (Term::Advance, -5, 2),
    (Term::Front, 5, 29),
    (Term::HomeRow, -6, 13),
    (Term::Bridge, 15, 1),
    (Term::Centre, 9, -3),
    (Term::Edge, 5, -10),
    (Term::Support, -3, 0),
    (Term::Outpost, -4, 4),
    (Term::Imbalance, 7, -10),
    (Term::SafeMoves, -3, -5),
    (Term::TrappedMen, 4, -17),
    (Term::DogHole, -22, -9),
    (Term::RunawayNear, 92, 99),
    (Term::RunawayFar, 10, 18),
    (Term::KingCentre, -6, -6),
    (Term::KingEdge, -9, -9),
    (Term::TrappedKing, -11, -11),
    (Term::Refuge, 100, 100),
]);
