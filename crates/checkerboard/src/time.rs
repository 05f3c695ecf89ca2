//! The thinking time that CheckerBoard allows, and a margin for delays caused by the operating system.

use soffio::Limits;
use soffio::engine::Clock;
use std::collections::VecDeque;
use std::ffi::c_int;
use std::time::{Duration, Instant};

/// Bit of `info` that is set if the board is unrelated to the previous board.
const RESET: c_int = 1;

/// Position in `info` of the lower bit of the clock unit. The clock unit takes two bits; 0 means that there is no
/// clock.
const CLOCK_UNITS: c_int = 2;

/// Maximum time per move. CheckerBoard requests analysis by setting a practically infinite time.
const MAX_MOVE_TIME: Duration = Duration::from_secs(7 * 24 * 3600);

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeRequest {
    pub seconds: f64,
    /// Bits for the history reset, the exact time, and the clock unit.
    pub info: c_int,
    /// With a clock: the remaining time in the upper 16 bits, and the increment in the lower 16 bits.
    pub more_info: c_int,
}

impl TimeRequest {
    pub const fn is_reset(self) -> bool {
        self.info & RESET != 0
    }

    fn clock(self) -> Option<Clock> {
        let unit = match self.info >> CLOCK_UNITS & 3 {
            1 => Duration::from_millis(1),
            2 => Duration::from_millis(10),
            3 => Duration::from_millis(100),
            _ => return None,
        };
        let [low, second, third, high] = self.more_info.to_le_bytes();
        let increment = unit * u32::from(u16::from_le_bytes([low, second]));
        let remaining = unit * u32::from(u16::from_le_bytes([third, high]));
        Some(Clock { remaining, increment, moves_to_go: None })
    }

    /// Returns the remaining time on the clock, or the time for the move if there is no clock.
    pub fn time(self) -> Duration {
        self.clock().map_or_else(|| self.move_time(), |clock| clock.remaining)
    }

    fn move_time(self) -> Duration {
        Duration::try_from_secs_f64(self.seconds.max(0.0)).map_or(MAX_MOVE_TIME, |time| time.min(MAX_MOVE_TIME))
    }

    /// Sets the requested time limits. The time per move is used completely, because unused time would be lost. A
    /// practically infinite time starts analysis.
    pub fn limits(self, limits: Limits) -> Limits {
        let clock = self.clock();
        let move_time = if clock.is_none() { Some(self.move_time()) } else { None };
        Limits { move_time, clock, analysis: limits.analysis || move_time == Some(MAX_MOVE_TIME), ..limits }
    }
}

pub fn later(limits: Limits, passed: Duration) -> Limits {
    Limits {
        move_time: limits.move_time.map(|time| time.saturating_sub(passed)),
        clock: limits.clock.map(|clock| Clock { remaining: clock.remaining.saturating_sub(passed), ..clock }),
        ..limits
    }
}

/// Number of remembered delays, enough for about one game.
const REMEMBERED: usize = 64;

/// The delays between the planned end and the actual end of the most recent searches. The search checks the clock
/// several times per millisecond, but on a busy machine its thread may have to wait for a processor when the time is
/// up. Past delays are the best predictor of such waits.
#[derive(Debug, Default)]
pub struct Delays(VecDeque<Duration>);

impl Delays {
    pub fn note(&mut self, planned: Instant, now: Instant) {
        self.0.truncate(REMEMBERED - 1);
        self.0.push_front(now.saturating_duration_since(planned));
    }

    /// Returns the longest remembered delay, but at most half of `time`, because a long stall may not happen again.
    pub fn margin(&self, time: Duration) -> Duration {
        self.0.iter().max().copied().unwrap_or_default().min(time / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(seconds: f64, info: c_int, more_info: c_int) -> Limits {
        TimeRequest { seconds, info, more_info }.limits(Limits::default())
    }

    #[test]
    fn a_time_per_move_is_not_a_clock() {
        for info in 0..4 {
            let usual = limits(0.1, info, 0);
            assert_eq!((usual.move_time, usual.clock), (Some(Duration::from_millis(100)), None));
        }
        assert_eq!(TimeRequest { seconds: 2.0, info: 2, more_info: 0 }.time(), Duration::from_secs(2));
    }

    #[test]
    fn elapsed_time_is_subtracted() {
        let ms = Duration::from_millis;
        assert_eq!(later(limits(0.1, 0, 0), ms(30)).move_time, Some(ms(70)));
        let clock = limits(1.0, 1 << CLOCK_UNITS, 300 << 16 | 20);
        assert_eq!(later(clock.clone(), ms(30)).clock.unwrap().remaining, ms(270));
        assert_eq!(later(clock, ms(500)).clock.unwrap().remaining, ms(0));
    }

    #[test]
    fn clock_units_are_parsed() {
        for (units, unit) in [(1, 1), (2, 10), (3, 100)] {
            let limits = limits(1.0, units << CLOCK_UNITS, 300 << 16 | 20);
            let clock = limits.clock.unwrap();
            assert_eq!(clock.remaining, Duration::from_millis(300 * unit));
            assert_eq!(clock.increment, Duration::from_millis(20 * unit));
            assert_eq!(limits.move_time, None);
            let request = TimeRequest { seconds: 1.0, info: units << CLOCK_UNITS, more_info: 300 << 16 | 20 };
            assert_eq!(request.time(), clock.remaining);
        }
        let long = limits(1.0, 1 << CLOCK_UNITS, (0xf000_u32 << 16 | 0xffff).cast_signed()).clock.unwrap();
        assert_eq!((long.remaining.as_millis(), long.increment.as_millis()), (0xf000, 0xffff), "they are unsigned");
    }

    #[test]
    fn any_number_is_a_valid_time() {
        for (seconds, time) in [
            (0.0, Duration::ZERO),
            (-3.0, Duration::ZERO),
            (f64::NAN, Duration::ZERO),
            (f64::INFINITY, MAX_MOVE_TIME),
            (1e300, MAX_MOVE_TIME),
        ] {
            let found = limits(seconds, 0, 0);
            assert_eq!((found.move_time, found.analysis), (Some(time), time == MAX_MOVE_TIME), "{seconds}");
        }
    }

    #[test]
    fn the_first_bit_resets_the_history() {
        assert!(TimeRequest { info: 3, ..TimeRequest::default() }.is_reset());
        assert!(!TimeRequest { info: 2, ..TimeRequest::default() }.is_reset());
    }

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn the_longest_recent_delay_is_reserved() {
        let mut delays = Delays::default();
        let planned = Instant::now();
        assert_eq!(delays.margin(1000 * MS), Duration::ZERO);
        for late in [3, 40, 5] {
            delays.note(planned, planned + late * MS);
        }
        assert_eq!(delays.margin(1000 * MS), 40 * MS);
        assert_eq!(delays.margin(60 * MS), 30 * MS, "at most half of the time");
        delays.note(planned + 90 * MS, planned);
        assert_eq!(delays.margin(1000 * MS), 40 * MS);
        (0..REMEMBERED - 2).for_each(|_| delays.note(planned, planned + MS));
        assert_eq!(delays.margin(1000 * MS), 5 * MS, "old delays are forgotten");
    }
}
