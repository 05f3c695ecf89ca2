//! The limits for the moves of an engine: times as they are written, and the clocks of a game.

use anyhow::{Error, Result, anyhow};
use soffio::notation::pdn::{Period, TimeControl};
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// The limits for the moves of an engine; of several the first that is reached counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// A clock for the game.
    pub clock: Option<ClockControl>,
    pub move_time: Option<Duration>,
    /// Positions to search for each move.
    pub nodes: Option<u64>,
    /// Depth of the search for each move in plies.
    pub depth: Option<u8>,
}

/// The time that an engine has for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockControl {
    /// Time at the start.
    pub base: Duration,
    /// Moves after which the base is added again; `None` when it is for the whole game.
    pub moves: Option<NonZeroU32>,
    /// Time that each move adds.
    pub increment: Duration,
}

impl Control {
    /// Returns true if nothing is limited.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the time as game records have it; a limit for each move is an hourglass of that time.
    pub fn written(&self) -> TimeControl {
        let period = match (self.clock, self.move_time) {
            (Some(ClockControl { base: time, moves: Some(moves), increment }), _) => {
                Period::Moves { moves, time, increment }
            }
            (Some(ClockControl { base: time, moves: None, increment }), _) => Period::Rest { time, increment },
            (None, Some(time)) => Period::Sandclock(time),
            (None, None) => return TimeControl::Unlimited,
        };
        TimeControl::Periods(vec![period])
    }

    /// Returns the time that a move may take with this `clock`, if anything limits it.
    pub(super) fn allowed(&self, clock: Option<&SideClock>) -> Option<Duration> {
        match (clock.map(|clock| clock.left), self.move_time) {
            (Some(left), Some(time)) => Some(left.min(time)),
            (left, time) => left.or(time),
        }
    }
}

impl fmt::Display for Control {
    /// Prints the limits in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|clock| clock.to_string()));
        parts.extend(self.move_time.map(|time| format!("{} a move", Words(time))));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes a move")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

impl fmt::Display for ClockControl {
    /// Prints the control in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves {
            Some(moves) => write!(f, "{} for every {moves} moves", Words(self.base))?,
            None => write!(f, "{} a game", Words(self.base))?,
        }
        if !self.increment.is_zero() {
            write!(f, " and {} more after each move", Words(self.increment))?;
        }
        Ok(())
    }
}

impl FromStr for ClockControl {
    type Err = Error;

    /// Reads `[<moves>/]<time>[+<time>]` as cutechess does, such as `10+0.1`, `40/60` or `40/1:30`. A time is in seconds, has
    /// minutes before a colon, or names its unit.
    fn from_str(text: &str) -> Result<Self> {
        let (moves, time) = text.split_once('/').map_or((None, text), |(moves, time)| (Some(moves), time));
        let (base, increment) = time.split_once('+').map_or((time, None), |(base, rest)| (base, Some(rest)));
        let count = |text: &str| {
            text.parse().map_err(|_| anyhow!("expected a number of moves before '/', as in 40/60, found '{text}'"))
        };
        let moves = moves.map(count).transpose()?;
        let increment = increment.map(|text| read_time(text, BareNumber::Seconds)).transpose()?.unwrap_or_default();
        Ok(Self { base: clock_time(base)?, moves, increment })
    }
}

/// Reads a time on a clock, which may have minutes before a colon.
fn clock_time(text: &str) -> Result<Duration> {
    let whole = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    match text.split_once(':') {
        Some((minutes, seconds)) if whole(minutes) => {
            let minutes = read_time(&format!("{minutes}m"), BareNumber::Nothing)?;
            Ok(minutes + read_time(seconds, BareNumber::Seconds)?)
        }
        _ => read_time(text, BareNumber::Seconds),
    }
}

/// The running clock of one side in one game.
#[derive(Clone, Copy, Debug)]
pub struct SideClock {
    control: ClockControl,
    pub(super) left: Duration,
    /// Moves until the base is added again.
    pub(super) moves_to_go: Option<u32>,
}

impl SideClock {
    /// Returns the clock of `control` at the start of a game.
    pub fn new(control: ClockControl) -> Self {
        Self { control, left: control.base, moves_to_go: control.moves.map(|moves| moves.get()) }
    }

    pub(super) fn increment(&self) -> Duration {
        self.control.increment
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

/// The greatest time that is read: a year.
const MOST_SECONDS: f64 = 366.0 * 86_400.0;

/// The names of units, with their seconds.
const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];

/// The meaning of a number without a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BareNumber {
    /// Whole milliseconds.
    Milliseconds,
    Seconds,
    /// It is refused: the unit must be named.
    Nothing,
}

/// Reads a time; `bare` says what a number without a unit counts.
///
/// # Errors
/// When `text` is not a time, or is more than a year.
pub fn read_time(text: &str, bare: BareNumber) -> Result<Duration> {
    let expected = match bare {
        BareNumber::Milliseconds => "whole milliseconds such as 100, or a time with its unit such as 100ms, 0.1s or 1m",
        BareNumber::Seconds => "seconds such as 10 or 0.5, or a time with its unit such as 100ms, 2s or 1m",
        BareNumber::Nothing => "a time with its unit, such as 100ms, 0.1s or 1m",
    };
    let wrong = || anyhow!("expected {expected}, found '{text}'");
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

    fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn clocks_are_read_and_printed() {
        let read =
            |text: &str| text.parse::<ClockControl>().map_or_else(|error| error.to_string(), |clock| clock.to_string());
        for (text, printed) in [
            ("10", "10 s a game"),
            ("10+0.1", "10 s a game and 100 ms more after each move"),
            ("0.1+0.001", "100 ms a game and 1 ms more after each move"),
            ("5m+3s", "5 min a game and 3 s more after each move"),
            ("40/60", "1 min for every 40 moves"),
            ("40/1:30+.5", "90 s for every 40 moves and 500 ms more after each move"),
        ] {
            assert_eq!(read(text), printed);
        }
        for text in ["", "+", "x", "-1", "1e3", "inf", "NaN", "99999999999", "40/", "40/x", "1:", "1:x", ":5", "-1:5"] {
            assert!(read(text).starts_with("expected seconds"), "{text}: {}", read(text));
        }
        for text in ["/60", "0/60", "x/60", "-1/60", "0.5/60"] {
            assert!(read(text).starts_with("expected a number of moves"), "{text}: {}", read(text));
        }
    }

    #[test]
    fn a_clock_gains_its_increment_and_after_its_moves_the_base() {
        let mut clock = SideClock::new("2/1+0.1".parse().unwrap());
        clock.spend(ms(300));
        assert_eq!((clock.left, clock.moves_to_go), (ms(800), Some(1)));
        clock.spend(ms(500));
        assert_eq!((clock.left, clock.moves_to_go), (ms(1400), Some(2)));
        clock.spend(ms(1500));
        assert_eq!(clock.left, ms(100), "what is forgiven leaves no debt");
    }

    #[test]
    fn the_shorter_of_two_limits_counts() {
        let clock = SideClock::new("1".parse().unwrap());
        let both = Control { move_time: Some(ms(200)), ..Control::default() };
        assert_eq!(both.allowed(Some(&clock)), Some(ms(200)));
        assert_eq!(Control::default().allowed(Some(&clock)), Some(ms(1000)));
        assert_eq!((both.allowed(None), Control::default().allowed(None)), (Some(ms(200)), None));
    }

    #[test]
    fn a_number_alone_means_what_is_usual_there_and_a_unit_says_more() {
        let read = |text: &str, bare| read_time(text, bare).ok().map(|time| time.as_micros());
        for bare in [BareNumber::Milliseconds, BareNumber::Seconds, BareNumber::Nothing] {
            for (text, us) in [("100ms", 100_000), ("0.5ms", 500), ("2s", 2_000_000), (".5s", 500_000)] {
                assert_eq!(read(text, bare), Some(us), "{text}");
            }
            assert_eq!((read("1m", bare), read("1h", bare)), (Some(60_000_000), Some(3_600_000_000)));
            for text in ["", "s", ".", "1d", "1 s", "-1s", "+1s", "1e3s", "1.2.3s", "99999999h", "inf", "NaN", "1S"] {
                assert_eq!(read(text, bare), None, "{text}");
            }
        }
        assert_eq!(read("100", BareNumber::Milliseconds), Some(100_000));
        assert_eq!(read("0.1", BareNumber::Milliseconds), None, "whoever writes so means seconds");
        assert_eq!(read("0.1", BareNumber::Seconds), Some(100_000));
        assert_eq!((read("100", BareNumber::Nothing), read("0.1", BareNumber::Nothing)), (None, None));
        for (bare, error) in [
            (BareNumber::Nothing, "expected a time with its unit, such as 100ms, 0.1s or 1m, found '0.1x'"),
            (BareNumber::Milliseconds, "expected whole milliseconds such as 100, or"),
            (BareNumber::Seconds, "expected seconds such as 10 or 0.5, or"),
        ] {
            assert!(read_time("0.1x", bare).unwrap_err().to_string().starts_with(error));
        }
    }

    #[test]
    fn times_are_printed_for_people() {
        let printed = |time: u64| Words(ms(time)).to_string();
        assert_eq!(
            [0, 20, 999, 1000, 1500, 60_000, 90_000, 600_000].map(printed),
            ["0 s", "20 ms", "999 ms", "1 s", "1.5 s", "1 min", "90 s", "10 min"]
        );
    }
}
