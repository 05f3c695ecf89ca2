//! A running clock of one side in one game.

use super::{ClockControl, Control};
use std::time::Duration;

/// The time that is left to one side.
#[derive(Clone, Copy, Debug)]
pub struct SideClock {
    control: ClockControl,
    left: Duration,
    /// Moves until the base is added again.
    moves_to_go: Option<u32>,
}

impl SideClock {
    /// The clock of `control` at the start of a game.
    pub fn new(control: ClockControl) -> Self {
        Self { control, left: control.base, moves_to_go: control.moves.map(|moves| moves.get()) }
    }

    /// Time that is left.
    pub(super) fn left(&self) -> Duration {
        self.left
    }

    /// Time that each move adds.
    pub(super) fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves until time is added.
    pub(super) fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Counts a move that took `time`. The margin of a match can allow a little more than was left: the clock
    /// then stands at the increment.
    pub fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time) + self.control.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                *moves = self.control.moves.map_or(1, |moves| moves.get());
                self.left += self.control.base;
            }
        }
    }
}

/// The time that a move may take by `control` with this `clock`; `None` when nothing limits it.
pub(super) fn allowed(control: &Control, clock: Option<&SideClock>) -> Option<Duration> {
    match (clock.map(SideClock::left), control.move_time) {
        (Some(left), Some(time)) => Some(left.min(time)),
        (left, time) => left.or(time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn a_clock_gains_its_increment_and_after_its_moves_the_base() {
        let mut clock = SideClock::new("2/1+0.1".parse().unwrap());
        clock.spend(ms(300));
        assert_eq!((clock.left(), clock.moves_to_go()), (ms(800), Some(1)));
        clock.spend(ms(500));
        assert_eq!((clock.left(), clock.moves_to_go()), (ms(1400), Some(2)));
        clock.spend(ms(1500));
        assert_eq!(clock.left(), ms(100), "what is forgiven leaves no debt");
    }

    #[test]
    fn the_shorter_of_two_limits_counts() {
        let clock = SideClock::new("1".parse().unwrap());
        let both = Control { move_time: Some(ms(200)), ..Control::default() };
        assert_eq!(allowed(&both, Some(&clock)), Some(ms(200)));
        assert_eq!(allowed(&Control::default(), Some(&clock)), Some(ms(1000)));
        assert_eq!(allowed(&both, None), Some(ms(200)));
        assert_eq!(allowed(&Control::default(), None), None);
    }
}
