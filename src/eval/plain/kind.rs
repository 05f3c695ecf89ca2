//! The plain evaluations by name.

/// What a plain evaluation counts besides men and kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainKind {
    /// Nothing: a man is 1, a king 2 (Italian draughts, desktop game and teaching notebook).
    Material,
    /// How far men have advanced: 5 on the own half, 7 on the enemy's, a king 10 (desktop game).
    Advance,
    /// In endings of kings, how near the kings are: the side with more of them comes near, the other keeps away (desktop
    /// game).
    Distance,
    /// Steps forward, captures and crownings along the line (checkers, user against machine).
    Moves,
    /// Nothing either. This and the following are the eight of the checkers automaton.
    Standard,
    /// Chance.
    Random,
    /// Pieces in the middle.
    Centrality,
    /// Pieces on the first and last rows.
    BackRows,
    /// Middle, edge and enemy kings.
    Complete,
    /// Advanced pieces, and captures.
    Offensive,
    /// Neighbours.
    Defensive,
    /// Kings, and where they stand.
    Kings,
}

impl PlainKind {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Material,
        Self::Advance,
        Self::Distance,
        Self::Moves,
        Self::Standard,
        Self::Random,
        Self::Centrality,
        Self::BackRows,
        Self::Complete,
        Self::Offensive,
        Self::Defensive,
        Self::Kings,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Advance => "advance",
            Self::Distance => "distance",
            Self::Moves => "moves",
            Self::Standard => "standard",
            Self::Random => "random",
            Self::Centrality => "centrality",
            Self::BackRows => "backrows",
            Self::Complete => "complete",
            Self::Offensive => "offensive",
            Self::Defensive => "defensive",
            Self::Kings => "kings",
        }
    }
}
