//! Draws by repetition that can prevent the wins in the tables.

use super::{Prober, TableOutcome, Verdict};
use crate::position::{History, Position};
use crate::rules::{Color, Word};

/// The wins in the tables that a draw by repetition may prevent, after the moves of a game.
///
/// While the winner plays for the shortest game, each ply brings the end of the game nearer, so no position occurs
/// twice. Such a game can be drawn by repetition only at a position that occurred before, whose next occurrence is a
/// draw and that is nearer to the end. All other wins are as certain and as short as if no moves had been played.
#[derive(Clone, Copy, Debug)]
pub struct RepetitionLimits {
    /// For wins of White and of Black: the distance in plies of the nearest position whose next occurrence is a draw,
    /// or [`NEVER`].
    nearest: [u16; 2],
}

const NEVER: u16 = u16::MAX;

impl RepetitionLimits {
    /// The limits for a game in which the next occurrence of any position is allowed.
    pub const NONE: Self = Self { nearest: [NEVER; 2] };

    /// Returns the limits for the current position of `game`.
    pub fn for_game<W: Word>(prober: &mut Prober<'_, W>, game: &History<W>) -> Self {
        Self::near(prober, &game.drawn_if_repeated())
    }

    /// Returns the limits for a game in which the next occurrence of each of `positions` is a draw.
    pub fn near<W: Word>(prober: &mut Prober<'_, W>, positions: &[Position<W>]) -> Self {
        let mut limits = Self::NONE;
        for position in positions {
            let outcome = prober.outcome(position);
            let distance = outcome.and_then(TableOutcome::plies).map_or(0, u16::from);
            for (color, nearest) in [Color::White, Color::Black].into_iter().zip(&mut limits.nearest) {
                // Without a table, either side may win the position.
                if outcome.is_none_or(|outcome| outcome.winner(position.side()) == Some(color)) {
                    *nearest = distance.min(*nearest);
                }
            }
        }
        limits
    }

    /// Returns the `verdict` of the tables for `position`, which is `plies` plies after the current position of the
    /// game, and turns it into [`Verdict::Cursed`] if a draw by repetition may come first.
    pub fn apply<W: Word>(self, verdict: Verdict, position: &Position<W>, plies: usize) -> Verdict {
        // After a capture or an advance of a man, the positions of the game cannot occur again.
        if usize::from(position.quiet_plies()) < plies {
            return verdict;
        }
        let Verdict::Sure(outcome) = verdict else { return verdict };
        let Some(winner) = outcome.winner(position.side()) else { return verdict };
        let nearest = winner.pick(self.nearest);
        let is_sure = match outcome.plies().map(u16::from) {
            // The current position itself may be the nearest of the positions that must not occur again.
            Some(distance) if plies == 0 => distance <= nearest,
            Some(distance) => distance < nearest,
            None => nearest == NEVER,
        };
        if is_sure { verdict } else { Verdict::Cursed(outcome) }
    }
}
