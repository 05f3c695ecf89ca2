//! A report of the search, as it is shown.

use soffio::engine::{Report, Value};
use soffio::rules::Color;
use std::fmt;

/// A report of the search on the position that it searches.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The side to move in that position.
    pub color: Color,
    /// Depth in plies.
    pub depth: u8,
    /// The value for that side.
    pub value: Value,
    /// The principal variation.
    pub line: Vec<String>,
}

impl Thought {
    /// From the `report` on a position with `color` to move; `line` is the text of its principal variation.
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
