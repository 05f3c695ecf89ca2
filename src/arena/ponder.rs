//! Pondering: what an engine searches in its opponent's time.

use super::MoveTexts;

/// The game that an engine ponders on, with the move that it expects as the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pondered {
    moves: usize,
    expected: String,
}

impl Pondered {
    /// After these `moves`, of which the last is expected only; nothing if there is none.
    pub(super) fn after(moves: &[MoveTexts]) -> Option<Self> {
        Some(Self { moves: moves.len(), expected: moves.last()?.path.clone() })
    }

    /// Whether it came so.
    pub(super) fn is_right(&self, moves: &[MoveTexts]) -> bool {
        moves.len() == self.moves && moves.last().is_some_and(|mv| mv.path == self.expected)
    }
}
