//! What a variant of draughts is made of.

use crate::board::{Direction, Geometry, Shape};
use crate::rules::Variant;
use std::fmt;

/// A side of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// The light pieces, at the bottom of the printed board; their men move up.
    White,
    /// The dark pieces, at the top of the printed board; their men move down.
    Black,
}

impl Color {
    /// The other side.
    #[inline]
    pub const fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The two directions in which men of this side move.
    pub const fn forward(self) -> [Direction; 2] {
        match self {
            Self::White => [Direction::UpLeft, Direction::UpRight],
            Self::Black => [Direction::DownLeft, Direction::DownRight],
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

/// What happens when a man reaches the far row in the middle of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// It is crowned and its move ends there.
    EndsMove,
    /// It goes on capturing as a man, and is crowned only if its move ends on the far row.
    AtRest,
}

/// Which of several possible captures must be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// Any capture, but always to its end.
    Free,
    /// A capture of the greatest number of pieces; kings and men count the same.
    MostPieces,
    /// Most pieces; then with a king rather than with a man; then most kings; then the sequence that meets a king
    /// earlier, compared king by king.
    Italian,
}

impl Precedence {
    /// Rank of a capture that has not taken anything yet. The capture of the highest final rank must be played.
    #[inline(always)]
    pub const fn start(self, by_king: bool) -> u32 {
        match self {
            Self::Free | Self::MostPieces => 0,
            Self::Italian => (by_king as u32) << 20,
        }
    }

    /// Rank after one more piece, the one number `index` (from 0) of the sequence.
    #[inline(always)]
    pub const fn add(self, rank: u32, index: u32, king_taken: bool) -> u32 {
        match self {
            Self::Free => rank,
            Self::MostPieces => rank + 1,
            // Four fields, the most important on top: pieces, by king, kings taken, which of the steps took a king.
            Self::Italian => {
                let king = king_taken as u32;
                rank + (1 << 21) + (king << 16) + ((king << 15) >> index)
            }
        }
    }
}

/// Few-piece endings that must be won within a number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Fewest and most pieces, at least one of them a king, that face a lone king.
    pub pieces: (u8, u8),
    /// Plies from the moment the ending arises to the draw.
    pub plies: u16,
}

/// When a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// The occurrence of the same position, with the same side to move, that draws.
    pub repetitions: u8,
    /// Plies in a row without a capture or a man's move that draw.
    pub quiet_plies: u16,
    /// Endings with a limit of their own.
    pub endings: &'static [Ending],
}

/// The rules of one variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// The board.
    pub shape: Shape,
    /// The side that moves first.
    pub starts: Color,
    /// Rows that the men of each side fill at the start.
    pub men_rows: u8,
    /// Whether men capture backwards too.
    pub men_capture_backward: bool,
    /// Whether men may capture kings.
    pub men_capture_kings: bool,
    /// Whether kings move and capture over any distance; otherwise one step.
    pub flying_kings: bool,
    /// Crowning in the middle of a capture.
    pub promotion: Promotion,
    /// The choice among captures.
    pub precedence: Precedence,
    /// The draw rules.
    pub draws: DrawRules,
}

impl RuleSet {
    /// Men of each side at the start, which is also the most pieces that a side can have.
    pub const fn men(&self) -> u8 {
        self.men_rows * self.shape.row_length()
    }

    /// The row, counted from 0 at the top, on which men of `color` are crowned.
    pub const fn promotion_row(&self, color: Color) -> u8 {
        match color {
            Color::White => 0,
            Color::Black => self.shape.height - 1,
        }
    }

    /// The mask of the squares on which the men of `color` start.
    pub const fn start_mask(&self, color: Color) -> u128 {
        let mut mask = 0;
        let mut row = 0;
        while row < self.men_rows {
            mask |= match color {
                Color::White => self.shape.row_mask(self.shape.height - 1 - row),
                Color::Black => self.shape.row_mask(row),
            };
            row += 1;
        }
        mask
    }
}

/// A rule set as a type.
pub trait Rules: Copy + fmt::Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The board as a type; its shape is the one in [`Rules::SPEC`].
    type Geometry: Geometry;
    /// The rules.
    const SPEC: RuleSet;
    /// The entry of this rule set in the registry.
    const VARIANT: Variant;
}

/// The integer that holds a set of squares of the board of `R`.
pub type BitsOf<R> = <<R as Rules>::Geometry as Geometry>::Bits;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_italian_rank_orders_pieces_king_kings_and_earliest_king() {
        let rank = |by_king, taken: &[bool]| {
            (0..).zip(taken).fold(Precedence::Italian.start(by_king), |rank, (index, &king)| {
                Precedence::Italian.add(rank, index, king)
            })
        };
        let most_pieces = rank(false, &[false; 12]);
        let by_king = rank(true, &[false; 11]);
        let most_kings = rank(true, &[false, true, true]);
        let early_king = rank(true, &[true, false, false]);
        let later_king = rank(true, &[false, true, false]);
        assert!(most_pieces > by_king && by_king > most_kings);
        assert!(most_kings > early_king && early_king > later_king);
        assert!(rank(true, &[false, false]) > rank(false, &[false, false]));
        assert!(rank(true, &[true, true, false, false]) > rank(true, &[true, false, true, false]));
        assert!(rank(true, &[true; 12]) > rank(true, &[true; 11]));
    }
}
