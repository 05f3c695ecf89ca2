//! A square as a bit of a bit set, and by the names that books print: its number, or file and rank.

use derive_more::Display;
use std::fmt;

/// One more than the highest [`Square`] index of any board that a `u128` can hold.
pub const MAX_SQUARES: usize = 128;

/// A playable square, as its bit in the bit sets of the board (ghost squares leave gaps in this numbering).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square of bit `index`.
    #[inline]
    pub const fn new(index: u8) -> Self {
        debug_assert!((index as usize) < MAX_SQUARES);
        Self(index)
    }

    /// The bit of this square, counted from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a square as PDN prints it, counted from 1.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(u8);

impl Number {
    /// The number `value`, which counts from 1; `None` for 0.
    pub const fn new(value: u8) -> Option<Self> {
        if value == 0 { None } else { Some(Self(value)) }
    }

    /// The number as printed.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// The name of a square, of a board that is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SquareName {
    /// A number, counted row by row from the first square of the variant.
    Number(Number),
    /// A file and a rank; `a1` is the bottom left corner seen from White, unless a variant has it elsewhere.
    Algebraic {
        /// The file, a lower-case letter.
        file: char,
        /// The rank, counted from 1.
        rank: u8,
    },
}

impl SquareName {
    /// The name of the square with this number; there is no square 0.
    pub fn numbered(number: u8) -> Option<Self> {
        Number::new(number).map(Self::Number)
    }
}

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Algebraic { file, rank } => {
                // Formatted as one string, so that a width applies to the name as a whole.
                f.pad(&format!("{file}{rank}"))
            }
        }
    }
}
