//! What can be wrong with a FEN.

use crate::board::Number;
use crate::notation::{Excerpt, Problem, SquareError};
use crate::position::SetupError;
use crate::rules::Color;
use std::fmt;

/// A part of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The side to move.
    Side,
    /// The letter that says what comes next.
    Field,
    /// The list of the pieces of one side.
    Pieces(Color),
    /// The half-move clock.
    HalfMoves,
    /// The move number.
    MoveNumber,
}

impl Part {
    /// What may stand behind this part.
    pub(super) const fn followed_by(self) -> &'static str {
        match self {
            Self::Side => "':'",
            Self::Pieces(_) => "',', ':' or the end",
            Self::Field | Self::HalfMoves | Self::MoveNumber => "':' or the end",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Side => f.write_str("side to move"),
            Self::Field => f.write_str("next field"),
            Self::Pieces(color) => write!(f, "{color} pieces"),
            Self::HalfMoves => f.write_str("half-move clock"),
            Self::MoveNumber => f.write_str("move number"),
        }
    }
}

/// Why a text is not the FEN of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// A part is not written as it must be.
    Syntax {
        /// The part.
        part: Part,
        /// What is wrong.
        problem: Problem,
        /// Where.
        excerpt: Excerpt,
    },
    /// The list of a side's pieces, which may be empty, is not there.
    Missing(Part),
    /// A square is not one of the board.
    Square(SquareError),
    /// Two pieces are on the same square.
    TwoPieces(Number),
    /// No game has such a position.
    Setup(SetupError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { part, problem, excerpt } => {
                write!(f, "{part}: ")?;
                problem.write(f, excerpt)
            }
            Self::Missing(part) => write!(f, "{part}: the list is missing"),
            Self::Square(error) => error.fmt(f),
            Self::TwoPieces(number) => write!(f, "two pieces on {number}"),
            Self::Setup(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FenError {}

impl From<SquareError> for FenError {
    fn from(error: SquareError) -> Self {
        Self::Square(error)
    }
}

impl From<SetupError> for FenError {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}
