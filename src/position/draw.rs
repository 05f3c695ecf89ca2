//! The counters of the draw rules, as part of a position.

use super::Pieces;
use crate::board::Bits;
use crate::rules::{Color, DrawRules, Ending, Rules};
use std::fmt;

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    /// The position has occurred this many times.
    Repetition(u8),
    /// So many moves by each side without a capture or a man's move.
    Quiet(u16),
    /// So many moves by each side in an ending with a limit of its own.
    Ending(u16),
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repetition(_) => f.write_str("repetition"),
            Self::Quiet(moves) | Self::Ending(moves) => write!(f, "{moves}-move rule"),
        }
    }
}

/// Counters of plies, all limits of which are in [`DrawRules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counters {
    /// Plies since the last capture or man's move.
    pub(super) quiet: u16,
    /// Plies since the present ending arose.
    ending_plies: u16,
    /// Which of [`DrawRules::endings`] is on the board, counted from 1; 0 is none.
    ending: u8,
}

impl Counters {
    /// The counters of a position that was set up with `quiet` plies on its clock.
    pub(super) fn new<R: Rules>(pieces: &Pieces<R>, quiet: u16) -> Self {
        Self { quiet, ending_plies: 0, ending: ending_on_board(pieces) }
    }

    /// The counters after one more ply, which was `quiet` or not, and led to `pieces`.
    #[inline(always)]
    pub(super) fn after<R: Rules>(self, quiet: bool, pieces: &Pieces<R>) -> Self {
        let ending = ending_on_board(pieces);
        Self {
            quiet: if quiet { self.quiet.saturating_add(1) } else { 0 },
            ending_plies: if ending != 0 && ending == self.ending { self.ending_plies.saturating_add(1) } else { 0 },
            ending,
        }
    }

    /// The draw rule that has run out, if one has.
    #[inline(always)]
    pub(super) fn draw(self, rules: &DrawRules) -> Option<DrawReason> {
        if self.quiet >= rules.quiet_plies {
            return Some(DrawReason::Quiet(rules.quiet_plies / 2));
        }
        let ending = self.limit_of_ending(rules)?;
        (self.ending_plies >= ending.plies).then_some(DrawReason::Ending(ending.plies / 2))
    }

    /// Plies that are left until the first draw rule runs out, if the game goes on as it does.
    pub(super) fn plies_left(self, rules: &DrawRules) -> u16 {
        let quiet = rules.quiet_plies.saturating_sub(self.quiet);
        match self.limit_of_ending(rules) {
            Some(ending) => quiet.min(ending.plies.saturating_sub(self.ending_plies)),
            None => quiet,
        }
    }

    #[inline(always)]
    fn limit_of_ending(self, rules: &DrawRules) -> Option<Ending> {
        rules.endings.get(usize::from(self.ending).checked_sub(1)?).copied()
    }
}

/// Which of the endings of the draw rules is on the board, counted from 1; 0 is none.
#[inline(always)]
fn ending_on_board<R: Rules>(pieces: &Pieces<R>) -> u8 {
    if R::SPEC.draws.endings.is_empty() || pieces.kings.is_empty() {
        return 0;
    }
    [Color::White, Color::Black].into_iter().map(ending_against::<R>(pieces)).max().unwrap_or(0)
}

/// The ending in which the given side has a lone king.
#[inline(always)]
fn ending_against<R: Rules>(pieces: &Pieces<R>) -> impl Fn(Color) -> u8 {
    move |weak| {
        let strong = weak.opponent();
        if !pieces.of(weak).is_single() || pieces.kings(weak).is_empty() || pieces.kings(strong).is_empty() {
            return 0;
        }
        let count = pieces.of(strong).count() as u8;
        let matching = R::SPEC.draws.endings.iter().position(|e| e.pieces.0 <= count && count <= e.pieces.1);
        matching.map_or(0, |index| index as u8 + 1)
    }
}
