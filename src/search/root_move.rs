//! The moves of the root, with what is known about each.

use super::Limits;
use super::score::Score;
use crate::position::{Move, Position};
use crate::rules::Word;

/// A move of the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<W: Word> {
    pub(crate) mv: Move<W>,
    /// Its score when it was last better than all before it, a bound of it until the window is wide enough; of moves that never
    /// were, the worst.
    pub(crate) score: Score,
    /// The line that begins with it; empty before it was better than all before it.
    pub(crate) line: Vec<Move<W>>,
    /// Whether the observer was told of this line, or has no need to be.
    pub(crate) is_told: bool,
    /// Positions searched in its subtree.
    pub(crate) nodes: u64,
}

impl<W: Word> RootMove<W> {
    pub(crate) fn new(mv: Move<W>) -> Self {
        Self { mv, score: -Score::INFINITE, line: Vec::new(), is_told: true, nodes: 0 }
    }

    /// The legal moves of `position` that `limits` allow.
    pub(crate) fn allowed(position: &Position<W>, limits: &Limits) -> Vec<Self> {
        let is_allowed = |mv: &&Move<W>| limits.root_moves.is_empty() || limits.root_moves.contains(&mv.widened());
        position.legal_moves().iter().filter(is_allowed).map(|&mv| Self::new(mv)).collect()
    }
}
