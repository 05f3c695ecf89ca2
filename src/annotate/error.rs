//! Why a game cannot be judged.

use crate::notation::{FenError, GameError, GameTypeError, IllegalMove, MoveSyntaxError, printable};
use std::fmt;

/// Why a game cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnnotateError {
    /// Neither a tag nor a guess says which variant is played.
    NoVariant,
    /// The variant is not known.
    GameType(GameTypeError),
    /// The start position is not possible.
    Fen(FenError),
    /// The text of a move is not one.
    NoMove {
        /// Its place among the moves, from 0.
        index: usize,
        /// What is wrong.
        error: MoveSyntaxError,
    },
    /// A move is not legal.
    IllegalMove {
        /// Its place among the moves, from 0.
        index: usize,
        /// The move as it is written.
        text: String,
        /// Why it is not legal.
        reason: IllegalMove,
    },
    /// The engine failed.
    Engine(String),
    /// It was told to stop.
    Stopped,
}

impl AnnotateError {
    /// The place among the moves, from 0, of the one that is wrong.
    pub fn move_index(&self) -> Option<usize> {
        match self {
            Self::NoMove { index, .. } | Self::IllegalMove { index, .. } => Some(*index),
            _ => None,
        }
    }
}

impl fmt::Display for AnnotateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoVariant => {
                f.write_str("no tag GameType says which variant is played, and the moves do not show it")
            }
            Self::GameType(error) => error.fmt(f),
            Self::Fen(error) => write!(f, "fen {error}"),
            Self::NoMove { error, .. } => write!(f, "no move: {error}"),
            Self::IllegalMove { text, reason, .. } => write!(f, "move {} {reason}", printable(text.chars())),
            Self::Engine(message) => write!(f, "the engine failed: {message}"),
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for AnnotateError {}

impl From<GameError> for AnnotateError {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Fen(error) => Self::Fen(error),
            GameError::Move { text, index, reason, .. } => {
                Self::IllegalMove { index: index.saturating_sub(1), text, reason }
            }
            error => Self::Engine(error.to_string()),
        }
    }
}
