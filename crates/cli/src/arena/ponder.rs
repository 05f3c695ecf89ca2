//! Pondering: what an engine searches in its opponent's time.

use super::MoveTexts;

/// The game that an engine ponders on, with the move that it expects as the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pondered {
    moves: usize,
    expected: String,
}

impl Pondered {
    /// The game after these `moves`, of which the last is only expected; `None` if there is no move.
    pub(super) fn after(moves: &[MoveTexts]) -> Option<Self> {
        Some(Self { moves: moves.len(), expected: moves.last()?.path.clone() })
    }

    /// Whether the expected move was made: the game has these `moves`.
    pub(super) fn is_right(&self, moves: &[MoveTexts]) -> bool {
        moves.len() == self.moves && moves.last().is_some_and(|mv| mv.path == self.expected)
    }
}
