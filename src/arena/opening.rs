//! How a game begins.

use crate::notation::FenRecord;

/// A position to play from, and the moves that lead from it to the first that an engine is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Where it begins; the start position when it is left out.
    pub start: Option<FenRecord>,
    /// Moves, each in its full path.
    pub moves: Vec<String>,
}
