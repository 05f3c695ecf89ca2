//! Why the engine does not do what it was told.

use crate::notation::{FenError, IllegalMove, printable};
use std::fmt;

/// Why the engine does not do what it was told. It prints what is wrong first, then why. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The position is impossible.
    Fen(FenError),
    /// A move is not legal.
    Move {
        /// The move as it was given.
        text: String,
        /// Its place among the moves, counted from 1.
        index: usize,
        /// Number of moves given.
        count: usize,
        /// Why it is not legal.
        reason: IllegalMove,
    },
    /// Fewer moves can be taken back.
    Undo {
        /// Moves that can be taken back.
        possible: usize,
    },
    /// Fewer moves can be played again.
    Redo {
        /// Moves that can be played again.
        possible: usize,
    },
    /// There are clock parameters, but none for the side to move.
    NoClock {
        /// The parameter that is missing.
        parameter: &'static str,
    },
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(error) => write!(f, "fen {error}"),
            Self::Move { text, count: 1, reason, .. } => write!(f, "move {} {reason}", printable(text.chars())),
            Self::Move { text, index, count, reason } => {
                write!(f, "move {} {reason} (move {index} of {count})", printable(text.chars()))
            }
            Self::Undo { possible: 0 } => write!(f, "undo no move has been played"),
            Self::Undo { possible } => write!(f, "undo only {possible} can be taken back"),
            Self::Redo { possible: 0 } => write!(f, "redo no move has been taken back"),
            Self::Redo { possible } => write!(f, "redo only {possible} can be played again"),
            Self::NoClock { parameter } => write!(f, "go {parameter} is missing, the clock of the side to move"),
        }
    }
}

impl std::error::Error for EngineError {}
