//! What limits the moves of an engine.

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

    /// Reads `<seconds>[/<moves>][+<seconds>]`, as `10+0.1` or `60/40`.
    fn from_str(text: &str) -> Result<Self, ControlError> {
        let (time, increment) = text.split_once('+').map_or((text, None), |(time, rest)| (time, Some(rest)));
        let (base, moves) = time.split_once('/').map_or((time, None), |(base, rest)| (base, Some(rest)));
        let moves = moves.map(|text| text.parse().map_err(|_| ControlError::Moves(text.to_owned()))).transpose()?;
        let increment = increment.map(seconds).transpose()?.unwrap_or_default();
        Ok(Self { base: seconds(base)?, moves, increment })
    }
}

/// The time that `text` gives in seconds, with decimals.
///
/// # Errors
/// When it is no number, or more than a year.
pub(super) fn seconds(text: &str) -> Result<Duration, ControlError> {
    let is_plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    let number = text.parse().ok().filter(|&number: &f64| is_plain && number < 366.0 * 86_400.0);
    number.map(Duration::from_secs_f64).ok_or_else(|| ControlError::Seconds(text.to_owned()))
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|clock| clock.to_string()));
        parts.extend(self.move_time.map(|time| format!("{} a move", Seconds(time))));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

impl fmt::Display for ClockControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.base.as_secs_f64())?;
        if let Some(moves) = self.moves {
            write!(f, "/{moves}")?;
        }
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        f.write_str(" s")
    }
}

struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.0.as_secs_f64())
    }
}

/// Why a text is no time control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ControlError {
    /// No time in seconds.
    Seconds(String),
    /// No number of moves.
    Moves(String),
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seconds(text) => write!(f, "expected seconds such as 10 or 0.5, found '{text}'"),
            Self::Moves(text) => write!(f, "expected a number of moves behind '/', found '{text}'"),
        }
    }
}

impl std::error::Error for ControlError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        text.parse::<ClockControl>().map_or_else(|error| error.to_string(), |clock| clock.to_string())
    }

    #[test]
    fn clocks_are_read_and_printed() {
        for (text, printed) in [
            ("10", "10 s"),
            ("10+0.1", "10+0.1 s"),
            ("0.1+0.001", "0.1+0.001 s"),
            ("60/40", "60/40 s"),
            ("60/40+.5", "60/40+0.5 s"),
        ] {
            assert_eq!(read(text), printed);
        }
        for text in ["", "+", "x", "-1", "1e3", "inf", "NaN", "99999999999"] {
            assert!(read(text).starts_with("expected seconds"), "{text}: {}", read(text));
        }
        for text in ["60/", "60/0", "60/x", "60/-1"] {
            assert!(read(text).starts_with("expected a number of moves"), "{text}: {}", read(text));
        }
    }
}
