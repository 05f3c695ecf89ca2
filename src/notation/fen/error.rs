//! What can be wrong with a FEN.

use crate::notation::{Excerpt, Problem, SquareError, SquareName};
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
    /// The counts of moves in a row with one king.
    KingRuns,
    /// The plies that endings have lasted.
    EndingAges,
}

impl Part {
    /// What may follow this part.
    pub(super) const fn followed_by(self) -> &'static str {
        match self {
            Self::Side => "':'",
            Self::Pieces(_) => "',', ':' or the end",
            Self::EndingAges => "',', ':' or the end",
            Self::Field | Self::HalfMoves | Self::MoveNumber | Self::KingRuns => "':' or the end",
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
            Self::KingRuns => f.write_str("counts of king moves"),
            Self::EndingAges => f.write_str("plies of endings"),
        }
    }
}

/// Why a text is not the FEN of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// A part is malformed.
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
    TwoPieces(SquareName),
    /// Moves of a king are counted, but the game does not limit them.
    UncountedKing(Color),
    /// Moves of a king are counted, but not which one of several, or of none.
    WhichKing(Color),
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
            Self::TwoPieces(square) => write!(f, "two pieces on {square}"),
            Self::UncountedKing(color) => {
                write!(f, "moves of a {color} king are counted, which this variant does not limit")
            }
            Self::WhichKing(color) => write!(f, "moves of a {color} king are counted, but it is not said which king"),
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
