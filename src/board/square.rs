//! A square as a bit of a bit set, and as the number printed in books.

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
