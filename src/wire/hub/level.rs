//! Search limits in the Hub protocol.

use super::HubLine;
use crate::notation::printable;
use crate::search::Clock;
use std::fmt;
use std::time::Duration;

/// Maximum time in seconds. Longer times are clamped to this value, so that they do not overflow the system clock.
const MAX_SECONDS: f64 = 1e9;

/// Search limits, which can be combined from several `level` lines. A limit is `None` if it is not set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HubLevel {
    /// Maximum depth in plies.
    pub depth: Option<u8>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Remaining time in seconds, without the increment for the next move. It can be negative.
    pub time: Option<f64>,
    /// Increment in seconds, which is added before each move.
    pub increment: Option<f64>,
    /// Number of moves until the next time control.
    pub moves: Option<u32>,
    /// Whether the search runs until it is stopped, regardless of other limits.
    pub infinite: Option<bool>,
    /// Strength reduction from 0 (none) to 3, as sent by lidraughts clients.
    pub handicap: Option<u8>,
    /// Strength reduction, as sent by lidraughts clients: 3 is the weakest player, and 18 or more the full strength.
    pub ply: Option<u8>,
}

impl HubLevel {
    pub(super) fn read(line: &HubLine<'_>) -> Result<Self, String> {
        let value = |name: &'static str, expected: &str, least: f64, is_whole: bool| {
            let bound = if least > f64::MIN { format!(" of at least {least}") } else { String::new() };
            let fits = |number: &f64| (least..=f64::MAX).contains(number) && !(is_whole && number.fract() != 0.0);
            let read = |text: &str| {
                let found = printable(text.chars());
                let error = || format!("level {name}: expected {expected}{bound}, found '{found}'");
                text.parse().ok().filter(fits).ok_or_else(error)
            };
            line.value(name).map(read).transpose()
        };
        let number = |name, least| value(name, "a number", least, false);
        let whole = |name, least| value(name, "a whole number", least, true);
        let flag = |text| match text {
            "" | "true" => Ok(true),
            "false" => Ok(false),
            other => Err(format!("level infinite: expected true or false, found '{}'", printable(other.chars()))),
        };
        Ok(Self {
            depth: whole("depth", 1.0)?.map(|depth| depth as u8),
            nodes: whole("nodes", 1.0)?.map(|nodes| nodes as u64),
            move_time: number("move-time", 0.0)?.map(duration),
            time: number("time", f64::MIN)?,
            increment: number("inc", 0.0)?,
            moves: whole("moves", 0.0)?.map(|moves| moves as u32),
            infinite: line.value("infinite").map(flag).transpose()?,
            handicap: whole("handicap", 0.0)?.map(|handicap| handicap as u8),
            ply: whole("ply", 0.0)?.map(|ply| ply as u8),
        })
    }

    /// Combines these limits with the limits of `other`. If both set the same limit, `other` takes precedence. A limit
    /// of `other` that ends the search also cancels an earlier `infinite`.
    #[must_use]
    pub fn combined_with(self, other: Self) -> Self {
        Self {
            depth: other.depth.or(self.depth),
            nodes: other.nodes.or(self.nodes),
            move_time: other.move_time.or(self.move_time),
            time: other.time.or(self.time),
            increment: other.increment.or(self.increment),
            moves: other.moves.or(self.moves),
            infinite: other.infinite.or(self.infinite.filter(|_| !other.has_end())),
            handicap: other.handicap.or(self.handicap),
            ply: other.ply.or(self.ply),
        }
    }

    /// Returns whether the search runs until it is stopped.
    pub fn is_open_ended(&self) -> bool {
        self.infinite == Some(true) || !self.has_end()
    }

    fn has_end(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.move_time.is_some() || self.time.is_some()
    }

    /// Returns the spread of the random move choice, in cp. A move that is worse than the best move by this amount is
    /// chosen about a third as often as the best move.
    ///
    /// Lidraughts clients send `handicap` to limit Scan's quiescence search, or `ply` to limit its whole search,
    /// together with a small number of nodes or a small depth. In this engine, both determine how carefully moves are
    /// chosen. A `handicap` of 3 or a `ply` of 3 gives the spread of the lowest `UCI_Elo`.
    pub fn spread(&self) -> u16 {
        let by_handicap = self.handicap.map_or(0, |handicap| 20 * u16::from(handicap.min(3)));
        let by_ply = self.ply.filter(|&ply| ply > 0).map_or(0, |ply| 4 * u16::from(18_u8.saturating_sub(ply.max(3))));
        by_handicap.max(by_ply)
    }

    /// Creates the limits for a clock that shows the time `left`. This time already includes the increment for the next
    /// move.
    pub fn timed(left: Duration, increment: Duration, moves: Option<u32>) -> Self {
        let time = left.saturating_sub(increment).as_secs_f64();
        Self { time: Some(time), increment: Some(increment.as_secs_f64()), moves, ..Self::default() }
    }

    /// Returns the clock, or `None` if no remaining time is set. The increment is added to the remaining time, because
    /// Hub grants it before the move.
    pub fn clock(&self) -> Option<Clock> {
        let increment = self.increment.unwrap_or(0.0);
        self.time.map(|time| Clock {
            remaining: duration(time + increment),
            increment: duration(increment),
            moves_to_go: self.moves.filter(|&moves| moves > 0),
        })
    }
}

impl fmt::Display for HubLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, nodes, move_time, time, increment, moves, infinite, handicap, ply } = *self;
        f.write_str("level")?;
        if let Some(infinite) = infinite {
            f.write_str(if infinite { " infinite" } else { " infinite=false" })?;
        }
        let values = [
            ("moves", moves.map(|moves| moves.to_string())),
            ("time", time.map(|time| time.to_string())),
            ("inc", increment.map(|increment| increment.to_string())),
            ("move-time", move_time.map(|time| time.as_secs_f64().to_string())),
            ("nodes", nodes.map(|nodes| nodes.to_string())),
            ("depth", depth.map(|depth| depth.to_string())),
            ("handicap", handicap.map(|handicap| handicap.to_string())),
            ("ply", ply.map(|ply| ply.to_string())),
        ];
        let mut given = values.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        given.try_for_each(|(name, value)| write!(f, " {name}={value}"))
    }
}

fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, MAX_SECONDS))
}
