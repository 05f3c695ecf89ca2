//! The time that each side has for a game.

use super::PlayError;
use soffio::notation::pdn::{self, Period};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The expected form of a time control, for error messages.
const EXPECTED: &str = "minutes and seconds for each move such as 5+3 or 0.5, at most 1440+3600";

/// The most minutes for a game, and the most seconds for each move.
const MOST: [f64; 2] = [1440.0, 3600.0];

/// The name of the setting.
const NAME: &str = "tc";

/// The time that each side has for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Time at the start, more than 0.
    base: Duration,
    /// Time that each move adds.
    increment: Duration,
}

impl TimeControl {
    /// The time that a side has left after `moves` of its own that took `used` together; 0 when it has overstepped.
    pub(super) fn left(self, moves: usize, used: Duration) -> Duration {
        let moves = u32::try_from(moves).unwrap_or(u32::MAX);
        self.base.saturating_add(self.increment.saturating_mul(moves)).saturating_sub(used)
    }

    /// Time that each move adds.
    pub(super) fn increment(self) -> Duration {
        self.increment
    }

    /// The reserve that the engine keeps on its clock: for the moves at the end of a game without increment, which it then makes
    /// at once, and for delays on a busy machine.
    pub(super) fn reserve(self) -> Duration {
        (self.base / 10).min(Duration::from_secs(10))
    }

    /// The form in game records.
    pub(super) fn written(self) -> pdn::TimeControl {
        pdn::TimeControl::Periods(vec![Period::Rest { time: self.base, increment: self.increment }])
    }

    /// The control that a record names, if it is one for the whole game.
    pub(super) fn from_record(control: &pdn::TimeControl) -> Option<Self> {
        let pdn::TimeControl::Periods(periods) = control else { return None };
        let [Period::Rest { time, increment }] = periods.as_slice() else { return None };
        let [minutes, seconds] = MOST;
        let is_offered = time.as_secs_f64() <= minutes * 60.0 && increment.as_secs_f64() <= seconds;
        Self::new(time.as_secs_f64(), increment.as_secs_f64()).filter(|_| is_offered)
    }

    fn new(base: f64, increment: f64) -> Option<Self> {
        let [base, increment] = [base, increment].map(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Some(Self { base: base.filter(|base| !base.is_zero())?, increment: increment? })
    }
}

/// The number in `text`, up to `most`, without a sign or an exponent.
fn number(text: &str, most: f64) -> Option<f64> {
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.parse().ok().filter(|&number: &f64| is_plain && number <= most)
}

impl FromStr for TimeControl {
    type Err = PlayError;

    /// Reads minutes for the game and seconds for each move, such as `5+3`, or minutes alone.
    fn from_str(text: &str) -> Result<Self, PlayError> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let [most_minutes, most_seconds] = MOST;
        let numbers = number(minutes.trim(), most_minutes).zip(number(seconds.trim(), most_seconds));
        let control = numbers.and_then(|(minutes, seconds)| Self::new(minutes * 60.0, seconds));
        let found = || text.to_owned();
        control.ok_or_else(|| PlayError::Expected { what: NAME.to_owned(), expected: EXPECTED, found: found() })
    }
}

impl fmt::Display for TimeControl {
    /// Prints what [`TimeControl::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64() / 60.0, self.increment.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_and_seconds_are_read_and_printed() {
        for (text, printed) in [("5+3", "5+3"), (" 90 + 30", "90+30"), ("0.5", "0.5+0"), ("1440+3600", "1440+3600")] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), printed);
            assert_eq!(TimeControl::from_record(&control.written()), Some(control));
        }
        assert_eq!("5+3".parse::<TimeControl>().unwrap().written().to_string(), "300+3");
        for text in ["-", "?", "40/60", "*5", "86401"] {
            assert_eq!(TimeControl::from_record(&text.parse().unwrap()), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_time_control_is_refused() {
        for text in ["", "0", "0+5", "x", "5+", "+5", "-5", "5+-1", "1e3", "inf", "NaN", "1441", "5+3601", "5+3+1", "."]
        {
            let error = text.parse::<TimeControl>().unwrap_err().to_string();
            assert_eq!(error, format!("tc must be {EXPECTED}, not '{text}'"));
        }
    }

    #[test]
    fn moves_add_their_increment() {
        let control: TimeControl = "1+2".parse().unwrap();
        let seconds = Duration::from_secs;
        assert_eq!(control.left(0, Duration::ZERO), seconds(60));
        assert_eq!(control.left(3, seconds(50)), seconds(16));
        assert_eq!(control.left(3, seconds(67)), Duration::ZERO);
        assert_eq!((control.reserve(), "300".parse::<TimeControl>().unwrap().reserve()), (seconds(6), seconds(10)));
    }
}
