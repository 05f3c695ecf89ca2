//! What an engine tells about its search.

use serde::{Deserialize, Serialize};
use soffio::wire::Value;
use std::fmt;
use std::time::Duration;

/// A score as an engine gives it, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineScore {
    /// 1/100 of a man.
    #[serde(rename = "cp")]
    Centimen(i32),
    /// A win in so many of its own moves.
    Win(u32),
    /// A loss after so many of its own moves.
    Loss(u32),
}

impl EngineScore {
    /// In 1/100 man; wins and losses are beyond every other score.
    pub fn centimen(self) -> i32 {
        match self {
            Self::Centimen(value) => value,
            Self::Win(_) => i32::MAX,
            Self::Loss(_) => -i32::MAX,
        }
    }
}

impl From<Value> for EngineScore {
    fn from(value: Value) -> Self {
        match value {
            Value::Centimen(value) => Self::Centimen(value.into()),
            Value::Win(moves) => Self::Win(moves.into()),
            Value::Loss(moves) => Self::Loss(moves.into()),
        }
    }
}

impl fmt::Display for EngineScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centimen(value) => write!(f, "{:+.2}", f64::from(*value) / 100.0),
            Self::Win(moves) => write!(f, "+W{moves}"),
            Self::Loss(moves) => write!(f, "-W{moves}"),
        }
    }
}

/// What an engine told about its search last before its move, and the time that the move took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveEvaluation {
    /// Its score.
    pub score: Option<EngineScore>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time of the search, as the engine told last.
    pub told: Option<Duration>,
    /// Time from the question to the answer, as measured here.
    pub time: Duration,
}

impl MoveEvaluation {
    /// What this says, and what `earlier` says about the rest.
    pub(super) fn or(self, earlier: Self) -> Self {
        Self {
            score: self.score.or(earlier.score),
            depth: self.depth.or(earlier.depth),
            nodes: self.nodes.or(earlier.nodes),
            told: self.told.or(earlier.told),
            time: earlier.time,
        }
    }
}
