//! A game as it is kept for learning.

use crate::board::{Shape, Square};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameOutcome {
    /// Black won.
    WhiteLost,
    /// A draw.
    Draw,
    /// White won.
    WhiteWon,
}

impl GameOutcome {
    /// What White got: 0, 1/2 or 1.
    pub const fn points(self) -> f32 {
        match self {
            Self::WhiteLost => 0.0,
            Self::Draw => 0.5,
            Self::WhiteWon => 1.0,
        }
    }

    pub(super) const fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::WhiteLost),
            1 => Some(Self::Draw),
            2 => Some(Self::WhiteWon),
            _ => None,
        }
    }
}

/// A position of a game. The sets of squares have the bits of [`crate::board::Square`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionRecord {
    /// Men and kings of White.
    pub white: u128,
    /// Men and kings of Black.
    pub black: u128,
    /// Kings of both sides.
    pub kings: u128,
    /// Whether it is White's turn.
    pub white_to_move: bool,
    /// Whether neither side could capture if it had the turn.
    pub quiet: bool,
    /// Plies since the start of the game.
    pub ply: u16,
    /// What a search said, in 1/100 man for the side to move.
    pub score: Option<i16>,
}

impl PositionRecord {
    /// Whether the pieces are on squares of the board, one on each, and the kings are pieces.
    pub fn fits(&self, shape: Shape) -> bool {
        let pieces = self.white | self.black;
        self.white & self.black == 0 && self.kings & !pieces == 0 && pieces & !shape.mask() == 0
    }

    /// What stands on a square: whether it is a piece of White, and whether it is a king.
    pub fn piece(&self, square: Square) -> Option<(bool, bool)> {
        let bit = 1 << square.index();
        ((self.white | self.black) & bit != 0).then_some((self.white & bit != 0, self.kings & bit != 0))
    }
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    /// The number of the game in its plan, by which a plan that was interrupted knows what has been played.
    pub number: u64,
    /// How it ended.
    pub outcome: GameOutcome,
    /// Positions in the order in which they were played; some may be left out.
    pub positions: Vec<PositionRecord>,
}
