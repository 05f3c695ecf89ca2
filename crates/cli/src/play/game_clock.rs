//! The time of both sides: what they have used, and what is left where it is limited.

use super::Record;
use super::stopwatch::Stopwatch;
use super::time_control::TimeControl;
use soffio::engine;
use soffio::rules::Color;
use std::time::{Duration, Instant};

/// The time of both sides. The time of moves made is kept in the record, so that taking a move back restores it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameClock {
    /// The time of the move in progress.
    pub(super) present: Stopwatch,
    control: Option<TimeControl>,
    /// The number of moves made before the time control was set, whose time it does not count.
    free: usize,
}

impl GameClock {
    /// The time control of both sides, if there is one.
    pub(super) fn control(&self) -> Option<TimeControl> {
        self.control
    }

    /// Sets the time control of both sides, which does not count the first `free` moves of the game; `None` for no limit.
    pub(super) fn set_control(&mut self, control: Option<TimeControl>, free: usize) {
        (self.control, self.free) = (control, free);
    }

    /// Starts a new game, with the same time control.
    pub(super) fn restart(&mut self) {
        self.free = 0;
    }

    /// A move is made after `played` others, and from now on every new move counts.
    pub(super) fn count_from(&mut self, played: usize) {
        self.free = self.free.min(played);
    }

    /// The time that `color` has used for the moves on the board and the one in progress.
    pub(super) fn used(&self, record: &Record, color: Color, now: Instant) -> Duration {
        let (_, used) = counted(record, color, 0);
        used + self.in_progress(record, color, now)
    }

    fn in_progress(&self, record: &Record, color: Color, now: Instant) -> Duration {
        if record.side() == color { self.present.elapsed(now) } else { Duration::ZERO }
    }

    /// The time that is left to `color`, where that is limited.
    pub(super) fn left(&self, record: &Record, color: Color, now: Instant) -> Option<Duration> {
        let allowed = self.allowed(record, color)?;
        Some(allowed.saturating_sub(self.in_progress(record, color, now)))
    }

    /// The time that `color` had at the start of the move in progress.
    fn allowed(&self, record: &Record, color: Color) -> Option<Duration> {
        let (moves, used) = counted(record, color, self.free);
        Some(self.control?.left(moves, used))
    }

    /// When the side to move of `record` oversteps its time.
    pub(super) fn falls_at(&self, record: &Record) -> Option<Instant> {
        self.present.reaches(self.allowed(record, record.side())?)
    }

    /// The clocks of White and Black as the engine sees them: without the reserve.
    pub(super) fn told(&self, record: &Record, now: Instant) -> Option<[engine::Clock; 2]> {
        let control = self.control?;
        let clock = |color| {
            let remaining = self.spare(record, color, now)?;
            Some(engine::Clock { remaining, increment: control.increment(), moves_to_go: None })
        };
        Some([clock(Color::White)?, clock(Color::Black)?])
    }

    /// The time that the engine may use for all its moves as `color`, where that is limited.
    pub(super) fn spare(&self, record: &Record, color: Color, now: Instant) -> Option<Duration> {
        Some(self.left(record, color, now)?.saturating_sub(self.control?.reserve()))
    }
}

/// How many moves of `color` come after the first `free` of the game, and the time that they took.
fn counted(record: &Record, color: Color, free: usize) -> (usize, Duration) {
    let own = record.played().iter().skip(free).filter(|ply| ply.color == color);
    own.fold((0, Duration::ZERO), |(moves, used), ply| (moves + 1, used + ply.time.unwrap_or_default()))
}
