//! Boards: their shapes, squares, directions and bitboards, and the two sides. This module does not depend on the rules
//! of any game.
#![allow(clippy::indexing_slicing, reason = "the tables have one entry per direction")]

mod bits;
mod direction;
mod shape;

pub use bits::{Bits, Squares};
pub(crate) use direction::each_direction;
pub use direction::{Direction, Lines};
pub use shape::{Corner, Shape};

use derive_more::Display;
use std::fmt;

/// One of the two sides in a game.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Hash)]
#[display(rename_all = "lowercase")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Color {
    /// The side with the light pieces, which start at the bottom of a printed board.
    White,
    /// The side with the dark pieces, which start at the top of a printed board.
    Black,
}

impl Color {
    /// Returns White if `white` is true, and Black otherwise. This is useful for code that is compiled once per side.
    #[inline(always)]
    pub const fn from_is_white(white: bool) -> Self {
        if white { Self::White } else { Self::Black }
    }

    /// Returns the first element for White and the second element for Black.
    #[inline]
    pub fn pick<T>(self, [white, black]: [T; 2]) -> T {
        if self == Self::White { white } else { black }
    }

    /// Returns the other side.
    #[inline]
    pub const fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// Exclusive upper bound of [`Square`] indices. It is the width in bits of the largest bitboard, a `u128`.
pub const MAX_SQUARES: usize = 128;

/// A playable square, identified by its bit index in a bitboard. The indices have gaps, because ghost bits are not
/// squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Creates the square with the bit index `index`, which must be less than [`MAX_SQUARES`].
    #[inline]
    pub const fn new(index: u8) -> Self {
        debug_assert!((index as usize) < MAX_SQUARES);
        Self(index)
    }

    /// Returns the bit index of the square, counted from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a square in PDN, counted from 1.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(u8);

impl Number {
    /// Creates a number, or returns `None` if `value` is 0.
    pub const fn new(value: u8) -> Option<Self> {
        if value == 0 { None } else { Some(Self(value)) }
    }

    /// Returns the number as it is printed.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// The name of a square that has not yet been resolved on a particular board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SquareName {
    /// A number, counted row by row from the variant's first square.
    Number(Number),
    /// A file and a rank. The square `a1` is in the bottom left corner from White's point of view, unless the variant's
    /// notation differs.
    Algebraic {
        /// The file, as a lower-case letter.
        file: char,
        /// The rank, counted from 1. It is 0 if only the file is written, as for the origin of `cd4`.
        rank: u8,
    },
}

impl SquareName {
    /// Returns the numeric name for `number`, or `None` if `number` is 0.
    pub fn numbered(number: u8) -> Option<Self> {
        Number::new(number).map(Self::Number)
    }
}

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Algebraic { file, rank } => {
                // The name is formatted as one string, so that a width applies to the whole name.
                f.pad(&if *rank > 0 { format!("{file}{rank}") } else { file.to_string() })
            }
        }
    }
}
