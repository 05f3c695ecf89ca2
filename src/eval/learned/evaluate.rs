//! The value of a position.

use super::network::Network;
use super::{GameKind, Inputs, KEPT_PARTS, Weights, WeightsError, kept_parts};
use crate::board::Bits;
use crate::eval::MAX_EVALUATION;
use std::sync::Arc;

/// The learned evaluation of one game. Copies share the weights.
#[derive(Clone, Debug)]
pub struct Learned {
    kind: GameKind,
    network: Arc<Network>,
    salt: u64,
}

/// A part of the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What the network says.
    Network,
    /// What is taken off because the ending is hard to win, or the value beyond all bounds.
    HardToWin,
}

impl Part {
    /// All parts, in the order of [`Learned::parts`].
    pub const ALL: [Self; 2] = [Self::Network, Self::HardToWin];

    /// The name of the part, in a form like `hard-to-win`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::HardToWin => "hard-to-win",
        }
    }
}

impl Learned {
    /// The evaluation of a game with these weights.
    ///
    /// # Errors
    /// When they are not made for its board, or so large that a sum could overflow.
    pub fn new(kind: GameKind, weights: Weights) -> Result<Self, WeightsError> {
        let salt = weights.salt();
        let network = Network::new(Inputs::new(kind.shape), weights)?;
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
        let value = self.network.value(white, black, kings, white_to_move);
        self.keep(white, black, kings, white_to_move, value)
    }

    /// What [`Learned::evaluate`] is made of: the value of each of [`Part::ALL`], which add up to it.
    pub fn parts<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool) -> [(Part, i32); Part::ALL.len()] {
        let value = self.network.value(white, black, kings, white_to_move);
        let kept = self.keep(white, black, kings, white_to_move, value);
        [(Part::Network, value), (Part::HardToWin, kept - value)]
    }

    /// What is kept of the `value` for the side to move.
    #[inline(always)]
    fn keep<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool, value: i32) -> i32 {
        let kept = if self.kind.lone_king_holds {
            value * kept_parts(white, black, kings, (value > 0) == white_to_move) / KEPT_PARTS
        } else {
            value
        };
        kept.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}
