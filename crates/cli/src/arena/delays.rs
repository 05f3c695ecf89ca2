//! Scheduling delays of the machine: a sleeping thread that wakes up late tells that engines may have been delayed as well.

use super::Stop;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the watching thread sleeps.
const NAP: Duration = Duration::from_millis(2);

/// Delays up to this are usual on a machine with time to spare.
pub(super) const USUAL: Duration = Duration::from_millis(3);

/// How many unusual delays are remembered.
const MOST: usize = 1000;

/// The unusual delays of a thread that only sleeps for moments.
#[derive(Debug, Default)]
pub(super) struct SchedulingDelays {
    /// When each ended, and how long it was.
    late: Mutex<VecDeque<(Instant, Duration)>>,
}

impl SchedulingDelays {
    /// Sleeps and looks at the clock until `stop` is given.
    pub(super) fn watch(&self, stop: &Stop) {
        let mut began = Instant::now();
        while !stop.is_stopped() {
            std::thread::sleep(NAP);
            let now = Instant::now();
            self.note(now, now.saturating_duration_since(began).saturating_sub(NAP));
            began = now;
        }
    }

    fn note(&self, end: Instant, delay: Duration) {
        if delay <= USUAL {
            return;
        }
        let mut late = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        if late.len() == MOST {
            late.pop_front();
        }
        late.push_back((end, delay));
    }

    /// The longest unusual delay that ended after `since`, as far as they are remembered.
    pub(super) fn longest_since(&self, since: Instant) -> Option<Duration> {
        let late = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        late.iter().rev().take_while(|(end, _)| *end >= since).map(|&(_, delay)| delay).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_delay_of_a_time_is_found() {
        let (delays, start) = (SchedulingDelays::default(), Instant::now());
        let after = |ms| start + Duration::from_millis(ms);
        for (end, delay) in [(10, 50), (20, 2), (30, 9), (40, 7)] {
            delays.note(after(end), Duration::from_millis(delay));
        }
        let longest = |ms| delays.longest_since(after(ms)).map(|delay| delay.as_millis());
        assert_eq!([0, 10, 11, 31, 41].map(longest), [Some(50), Some(50), Some(9), Some(7), None]);
        (0..2 * MOST as u64).for_each(|ms| delays.note(after(100 + ms), Duration::from_millis(5)));
        assert_eq!(delays.late.lock().unwrap().len(), MOST, "a long match takes no more memory");
        assert_eq!(longest(0), Some(5));
    }

    #[test]
    fn watching_ends_with_the_signal() {
        let (delays, stop) = (SchedulingDelays::default(), Stop::new());
        stop.stop();
        delays.watch(&stop);
        assert_eq!(delays.longest_since(Instant::now()), None);
    }
}
