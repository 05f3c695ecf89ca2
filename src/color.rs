//! The two sides of a game.

use derive_more::Display;

/// A side of a game.
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
    pub const fn of(white: bool) -> Self {
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
