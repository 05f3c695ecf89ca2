//! What a position is described by: everything that has a weight.

use super::{Kings, Layout, Phases, Windows};
use crate::board::Shape;
use crate::eval::drawish::is_hard_to_win;
use crate::rules::RuleSet;

/// What the learned evaluation has to know of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameKind {
    /// The board.
    pub shape: Shape,
    /// Men of each side at the start.
    pub men: u8,
    /// Whether a lone king can hold out against more pieces: where kings fly on diagonals, land where they like, and the side
    /// without a move loses.
    pub lone_king_holds: bool,
}

impl GameKind {
    /// The game by the rules `spec`.
    pub const fn of(spec: &RuleSet) -> Self {
        Self { shape: spec.shape, men: spec.men(), lone_king_holds: is_hard_to_win(spec) }
    }
}

/// The features of a game: the entries of the pattern tables first, then the value of a man, the turn, and the kings.
#[derive(Clone, Debug)]
pub struct Features {
    /// The game.
    pub kind: GameKind,
    /// Which squares the patterns have.
    pub layout: Layout,
    /// The patterns.
    pub windows: Windows,
    /// The kings.
    pub kings: Kings,
    /// How values change in the course of a game.
    pub phases: Phases,
}

impl Features {
    /// The features of a game with this layout of patterns, or `None` if the layout does not fit on the board.
    pub fn new(kind: GameKind, layout: Layout) -> Option<Self> {
        layout.fits(kind.shape).then(|| Self {
            kind,
            layout,
            windows: Windows::new(kind.shape, layout),
            kings: Kings::new(kind.shape),
            phases: Phases::new(kind.men),
        })
    }

    /// The feature of the difference in men.
    pub fn man(&self) -> usize {
        self.windows.entries()
    }

    /// The feature of the turn, for the side that has it.
    pub fn turn(&self) -> usize {
        self.windows.entries() + 1
    }

    /// The first feature of the kings.
    pub fn first_of_kings(&self) -> usize {
        self.windows.entries() + 2
    }

    /// Number of all features, each of which has a [`super::Weight`].
    pub fn count(&self) -> usize {
        self.first_of_kings() + self.kings.features()
    }
}
