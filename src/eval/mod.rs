//! Static evaluation.
//!
//! A score is in 1/100 of a man, from the side to move's point of view. Every variant plays by an evaluation [`learned`] from games,
//! whose weights are added up in `learned/network.rs`; [`Material`] is that from which learning begins. An [`Evaluator`] is one that
//! another room has made.

mod chances;
pub mod learned;
#[cfg(test)]
pub(crate) mod tests;

pub use chances::{Chances, Wdl};

use crate::position::{GameRules, Position};
use crate::rules::{Color, Objective, RuleSet, Word};
use learned::{Accumulators, Learned, embedded};
use std::fmt;
use std::sync::Arc;

/// No evaluation is further from 0 than this; scores beyond it are free for proven wins and losses.
pub const MAX_EVALUATION: i32 = 9_000;

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
    pub fn evaluate(&self, position: &Position<W>) -> i32 {
        self.evaluate_with(&mut Accumulators::default(), position)
    }

    /// The same in a search, whose evaluations all go by the same `accumulators`.
    #[inline(always)]
    pub fn evaluate_with(&self, accumulators: &mut Accumulators<W>, position: &Position<W>) -> i32 {
        match self {
            Self::Learned(evaluation) => {
                let pieces = position.pieces();
                let is_white = position.side() == Color::White;
                evaluation.evaluate_with(accumulators, pieces.white, pieces.black, pieces.kings, is_white)
            }
            Self::Material(evaluation) => evaluation.evaluate(position),
            Self::Other(evaluation) => evaluation.evaluate(position),
            Self::Noisy(evaluation) => evaluation.evaluate_with(accumulators, position),
        }
    }

    /// The parts of which [`Evaluation::evaluate`] is the sum, for the side to move.
    pub fn terms(&self, position: &Position<W>) -> Vec<(&'static str, i32)> {
        match self {
            Self::Learned(evaluation) => {
                let pieces = position.pieces();
                let is_white = position.side() == Color::White;
                evaluation.terms(pieces.white, pieces.black, pieces.kings, is_white).to_vec()
            }
            Self::Material(evaluation) => vec![("material", evaluation.evaluate(position))],
            Self::Other(evaluation) => evaluation.terms(position),
            Self::Noisy(evaluation) => evaluation.terms(position),
        }
    }

    /// The chances that go with the evaluation of `position`; `None` where it is not the learned one, whose hundredths of a man mean something
    /// else.
    pub fn chances(&self, position: &Position<W>) -> Option<Chances> {
        match self {
            Self::Learned(_) => Some(Chances::of(position.rules().variant(), position.pieces().all().count() as usize)),
            Self::Noisy(evaluation) => evaluation.base.chances(position),
            Self::Material(_) | Self::Other(_) => None,
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

/// A man, in 1/100 man.
const MAN: i32 = 100;

/// A king that moves one square.
const SHORT_KING: i32 = 150;

/// A king that flies.
const FLYING_KING: i32 = 300;

/// The material of the side to move less that of the other side; the reverse where the aim is to lose all pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    man: i32,
    king: i32,
}

impl Material {
    /// The material of the game by the rules `spec`.
    pub const fn of(spec: &RuleSet) -> Self {
        let king = if spec.flying_kings { FLYING_KING } else { SHORT_KING };
        match spec.objective {
            // A king that has to be given away is no more than a man.
            Objective::Losing => Self { man: -MAN, king: -MAN },
            Objective::Normal | Objective::FirstKing => Self { man: MAN, king },
        }
    }

    /// The value of `position` in 1/100 man for the side to move.
    #[inline]
    pub fn evaluate<W: Word>(&self, position: &Position<W>) -> i32 {
        let pieces = position.pieces();
        let of =
            |color: Color| self.man * pieces.men(color).count() as i32 + self.king * pieces.kings(color).count() as i32;
        of(position.side()) - of(position.side().opponent())
    }
}

/// An evaluation that adds to another one a small noise, which depends on the position only and so is reproducible.
#[derive(Clone, Debug)]
pub struct Noisy<W: Word> {
    base: Evaluation<W>,
    seed: u64,
    most: u16,
}

impl<W: Word> Noisy<W> {
    /// `base` with noise of up to `most` 1/100 man, other noise for every seed.
    pub fn new(base: Evaluation<W>, seed: u64, most: u16) -> Self {
        Self { base, seed, most }
    }

    fn noise(&self, position: &Position<W>) -> i32 {
        let mixed = (position.key() ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32;
        let most = i32::from(self.most);
        ((mixed * (2 * u64::from(self.most) + 1)) >> 32) as i32 - most
    }

    /// The value of `position` in 1/100 man for the side to move, which must have no compulsory capture, in a search whose
    /// evaluations all go by the same `accumulators`.
    #[inline(never)]
    pub fn evaluate_with(&self, accumulators: &mut Accumulators<W>, position: &Position<W>) -> i32 {
        let value = self.base.evaluate_with(accumulators, position) + self.noise(position);
        value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// The parts of which [`Noisy::evaluate_with`] is the sum.
    pub fn terms(&self, position: &Position<W>) -> Vec<(&'static str, i32)> {
        let mut terms = self.base.terms(position);
        let sum: i32 = terms.iter().map(|(_, value)| value).sum();
        terms.push(("noise", self.evaluate_with(&mut Accumulators::default(), position) - sum));
        terms
    }

    /// A number that tells this evaluation from others.
    pub fn salt(&self) -> u64 {
        // Any number will do that depends on the seed.
        self.base.salt() ^ self.seed.wrapping_mul(0x9e6c_63d0_985b_2d4f).rotate_left(u32::from(self.most) % 64)
    }
}
