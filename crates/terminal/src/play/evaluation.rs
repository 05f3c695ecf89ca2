//! The words of the engine on a position: the report of a search, and the evaluation from White's side.

use derive_more::Display;
use soffio::engine::Value;
use soffio::rules::Color;
use soffio_support::record::negated;

/// By this much a score of 100 raises the odds of a point: it is three quarters of the points (`docs/options.md`, "Chances").
const ODDS_OF_100: f64 = 3.0;

/// The value of a position from White's side, and the bar that shows it.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("white {}, {}", self.score(), depth.map_or("static".to_owned(), |depth| format!("depth {depth}")))]
pub struct EvaluationBar {
    /// The value for White.
    value: Value,
    /// Depth of the search in plies; `None` without a search, when only pending captures were played out.
    depth: Option<u8>,
}

impl EvaluationBar {
    /// The evaluation of a position that has this `value` for `color`.
    pub(super) fn new(color: Color, value: Value, depth: Option<u8>) -> Self {
        Self { value: if color == Color::White { value } else { negated(value) }, depth }
    }

    /// The value alone, as `+0.34` or `wins in 3`.
    pub fn score(&self) -> String {
        score(self.value)
    }

    /// White's part of a bar that both sides share, from 0 to 1.
    pub fn share(&self) -> f64 {
        match self.value {
            Value::Centimen(value) => 1.0 / (1.0 + ODDS_OF_100.powf(-f64::from(value) / 100.0)),
            Value::Win(_) => 1.0,
            Value::Loss(_) => 0.0,
        }
    }
}

/// A report of the search on the position that it searches.
#[derive(Clone, Debug, Display, PartialEq)]
#[display("{color} depth {depth} score {} line {}", self.score(), line.join(" "))]
pub struct SearchReport {
    /// The side to move in that position.
    pub color: Color,
    pub depth: u8,
    /// The value for that side.
    pub value: Value,
    /// Its principal variation.
    pub line: Vec<String>,
}

impl SearchReport {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_seen_from_white() {
        let shown = |color, value, depth| EvaluationBar::new(color, value, depth).to_string();
        assert_eq!(shown(Color::White, Value::Centimen(34), Some(9)), "white +0.34, depth 9");
        assert_eq!(shown(Color::Black, Value::Centimen(34), None), "white -0.34, static");
        assert_eq!(shown(Color::Black, Value::Win(3), Some(5)), "white loses in 3, depth 5");
        assert_eq!(shown(Color::Black, Value::Loss(2), Some(5)), "white wins in 2, depth 5");
    }

    #[test]
    fn the_bar_is_shared() {
        let share = |color, value| EvaluationBar::new(color, value, None).share();
        assert_eq!(share(Color::White, Value::Centimen(0)), 0.5);
        assert_eq!([Value::Win(4), Value::Loss(4)].map(|value| share(Color::White, value)), [1.0, 0.0]);
        let hundred = share(Color::White, Value::Centimen(100));
        assert!((hundred - 0.75).abs() < 0.001, "{hundred}");
        assert!((hundred + share(Color::Black, Value::Centimen(100)) - 1.0).abs() < 1e-9);
        assert!(share(Color::White, Value::Centimen(300)) > hundred);
    }
}
