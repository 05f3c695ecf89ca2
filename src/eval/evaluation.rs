//! The evaluation that was chosen.

use super::{Evaluate, HandMade, Plain};
use crate::position::{Move, Position};
use crate::rules::{Color, Rules};

/// One of the evaluations there are, so that the search is compiled only once for all of them.
#[derive(Clone, Debug)]
pub enum Evaluation<R: Rules> {
    /// The one that plays best.
    HandMade(HandMade<R>),
    /// One of the plain ones.
    Plain(Plain),
}

impl<R: Rules> Evaluation<R> {
    /// Whether moves count, and not only the position that they lead to.
    pub fn counts_moves(&self) -> bool {
        match self {
            Self::HandMade(_) => false,
            Self::Plain(evaluation) => evaluation.counts_moves(),
        }
    }

    /// The value of `position` as `own` sees it, in 1/100 man.
    #[inline]
    pub fn of_position(&self, position: &Position<R>, own: Color) -> i32 {
        match self {
            Self::HandMade(evaluation) if position.side() == own => evaluation.evaluate(position),
            Self::HandMade(evaluation) => -evaluation.evaluate(position),
            Self::Plain(evaluation) => evaluation.of_pieces(position.pieces(), own),
        }
    }

    /// What `mv`, a move of the side to move, is worth to it beside the position that it leads to, in 1/100 man.
    pub fn of_move(&self, position: &Position<R>, mv: Move<R>) -> i32 {
        match self {
            Self::HandMade(_) => 0,
            Self::Plain(evaluation) => evaluation.of_move(position, mv),
        }
    }
}

impl<R: Rules> Default for Evaluation<R> {
    fn default() -> Self {
        Self::HandMade(HandMade::new())
    }
}

impl<R: Rules> Evaluate<R> for Evaluation<R> {
    #[inline(always)]
    fn evaluate(&self, position: &Position<R>) -> i32 {
        match self {
            Self::HandMade(evaluation) => evaluation.evaluate(position),
            Self::Plain(evaluation) => evaluation.evaluate(position),
        }
    }

    fn terms(&self, position: &Position<R>) -> Vec<(&'static str, i32)> {
        match self {
            Self::HandMade(evaluation) => evaluation.terms(position),
            Self::Plain(evaluation) => evaluation.terms(position),
        }
    }

    fn salt(&self) -> u64 {
        match self {
            Self::HandMade(evaluation) => evaluation.salt(),
            Self::Plain(evaluation) => Evaluate::<R>::salt(evaluation),
        }
    }
}
