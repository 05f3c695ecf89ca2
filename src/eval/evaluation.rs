//! The evaluation that was chosen.

use super::{HandMade, Plain};
use crate::position::{GameRules, Move, Position};
use crate::rules::{Color, Word};

/// One of the evaluations there are.
#[expect(clippy::large_enum_variant, reason = "there is one for a whole search, which a box would slow down")]
#[derive(Clone, Debug)]
pub enum Evaluation<W: Word> {
    /// The one that plays best.
    HandMade(HandMade<W>),
    /// One of the plain ones.
    Plain(Plain),
}

impl<W: Word> Evaluation<W> {
    /// The evaluation that plays best by `rules`.
    pub fn best(rules: &GameRules<W>) -> Self {
        Self::HandMade(HandMade::new(rules))
    }

    /// The value of `position` in 1/100 man for the side to move, which must have no capture that is compulsory.
    #[inline(always)]
    pub fn evaluate(&self, position: &Position<W>) -> i32 {
        match self {
            Self::HandMade(evaluation) => evaluation.evaluate(position),
            Self::Plain(evaluation) => evaluation.evaluate(position),
        }
    }

    /// What [`Evaluation::evaluate`] is made of, part by part, for the side to move; the parts add up to it.
    pub fn terms(&self, position: &Position<W>) -> Vec<(&'static str, i32)> {
        match self {
            Self::HandMade(evaluation) => evaluation.terms(position),
            Self::Plain(evaluation) => evaluation.terms(position),
        }
    }

    /// A number that tells this evaluation from others, so that a transposition table does not mix their scores.
    pub fn salt(&self) -> u64 {
        match self {
            Self::HandMade(_) => 0,
            Self::Plain(evaluation) => evaluation.salt(),
        }
    }

    /// Whether moves count, and not only the position that they lead to.
    pub fn counts_moves(&self) -> bool {
        match self {
            Self::HandMade(_) => false,
            Self::Plain(evaluation) => evaluation.counts_moves(),
        }
    }

    /// The value of `position` as `own` sees it, in 1/100 man.
    #[inline]
    pub fn of_position(&self, position: &Position<W>, own: Color) -> i32 {
        match self {
            Self::HandMade(evaluation) if position.side() == own => evaluation.evaluate(position),
            Self::HandMade(evaluation) => -evaluation.evaluate(position),
            Self::Plain(evaluation) => evaluation.of_pieces(position.pieces(), own),
        }
    }

    /// What `mv`, a move of the side to move, is worth to it beside the position that it leads to, in 1/100 man.
    pub fn of_move(&self, position: &Position<W>, mv: Move<W>) -> i32 {
        match self {
            Self::HandMade(_) => 0,
            Self::Plain(evaluation) => evaluation.of_move(position, mv),
        }
    }
}
