//! The NNUE evaluation, which is scaled down in endings that are hard to win.
//!
//! [`Inputs`] encodes the pieces from the point of view of the side to move. The weights are quantised, so the result
//! is the same on every machine. A [`WeightsFile`] stores [`Weights`], and `Network::value` computes the network's
//! output.

mod embedded;
mod network;
#[cfg(test)]
mod tests;
mod weights_file;

pub(crate) use embedded::weights_origin;
pub use embedded::{embedded, install, weights_file};
pub use network::{
    ACCUMULATOR_LIMIT, Accumulators, FIRST_UNITS, Inputs, OUTPUT_BUCKETS, OUTPUT_SCALE, OutputBucket, QA, QB,
    SECOND_BIAS_LIMIT, SECOND_SCALE, SECOND_UNITS, Weights, WeightsError, max_accumulator,
};
pub use weights_file::{EvalFileError, WeightsFile, read_eval_file, read_weights};

use super::MAX_EVALUATION;
use crate::board::{Bits, Lines, Shape};
use crate::rules::{Landing, Objective, RuleSet};
use network::Network;
use std::sync::Arc;

/// Denominator of the factor returned by [`scale_factor`].
pub const FULL_SCALE: i32 = 8;

/// Minimum number of attackers that can usually catch a flying king.
const CHASERS: u32 = 4;

const fn is_hard_to_win(spec: &RuleSet) -> bool {
    spec.flying_kings
        && matches!(spec.captures, Lines::Diagonal)
        && matches!(spec.landing, Landing::Anywhere)
        && matches!(spec.objective, Objective::Normal)
}

/// Returns the factor by which an evaluation is scaled in variants where a lone king can hold out. The factor is in
/// units of 1/[`FULL_SCALE`]. `white_leads` indicates whether White is ahead.
///
/// A lone king can hold out against three pieces, so the factor is 1 if the side that is behind has a king and the
/// other side has fewer than four pieces. An extra man is worth little if both sides have the same number of kings, so
/// the factor is half of [`FULL_SCALE`] in this case.
#[inline(always)]
pub fn scale_factor<B: Bits>(white: B, black: B, kings: B, white_leads: bool) -> i32 {
    if kings.is_empty() {
        return FULL_SCALE;
    }
    let (leader, defender) = if white_leads { (white, black) } else { (black, white) };
    if !(defender & kings).is_empty() && leader.count() < CHASERS {
        return 1;
    }
    let men_ahead = (leader & !kings).count().abs_diff((defender & !kings).count());
    if (leader & kings).count() == (defender & kings).count() && men_ahead <= 1 { FULL_SCALE / 2 } else { FULL_SCALE }
}

/// The properties of a variant on which the trained evaluation depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameKind {
    /// Board size and playing squares.
    pub shape: Shape,
    /// Whether a lone king can hold out against several pieces. This is the case if kings fly along diagonals and land
    /// anywhere behind a captured piece, and if a side without a move loses.
    pub lone_king_holds: bool,
    /// Number of men per side at the start.
    pub men: u8,
}

impl GameKind {
    /// Returns the properties of `spec`.
    pub const fn for_rules(spec: &RuleSet) -> Self {
        Self { shape: spec.shape, lone_king_holds: is_hard_to_win(spec), men: spec.men() }
    }

    /// Returns the index of the output bucket for a position with `pieces` pieces on the board. The index is below
    /// [`OUTPUT_BUCKETS`].
    pub fn bucket(self, pieces: usize) -> usize {
        let most = 2 * usize::from(self.men.max(1));
        (pieces.saturating_sub(1) * OUTPUT_BUCKETS / most).min(OUTPUT_BUCKETS - 1)
    }
}

/// The trained evaluation of one variant. Clones share the weights.
#[derive(Clone, Debug)]
pub struct Nnue {
    kind: GameKind,
    network: Arc<Network>,
    salt: u64,
}

impl Nnue {
    /// Creates an evaluation. Returns an error if the weights do not match the board or if a sum could overflow.
    pub fn new(kind: GameKind, weights: Weights) -> Result<Self, WeightsError> {
        let salt = weights.salt();
        let network = Network::new(kind, &weights)?;
        Ok(Self { kind, network: Arc::new(network), salt })
    }

    /// Returns a hash of the weights.
    pub fn salt(&self) -> u64 {
        self.salt
    }

    /// Returns the evaluation in cp from the point of view of the side to move. `kings` contains the kings of both
    /// sides.
    #[inline]
    pub fn evaluate<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool) -> i32 {
        self.evaluate_with(&mut Accumulators::default(), white, black, kings, white_to_move)
    }

    /// Like [`Nnue::evaluate`], but updates `accumulators` incrementally. This is faster in a search, where
    /// consecutive positions differ in few pieces.
    #[inline(always)]
    pub fn evaluate_with<B: Bits>(
        &self,
        accumulators: &mut Accumulators<B>,
        white: B,
        black: B,
        kings: B,
        white_to_move: bool,
    ) -> i32 {
        let value = self.network.value(accumulators, (white, black, kings), white_to_move);
        self.scaled(white, black, kings, white_to_move, value)
    }

    /// Returns two terms that add up to the value of [`Nnue::evaluate`]. The first term is the output of the
    /// network. The second term is the reduction for endings that are hard to win and for values that are out of
    /// bounds.
    pub fn terms<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool) -> [(&'static str, i32); 2] {
        let value = self.network.value(&mut Accumulators::default(), (white, black, kings), white_to_move);
        let scaled = self.scaled(white, black, kings, white_to_move, value);
        [("network", value), ("hard-to-win", scaled - value)]
    }

    #[inline(always)]
    fn scaled<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool, value: i32) -> i32 {
        let scaled = if self.kind.lone_king_holds {
            value * scale_factor(white, black, kings, (value > 0) == white_to_move) / FULL_SCALE
        } else {
            value
        };
        scaled.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}
