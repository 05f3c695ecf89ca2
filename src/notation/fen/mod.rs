//! Positions as text: the FEN of Portable Draughts Notation.

mod convert;
mod error;
mod parse;

pub use error::{FenError, Part};

use super::SquareName;
use crate::rules::Color;
use std::fmt;
use std::str::FromStr;

/// A position as its FEN says it, of a board that is not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenRecord {
    /// The side to move.
    pub side: Color,
    /// White's pieces as they are listed.
    pub white: Vec<FenPiece>,
    /// Black's pieces as they are listed.
    pub black: Vec<FenPiece>,
    /// The half-move clock: plies since the last capture or man's move.
    pub half_moves: Option<u16>,
    /// The number of the move to be played, counted from 1.
    pub move_number: Option<u16>,
}

/// A piece as a FEN lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenPiece {
    /// Whether it is a king.
    pub king: bool,
    /// Where it stands.
    pub square: SquareName,
}

impl FromStr for FenRecord {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        parse::parse(text)
    }
}

impl fmt::Display for FenRecord {
    /// Prints every square by itself, White's first: the one form that every reader takes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(letter(self.side))?;
        for (color, pieces) in [(Color::White, &self.white), (Color::Black, &self.black)] {
            write!(f, ":{}", letter(color))?;
            for (index, piece) in pieces.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                let king = if piece.king { "K" } else { "" };
                write!(f, "{comma}{king}{}", piece.square)?;
            }
        }
        if let Some(plies) = self.half_moves {
            write!(f, ":H{plies}")?;
        }
        if let Some(number) = self.move_number {
            write!(f, ":F{number}")?;
        }
        Ok(())
    }
}

fn letter(color: Color) -> &'static str {
    match color {
        Color::White => "W",
        Color::Black => "B",
    }
}
