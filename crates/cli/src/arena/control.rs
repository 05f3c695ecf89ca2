//! What limits the moves of an engine.

use super::time_text::{BareNumber, TimeError, Words, read_time};
use soffio::notation::pdn::{Period, TimeControl};
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// What limits the moves of an engine; of several limits the first that is reached counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// A clock for the game.
    pub clock: Option<ClockControl>,
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Positions to search for each move.
    pub nodes: Option<u64>,
    /// Depth of the search for each move in plies.
    pub depth: Option<u8>,
}

impl Control {
    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The time as game records have it; a limit for each move is an hourglass of that time.
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

impl FromStr for ClockControl {
    type Err = ControlError;

    /// Reads `[<moves>/]<time>[+<time>]` as cutechess does, such as `10+0.1`, `40/60` or `40/1:30`. A time is in seconds, has
    /// minutes before a colon, or names its unit.
    fn from_str(text: &str) -> Result<Self, ControlError> {
        let (moves, time) = text.split_once('/').map_or((None, text), |(moves, time)| (Some(moves), time));
        let (base, increment) = time.split_once('+').map_or((time, None), |(base, rest)| (base, Some(rest)));
        let moves = moves.map(|text| text.parse().map_err(|_| ControlError::Moves(text.to_owned()))).transpose()?;
        let increment = increment.map(|text| read_time(text, BareNumber::Seconds)).transpose()?.unwrap_or_default();
        Ok(Self { base: clock_time(base)?, moves, increment })
    }
}

/// A time on a clock, which may have minutes before a colon.
fn clock_time(text: &str) -> Result<Duration, TimeError> {
    let whole = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    match text.split_once(':') {
        Some((minutes, seconds)) if whole(minutes) => {
            let minutes = read_time(&format!("{minutes}m"), BareNumber::Nothing)?;
            Ok(minutes + read_time(seconds, BareNumber::Seconds)?)
        }
        _ => read_time(text, BareNumber::Seconds),
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

/// Why a text is no time control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ControlError {
    /// No time.
    Time(TimeError),
    /// No number of moves.
    Moves(String),
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(error) => error.fmt(f),
            Self::Moves(text) => write!(f, "expected a number of moves before '/', as in 40/60, found '{text}'"),
        }
    }
}

impl std::error::Error for ControlError {}

impl From<TimeError> for ControlError {
    fn from(error: TimeError) -> Self {
        Self::Time(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        text.parse::<ClockControl>().map_or_else(|error| error.to_string(), |clock| clock.to_string())
    }

    #[test]
    fn clocks_are_read_and_printed() {
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
}
