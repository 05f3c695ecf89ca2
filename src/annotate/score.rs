//! Scores as comments have them: always from White's side.

use crate::engine::Value;
use crate::rules::{Color, Objective};
use std::fmt;

/// A lead of this much, in 1/100 man, decides the game: larger scores count as equal.
const DECIDED: i32 = 300;

/// The value of a position for White, whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhiteScore {
    /// White's lead in 1/100 man.
    Centimen(i32),
    /// A side wins in so many of its own moves; 0 when the game is over.
    Wins(Color, u16),
}

impl WhiteScore {
    /// The score of a position with `side` to move, for which it has this `value`.
    pub fn new(value: Value, side: Color) -> Self {
        let sign = if side == Color::White { 1 } else { -1 };
        match value {
            Value::Centimen(value) => Self::Centimen(sign * i32::from(value)),
            Value::Win(moves) => Self::Wins(side, moves),
            Value::Loss(moves) => Self::Wins(side.opponent(), moves),
        }
    }

    /// The score in 1/100 man for `side`, cut off at what decides a game.
    pub(super) fn bounded(self, side: Color) -> i32 {
        let sign = |color| if color == side { 1 } else { -1 };
        match self {
            Self::Centimen(score) => (sign(Color::White) * score).clamp(-DECIDED, DECIDED),
            Self::Wins(winner, _) => sign(winner) * DECIDED,
        }
    }

    /// The score in men for White, cut off at `most`, which a win counts as.
    pub fn men(self, most: f64) -> f64 {
        match self {
            Self::Centimen(score) => (f64::from(score) / 100.0).clamp(-most, most),
            Self::Wins(Color::White, _) => most,
            Self::Wins(Color::Black, _) => -most,
        }
    }
}

impl fmt::Display for WhiteScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |color| if color == Color::White { "White" } else { "Black" };
        match *self {
            Self::Centimen(score) => write!(f, "{:+.2}", f64::from(score) / 100.0),
            Self::Wins(winner, 0) => write!(f, "{} has won", name(winner)),
            Self::Wins(winner, moves) => write!(f, "{} wins in {moves}", name(winner)),
        }
    }
}

/// The value for the side to move of a position with one legal move, after which the value for the other side is
/// `after`. Where a side without a move has won, the last move of a game is the loser's.
pub(super) fn before_only_move(after: Value, objective: Objective) -> Value {
    let is_last_the_losers = objective == Objective::Losing;
    let one_more = |moves: u16, is_one_more: bool| moves.saturating_add(u16::from(is_one_more));
    match after {
        Value::Centimen(value) => Value::Centimen(value.saturating_neg()),
        Value::Win(moves) => Value::Loss(one_more(moves, is_last_the_losers)),
        Value::Loss(moves) => Value::Win(one_more(moves, !is_last_the_losers)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_whites() {
        let text = |value, side| WhiteScore::new(value, side).to_string();
        assert_eq!(text(Value::Centimen(5), Color::White), "+0.05");
        assert_eq!(text(Value::Centimen(5), Color::Black), "-0.05");
        assert_eq!(text(Value::Centimen(0), Color::Black), "+0.00");
        assert_eq!(text(Value::Win(3), Color::Black), "Black wins in 3");
        assert_eq!(text(Value::Loss(3), Color::Black), "White wins in 3");
        assert_eq!(text(Value::Loss(0), Color::White), "Black has won");
    }

    #[test]
    fn what_decides_a_game_is_the_most_that_counts() {
        let bounded = |score: WhiteScore| [Color::White, Color::Black].map(|side| score.bounded(side));
        assert_eq!(bounded(WhiteScore::Centimen(-120)), [-120, 120]);
        assert_eq!(bounded(WhiteScore::Centimen(900)), [300, -300]);
        assert_eq!(bounded(WhiteScore::Wins(Color::Black, 7)), [-300, 300]);
        assert_eq!(WhiteScore::Wins(Color::Black, 7).men(5.0), -5.0);
        assert_eq!(WhiteScore::Centimen(-120).men(5.0), -1.2);
    }

    #[test]
    fn a_win_is_one_move_longer_before_the_winners_move() {
        let before = |after| before_only_move(after, Objective::Normal);
        assert_eq!(before(Value::Loss(0)), Value::Win(1));
        assert_eq!(before(Value::Win(1)), Value::Loss(1));
        assert_eq!(before(Value::Centimen(7)), Value::Centimen(-7));
        let before = |after| before_only_move(after, Objective::Losing);
        assert_eq!(before(Value::Win(0)), Value::Loss(1));
        assert_eq!(before(Value::Loss(1)), Value::Win(1));
    }
}
