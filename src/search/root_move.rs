//! The moves of the root, with what is known about each.

use super::score::Score;
use crate::position::Move;
use crate::rules::Rules;

/// A move of the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove<R: Rules> {
    pub(super) mv: Move<R>,
    /// Its score when it was last searched with an open window; of moves that never were, the worst.
    pub(super) score: Score,
    /// The line that begins with it; empty before it was searched with an open window.
    pub(super) line: Vec<Move<R>>,
    /// Positions searched behind it.
    pub(super) nodes: u64,
}

impl<R: Rules> RootMove<R> {
    pub(super) fn new(mv: Move<R>) -> Self {
        Self { mv, score: -Score::INFINITE, line: Vec::new(), nodes: 0 }
    }
}
