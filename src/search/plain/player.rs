//! The plain players by name.

/// How a plain player finds its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainPlayer {
    /// Plays a random legal move.
    Random,
    /// Minimax over every line.
    Minimax,
    /// Alpha-beta in the order of the generator.
    AlphaBeta,
    /// Alpha-beta with move ordering.
    Ordered,
    /// Alpha-beta with move ordering and a transposition table.
    Memory,
}

impl PlainPlayer {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Random, Self::Minimax, Self::AlphaBeta, Self::Ordered, Self::Memory];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Minimax => "minimax",
            Self::AlphaBeta => "alphabeta",
            Self::Ordered => "ordered",
            Self::Memory => "memory",
        }
    }

    /// Whether the moves of a node are put in order.
    pub(super) const fn orders(self) -> bool {
        matches!(self, Self::Ordered | Self::Memory)
    }
}
