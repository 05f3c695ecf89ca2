//! Why a game of a file cannot be read.

use super::Place;
use std::fmt;

/// Why a game of a file cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdnError {
    /// The number of the game in the file, counted from 1.
    pub game: usize,
    /// The place of the error.
    pub place: Place,
    /// What is expected there.
    pub expected: &'static str,
    /// The text found there; empty at the end.
    pub found: String,
}

impl fmt::Display for PdnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, {}: expected {}, found ", self.game, self.place, self.expected)?;
        if self.found.is_empty() { f.write_str("the end") } else { write!(f, "'{}'", self.found) }
    }
}

impl std::error::Error for PdnError {}

/// Where reading failed, and what is expected there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failure<'a> {
    pub(super) rest: &'a str,
    pub(super) expected: &'static str,
}

impl<'a> Failure<'a> {
    pub(super) fn new(rest: &'a str, expected: &'static str) -> Self {
        Self { rest, expected }
    }

    /// The word found there, made safe for an error message.
    pub(super) fn found(self) -> String {
        let word = self.rest.split_whitespace().next().filter(|_| !self.rest.starts_with(char::is_whitespace));
        crate::notation::printable(word.unwrap_or_default().chars())
    }
}
