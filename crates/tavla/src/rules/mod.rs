//! The board, the dice and the legal plays.
#![allow(clippy::indexing_slicing, reason = "points are valid indices of the board's arrays")]

mod generator;
mod play;

pub use generator::{LegalPlay, Perft, Plays, after_hops, next_hops, perft};
pub use play::{Hop, MAX_HOPS, ORDERED_ROLLS, PlayError, Roll, RollError, TavlaPlay};

use strum::{EnumString, VariantNames};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether a win is worth two points if the loser has not borne off any checkers.
    pub mars: bool,
    /// Whether a checker that has hit in its own home may continue to move in the same play.
    pub hit_and_run: bool,
    pub opening: OpeningRoll,
}

/// How the winner of the opening roll obtains the dice for the first play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum OpeningRoll {
    /// Rolls both dice again, so a double is possible.
    #[strum(serialize = "anew")]
    RollBoth,
    /// Uses the two dice of the opening roll.
    Single,
}

impl Default for Rules {
    fn default() -> Self {
        Self { mars: false, hit_and_run: true, opening: OpeningRoll::RollBoth }
    }
}

pub const CHECKERS: u8 = 15;

/// Index of the bar. Each side numbers the points from its own home outwards: points 1 to 6 are its home, and point 24
/// is the farthest.
pub const BAR: usize = 25;

pub const OFF: usize = 0;

pub const HOME: usize = 6;

/// Number of checkers of one side at each index, in the numbering of that side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Checkers([u8; 26]);

impl Checkers {
    /// Creates the checkers of a side from the counts at each index. Returns `None` unless there are exactly 15
    /// checkers.
    pub fn new(counts: [u8; 26]) -> Option<Self> {
        let sum: u32 = counts.iter().copied().map(u32::from).sum();
        (sum == u32::from(CHECKERS)).then_some(Self(counts))
    }

    /// Creates the checkers of a side from counts that may add up to less than 15. The missing checkers count as borne
    /// off. Returns `None` if there are more than 15 checkers.
    pub fn with_rest_off(mut counts: [u8; 26]) -> Option<Self> {
        let sum: u32 = counts.iter().copied().map(u32::from).sum();
        counts[OFF] += u8::try_from(u32::from(CHECKERS).checked_sub(sum)?).ok()?;
        Some(Self(counts))
    }

    pub fn count_at(&self, number: usize) -> u8 {
        self.0.get(number).copied().unwrap_or(0)
    }

    pub fn counts(&self) -> &[u8; 26] {
        &self.0
    }

    pub fn off(&self) -> u8 {
        self.0[OFF]
    }

    pub fn bar(&self) -> u8 {
        self.0[BAR]
    }

    pub fn farthest(&self) -> usize {
        self.0.iter().rposition(|&count| count > 0).unwrap_or(OFF)
    }

    pub fn pips(&self) -> u32 {
        self.0.iter().zip(0..).map(|(&count, number)| u32::from(count) * number).sum()
    }

    /// Returns a bit mask of the indices with at least `least` checkers.
    pub fn mask(&self, least: u8) -> u32 {
        self.0.iter().rev().fold(0, |mask, &count| mask << 1 | u32::from(count >= least))
    }

    fn shift(&mut self, from: usize, to: usize) {
        self.0[from] -= 1;
        self.0[to] += 1;
    }
}

/// Converts a point from the numbering of one side to that of the other. The bar and the checkers borne off have no
/// counterpart.
pub fn facing(number: usize) -> usize {
    BAR - number
}

/// A position without dice. Each side uses its own numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TavlaBoard {
    pub own: Checkers,
    pub other: Checkers,
}

impl TavlaBoard {
    pub fn new(own: Checkers, other: Checkers) -> Result<Self, BoardError> {
        if let Some(number) = (1..=24).find(|&number| own.count_at(number) > 0 && other.count_at(facing(number)) > 0) {
            return Err(BoardError::Shared(number));
        }
        if own.off() == CHECKERS && other.off() == CHECKERS {
            return Err(BoardError::BothDone);
        }
        // If both sides were on the bar and both homes were closed, neither side could ever move again.
        let is_closed = |side: &Checkers| (1..=HOME).all(|number| side.count_at(number) >= 2);
        if own.bar() > 0 && other.bar() > 0 && is_closed(&own) && is_closed(&other) {
            return Err(BoardError::Stuck);
        }
        Ok(Self { own, other })
    }

    /// Returns the starting position: two checkers on point 24, five on 13, three on 8 and five on 6.
    pub fn start() -> Self {
        let mut counts = [0; 26];
        for (number, count) in [(24, 2), (13, 5), (8, 3), (6, 5)] {
            counts[number] = count;
        }
        Self { own: Checkers(counts), other: Checkers(counts) }
    }

    #[must_use]
    pub fn turned(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// Returns whether some checkers of the two sides have not yet passed each other.
    pub fn has_contact(&self) -> bool {
        self.own.farthest() + self.other.farthest() > BAR
    }

    pub fn is_open(&self, number: usize) -> bool {
        self.other.count_at(facing(number)) < 2
    }

    /// Moves a checker of the side to roll. Returns whether the checker hit a blot.
    pub(crate) fn hop(&mut self, from: usize, to: usize) -> bool {
        self.own.shift(from, to);
        let is_hit = to != OFF && self.other.0[facing(to)] == 1;
        if is_hit {
            self.other.shift(facing(to), BAR);
        }
        is_hit
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Both sides have checkers on this point, which is given in the numbering of the side to roll.
    #[error("both sides have checkers on point {0}")]
    Shared(usize),
    #[error("both sides have borne off all checkers")]
    BothDone,
    #[error("both sides are on the bar against a closed home board")]
    Stuck,
}
