//! The evaluation in use.

use super::Material;
use super::learned::{Learned, embedded};
use super::noisy::Noisy;
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

pub enum Evaluation<W: Word> {
    /// Learned from games.
    Learned(Learned),
    /// Of material alone.
    Material(Material),
    /// One that another room has made.
    Other(Arc<dyn Evaluator<W>>),
    /// Another one, with noise.
    Noisy(Box<Noisy<W>>),
}

impl<W: Word> Evaluation<W> {
    /// Returns the strongest evaluation for `rules`: the learned one where there are weights for them, else material.
    pub fn best(rules: &GameRules<W>) -> Self {
        let material = || Self::Material(Material::of(rules.spec()));
        embedded(rules.variant()).cloned().map_or_else(material, Self::Learned)
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
            Self::Other(evaluation) => evaluation.terms(position),
            Self::Noisy(evaluation) => evaluation.terms(position),
        }
    }

    /// A number that tells this evaluation from others, so that a transposition table does not mix their scores.
    pub fn salt(&self) -> u64 {
        match self {
            Self::Learned(evaluation) => evaluation.salt(),
            Self::Material(_) => 1,
            Self::Other(evaluation) => evaluation.salt(),
            Self::Noisy(evaluation) => evaluation.salt(),
        }
    }
}
