//! Formats search reports and evaluations.

use derive_more::Display;
use soffio::engine::Value;
use soffio::rules::Color;

/// A score of 100 cp multiplies the odds by 3, which yields an expected score of 75 % (`docs/options.md`, "Chances").
const ODDS_AT_100_CP: f64 = 3.0;

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("white {}, {}", value.in_words(), depth.map_or("static".to_owned(), |depth| format!("depth {depth}")))]
pub struct EvaluationBar {
    /// Value from White's point of view.
    pub(super) value: Value,
    /// Search depth in plies, or `None` for a static evaluation after pending captures.
    depth: Option<u8>,
}

impl EvaluationBar {
    pub(super) fn new(color: Color, value: Value, depth: Option<u8>) -> Self {
        Self { value: if color == Color::White { value } else { -value }, depth }
    }

    /// Returns White's share of the evaluation bar, from 0 to 1.
    pub fn share(&self) -> f64 {
        match self.value {
            Value::Cp(value) => 1.0 / (1.0 + ODDS_AT_100_CP.powf(-f64::from(value) / 100.0)),
            Value::Win(_) => 1.0,
            Value::Loss(_) => 0.0,
        }
    }
}

#[derive(Clone, Debug, Display, PartialEq)]
#[display("{color} depth {depth} score {} line {}", value.in_words(), line.join(" "))]
pub struct SearchReport {
    pub color: Color,
    pub depth: u8,
    /// Value from the point of view of `color`.
    pub value: Value,
    pub line: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_from_whites_point_of_view() {
        let shown = |color, value, depth| EvaluationBar::new(color, value, depth).to_string();
        assert_eq!(shown(Color::White, Value::Cp(34), Some(9)), "white +0.34, depth 9");
        assert_eq!(shown(Color::Black, Value::Cp(34), None), "white -0.34, static");
        assert_eq!(shown(Color::Black, Value::Win(3), Some(5)), "white loss in 3, depth 5");
        assert_eq!(shown(Color::Black, Value::Loss(2), Some(5)), "white win in 2, depth 5");
    }

    #[test]
    fn the_bar_is_shared() {
        let share = |color, value| EvaluationBar::new(color, value, None).share();
        assert_eq!(share(Color::White, Value::Cp(0)), 0.5);
        assert_eq!([Value::Win(4), Value::Loss(4)].map(|value| share(Color::White, value)), [1.0, 0.0]);
        let hundred = share(Color::White, Value::Cp(100));
        assert!((hundred - 0.75).abs() < 0.001, "{hundred}");
        assert!((hundred + share(Color::Black, Value::Cp(100)) - 1.0).abs() < 1e-9);
        assert!(share(Color::White, Value::Cp(300)) > hundred);
    }
}
