//! The two sides of a game.

use derive_more::Display;

/// A side of a game.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Hash)]
#[display(rename_all = "lowercase")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Color {
    /// The light pieces, at the bottom of a printed board.
    White,
    /// The dark pieces, at the top of a printed board.
    Black,
}

impl Color {
    /// Returns White if `white`, otherwise Black; for code that is compiled once per side.
    #[inline(always)]
    pub const fn of(white: bool) -> Self {
        if white { Self::White } else { Self::Black }
    }

    /// Returns White's or Black's element, depending on the side.
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
