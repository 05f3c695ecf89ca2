//! The evaluation in use.

use super::learned::{Learned, embedded};
use super::noisy::Noisy;
use super::{HandMade, Material};
use crate::position::{GameRules, Position};
use crate::rules::{Color, Word};
use std::fmt;
use std::sync::Arc;

/// An evaluation that another room has made.
pub trait Evaluator<W: Word>: fmt::Debug + Send + Sync {
    /// The value of `position` in 1/100 man for the side to move, which must have no compulsory capture.
    fn evaluate(&self, position: &Position<W>) -> i32;

    /// The parts of which [`Evaluator::evaluate`] is the sum.
    fn terms(&self, position: &Position<W>) -> Vec<(&'static str, i32)>;

    /// A number that tells this evaluation from others.
    fn salt(&self) -> u64;
}

/// An evaluation of any kind.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "one is made for a search, and read at every leaf")]
pub enum Evaluation<W: Word> {
    /// Learned from games.
    Learned(Learned),
    /// Of material alone.
    Material(Material),
    /// Made by hand.
    HandMade(HandMade<W>),
    /// One that another room has made.
    Other(Arc<dyn Evaluator<W>>),
    /// Another one, with noise.
    Noisy(Box<Noisy<W>>),
}

impl<W: Word> Evaluation<W> {
    /// The strongest evaluation for `rules`: the learned one where there are weights for them.
    pub fn best(rules: &GameRules<W>) -> Self {
        embedded(rules.variant()).cloned().map_or_else(|| Self::hand_made(rules), Self::Learned)
    }

    /// The evaluation made by hand.
    pub fn hand_made(rules: &GameRules<W>) -> Self {
        Self::HandMade(HandMade::new(rules))
    }

    /// The value of `position` in 1/100 man for the side to move, which must have no compulsory capture.
    #[inline(always)]
    pub fn evaluate(&self, position: &Position<W>) -> i32 {
        match self {
            Self::Learned(evaluation) => {
                let pieces = position.pieces();
                evaluation.evaluate(pieces.white, pieces.black, pieces.kings, position.side() == Color::White)
            }
            Self::Material(evaluation) => evaluation.evaluate(position),
            Self::HandMade(evaluation) => evaluation.evaluate(position),
            Self::Other(evaluation) => evaluation.evaluate(position),
            Self::Noisy(evaluation) => evaluation.evaluate(position),
        }
    }

    /// The parts of which [`Evaluation::evaluate`] is the sum, for the side to move.
    pub fn terms(&self, position: &Position<W>) -> Vec<(&'static str, i32)> {
        match self {
            Self::Learned(evaluation) => {
                let pieces = position.pieces();
                let is_white = position.side() == Color::White;
                let parts = evaluation.parts(pieces.white, pieces.black, pieces.kings, is_white);
                parts.map(|(part, value)| (part.name(), value)).to_vec()
            }
            Self::Material(evaluation) => vec![("material", evaluation.evaluate(position))],
            Self::HandMade(evaluation) => evaluation.terms(position),
            Self::Other(evaluation) => evaluation.terms(position),
            Self::Noisy(evaluation) => evaluation.terms(position),
        }
    }

    /// A number that tells this evaluation from others, so that a transposition table does not mix their scores.
    pub fn salt(&self) -> u64 {
        match self {
            Self::Learned(evaluation) => evaluation.salt(),
            Self::Material(_) => 1,
            Self::HandMade(_) => 0,
            Self::Other(evaluation) => evaluation.salt(),
            Self::Noisy(evaluation) => evaluation.salt(),
        }
    }
}
