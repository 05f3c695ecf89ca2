//! The evaluation that was chosen.

use super::{Evaluate, HandMade, Plain};
use crate::position::Position;
use crate::rules::Rules;

/// One of the evaluations there are, so that the search is compiled only once for all of them.
#[derive(Clone, Debug)]
pub enum Evaluation<R: Rules> {
    /// The one that plays best.
    HandMade(HandMade<R>),
    /// One of the plain ones.
    Plain(Plain),
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
