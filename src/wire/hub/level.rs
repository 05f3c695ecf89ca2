//! The limits of a search in the Hub protocol.

use super::Line;
use crate::notation::printable;
use crate::search::Clock;
use std::fmt;
use std::time::Duration;

/// Longest time that is told apart: more than any game takes. Longer ones would not fit the clock of the system.
const MOST_SECONDS: f64 = 1e9;

/// Limits, as several lines `level` can set them together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Level {
    /// Deepest iteration in plies.
    pub depth: Option<u8>,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Seconds left, without the increment of the coming move: they can be below zero.
    pub time: Option<f64>,
    /// Seconds added before each move.
    pub increment: Option<f64>,
    /// Moves until more time is added.
    pub moves: Option<u32>,
    /// True if only a stop ends the search.
    pub infinite: bool,
    /// How weak to play, from 0 to 3, as clients of lidraughts ask for it.
    pub handicap: Option<u8>,
    /// How many plies a weak player sees.
    pub ply: Option<u8>,
}

/// A limit that is not a number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("level {name} cannot be '{}'", printable(.value.chars()))]
pub struct LevelError {
    name: &'static str,
    value: String,
}

impl Level {
    /// Reads the arguments of `level`; those that are not known are ignored.
    pub(super) fn read(line: &Line<'_>) -> Result<Self, LevelError> {
        let number = |name: &'static str, least: f64| {
            let error = |value: &str| LevelError { name, value: value.to_owned() };
            let read = |text: &str| text.parse().ok().filter(|number| (least..=f64::MAX).contains(number));
            line.value(name).map(|text| read(text).ok_or_else(|| error(text))).transpose()
        };
        Ok(Self {
            depth: number("depth", 1.0)?.map(|depth: f64| depth as u8),
            nodes: number("nodes", 1.0)?.map(|nodes: f64| nodes as u64),
            move_time: number("move-time", 0.0)?.map(duration),
            time: number("time", f64::MIN)?,
            increment: number("inc", 0.0)?,
            moves: number("moves", 0.0)?.map(|moves: f64| moves as u32),
            infinite: line.value("infinite").is_some(),
            handicap: number("handicap", 0.0)?.map(|handicap: f64| handicap as u8),
            ply: number("ply", 0.0)?.map(|ply: f64| ply as u8),
        })
    }

    /// These limits and those of `other`, which count where both speak of the same one.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            depth: other.depth.or(self.depth),
            nodes: other.nodes.or(self.nodes),
            move_time: other.move_time.or(self.move_time),
            time: other.time.or(self.time),
            increment: other.increment.or(self.increment),
            moves: other.moves.or(self.moves),
            infinite: other.infinite || self.infinite,
            handicap: other.handicap.or(self.handicap),
            ply: other.ply.or(self.ply),
        }
    }

    /// Returns whether nothing but a stop ends the search.
    pub fn is_open_ended(&self) -> bool {
        let has_limit = self.depth.is_some() || self.nodes.is_some() || self.move_time.is_some() || self.time.is_some();
        self.infinite || !has_limit
    }

    /// How much worse than the best a move can be, in hundredths of a man, and still be chosen about a third as often.
    ///
    /// Clients of lidraughts set `handicap` for Scan's quiescence search to see less, or `ply` for all of its search, beside
    /// few nodes or a small depth. Here both say how well the player chooses: the steps lead to the choice of the lowest
    /// `UCI_Elo`, where 3 of one and 3 of the other are about as bad.
    pub fn spread(&self) -> u16 {
        let by_handicap = self.handicap.map_or(0, |handicap| 20 * u16::from(handicap.min(3)));
        let by_ply = self.ply.filter(|&ply| ply > 0).map_or(0, |ply| 4 * u16::from(18_u8.saturating_sub(ply.max(3))));
        by_handicap.max(by_ply)
    }

    /// The limit of a clock with `left`, to which the increment of the coming move has been added already.
    pub fn timed(left: Duration, increment: Duration, moves: Option<u32>) -> Self {
        let time = left.saturating_sub(increment).as_secs_f64();
        Self { time: Some(time), increment: Some(increment.as_secs_f64()), moves, ..Self::default() }
    }

    /// The clock: Hub adds the increment before the move.
    pub fn clock(&self) -> Option<Clock> {
        let increment = self.increment.unwrap_or(0.0);
        self.time.map(|time| Clock {
            remaining: duration(time + increment),
            increment: duration(increment),
            moves_to_go: self.moves.filter(|&moves| moves > 0),
        })
    }
}

impl fmt::Display for Level {
    /// Prints the line that `Level::read` reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, nodes, move_time, time, increment, moves, infinite, handicap, ply } = *self;
        f.write_str("level")?;
        if infinite {
            f.write_str(" infinite")?;
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
    Duration::from_secs_f64(seconds.clamp(0.0, MOST_SECONDS))
}
