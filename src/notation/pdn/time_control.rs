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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    /// `40/7200`: a number of moves and the time for them. `40/7200+30`, with an increment, is a common extension of
    /// the standard.
    Moves {
        /// Number of moves by the player in this period.
        moves: NonZeroU32,
        /// Time for all these moves.
        time: Duration,
        /// Time added for each move.
        increment: Duration,
    },
    /// `3600` or `300+3`: the time for the rest of the game.
    Rest {
        /// Time for all remaining moves.
        time: Duration,
        /// Time added for each move.
        increment: Duration,
    },
    /// `*180`: an hourglass. After each move of the opponent, the player gains the time that the opponent used for it.
    Sandclock(Duration),
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
        let is_limited = |period: &Period| matches!(period, Period::Moves { .. });
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
    Some(match moves {
        Some(moves) => Period::Moves { moves: moves.parse().ok()?, time, increment },
        None => Period::Rest { time, increment },
    })
}

fn seconds(text: &str) -> Option<Duration> {
    let is_plain = text.starts_with(|c: char| c.is_ascii_digit()) && text.ends_with(|c: char| c.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_plain && text.chars().all(|c| c.is_ascii_digit() || c == '.'))?;
    Duration::try_from_secs_f64(number).ok()
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (time, increment) = match *self {
            Self::Moves { moves, time, increment } => {
                write!(f, "{moves}/")?;
                (time, increment)
            }
            Self::Rest { time, increment } => (time, increment),
            Self::Sandclock(time) => {
                f.write_str("*")?;
                (time, Duration::ZERO)
            }
        };
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
        let moves = NonZeroU32::new(40).unwrap();
        let periods = vec![
            Period::Moves { moves, time: seconds(7200), increment: Duration::ZERO },
            Period::Rest { time: seconds(3600), increment: Duration::from_millis(1500) },
        ];
        assert_eq!(read("40/7200:3600+1.5"), Ok(TimeControl::Periods(periods)));
        assert_eq!(read("*180"), Ok(TimeControl::Periods(vec![Period::Sandclock(seconds(180))])));
    }

    #[test]
    fn other_strings_are_refused() {
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
