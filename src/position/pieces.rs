//! The pieces on the board as bit sets.

use super::Move;
use crate::rules::{Color, Word};

/// The pieces of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pieces<W> {
    /// Men and kings of White.
    pub white: W,
    /// Men and kings of Black.
    pub black: W,
    /// Kings of both sides.
    pub kings: W,
}

impl<W: Word> Pieces<W> {
    /// Men and kings of `color`.
    #[inline(always)]
    pub fn of(&self, color: Color) -> W {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// Men of `color`.
    #[inline(always)]
    pub fn men(&self, color: Color) -> W {
        self.of(color) & !self.kings
    }

    /// Kings of `color`.
    #[inline(always)]
    pub fn kings(&self, color: Color) -> W {
        self.of(color) & self.kings
    }

    /// Men and kings of both sides.
    #[inline(always)]
    pub fn all(&self) -> W {
        self.white | self.black
    }

    /// The pieces after the legal move `mv` of `color`, whose men are crowned on `far_row`.
    #[inline(always)]
    pub(super) fn after(&self, color: Color, mv: Move<W>, far_row: W) -> Self {
        let from = W::of(mv.from);
        let to = W::of(mv.to);
        // A capture can end where it began: then this is empty and nothing moves.
        let moved = from ^ to;
        let by_king = !(self.kings & from).is_empty();
        let mut after = *self;
        match color {
            Color::White => {
                after.white ^= moved;
                after.black &= !mv.captured;
            }
            Color::Black => {
                after.black ^= moved;
                after.white &= !mv.captured;
            }
        }
        after.kings &= !mv.captured;
        if by_king {
            after.kings ^= moved;
        } else {
            after.kings |= if mv.crowned_in_passing { to } else { to & far_row };
        }
        after
    }
}
