//! What the learned evaluation has to know of a game.

use crate::board::Shape;
use crate::eval::drawish::is_hard_to_win;
use crate::rules::RuleSet;

/// What the learned evaluation has to know of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameKind {
    /// The board.
    pub shape: Shape,
    /// Whether a lone king can hold out against more pieces: where kings fly on diagonals, land where they like, and the side
    /// without a move loses.
    pub lone_king_holds: bool,
}

impl GameKind {
    /// The game by the rules `spec`.
    pub const fn of(spec: &RuleSet) -> Self {
        Self { shape: spec.shape, lone_king_holds: is_hard_to_win(spec) }
    }
}
