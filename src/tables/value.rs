//! The value of a position, and the values of all positions of a slice.

use super::{Index, Slice};
use crate::position::Pieces;
use crate::rules::{Color, Objective, Word};
use derive_more::Display;
use std::cmp::Reverse;
use std::sync::Arc;

/// The value of a position for the side to move, in one byte: 0 is a draw, and n + 1 a game that ends after n plies.
///
/// The parity of n tells the winner: the game ends when the side to move has no move, which loses or, where that is the aim,
/// wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableValue(u8);

/// A value in terms of the game.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum TableOutcome {
    /// The side to move wins, and the game is over after so many plies of both sides.
    #[display("win {_0}")]
    Win(u8),
    /// Neither side can win.
    #[display("draw")]
    Draw,
    /// The side to move loses, and the game is over after so many plies.
    #[display("loss {_0}")]
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

    /// The outcome for the side that made the move before.
    pub const fn before(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies.saturating_add(1)),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies.saturating_add(1)),
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

/// Returns whether the side to move has won a game that ends after `plies`.
#[inline]
pub(super) const fn is_win(plies: u8, objective: Objective) -> bool {
    match objective {
        Objective::Normal | Objective::FirstKing => plies % 2 == 1,
        Objective::Losing => plies.is_multiple_of(2),
    }
}

/// The results of the positions of a material, White to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won positions in which White has no capture.
    pub wins: u64,
    /// Drawn ones.
    pub draws: u64,
    /// Lost ones.
    pub losses: u64,
    /// The longest win in plies with the number of the first such position, if one is won; with a capture or without.
    pub longest_win: Option<(u8, u64)>,
    /// Most plies to the end of a position that is won or lost, with a capture or without.
    pub longest_game: u8,
    /// Most plies for which a lone king stays on a main road where a draw rule counts them, before it is caught or driven off.
    pub longest_on_main_road: u8,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    pub(super) number: u64,
    /// How it ends.
    pub(super) outcome: TableOutcome,
    /// True if White has a capture.
    pub(super) can_capture: bool,
}

impl Counts {
    /// Counts one position more.
    pub(super) fn add(&mut self, position: Counted) {
        let Counted { number, outcome, can_capture } = position;
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

    /// Adds the counts of other positions of the same material.
    pub(super) fn merge(&mut self, others: &Self) {
        self.wins += others.wins;
        self.draws += others.draws;
        self.losses += others.losses;
        self.longest_game = self.longest_game.max(others.longest_game);
        self.longest_on_main_road = self.longest_on_main_road.max(others.longest_on_main_road);
        // The longest win, and of several the one with the lowest number.
        let rank = |(plies, number)| (plies, Reverse(number));
        self.longest_win = self.longest_win.into_iter().chain(others.longest_win).max_by_key(|&win| rank(win));
    }
}

/// The values of one material.
#[derive(Clone, Debug)]
pub struct MaterialTable<W: Word> {
    /// The numbers of the positions.
    pub index: Index<W>,
    /// The values as bytes, by number. Where no position has the number, or White can capture and must, the byte means
    /// nothing: it is that of a neighbour, which compresses best.
    pub values: Arc<[u8]>,
    /// How many positions have which value.
    pub counts: Counts,
}

impl<W: Word> MaterialTable<W> {
    /// The value of `pieces`, which are of the material and without a capture that must be played.
    #[inline]
    pub(super) fn value(&self, pieces: &Pieces<W>) -> Option<TableValue> {
        let number = usize::try_from(self.index.number(pieces)).ok()?;
        TableValue::from_byte(*self.values.get(number)?)
    }
}

/// A slice that is solved: the values of its materials.
#[derive(Clone, Debug)]
pub struct SliceTable<W: Word> {
    /// Which slice.
    pub slice: Slice,
    /// A table for each of [`Slice::materials`], in their order.
    pub tables: Vec<MaterialTable<W>>,
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
