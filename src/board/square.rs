//! Squares: as a bit index, and by their printed names (number, or file and rank).

use derive_more::Display;
use std::fmt;

/// Exclusive upper bound of [`Square`] indices: the width of the largest bitboard, a `u128`.
pub const MAX_SQUARES: usize = 128;

/// A playable square, as its bit index in a bitboard. Ghost squares leave gaps in the numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Creates the square with bit `index`, which must be less than [`MAX_SQUARES`].
    #[inline]
    pub const fn new(index: u8) -> Self {
        debug_assert!((index as usize) < MAX_SQUARES);
        Self(index)
    }

    /// Returns the bit index, counted from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a square in PDN, counted from 1.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(u8);

impl Number {
    /// Creates a number, or returns `None` for 0.
    pub const fn new(value: u8) -> Option<Self> {
        if value == 0 { None } else { Some(Self(value)) }
    }

    /// Returns the number as printed.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// The name of a square, not yet resolved on a particular board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SquareName {
    /// A number, counted row by row from the variant's first square.
    Number(Number),
    /// A file and a rank; `a1` is White's bottom left corner unless the variant's notation differs.
    Algebraic {
        /// File as a lower-case letter.
        file: char,
        /// Rank, counted from 1; 0 where only the file is written, as for the origin of `cd4`.
        rank: u8,
    },
}

impl SquareName {
    /// Returns the numeric name, or `None` for 0.
    pub fn numbered(number: u8) -> Option<Self> {
        Number::new(number).map(Self::Number)
    }
}

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Algebraic { file, rank } => {
                // Formatted as one string, so that a width applies to the whole name.
                f.pad(&if *rank > 0 { format!("{file}{rank}") } else { file.to_string() })
            }
        }
    }
}
