//! How a game begins.

use crate::notation::FenRecord;
use std::fmt;

/// A position to play from, and the moves that lead from it to the first that an engine is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Where it begins; the start position when it is left out.
    pub start: Option<FenRecord>,
    /// Moves, each in its full path.
    pub moves: Vec<String>,
}

impl fmt::Display for Opening {
    /// Prints what a file of openings has on a line: the position, if it is not the start position, and the moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.start.as_ref().map(ToString::to_string);
        let words: Vec<_> = start.iter().chain(&self.moves).map(String::as_str).collect();
        f.write_str(&words.join(" "))
    }
}
