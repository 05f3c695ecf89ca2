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

const ENGLISH: Weights = Weights::new(&[
    (Term::Man, 100, 110),
    (Term::King, 130, 140),
    (Term::FirstKing, 10, 5),
    (Term::Turn, 2, 0),
    (Term::Advance, 1, 4),
    (Term::HomeRow, 8, 0),
    (Term::Bridge, 10, 5),
    (Term::Centre, 4, 0),
    (Term::Edge, -3, -2),
    (Term::Support, 2, 1),
    (Term::Imbalance, -2, 0),
    (Term::SafeMoves, 2, 2),
    (Term::TrappedMen, -3, -6),
    (Term::DogHole, -15, -15),
    (Term::RunawayNear, 30, 30),
    (Term::RunawayFar, 15, 20),
    (Term::KingCentre, 5, 8),
    (Term::KingEdge, -4, -5),
    (Term::KingMoves, 2, 3),
    (Term::TrappedKing, -25, -30),
    (Term::Refuge, 5, 20),
    (Term::Opposition, 0, 8),
]);

const ITALIAN: Weights = ENGLISH;

const INTERNATIONAL: Weights = Weights::new(&[
    (Term::Man, 100, 105),
    (Term::King, 200, 220),
    (Term::FirstKing, 80, 60),
    (Term::Turn, 2, 2),
    (Term::Advance, 1, 5),
    (Term::HomeRow, 4, 4),
    (Term::Centre, 5, 2),
    (Term::Edge, -3, -2),
    (Term::Support, 2, 1),
    (Term::Imbalance, -3, -1),
    (Term::SafeMoves, 2, 2),
    (Term::TrappedMen, -3, -4),
    (Term::RunawayNear, 60, 80),
    (Term::RunawayFar, 40, 60),
    (Term::KingMoves, 2, 2),
    (Term::TrappedKing, -60, -60),
    (Term::Refuge, 20, 40),
]);
