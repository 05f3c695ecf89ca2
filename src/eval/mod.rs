//! Static evaluation, in cp from the point of view of the side to move.
//!
//! In the evaluation and inside the search, 100 cp equal one man: exactly for [`MaterialBalance`], and on average over
//! positions without kings for the trained evaluation. [`Chances`] converts scores from the trained evaluation for
//! reports.
//!
//! Every variant has a trained evaluation ([`nnue`]). Training starts from [`MaterialBalance`]. Other modules can
//! implement an [`Evaluator`].
#![allow(clippy::indexing_slicing, reason = "the layers of a network have fixed sizes")]

mod chances;
pub mod nnue;
#[cfg(test)]
pub(crate) mod tests;

pub use chances::{Chances, Wdl};

use crate::position::{GameRules, Position};
use crate::rules::{Color, Objective, RuleSet, Word};
use nnue::{Accumulators, Nnue, embedded};
use std::fmt;
use std::sync::Arc;

/// Maximum absolute value of an evaluation in cp.
pub const MAX_EVALUATION: i32 = 9_000;

/// An evaluation implemented outside this module.
pub trait Evaluator<W: Word>: fmt::Debug + Send + Sync {
    /// Returns the evaluation of `position` in cp from the point of view of the side to move, which must not have a
    /// compulsory capture.
    fn evaluate(&self, position: &Position<W>) -> i32;

    /// Returns named terms that add up to the value of [`Evaluator::evaluate`].
    fn terms(&self, position: &Position<W>) -> Vec<(&'static str, i32)>;

    /// Returns a hash that distinguishes this evaluation from others in a transposition table.
    fn salt(&self) -> u64;
}

/// An evaluation of any kind.
#[derive(Clone, Debug)]
pub enum Evaluation<W: Word> {
    /// An evaluation that was trained on games.
    Nnue(Nnue),
    /// An evaluation that counts only material.
    Material(MaterialBalance),
    /// An evaluation that is implemented outside this module.
    Other(Arc<dyn Evaluator<W>>),
    /// An evaluation that adds noise to an underlying evaluation.
    Noisy(Box<Noisy<W>>),
}

impl<W: Word> Evaluation<W> {
    /// Returns the trained evaluation for `rules`, or [`MaterialBalance`] if there are no embedded weights for them.
    pub fn best(rules: &GameRules<W>) -> Self {
        let material = || Self::Material(MaterialBalance::for_rules(rules.spec()));
        embedded(rules.variant()).cloned().map_or_else(material, Self::Nnue)
    }

    /// Returns the evaluation of `position` in cp from the point of view of the side to move, which must not have a
    /// compulsory capture.
    pub fn evaluate(&self, position: &Position<W>) -> i32 {
        self.evaluate_with(&mut Accumulators::default(), position)
    }

    /// Like [`Evaluation::evaluate`], but updates `accumulators` incrementally. The accumulators must not be used with
    /// any other evaluation.
    #[inline(always)]
    pub fn evaluate_with(&self, accumulators: &mut Accumulators<W>, position: &Position<W>) -> i32 {
        match self {
            Self::Nnue(evaluation) => {
                let pieces = position.pieces();
                let is_white = position.side() == Color::White;
                evaluation.evaluate_with(accumulators, pieces.white, pieces.black, pieces.kings, is_white)
            }
            Self::Material(evaluation) => evaluation.evaluate(position),
            Self::Other(evaluation) => evaluation.evaluate(position),
            Self::Noisy(evaluation) => evaluation.evaluate_with(accumulators, position),
        }
    }

    /// Returns named terms that add up to the value of [`Evaluation::evaluate`].
    pub fn terms(&self, position: &Position<W>) -> Vec<(&'static str, i32)> {
        match self {
            Self::Nnue(evaluation) => {
                let pieces = position.pieces();
                let is_white = position.side() == Color::White;
                evaluation.terms(pieces.white, pieces.black, pieces.kings, is_white).to_vec()
            }
            Self::Material(evaluation) => vec![("material", evaluation.evaluate(position))],
            Self::Other(evaluation) => evaluation.terms(position),
            Self::Noisy(evaluation) => evaluation.terms(position),
        }
    }

    /// Returns the probability model for `position`, or `None` if the evaluation is not trained, because its scale is
    /// then different.
    pub fn chances(&self, position: &Position<W>) -> Option<Chances> {
        match self {
            Self::Nnue(_) => {
                Some(Chances::for_pieces(position.rules().variant(), position.pieces().all().count() as usize))
            }
            Self::Noisy(evaluation) => evaluation.base.chances(position),
            Self::Material(_) | Self::Other(_) => None,
        }
    }

    /// Returns a hash that distinguishes this evaluation from others in a transposition table.
    pub fn salt(&self) -> u64 {
        match self {
            Self::Nnue(evaluation) => evaluation.salt(),
            Self::Material(_) => 1,
            Self::Other(evaluation) => evaluation.salt(),
            Self::Noisy(evaluation) => evaluation.salt(),
        }
    }
}

/// Value of a man in cp.
const MAN: i32 = 100;

/// Value in cp of a king that moves only one square at a time.
const SHORT_KING: i32 = 150;

const FLYING_KING: i32 = 300;

/// An evaluation by material balance. The piece values are negative in variants where the aim is to lose all pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialBalance {
    man: i32,
    king: i32,
}

impl MaterialBalance {
    /// Creates the evaluation with the piece values for `spec`.
    pub const fn for_rules(spec: &RuleSet) -> Self {
        let king = if spec.flying_kings { FLYING_KING } else { SHORT_KING };
        match spec.objective {
            // A king that has to be sacrificed is worth no more than a man.
            Objective::Losing => Self { man: -MAN, king: -MAN },
            Objective::Normal | Objective::FirstKing => Self { man: MAN, king },
        }
    }

    /// Returns the material balance of `position` in cp from the point of view of the side to move.
    #[inline]
    pub fn evaluate<W: Word>(&self, position: &Position<W>) -> i32 {
        let pieces = position.pieces();
        let of =
            |color: Color| self.man * pieces.men(color).count() as i32 + self.king * pieces.kings(color).count() as i32;
        of(position.side()) - of(position.side().opponent())
    }
}

/// An evaluation that adds noise to an underlying evaluation. The noise is determined by the position and a seed.
#[derive(Clone, Debug)]
pub struct Noisy<W: Word> {
    base: Evaluation<W>,
    seed: u64,
    max_noise: u16,
}

impl<W: Word> Noisy<W> {
    /// Creates an evaluation that adds noise of up to `max_noise` cp to `base`.
    pub fn new(base: Evaluation<W>, seed: u64, max_noise: u16) -> Self {
        Self { base, seed, max_noise }
    }

    fn noise(&self, position: &Position<W>) -> i32 {
        let mixed = (position.key() ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32;
        let max_noise = i32::from(self.max_noise);
        ((mixed * (2 * u64::from(self.max_noise) + 1)) >> 32) as i32 - max_noise
    }

    #[inline(never)]
    fn evaluate_with(&self, accumulators: &mut Accumulators<W>, position: &Position<W>) -> i32 {
        let value = self.base.evaluate_with(accumulators, position) + self.noise(position);
        value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    fn terms(&self, position: &Position<W>) -> Vec<(&'static str, i32)> {
        let mut terms = self.base.terms(position);
        let sum: i32 = terms.iter().map(|(_, value)| value).sum();
        terms.push(("noise", self.evaluate_with(&mut Accumulators::default(), position) - sum));
        terms
    }

    fn salt(&self) -> u64 {
        self.base.salt() ^ self.seed.wrapping_mul(0x9e6c_63d0_985b_2d4f).rotate_left(u32::from(self.max_noise) % 64)
    }
}
