//! The value of the `TimeControl` tag, as in the PGN and PDN standards.

use crate::notation::printable;
use derive_more::Display;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// The time control of one player in a game.
#[derive(Clone, Debug, Default, Display, PartialEq, Eq)]
pub enum TimeControl {
    /// `?`: the time control is unknown.
    #[default]
    #[display("?")]
    Unknown,
    /// `-`: there is no time limit.
    #[display("-")]
    Unlimited,
    /// Consecutive periods. Every period except the last one ends after a number of moves. If the last period has a
    /// number of moves too, it is repeated.
    #[display("{}", _0.iter().map(Period::to_string).collect::<Vec<_>>().join(":"))]
    Periods(Vec<Period>),
}

/// A period of a time control. In text, times are in seconds and can have a fraction.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Period {
    /// A period with a fixed time.
    Timed(TimedPeriod),
    /// `*180`: an hourglass. After each move of the opponent, the player gains the time that the opponent used for it.
    #[display("*{}", _0.as_secs_f64())]
    Sandclock(Duration),
}

/// A period with a fixed time: `40/7200`, `3600` or `300+3`. `40/7200+30` is a common extension of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedPeriod {
    /// Number of moves by the player in this period, or `None` if the period lasts for the rest of the game.
    pub moves: Option<NonZeroU32>,
    /// Time for all these moves.
    pub time: Duration,
    /// Time added for each move.
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = String;

    /// Parses a time control in the syntax of PDN 3.0, with two extensions: times may have fractions of seconds, and
    /// every period may have an increment.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "?" | "" => return Ok(Self::Unknown),
            "-" => return Ok(Self::Unlimited),
            _ => {}
        }
        let periods: Option<Vec<_>> = text.split(':').map(|part| period(part.trim())).collect();
        let is_limited = |period: &Period| matches!(period, Period::Timed(TimedPeriod { moves: Some(_), .. }));
        let is_ordered = |periods: &Vec<Period>| periods.iter().rev().skip(1).all(is_limited);
        periods.filter(is_ordered).map(Self::Periods).ok_or_else(|| {
            let expected = "expected a time control such as 300+3, 40/7200:3600, *180, ? or -";
            format!("{expected}, found '{}'", printable(text.chars()))
        })
    }
}

fn period(text: &str) -> Option<Period> {
    if let Some(time) = text.strip_prefix('*') {
        return Some(Period::Sandclock(seconds(time)?));
    }
    let (moves, time) = text.split_once('/').map_or((None, text), |(moves, time)| (Some(moves), time));
    let (time, increment) = time.split_once('+').unwrap_or((time, "0"));
    let (time, increment) = (seconds(time)?, seconds(increment)?);
    let moves = moves.map(str::parse).transpose().ok()?;
    Some(Period::Timed(TimedPeriod { moves, time, increment }))
}

fn seconds(text: &str) -> Option<Duration> {
    let is_plain = text.starts_with(|c: char| c.is_ascii_digit()) && text.ends_with(|c: char| c.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_plain && text.chars().all(|c| c.is_ascii_digit() || c == '.'))?;
    Duration::try_from_secs_f64(number).ok()
}

impl fmt::Display for TimedPeriod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { moves, time, increment } = self;
        if let Some(moves) = moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", time.as_secs_f64())?;
        if increment.is_zero() { Ok(()) } else { write!(f, "+{}", increment.as_secs_f64()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_of_the_standard_is_parsed_and_printed() {
        let read = |text: &str| text.parse::<TimeControl>();
        for text in [
            "?", "-", "40/60", "300+3", "300", "*5", "0.1", "60+0.01", "40/7200:3600", "40/7200:20/3600:900+30",
            "40/60+1",
        ] {
            assert_eq!(read(text).map(|control| control.to_string()).as_deref(), Ok(text));
        }
        assert_eq!(read(" 40/60 : 30+0 ").map(|control| control.to_string()).as_deref(), Ok("40/60:30"));
        assert_eq!(read(""), Ok(TimeControl::Unknown));
        let seconds = Duration::from_secs;
        let periods = vec![
            Period::Timed(TimedPeriod { moves: NonZeroU32::new(40), time: seconds(7200), increment: Duration::ZERO }),
            Period::Timed(TimedPeriod { moves: None, time: seconds(3600), increment: Duration::from_millis(1500) }),
        ];
        assert_eq!(read("40/7200:3600+1.5"), Ok(TimeControl::Periods(periods)));
        assert_eq!(read("*180"), Ok(TimeControl::Periods(vec![Period::Sandclock(seconds(180))])));
    }

    #[test]
    fn other_strings_are_rejected() {
        for text in [
            "500 ms a game", "40/", "/60", "0/60", "+3", "300+", "300:300", "*5:40/60", "300+3:*5", "-5", "1e3", ".5",
            "5.", "1.2.3", "5+-3", "*", "::", "?:5", "inf", "99999999999999999999999",
        ] {
            let error = text.parse::<TimeControl>();
            let expected = "expected a time control such as 300+3, 40/7200:3600, *180, ? or -, found";
            assert_eq!(error, Err(format!("{expected} '{text}'")));
        }
    }
}
