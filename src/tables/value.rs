//! The values of positions, and the tables of materials and slices.

use super::{Index, Slice};
use crate::position::Pieces;
use crate::rules::{Color, Objective, Word};
use derive_more::Display;
use std::cmp::Reverse;
use std::sync::Arc;

/// The value of a position for the side to move, stored as a byte. The byte is 0 for a draw, and n + 1 for a game that
/// ends after n plies.
///
/// The parity of n determines the winner. The game ends when the side to move has no move. This side loses, except in
/// losing variants, where it wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableValue(u8);

/// A table value interpreted as a game result.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum TableOutcome {
    /// The side to move wins after this many plies, counting the plies of both sides.
    #[display("win {_0}")]
    Win(u8),
    /// Neither side can win.
    #[display("draw")]
    Draw,
    /// The side to move loses after this many plies, counting the plies of both sides.
    #[display("loss {_0}")]
    Loss(u8),
}

impl TableOutcome {
    /// Returns the winner if `side` is to move, or `None` if the outcome is a draw.
    pub const fn winner(self, side: Color) -> Option<Color> {
        match self {
            Self::Win(_) => Some(side),
            Self::Draw => None,
            Self::Loss(_) => Some(side.opponent()),
        }
    }

    /// Returns the outcome before the last move, for the side that made this move.
    pub const fn before(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies.saturating_add(1)),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies.saturating_add(1)),
        }
    }
}

impl TableValue {
    /// The value of a draw.
    pub const DRAW: Self = Self(0);
    /// The value of a position in which the side to move has no move.
    pub const END: Self = Self(1);
    /// Maximum number of plies to the end of a game.
    pub const MOST_PLIES: u8 = 252;
    /// The solver's placeholder for a value that is not known yet.
    pub(super) const UNKNOWN: Self = Self(u8::MAX);
    /// The solver's placeholder for an invalid index (two pieces on the same square).
    pub(super) const NONE: Self = Self(u8::MAX - 1);

    /// Returns the value that is stored as `byte`, or `None` if the byte is invalid.
    #[inline]
    pub const fn from_byte(byte: u8) -> Option<Self> {
        if byte <= Self::MOST_PLIES + 1 { Some(Self(byte)) } else { None }
    }

    /// Creates a value from a solver byte. The byte can also represent [`Self::UNKNOWN`] or [`Self::NONE`].
    #[inline]
    pub(super) const fn of_solver(byte: u8) -> Self {
        Self(byte)
    }

    /// Returns the value as a byte.
    #[inline]
    pub const fn byte(self) -> u8 {
        self.0
    }

    #[inline]
    pub(super) const fn ending_after(plies: u8) -> Self {
        Self(plies + 1)
    }

    /// Returns the number of plies to the end of the game, or `None` if the value is a draw.
    #[inline]
    pub const fn plies(self) -> Option<u8> {
        self.0.checked_sub(1)
    }

    /// Returns the value before the last move, for the side that made this move. Returns `None` if the value would
    /// exceed [`Self::MOST_PLIES`].
    #[inline]
    pub(super) const fn before(self) -> Option<Self> {
        match self.plies() {
            None => Some(self),
            Some(plies) if plies < Self::MOST_PLIES => Some(Self::ending_after(plies + 1)),
            Some(_) => None,
        }
    }

    /// Returns the game result under `objective`.
    #[inline]
    pub const fn outcome(self, objective: Objective) -> TableOutcome {
        match self.plies() {
            None => TableOutcome::Draw,
            Some(plies) if is_win(plies, objective) => TableOutcome::Win(plies),
            Some(plies) => TableOutcome::Loss(plies),
        }
    }

    /// Returns a rank that is higher for better values. Short wins have the highest ranks, followed by long wins,
    /// draws, long losses and short losses.
    #[inline]
    pub(super) const fn rank(self, objective: Objective) -> i16 {
        match self.outcome(objective) {
            TableOutcome::Win(plies) => 1000 - plies as i16,
            TableOutcome::Draw => 0,
            TableOutcome::Loss(plies) => plies as i16 - 1000,
        }
    }
}

/// Returns whether the side to move wins a game that ends after `plies`.
#[inline]
pub(super) const fn is_win(plies: u8, objective: Objective) -> bool {
    match objective {
        Objective::Normal | Objective::FirstKing => plies % 2 == 1,
        Objective::Losing => plies.is_multiple_of(2),
    }
}

/// Result statistics of a material, with White to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of won positions in which White has no capture.
    pub wins: u64,
    /// Number of drawn positions in which White has no capture.
    pub draws: u64,
    /// Number of lost positions in which White has no capture.
    pub losses: u64,
    /// The length of the longest win in plies, and the lowest number of a position with such a win. Positions with
    /// captures are included. `None` means that there is no win.
    pub longest_win: Option<(u8, u64)>,
    /// Maximum number of plies of any win or loss. Positions with captures are included.
    pub longest_game: u8,
    /// Maximum number of plies that a losing lone king can stay on the main road, or 0 if no draw rule counts them.
    pub longest_on_main_road: u8,
}

impl Counts {
    pub(super) fn add(&mut self, number: u64, outcome: TableOutcome, can_capture: bool) {
        if let TableOutcome::Win(plies) | TableOutcome::Loss(plies) = outcome {
            self.longest_game = self.longest_game.max(plies);
        }
        if let TableOutcome::Win(plies) = outcome
            && self.longest_win.is_none_or(|(longest, _)| plies > longest)
        {
            self.longest_win = Some((plies, number));
        }
        let count = match outcome {
            TableOutcome::Win(_) => &mut self.wins,
            TableOutcome::Draw => &mut self.draws,
            TableOutcome::Loss(_) => &mut self.losses,
        };
        *count += u64::from(!can_capture);
    }

    pub(super) fn merge(&mut self, others: &Self) {
        self.wins += others.wins;
        self.draws += others.draws;
        self.losses += others.losses;
        self.longest_game = self.longest_game.max(others.longest_game);
        self.longest_on_main_road = self.longest_on_main_road.max(others.longest_on_main_road);
        // Keep the longest win. Among wins of the same length, keep the win with the lowest number.
        let rank = |(plies, number)| (plies, Reverse(number));
        self.longest_win = self.longest_win.into_iter().chain(others.longest_win).max_by_key(|&win| rank(win));
    }
}

/// The table of one material.
#[derive(Clone, Debug)]
pub struct MaterialTable<W: Word> {
    /// The index that numbers the positions.
    pub index: Index<W>,
    /// The values as bytes, indexed by position number. The bytes of invalid numbers and of positions with compulsory
    /// captures have no meaning. They repeat the value of a neighbour, because this compresses best.
    pub values: Arc<[u8]>,
    /// The result statistics of the material.
    pub counts: Counts,
}

impl<W: Word> MaterialTable<W> {
    #[inline]
    pub(super) fn value(&self, pieces: &Pieces<W>) -> Option<TableValue> {
        let number = usize::try_from(self.index.number(pieces)).ok()?;
        TableValue::from_byte(*self.values.get(number)?)
    }
}

/// The tables of a solved slice.
#[derive(Clone, Debug)]
pub struct SliceTable<W: Word> {
    /// The slice that was solved.
    pub slice: Slice,
    /// One table for each of [`Slice::materials`], in the same order.
    pub tables: Vec<MaterialTable<W>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parity_determines_the_winner() {
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
