//! The time that the move in progress has taken.

use std::time::{Duration, Instant};

/// A stopwatch for the present move, which can be paused.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stopwatch {
    /// The time before it was last started.
    before: Duration,
    running_since: Option<Instant>,
}

impl Stopwatch {
    /// The time that it has run up to `now`.
    pub(super) fn elapsed(self, now: Instant) -> Duration {
        let running = self.running_since.map(|since| now.saturating_duration_since(since));
        self.before + running.unwrap_or_default()
    }

    /// Starts or pauses it at `now`.
    pub(super) fn run(&mut self, runs: bool, now: Instant) {
        self.before = self.elapsed(now);
        self.running_since = runs.then_some(now);
    }

    /// When it will have run for `time`, if it runs; a moment in the past if it has run for longer.
    pub(super) fn reaches(self, time: Duration) -> Option<Instant> {
        let since = self.running_since?;
        Some(since.checked_add(time.saturating_sub(self.before)).unwrap_or(since))
    }

    /// Starts again at 0.
    pub(super) fn reset(&mut self, now: Instant) {
        *self = Self { before: Duration::ZERO, running_since: self.running_since.map(|_| now) };
    }

    /// Whether it runs.
    pub(super) fn is_running(self) -> bool {
        self.running_since.is_some()
    }
}

/// A time as minutes and seconds, with hours if there are any: `3:05`, `1:00:00`.
pub fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours == 0 { format!("{minutes}:{seconds:02}") } else { format!("{hours}:{minutes:02}:{seconds:02}") }
}

/// A time that is left, as [`shown`], with tenths of a second where there are less than ten seconds: `0:09.7`.
pub fn shown_left(time: Duration) -> String {
    let tenths = time.subsec_millis() / 100;
    if time.as_secs() < 10 { format!("{}.{tenths}", shown(time)) } else { shown(time) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_time_in_which_it_runs_counts() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut stopwatch = Stopwatch::default();
        assert_eq!(stopwatch.elapsed(at(5)), Duration::ZERO);
        stopwatch.run(true, at(5));
        assert_eq!(stopwatch.elapsed(at(7)), Duration::from_secs(2));
        stopwatch.run(false, at(8));
        stopwatch.run(true, at(20));
        assert_eq!(stopwatch.elapsed(at(21)), Duration::from_secs(4));
        stopwatch.reset(at(30));
        assert_eq!(stopwatch.elapsed(at(31)), Duration::from_secs(1));
        assert_eq!(stopwatch.reaches(Duration::from_secs(6)), Some(at(36)));
        stopwatch.run(false, at(32));
        assert_eq!(stopwatch.reaches(Duration::from_secs(6)), None);
        stopwatch.run(true, at(40));
        assert_eq!(stopwatch.reaches(Duration::from_secs(6)), Some(at(44)));
    }

    #[test]
    fn hours_are_shown_when_there_are_any() {
        assert_eq!(shown(Duration::from_millis(185_900)), "3:05");
        assert_eq!(shown(Duration::from_secs(3600)), "1:00:00");
        assert_eq!(shown_left(Duration::from_millis(10_000)), "0:10");
        assert_eq!(shown_left(Duration::from_millis(9_999)), "0:09.9");
        assert_eq!(shown_left(Duration::ZERO), "0:00.0");
    }
}
