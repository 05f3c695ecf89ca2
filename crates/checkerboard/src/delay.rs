//! How late the system lets searches end, so that the next one keeps that much more of its time back.
//!
//! A search looks at the clock every fraction of a millisecond. On a machine with other work its thread may have to wait for a
//! processor just when the time is over; how long, the searches before tell best.

use std::time::{Duration, Instant};

/// Searches that are remembered: those of about one game.
const REMEMBERED: usize = 64;

/// By how much the last searches ended too late.
#[derive(Debug)]
pub struct Delays {
    last: [Duration; REMEMBERED],
    next: usize,
}

impl Delays {
    /// Before the first search.
    pub const fn new() -> Self {
        Self { last: [Duration::ZERO; REMEMBERED], next: 0 }
    }

    /// Takes note of a search that should have ended at `planned` at the latest and ended at `now`.
    pub fn note(&mut self, planned: Instant, now: Instant) {
        if let Some(place) = self.last.get_mut(self.next) {
            *place = now.saturating_duration_since(planned);
        }
        self.next = (self.next + 1) % REMEMBERED;
    }

    /// What a search with so much time in all should keep back: the longest delay that is remembered, but no more than half of
    /// the time, for a machine that stood still once need not do so again.
    pub fn margin(&self, time: Duration) -> Duration {
        self.last.iter().max().copied().unwrap_or_default().min(time / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn the_longest_delay_of_the_last_searches_is_kept_back() {
        let mut delays = Delays::new();
        let planned = Instant::now();
        assert_eq!(delays.margin(1000 * MS), Duration::ZERO);
        for late in [3, 40, 5] {
            delays.note(planned, planned + late * MS);
        }
        assert_eq!(delays.margin(1000 * MS), 40 * MS);
        assert_eq!(delays.margin(60 * MS), 30 * MS, "half of the time at the most");
        // One that ended before its time was not late.
        delays.note(planned + 90 * MS, planned);
        assert_eq!(delays.margin(1000 * MS), 40 * MS);
        (0..REMEMBERED - 2).for_each(|_| delays.note(planned, planned + MS));
        assert_eq!(delays.margin(1000 * MS), 5 * MS, "the game after the next has forgotten it");
    }
}
