//! Times of command lines: a number with its unit.

use std::fmt;
use std::time::Duration;

/// The greatest time that is read: a year.
const MOST_SECONDS: f64 = 366.0 * 86_400.0;

/// The names of units, with their seconds.
const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];

/// What a number without a unit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BareNumber {
    /// Milliseconds, of which there are no parts.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// It is refused: the unit must be named.
    Nothing,
}

/// A text is no time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeError {
    bare: BareNumber,
    found: String,
}

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = match self.bare {
            BareNumber::Milliseconds => {
                "whole milliseconds such as 100, or a time with its unit such as 100ms, 0.1s or 1m"
            }
            BareNumber::Seconds => "seconds such as 10 or 0.5, or a time with its unit such as 100ms, 2s or 1m",
            BareNumber::Nothing => "a time with its unit, such as 100ms, 0.1s or 1m",
        };
        write!(f, "expected {expected}, found '{}'", self.found)
    }
}

impl std::error::Error for TimeError {}

/// The time that `text` names; `bare` says what a number without a unit counts.
///
/// # Errors
/// When it is no such number, or more than a year.
pub fn read_time(text: &str, bare: BareNumber) -> Result<Duration, TimeError> {
    let wrong = || TimeError { bare, found: text.to_owned() };
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let seconds = match (UNITS.iter().find(|(name, _)| *name == unit), unit, bare) {
        (Some((_, seconds)), ..) => *seconds,
        (None, "", BareNumber::Milliseconds) if !digits.contains('.') => 0.001,
        (None, "", BareNumber::Seconds) => 1.0,
        _ => return Err(wrong()),
    };
    let number = digits.parse().ok().map(|number: f64| number * seconds).filter(|&number| number < MOST_SECONDS);
    number.map(Duration::from_secs_f64).ok_or_else(wrong)
}

/// A time as people read it, with the unit that needs the fewest digits.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub Duration);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs_f64();
        match self.0.as_secs() {
            0 if !self.0.is_zero() => write!(f, "{} ms", (seconds * 1e6).round() / 1e3),
            whole if whole >= 60 && whole.is_multiple_of(60) && self.0.subsec_nanos() == 0 => {
                write!(f, "{} min", whole / 60)
            }
            _ => write!(f, "{seconds} s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, bare: BareNumber) -> Option<u128> {
        read_time(text, bare).ok().map(|time| time.as_micros())
    }

    #[test]
    fn a_unit_says_what_a_number_counts() {
        for bare in [BareNumber::Milliseconds, BareNumber::Seconds, BareNumber::Nothing] {
            for (text, us) in [
                ("100ms", 100_000),
                ("0.5ms", 500),
                ("2s", 2_000_000),
                (".5s", 500_000),
                ("1m", 60_000_000),
                ("1h", 3_600_000_000),
            ] {
                assert_eq!(read(text, bare), Some(us), "{text}");
            }
            for text in ["", "s", ".", "1d", "1 s", "-1s", "+1s", "1e3s", "1.2.3s", "99999999h", "inf", "NaN", "1S"] {
                assert_eq!(read(text, bare), None, "{text}");
            }
        }
    }

    #[test]
    fn a_number_alone_means_what_is_usual_there() {
        assert_eq!(read("100", BareNumber::Milliseconds), Some(100_000));
        assert_eq!(read("0.1", BareNumber::Milliseconds), None, "whoever writes so means seconds");
        assert_eq!(read("0.1", BareNumber::Seconds), Some(100_000));
        assert_eq!((read("100", BareNumber::Nothing), read("0.1", BareNumber::Nothing)), (None, None));
        let error = |bare| read_time("0.1x", bare).unwrap_err().to_string();
        assert_eq!(
            error(BareNumber::Nothing),
            "expected a time with its unit, such as 100ms, 0.1s or 1m, found '0.1x'"
        );
        assert!(error(BareNumber::Milliseconds).starts_with("expected whole milliseconds such as 100, or"));
        assert!(error(BareNumber::Seconds).starts_with("expected seconds such as 10 or 0.5, or"));
    }

    #[test]
    fn times_are_printed_for_people() {
        let printed = |ms: u64| Words(Duration::from_millis(ms)).to_string();
        assert_eq!(
            [0, 20, 999, 1000, 1500, 60_000, 90_000, 600_000].map(printed),
            ["0 s", "20 ms", "999 ms", "1 s", "1.5 s", "1 min", "90 s", "10 min"]
        );
    }
}
