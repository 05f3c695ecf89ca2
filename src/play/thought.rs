//! What the engine thinks.

use crate::engine::{Report, Value};
use crate::rules::Color;
use std::fmt;

/// What the engine thinks about the position that it searches.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The side for which it thinks.
    pub color: Color,
    /// Plies that it has looked ahead.
    pub depth: u8,
    /// What the position is worth to that side.
    pub value: Value,
    /// The moves that it expects.
    pub line: Vec<String>,
}

impl Thought {
    /// What `report` says about a position in which `color` is to move; `line` is the text of its line.
    pub(super) fn new(color: Color, report: &Report, line: Vec<String>) -> Self {
        Self { color, depth: report.depth, value: report.score.value(), line }
    }

    /// The value in men, as `+0.34`, or the moves to the end, as `wins in 3`.
    pub fn score(&self) -> String {
        score(self.value)
    }
}

/// A value in men, as `+0.34`, or the moves to the end, as `wins in 3`.
pub(super) fn score(value: Value) -> String {
    match value {
        Value::Centimen(value) => format!("{:+.2}", f64::from(value) / 100.0),
        Value::Win(moves) => format!("wins in {moves}"),
        Value::Loss(moves) => format!("loses in {moves}"),
    }
}

impl fmt::Display for Thought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} depth {} score {} line {}", self.color, self.depth, self.score(), self.line.join(" "))
    }
}
