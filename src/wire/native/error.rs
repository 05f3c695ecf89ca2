//! Why a line is not a command.

use crate::notation::{FenError, MoveSyntaxError, printable};
use std::fmt;

/// Why a line is not a command. It prints what is wrong first, then why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// There is no such command.
    Unknown(String),
    /// Something must follow.
    Missing {
        /// The command or parameter.
        what: &'static str,
        /// What must follow.
        expected: &'static str,
    },
    /// Something else must stand here.
    Unexpected {
        /// The command or parameter.
        what: &'static str,
        /// What must stand here.
        expected: &'static str,
        /// What stands here.
        found: String,
    },
    /// The position cannot be read.
    Fen(FenError),
    /// A move cannot be read.
    Move {
        /// The move.
        text: String,
        /// What is wrong with it.
        error: MoveSyntaxError,
    },
}

impl CommandError {
    /// The error that `found` stands where `expected` must, or nothing does.
    pub fn expected(what: &'static str, expected: &'static str, found: &str) -> Self {
        match found {
            "" => Self::Missing { what, expected },
            found => Self::Unexpected { what, expected, found: found.to_owned() },
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(word) => write!(f, "command '{}' is not known, try help", printable(word.chars())),
            Self::Missing { what, expected } => write!(f, "{what} expected {expected}, found nothing"),
            Self::Unexpected { what, expected, found } => {
                write!(f, "{what} expected {expected}, found '{}'", printable(found.chars()))
            }
            Self::Fen(error) => write!(f, "fen {error}"),
            Self::Move { text, error } => write!(f, "move {} {error}", printable(text.chars())),
        }
    }
}

impl std::error::Error for CommandError {}
