//! Scores as reported: [`Value`] for the side to move, [`WhiteScore`] for White.

use crate::color::Color;
use derive_more::Display;
use std::fmt;
use std::ops::Neg;

/// A score for the side to move, on a scale common to all variants. Displayed as in the native protocol: `cp 12`,
/// `win 3`, `loss 3`.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Value {
    /// Hundredths of a man (centi-men). With the trained evaluation, 100 means that the chance of winning exceeds the
    /// chance of losing by 50 percentage points ([`Chances`](crate::eval::Chances)).
    #[display("cp {_0}")]
    Cp(i16),
    /// The side to move wins in this many of its own moves.
    #[display("win {_0}")]
    Win(u16),
    /// The side to move loses after this many of its own moves.
    #[display("loss {_0}")]
    Loss(u16),
}

impl Default for Value {
    fn default() -> Self {
        Self::Cp(0)
    }
}

impl Neg for Value {
    type Output = Self;

    /// Returns the value for the other side.
    fn neg(self) -> Self {
        match self {
            Self::Cp(value) => Self::Cp(value.saturating_neg()),
            Self::Win(moves) => Self::Loss(moves),
            Self::Loss(moves) => Self::Win(moves),
        }
    }
}

/// A score from White's side. Displayed in words: `+0.12`, `White wins in 4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "lowercase"))]
pub enum WhiteScore {
    /// White's lead in cp.
    Cp(i32),
    /// White wins in this many moves of its own; 0 if the game has ended.
    White(u16),
    /// Black wins in this many moves of its own; 0 if the game has ended.
    Black(u16),
}

impl WhiteScore {
    /// Converts a `value` for `side`.
    pub fn new(value: Value, side: Color) -> Self {
        match (value, side) {
            (Value::Cp(value), Color::White) => Self::Cp(value.into()),
            (Value::Cp(value), Color::Black) => Self::Cp(-i32::from(value)),
            (Value::Win(moves), side) => Self::won_by(side, moves),
            (Value::Loss(moves), side) => Self::won_by(side.opponent(), moves),
        }
    }

    /// Creates the score of a game that `winner` wins in `moves` of its own.
    pub fn won_by(winner: Color, moves: u16) -> Self {
        winner.pick([Self::White, Self::Black])(moves)
    }

    /// Converts a lead in men, such as the argument of an `[%eval]` command.
    pub fn of_men(men: f64) -> Self {
        // The cast saturates.
        Self::Cp((men * 100.0).round() as i32)
    }

    /// Returns the side that wins, and in how many of its moves.
    pub fn winner(self) -> Option<(Color, u16)> {
        match self {
            Self::Cp(_) => None,
            Self::White(moves) => Some((Color::White, moves)),
            Self::Black(moves) => Some((Color::Black, moves)),
        }
    }

    /// Returns the value for `side`.
    pub fn value(self, side: Color) -> Value {
        let own = match self {
            Self::Cp(score) => Value::Cp(score.clamp(i16::MIN.into(), i16::MAX.into()) as i16),
            Self::White(moves) => Value::Win(moves),
            Self::Black(moves) => Value::Loss(moves),
        };
        if side == Color::White { own } else { -own }
    }

    /// Returns White's lead in men, clamped to `most`, which also stands for a win.
    pub fn men(self, most: f64) -> f64 {
        match self {
            Self::Cp(score) => (f64::from(score) / 100.0).clamp(-most, most),
            Self::White(_) => most,
            Self::Black(_) => -most,
        }
    }

    /// Returns the argument of the PDN `[%eval]` command: `0.12`, `#4` if White wins in 4, `#-4` if Black does.
    pub fn eval_text(self) -> String {
        match self {
            Self::Cp(score) => format!("{:.2}", f64::from(score) / 100.0),
            Self::White(moves) => format!("#{moves}"),
            Self::Black(moves) => format!("#-{moves}"),
        }
    }
}

impl fmt::Display for WhiteScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |color: Color| color.pick(["White", "Black"]);
        match (*self, self.winner()) {
            (Self::Cp(score), _) => f.write_str(&men_text(score)),
            (_, Some((winner, 0))) => write!(f, "{} has won", side(winner)),
            (_, Some((winner, moves))) => write!(f, "{} wins in {moves}", side(winner)),
            _ => Ok(()),
        }
    }
}

/// Formats a lead in cp as men with a sign: `+0.12`.
pub fn men_text(cp: impl Into<i32>) -> String {
    format!("{:+.2}", f64::from(cp.into()) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_white_scores_convert_back_and_forth() {
        for value in [Value::Cp(12), Value::Cp(-500), Value::Win(3), Value::Loss(0)] {
            for side in [Color::White, Color::Black] {
                assert_eq!(WhiteScore::new(value, side).value(side), value);
                assert_eq!(WhiteScore::new(value, side), WhiteScore::new(-value, side.opponent()));
            }
        }
        let black_wins = WhiteScore::new(Value::Win(4), Color::Black);
        assert_eq!((black_wins.to_string(), black_wins.eval_text()), ("Black wins in 4".into(), "#-4".into()));
        assert_eq!(WhiteScore::of_men(-0.125).to_string(), "-0.13");
    }
}
