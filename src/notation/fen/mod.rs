//! Positions as text: the FEN of Portable Draughts Notation.

mod convert;
mod error;
mod parse;

pub use error::{FenError, Part};

use super::SquareName;
use crate::position::EndingAges;
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
    /// The king that White and Black moved last, where its moves are counted.
    pub king_runs: [Option<FenKingRun>; 2],
    /// How long the endings have lasted that have limits of their own, where the half-move clock does not tell.
    pub ages: EndingAges,
}

/// The moves in a row with one king as a FEN counts them, for the games that limit them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenKingRun {
    /// How many, from 1 to 3.
    pub moves: u8,
    /// Where the king is now; it may be left out where the side has no other.
    pub square: Option<SquareName>,
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
        match self.ages {
            EndingAges { ending: 0, road: 0, balance: 0 } => {}
            EndingAges { ending, road: 0, balance: 0 } => write!(f, ":E{ending}")?,
            EndingAges { ending, road, balance } => write!(f, ":E{ending},{road},{balance}")?,
        }
        if self.king_runs.iter().any(Option::is_some) {
            f.write_str(":")?;
            for run in &self.king_runs {
                write!(f, "+{}", run.map_or(0, |run| run.moves))?;
                if let Some(square) = run.and_then(|run| run.square) {
                    write!(f, "{square}")?;
                }
            }
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
