//! The value of a position.

use crate::rules::{Color, Objective};

/// The value of a position for the side to move, in one byte: 0 is a draw, and n + 1 a game that ends after n plies.
///
/// The parity of n tells the winner: the game ends when the side to move has no move, which loses or, where that is the aim,
/// wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableValue(u8);

/// A value in terms of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableOutcome {
    /// The side to move wins, and the game is over after so many plies of both sides.
    Win(u8),
    /// Neither side can win.
    Draw,
    /// The side to move loses, and the game is over after so many plies.
    Loss(u8),
}

impl TableOutcome {
    /// The winner with `side` to move; `None` in a draw.
    pub const fn winner(self, side: Color) -> Option<Color> {
        match self {
            Self::Win(_) => Some(side),
            Self::Draw => None,
            Self::Loss(_) => Some(side.opponent()),
        }
    }
}

impl TableValue {
    /// Neither side can win.
    pub const DRAW: Self = Self(0);
    /// The side to move has no move.
    pub const END: Self = Self(1);
    /// Most plies to the end of a game.
    pub const MOST_PLIES: u8 = 252;
    /// In a solver: not known yet.
    pub(super) const UNKNOWN: Self = Self(u8::MAX);
    /// In a solver: this index is no position, as two pieces are on one square.
    pub(super) const NONE: Self = Self(u8::MAX - 1);

    /// The value with this byte, if there is one.
    #[inline]
    pub const fn from_byte(byte: u8) -> Option<Self> {
        if byte <= Self::MOST_PLIES + 1 { Some(Self(byte)) } else { None }
    }

    /// A byte of a solver, which also has marks that are no values.
    #[inline]
    pub(super) const fn of_solver(byte: u8) -> Self {
        Self(byte)
    }

    /// The value as a byte.
    #[inline]
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// A game that ends after so many plies.
    #[inline]
    pub(super) const fn ending_after(plies: u8) -> Self {
        Self(plies + 1)
    }

    /// Plies to the end of the game, if it is not drawn.
    #[inline]
    pub const fn plies(self) -> Option<u8> {
        self.0.checked_sub(1)
    }

    /// The value of the position before a move to a position of this value, if it is not too far from the end.
    #[inline]
    pub(super) const fn before(self) -> Option<Self> {
        match self.plies() {
            None => Some(self),
            Some(plies) if plies < Self::MOST_PLIES => Some(Self::ending_after(plies + 1)),
            Some(_) => None,
        }
    }

    /// Returns the result that the value stands for in a game with this objective.
    #[inline]
    pub const fn outcome(self, objective: Objective) -> TableOutcome {
        match self.plies() {
            None => TableOutcome::Draw,
            Some(plies) if is_win(plies, objective) => TableOutcome::Win(plies),
            Some(plies) => TableOutcome::Loss(plies),
        }
    }
}

impl TableValue {
    /// A number that is the greater, the better the value is for the side to move: a short win, a long loss.
    #[inline]
    pub(super) const fn rank(self, objective: Objective) -> i16 {
        match self.outcome(objective) {
            TableOutcome::Win(plies) => 1000 - plies as i16,
            TableOutcome::Draw => 0,
            TableOutcome::Loss(plies) => plies as i16 - 1000,
        }
    }
}

/// Whether the side to move has won a game that ends after `plies`.
#[inline]
pub(super) const fn is_win(plies: u8, objective: Objective) -> bool {
    match objective {
        Objective::Normal | Objective::FirstKing => plies % 2 == 1,
        Objective::Losing => plies.is_multiple_of(2),
    }
}

impl TableOutcome {
    /// The outcome for the side that made the move before.
    pub const fn before(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies.saturating_add(1)),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies.saturating_add(1)),
        }
    }
}

impl std::fmt::Display for TableOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Win(plies) => write!(f, "win {plies}"),
            Self::Draw => f.write_str("draw"),
            Self::Loss(plies) => write!(f, "loss {plies}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parity_tells_who_wins() {
        let outcome = |plies, objective| TableValue::ending_after(plies).outcome(objective);
        assert_eq!(TableValue::END.outcome(Objective::Normal), TableOutcome::Loss(0));
        assert_eq!(TableValue::END.outcome(Objective::Losing), TableOutcome::Win(0));
        assert_eq!(outcome(7, Objective::FirstKing), TableOutcome::Win(7));
        assert_eq!(outcome(7, Objective::Losing), TableOutcome::Loss(7));
        assert_eq!(TableValue::DRAW.outcome(Objective::Losing), TableOutcome::Draw);
        assert_eq!(TableValue::ending_after(TableValue::MOST_PLIES).before(), None);
        assert_eq!(TableValue::DRAW.before(), Some(TableValue::DRAW));
        assert_eq!(TableValue::from_byte(TableValue::NONE.byte()), None);
    }

    #[test]
    fn short_wins_and_long_losses_rank_high() {
        let rank = |plies| TableValue::ending_after(plies).rank(Objective::Normal);
        let ranks =
            [rank(0), rank(8), rank(252), TableValue::DRAW.rank(Objective::Normal), rank(251), rank(9), rank(1)];
        assert!(ranks.is_sorted_by(|worse, better| worse < better));
    }
}
