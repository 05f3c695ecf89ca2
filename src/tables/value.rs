//! The values of positions, and the tables that store them.

use super::{Index, Slice};
use crate::position::Pieces;
use crate::rules::{Color, Objective, Word};
use std::cmp::Reverse;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// The value of a position for the side to move, stored as a byte. The byte is 0 for a draw, and n + 1 for a game that
/// ends after n plies.
///
/// The parity of n determines the winner. The game ends when the side to move has no move. This side loses, except in
/// losing variants, where it wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableValue(u8);

/// A game result from the tables. The number of plies to the end of the game, counting the plies of both sides, is
/// `None` if the tables contain only results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableOutcome {
    /// The side to move wins.
    Win(Option<u8>),
    /// Neither side can win.
    Draw,
    /// The side to move loses.
    Loss(Option<u8>),
}

impl Display for TableOutcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(Some(plies)) => write!(f, "win {plies}"),
            Self::Win(None) => f.write_str("win"),
            Self::Draw => f.write_str("draw"),
            Self::Loss(Some(plies)) => write!(f, "loss {plies}"),
            Self::Loss(None) => f.write_str("loss"),
        }
    }
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

    /// Returns the number of plies to the end of the game, or `None` if the outcome is a draw or has no distance.
    pub const fn plies(self) -> Option<u8> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => plies,
            Self::Draw => None,
        }
    }

    /// Returns whether the outcome is a win or a loss with an unknown distance.
    pub const fn has_no_distance(self) -> bool {
        matches!(self, Self::Win(None) | Self::Loss(None))
    }

    /// Returns the outcome before the last move, for the side that made this move.
    pub fn before(self) -> Self {
        let longer = |plies: Option<u8>| plies.map(|plies| plies.saturating_add(1));
        match self {
            Self::Win(plies) => Self::Loss(longer(plies)),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(longer(plies)),
        }
    }

    /// Returns the better outcome for the side to move. If the tables do not contain the distances of two wins or of
    /// two losses, the distance of the better outcome is unknown.
    pub(super) fn or_better(self, other: Self) -> Self {
        match (self, other) {
            (Self::Win(one), Self::Win(other)) => Self::Win(one.zip(other).map(|(one, other)| one.min(other))),
            (Self::Loss(one), Self::Loss(other)) => Self::Loss(one.zip(other).map(|(one, other)| one.max(other))),
            (win @ Self::Win(_), _) | (_, win @ Self::Win(_)) => win,
            (Self::Draw, _) | (_, Self::Draw) => Self::Draw,
        }
    }
}

impl TableValue {
    /// The value of a draw.
    pub const DRAW: Self = Self(0);
    /// The value of a position in which the side to move has no move.
    pub const END: Self = Self(1);
    /// Maximum number of plies to the end of a game.
    pub const MAX_PLIES: u8 = 252;
    /// The solver's placeholder for a value that is not known yet.
    pub(super) const UNKNOWN: Self = Self(u8::MAX);
    /// The solver's placeholder for an invalid index (two pieces on the same square).
    pub(super) const NONE: Self = Self(u8::MAX - 1);

    /// Returns the value that is stored as `byte`, or `None` if the byte is invalid.
    #[inline]
    pub const fn from_byte(byte: u8) -> Option<Self> {
        if byte <= Self::MAX_PLIES + 1 { Some(Self(byte)) } else { None }
    }

    /// Creates a value from a solver byte. The byte can also represent [`Self::UNKNOWN`] or [`Self::NONE`].
    #[inline]
    pub(super) const fn from_solver_byte(byte: u8) -> Self {
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
    /// exceed [`Self::MAX_PLIES`].
    #[inline]
    pub(super) const fn before(self) -> Option<Self> {
        match self.plies() {
            None => Some(self),
            Some(plies) if plies < Self::MAX_PLIES => Some(Self::ending_after(plies + 1)),
            Some(_) => None,
        }
    }

    /// Returns the game result under `objective`.
    #[inline]
    pub const fn outcome(self, objective: Objective) -> TableOutcome {
        match self.plies() {
            None => TableOutcome::Draw,
            Some(plies) if is_win(plies, objective) => TableOutcome::Win(Some(plies)),
            Some(plies) => TableOutcome::Loss(Some(plies)),
        }
    }

    /// Returns a rank that is higher for better values. Short wins have the highest ranks, followed by long wins,
    /// draws, long losses and short losses.
    #[inline]
    pub(super) const fn rank(self, objective: Objective) -> i16 {
        match self.plies() {
            None => 0,
            Some(plies) if is_win(plies, objective) => 1000 - plies as i16,
            Some(plies) => plies as i16 - 1000,
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
    /// captures are included. `None` means that there is no win, or that the distances are unknown.
    pub longest_win: Option<(u8, u64)>,
    /// Length of the longest win or loss in plies, or 255 if it is longer. With unknown distances: an upper bound for
    /// the plies spent with this material, including the move that ends the game or changes the material. Positions
    /// with captures are included.
    pub longest_stay: u8,
    /// Upper bound for the plies of a win or loss up to and including the next capture or advance of a man, or the end
    /// of the game; 255 if it may be larger.
    pub longest_run: u8,
    /// Maximum number of plies that a losing lone king can stay on the main road: 0 if no draw rule counts them, 255 if
    /// the number is unknown.
    pub longest_on_main_road: u8,
}

impl Counts {
    pub(super) fn add(&mut self, number: u64, outcome: TableOutcome, can_capture: bool) {
        if let TableOutcome::Win(Some(plies)) | TableOutcome::Loss(Some(plies)) = outcome {
            self.longest_stay = self.longest_stay.max(plies);
            self.longest_run = self.longest_stay;
        }
        if let TableOutcome::Win(Some(plies)) = outcome
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
        self.longest_stay = self.longest_stay.max(others.longest_stay);
        self.longest_run = self.longest_run.max(others.longest_run);
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
        assert_eq!(TableValue::END.outcome(Objective::Normal), TableOutcome::Loss(Some(0)));
        assert_eq!(TableValue::END.outcome(Objective::Losing), TableOutcome::Win(Some(0)));
        assert_eq!(outcome(7, Objective::FirstKing), TableOutcome::Win(Some(7)));
        assert_eq!(outcome(7, Objective::Losing), TableOutcome::Loss(Some(7)));
        assert_eq!(TableValue::DRAW.outcome(Objective::Losing), TableOutcome::Draw);
        assert_eq!(TableValue::ending_after(TableValue::MAX_PLIES).before(), None);
        assert_eq!(TableValue::DRAW.before(), Some(TableValue::DRAW));
        assert_eq!(TableValue::from_byte(TableValue::NONE.byte()), None);
    }

    #[test]
    fn wins_without_a_distance_are_better_than_draws() {
        let [win, slow_win, loss, slow_loss] = [
            TableOutcome::Win(Some(3)),
            TableOutcome::Win(Some(9)),
            TableOutcome::Loss(Some(2)),
            TableOutcome::Loss(Some(8)),
        ];
        assert_eq!(win.or_better(slow_win), win);
        assert_eq!(loss.or_better(slow_loss), slow_loss);
        assert_eq!(win.or_better(TableOutcome::Win(None)), TableOutcome::Win(None));
        assert_eq!(TableOutcome::Loss(None).or_better(loss), TableOutcome::Loss(None));
        assert_eq!(TableOutcome::Loss(None).or_better(TableOutcome::Draw), TableOutcome::Draw);
        assert_eq!(TableOutcome::Draw.or_better(TableOutcome::Win(None)), TableOutcome::Win(None));
    }

    #[test]
    fn short_wins_and_long_losses_rank_high() {
        let rank = |plies| TableValue::ending_after(plies).rank(Objective::Normal);
        let ranks =
            [rank(0), rank(8), rank(252), TableValue::DRAW.rank(Objective::Normal), rank(251), rank(9), rank(1)];
        assert!(ranks.is_sorted_by(|worse, better| worse < better));
    }
}
