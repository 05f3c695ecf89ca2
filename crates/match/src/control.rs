//! Limits for an engine's moves: parsing, formatting and running clocks.

use anyhow::{Error, Result, anyhow, bail, ensure};
use soffio::notation::pdn::{Period, TimeControl, TimedPeriod};
use soffio_support::words::counted;
use std::collections::VecDeque;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// Limits for an engine's moves. The search ends as soon as one of them is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Control {
    pub clock: Option<ClockControl>,
    pub move_time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u8>,
}

/// The time control of a game: one or more periods. Every period except the last ends after a number of moves. If the
/// last period has a number of moves too, it is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockControl {
    first: TimedPeriod,
    later: Vec<TimedPeriod>,
}

impl Control {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the time control in the form used by game records. A time limit per move becomes an hourglass
    /// (`Sandclock`) with that time.
    pub fn to_record(&self) -> TimeControl {
        match (&self.clock, self.move_time) {
            (Some(clock), _) => TimeControl::Periods(clock.periods().copied().map(Period::Timed).collect()),
            (None, Some(time)) => TimeControl::Periods(vec![Period::Sandclock(time)]),
            (None, None) => TimeControl::Unlimited,
        }
    }

    /// Returns the time available for one move: the smaller of the time on the clock and the limit per move. `None`
    /// means that the time is unlimited.
    pub(super) fn allowed(&self, clock: Option<&SideClock>) -> Option<Duration> {
        match (clock.map(|clock| clock.left), self.move_time) {
            (Some(left), Some(time)) => Some(left.min(time)),
            (left, time) => left.or(time),
        }
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.as_ref().map(ClockControl::to_string));
        parts.extend(self.move_time.map(|time| format!("{} per move", TimeText(time))));
        parts.extend(self.nodes.map(|nodes| format!("{} per move", counted(nodes, "node"))));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

impl ClockControl {
    fn periods(&self) -> impl Iterator<Item = &TimedPeriod> {
        std::iter::once(&self.first).chain(&self.later)
    }

    pub(super) fn whole_game(&self) -> Option<&TimedPeriod> {
        Some(&self.first).filter(|period| period.moves.is_none())
    }
}

impl fmt::Display for ClockControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, &TimedPeriod { moves, time, increment }) in self.periods().enumerate() {
            let (time, is_last) = (TimeText(time), number == self.later.len());
            f.write_str(if number > 0 { ", then " } else { "" })?;
            match moves {
                Some(NonZeroU32::MIN) if is_last => write!(f, "{time} per move")?,
                Some(moves) if is_last => write!(f, "{time} per {moves} moves")?,
                Some(NonZeroU32::MIN) => write!(f, "{time} for 1 move")?,
                Some(moves) => write!(f, "{time} for {moves} moves")?,
                None if number > 0 => write!(f, "{time} for the rest of the game")?,
                None => write!(f, "{time} per game")?,
            }
            if !increment.is_zero() {
                write!(f, " plus {} per move", TimeText(increment))?;
            }
        }
        Ok(())
    }
}

impl FromStr for ClockControl {
    type Err = Error;

    /// Parses periods separated by colons. As in cutechess and PDN, each period is `[<moves>/]<time>[+<time>]`:
    /// `10+0.1`, `40/60`, `40/1:30`, `40/10+0.1:20+0.2`. A time is given in seconds, in minutes and seconds, or with a
    /// unit.
    fn from_str(text: &str) -> Result<Self> {
        let periods = split_periods(text).into_iter().map(period).collect::<Result<Vec<_>>>()?;
        let is_ordered = periods.iter().rev().skip(1).all(|period| period.moves.is_some());
        // Without any number of moves, the colons are meant to separate hours, minutes and seconds.
        let is_time = !text.contains('/');
        ensure!(
            is_ordered || !is_time,
            "expected minutes and two digits of seconds below 60, such as 1:05, or a unit such as 75s or 1h, found '{text}'"
        );
        ensure!(is_ordered, "only the last period may omit the number of moves, as in 40/60+0:30, found '{text}'");
        let [first, later @ ..] = periods.as_slice() else { bail!("time missing") };
        ensure!(!first.time.is_zero(), "the time must be more than 0, found '{text}'");
        Ok(Self { first: *first, later: later.to_vec() })
    }
}

fn period(text: &str) -> Result<TimedPeriod> {
    let (moves, time) = text.split_once('/').map_or((None, text), |(moves, time)| (Some(moves), time));
    let (time, increment) = time.split_once('+').map_or((time, None), |(time, rest)| (time, Some(rest)));
    let count = |text: &str| {
        text.parse().map_err(|_| anyhow!("expected a number of moves before '/', as in 40/60, found '{text}'"))
    };
    let moves = moves.map(count).transpose()?;
    let increment = increment.map(|text| read_time(text, BareNumber::Seconds)).transpose()?.unwrap_or_default();
    Ok(TimedPeriod { moves, time: clock_time(time)?, increment })
}

/// Splits `text` at the colons between periods. A colon between whole minutes and two digits of seconds, as in
/// `40/1:30`, does not separate periods.
fn split_periods(text: &str) -> Vec<&str> {
    let (mut periods, mut start) = (Vec::new(), 0);
    for (at, _) in text.match_indices(':') {
        let (before, after) = (text.get(start..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
        let minutes = before.rsplit('/').next().unwrap_or_default();
        let seconds = after.split([':', '+', '.']).next().unwrap_or_default();
        let is_second = seconds.len() == 2 && seconds < "60";
        let is_time = is_whole_number(minutes) && is_whole_number(seconds) && is_second;
        if !is_time {
            periods.push(before);
            start = at + 1;
        }
    }
    periods.push(text.get(start..).unwrap_or_default());
    periods
}

fn is_whole_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

fn clock_time(text: &str) -> Result<Duration> {
    match text.split_once(':') {
        Some((minutes, seconds)) if is_whole_number(minutes) => {
            let minutes = read_time(&format!("{minutes}m"), BareNumber::Rejected)?;
            Ok(minutes + read_time(seconds, BareNumber::Seconds)?)
        }
        _ => read_time(text, BareNumber::Seconds),
    }
}

#[derive(Clone, Debug)]
pub struct SideClock {
    period: TimedPeriod,
    later: VecDeque<TimedPeriod>,
    pub(super) left: Duration,
    pub(super) moves_to_go: Option<u32>,
}

impl SideClock {
    pub fn new(control: &ClockControl) -> Self {
        let ClockControl { first: period, later } = control;
        let moves_to_go = period.moves.map(NonZeroU32::get);
        Self { period: *period, later: later.iter().copied().collect(), left: period.time, moves_to_go }
    }

    pub(super) fn increment(&self) -> Duration {
        self.period.increment
    }

    /// Deducts `time` and adds the increment. If `time` exceeds the time left (a match tolerates this within its time
    /// margin), the clock is set to the increment.
    pub fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time) + self.period.increment;
        self.moves_to_go = self.moves_to_go.map(|moves| moves.saturating_sub(1));
        if self.moves_to_go == Some(0) {
            self.period = self.later.pop_front().unwrap_or(self.period);
            self.left += self.period.time;
            self.moves_to_go = self.period.moves.map(NonZeroU32::get);
        }
    }
}

/// Upper bound for parsed times in seconds: 366 days.
const MAX_SECONDS: f64 = 366.0 * 86_400.0;

/// Units and their lengths in seconds.
const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];

/// What a time without a unit means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BareNumber {
    /// Milliseconds. The number must be whole.
    Milliseconds,
    Seconds,
    /// A time without a unit is an error.
    Rejected,
}

/// Parses a time, which must be shorter than 366 days. `bare` determines how a time without a unit is interpreted.
pub fn read_time(text: &str, bare: BareNumber) -> Result<Duration> {
    let expected = match bare {
        BareNumber::Milliseconds => {
            "a whole number of milliseconds such as 100, or a time with a unit such as 100ms, 0.1s or 1m"
        }
        BareNumber::Seconds => "seconds such as 10 or 0.5, or a time with a unit such as 100ms, 2s or 1m",
        BareNumber::Rejected => "a time with a unit, such as 100ms, 0.1s or 1m",
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
    let number = digits.parse().ok().map(|number: f64| number * seconds).filter(|&number| number < MAX_SECONDS);
    number.map(Duration::from_secs_f64).ok_or_else(wrong)
}

#[derive(Clone, Copy, Debug)]
pub struct TimeText(pub Duration);

impl fmt::Display for TimeText {
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
    fn clocks_are_parsed_and_printed() {
        let read =
            |text: &str| text.parse::<ClockControl>().map_or_else(|error| error.to_string(), |clock| clock.to_string());
        for (text, printed) in [
            ("10", "10 s per game"),
            ("10+0.1", "10 s per game plus 100 ms per move"),
            ("0.1+0.001", "100 ms per game plus 1 ms per move"),
            ("5m+3s", "5 min per game plus 3 s per move"),
            ("40/60", "1 min per 40 moves"),
            ("40/1:30+.5", "90 s per 40 moves plus 500 ms per move"),
            (
                "40/10+0.1:20+0.2",
                "10 s for 40 moves plus 100 ms per move, then 20 s for the rest of the game plus 200 ms per move",
            ),
            (
                "40/7200:20/3600:900+30",
                "120 min for 40 moves, then 60 min for 20 moves, then 15 min for the rest of the game plus 30 s per move",
            ),
            ("40/10s:20", "10 s for 40 moves, then 20 s for the rest of the game"),
            ("40/10:20", "620 s per 40 moves"),
            ("1/60:1/5", "1 min for 1 move, then 5 s per move"),
            ("40/1:30:20/1:00.5+1", "90 s for 40 moves, then 60.5 s per 20 moves plus 1 s per move"),
        ] {
            assert_eq!(read(text), printed);
        }
        for text in ["", "+", "x", "-1", "1e3", "inf", "NaN", "99999999999", "40/", "40/x", "1:", "1:x", ":5", "-1:5"] {
            assert!(read(text).starts_with("expected seconds"), "{text}: {}", read(text));
        }
        let error = "only the last period may omit the number of moves, as in 40/60+0:30";
        assert_eq!(read("40/60:30s:30"), format!("{error}, found '40/60:30s:30'"));
        for text in ["60s:30", "10+1:5", "1:5", "1:75", "1:00:00"] {
            let error =
                "expected minutes and two digits of seconds below 60, such as 1:05, or a unit such as 75s or 1h";
            assert_eq!(read(text), format!("{error}, found '{text}'"));
        }
        for text in ["0", "0+1", "40/0", "0:00"] {
            assert_eq!(read(text), format!("the time must be more than 0, found '{text}'"));
        }
        for text in ["/60", "0/60", "x/60", "-1/60", "0.5/60"] {
            assert!(read(text).starts_with("expected a number of moves"), "{text}: {}", read(text));
        }
    }

    #[test]
    fn a_clock_gains_its_increment_and_the_base_time_after_a_period() {
        let mut clock = clock_of("2/1+0.1");
        clock.spend(ms(300));
        assert_eq!((clock.left, clock.moves_to_go), (ms(800), Some(1)));
        clock.spend(ms(500));
        assert_eq!((clock.left, clock.moves_to_go), (ms(1400), Some(2)));
        clock.spend(ms(1500));
        assert_eq!(clock.left, ms(100), "time within the margin is not subtracted later");
    }

    #[test]
    fn periods_follow_each_other_and_the_last_one_repeats() {
        let mut clock = clock_of("2/10+0.1:1/5:3/1+1");
        let mut spend = |time| {
            clock.spend(ms(time));
            (clock.left, clock.increment(), clock.moves_to_go)
        };
        assert_eq!(spend(1000), (ms(9100), ms(100), Some(1)));
        assert_eq!(spend(9000), (ms(5200), ms(0), Some(1)));
        assert_eq!(spend(200), (ms(6000), ms(1000), Some(3)));
        assert_eq!([spend(0), spend(0), spend(0)].map(|(left, ..)| left), [ms(7000), ms(8000), ms(10_000)]);
        let mut clock = clock_of("1/10:20+0.2");
        assert_eq!(clock.moves_to_go, Some(1), "ten minutes and 20 seconds");
        clock = clock_of("1/10:1/5:9");
        assert_eq!(clock.later.len(), 2, "{clock:?}");
        clock = clock_of("1/10+0:20+0.2");
        clock.spend(ms(4000));
        assert_eq!((clock.left, clock.increment(), clock.moves_to_go), (ms(26_000), ms(200), None));
        clock.spend(ms(1000));
        assert_eq!((clock.left, clock.moves_to_go), (ms(25_200), None));
    }

    fn clock_of(text: &str) -> SideClock {
        SideClock::new(&text.parse().unwrap())
    }

    #[test]
    fn the_shorter_of_two_limits_counts() {
        let clock = clock_of("1");
        let both = Control { move_time: Some(ms(200)), ..Control::default() };
        assert_eq!(both.allowed(Some(&clock)), Some(ms(200)));
        assert_eq!(Control::default().allowed(Some(&clock)), Some(ms(1000)));
        assert_eq!((both.allowed(None), Control::default().allowed(None)), (Some(ms(200)), None));
    }

    #[test]
    fn a_number_without_a_unit_has_the_default_unit() {
        let read = |text: &str, bare| read_time(text, bare).ok().map(|time| time.as_micros());
        for bare in [BareNumber::Milliseconds, BareNumber::Seconds, BareNumber::Rejected] {
            for (text, us) in [("100ms", 100_000), ("0.5ms", 500), ("2s", 2_000_000), (".5s", 500_000)] {
                assert_eq!(read(text, bare), Some(us), "{text}");
            }
            assert_eq!((read("1m", bare), read("1h", bare)), (Some(60_000_000), Some(3_600_000_000)));
            for text in ["", "s", ".", "1d", "1 s", "-1s", "+1s", "1e3s", "1.2.3s", "99999999h", "inf", "NaN", "1S"] {
                assert_eq!(read(text, bare), None, "{text}");
            }
        }
        assert_eq!(read("100", BareNumber::Milliseconds), Some(100_000));
        assert_eq!(read("0.1", BareNumber::Milliseconds), None, "this form means seconds");
        assert_eq!(read("0.1", BareNumber::Seconds), Some(100_000));
        assert_eq!((read("100", BareNumber::Rejected), read("0.1", BareNumber::Rejected)), (None, None));
        for (bare, error) in [
            (BareNumber::Rejected, "expected a time with a unit, such as 100ms, 0.1s or 1m, found '0.1x'"),
            (BareNumber::Milliseconds, "expected a whole number of milliseconds such as 100, or"),
            (BareNumber::Seconds, "expected seconds such as 10 or 0.5, or"),
        ] {
            assert!(read_time("0.1x", bare).unwrap_err().to_string().starts_with(error));
        }
    }

    #[test]
    fn times_are_printed_in_readable_units() {
        let printed = [0, 20, 999, 1000, 1500, 60_000, 90_000, 600_000].map(|time| TimeText(ms(time)).to_string());
        assert_eq!(printed, ["0 s", "20 ms", "999 ms", "1 s", "1.5 s", "1 min", "90 s", "10 min"]);
    }
}
