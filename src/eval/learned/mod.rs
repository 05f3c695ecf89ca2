//! An evaluation that is learned from games: the value of a small network, scaled down in endings that are hard to win.
//!
//! Its [`Inputs`] are the pieces on their squares, as the side to move sees the board. Its weights are quantised, so that the value is the
//! same on every machine. [`Weights`] are what has been learned, and a [`WeightsFile`] is how they are kept. `Network::value` adds them up.

mod embedded;
mod network;
#[cfg(any(test, all(target_arch = "wasm32", not(target_feature = "simd128"))))]
mod packed;
#[cfg(test)]
mod tests;
#[cfg(not(all(target_arch = "wasm32", not(target_feature = "simd128"))))]
mod vectors;
mod weights_file;

#[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
use packed as layers;
#[cfg(not(all(target_arch = "wasm32", not(target_feature = "simd128"))))]
use vectors as layers;

pub use embedded::embedded;
pub use network::{
    ACCUMULATOR_LIMIT, Accumulators, FIRST_UNITS, Inputs, OUTPUT_BUCKETS, OUTPUT_SCALE, OutputBucket, QA, QB,
    SECOND_BIAS_LIMIT, SECOND_SCALE, SECOND_UNITS, Weights, greatest_accumulator,
};
pub use weights_file::{EvalFileError, WeightsError, WeightsFile, read_eval_file, read_weights};

use super::MAX_EVALUATION;
use crate::board::{Bits, Lines, Shape};
use crate::rules::{Landing, Objective, RuleSet};
use network::Network;
use std::sync::Arc;

/// The scale factor of a score that is not scaled down.
pub const FULL_SCALE: i32 = 8;

/// Fewer pieces than this seldom catch a king that flies.
const FEW: u32 = 4;

/// Returns whether a lone king can hold out against more pieces: where kings fly on diagonals and land where they like.
const fn is_hard_to_win(spec: &RuleSet) -> bool {
    spec.flying_kings
        && matches!(spec.captures, Lines::Diagonal)
        && matches!(spec.landing, Landing::Anywhere)
        && matches!(spec.objective, Objective::Normal)
}

/// The scale factor of a score, of [`FULL_SCALE`], where a lone king can hold out; `white_leads` says which
/// side is ahead. A lone king holds out against three pieces, and with equal kings one extra man is worth little.
#[inline(always)]
pub fn scale_factor<B: Bits>(white: B, black: B, kings: B, white_leads: bool) -> i32 {
    if kings.is_empty() {
        return FULL_SCALE;
    }
    let (leader, defender) = if white_leads { (white, black) } else { (black, white) };
    if !(defender & kings).is_empty() && leader.count() < FEW {
        return 1;
    }
    let men_ahead = (leader & !kings).count().abs_diff((defender & !kings).count());
    if (leader & kings).count() == (defender & kings).count() && men_ahead <= 1 { FULL_SCALE / 2 } else { FULL_SCALE }
}

/// The properties of a game that the learned evaluation depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameKind {
    /// The board.
    pub shape: Shape,
    /// True if a lone king can hold out against more pieces: where kings fly on diagonals, land where they like, and the side
    /// without a move loses.
    pub lone_king_holds: bool,
    /// Men of each side at the start.
    pub men: u8,
}

impl GameKind {
    /// The game by the rules `spec`.
    pub const fn of(spec: &RuleSet) -> Self {
        Self { shape: spec.shape, lone_king_holds: is_hard_to_win(spec), men: spec.men() }
    }

    /// Returns the output bucket of a position with so many pieces, below [`OUTPUT_BUCKETS`].
    pub fn bucket(self, pieces: usize) -> usize {
        let most = 2 * usize::from(self.men.max(1));
        (pieces.saturating_sub(1) * OUTPUT_BUCKETS / most).min(OUTPUT_BUCKETS - 1)
    }
}

/// The learned evaluation of one game. Copies share the weights.
#[derive(Clone, Debug)]
pub struct Learned {
    kind: GameKind,
    network: Arc<Network>,
    salt: u64,
}

impl Learned {
    /// The evaluation of a game with these weights.
    ///
    /// # Errors
    /// When they are not made for its board, or so large that a sum could overflow.
    pub fn new(kind: GameKind, weights: Weights) -> Result<Self, WeightsError> {
        let salt = weights.salt();
        let network = Network::new(kind, &weights)?;
        Ok(Self { kind, network: Arc::new(network), salt })
    }

    /// A number that tells these weights from others.
    pub fn salt(&self) -> u64 {
        self.salt
    }

    /// The value in 1/100 man for the side to move, with `white` and `black` the pieces of the sides and `kings` those of them that
    /// are kings.
    #[inline]
    pub fn evaluate<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool) -> i32 {
        self.evaluate_with(&mut Accumulators::default(), white, black, kings, white_to_move)
    }

    /// The same in a search, whose evaluations all go by the same `accumulators`: faster, for few pieces differ from one position to
    /// the next.
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

    /// Returns the terms of [`Learned::evaluate`], which add up to it: the value of the network, and what is taken off because the
    /// ending is hard to win, or the value beyond all bounds.
    pub fn terms<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool) -> [(&'static str, i32); 2] {
        let value = self.network.value(&mut Accumulators::default(), (white, black, kings), white_to_move);
        let scaled = self.scaled(white, black, kings, white_to_move, value);
        [("network", value), ("hard-to-win", scaled - value)]
    }

    /// Scales the `value` for the side to move down where the ending is hard to win.
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
