//! Scores as they are reported to users, from the point of view of the side to move ([`Value`]) or of White
//! ([`WhiteScore`]). A search counts the distance to a win in plies ([`Score`](crate::search::Score)).
//!
//! | text | where |
//! | --- | --- |
//! | `cp 12`, `win 3`, `loss 3` | [`Value`]: native protocol, book commands |
//! | `{"cp":12}`, `{"win":3}` | [`Value`] as JSON: records, match journals |
//! | `+0.12`, `win in 3` | [`Value::in_words`]: terminal, CheckerBoard |
//! | `+0.12`, `White wins in 3` | [`WhiteScore`]: annotated games |
//! | `0.12`, `#3`, `#-3` | [`WhiteScore::eval_text`]: `[%eval]` in game records |
//!
//! A format that only one program uses is implemented in the code of that program: Hub (`wire/hub/reply.rs`), the games
//! of matches (`crates/match/src/game_log.rs`), TSV records (`crates/batch/src/batch/engine.rs`), the terminal
//! (`crates/terminal/src/play/evaluation.rs`) and CheckerBoard (`crates/checkerboard/src/status.rs`).

use crate::board::Color;
use derive_more::Display;
use std::fmt;
use std::ops::Neg;

/// A score from the point of view of the side to move, on a scale that is the same for all variants. It is displayed as
/// in the native protocol: `cp 12`, `win 3`, `loss 3`.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Value {
    /// An evaluation in cp. With the trained evaluation, 100 means that the probability of winning exceeds the
    /// probability of losing by 50 percentage points (see [`Chances`](crate::eval::Chances)). With the other
    /// evaluations, a man is 100 cp.
    #[display("cp {_0}")]
    Cp(i16),
    /// The side to move wins in this many of its own moves.
    #[display("win {_0}")]
    Win(u16),
    /// The side to move loses after this many of its own moves.
    #[display("loss {_0}")]
    Loss(u16),
}

impl Value {
    /// Formats the value for human readers: units of 100 cp (`+0.34`), or moves to the end of the game (`win in 3`).
    pub fn in_words(self) -> String {
        match self {
            Self::Cp(value) => men_text(value),
            Self::Win(moves) => format!("win in {moves}"),
            Self::Loss(moves) => format!("loss in {moves}"),
        }
    }
}

impl Default for Value {
    fn default() -> Self {
        Self::Cp(0)
    }
}

impl Neg for Value {
    type Output = Self;

    /// Returns the value from the point of view of the other side.
    fn neg(self) -> Self {
        match self {
            Self::Cp(value) => Self::Cp(value.saturating_neg()),
            Self::Win(moves) => Self::Loss(moves),
            Self::Loss(moves) => Self::Win(moves),
        }
    }
}

/// A score from White's point of view. It is displayed in units of 100 cp or in words, as in `+0.12` and
/// `White wins in 4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "lowercase"))]
pub enum WhiteScore {
    /// White's advantage in cp.
    Cp(i32),
    /// White wins after the side to move has made this many moves, or has already won if the number is 0.
    White(u16),
    /// Black wins after the side to move has made this many moves, or has already won if the number is 0.
    Black(u16),
}

impl WhiteScore {
    /// Converts `value`, which is given from the point of view of `side`.
    pub fn new(value: Value, side: Color) -> Self {
        match (value, side) {
            (Value::Cp(value), Color::White) => Self::Cp(value.into()),
            (Value::Cp(value), Color::Black) => Self::Cp(-i32::from(value)),
            (Value::Win(moves), side) => Self::won_by(side, moves),
            (Value::Loss(moves), side) => Self::won_by(side.opponent(), moves),
        }
    }

    /// Creates the score of a game that `winner` wins after the side to move has made `moves` moves.
    pub fn won_by(winner: Color, moves: u16) -> Self {
        winner.pick([Self::White, Self::Black])(moves)
    }

    /// Creates a score from White's advantage in units of 100 cp, such as the argument of an `[%eval]` command.
    pub fn from_men(men: f64) -> Self {
        // The cast saturates.
        Self::Cp((men * 100.0).round() as i32)
    }

    /// Returns the winning side and the number of moves that the side to move makes until the win, or `None` if the
    /// score is not a win.
    pub fn winner(self) -> Option<(Color, u16)> {
        match self {
            Self::Cp(_) => None,
            Self::White(moves) => Some((Color::White, moves)),
            Self::Black(moves) => Some((Color::Black, moves)),
        }
    }

    /// Returns the score from the point of view of `side`.
    pub fn value(self, side: Color) -> Value {
        let own = match self {
            Self::Cp(score) => Value::Cp(score.clamp(i16::MIN.into(), i16::MAX.into()) as i16),
            Self::White(moves) => Value::Win(moves),
            Self::Black(moves) => Value::Loss(moves),
        };
        if side == Color::White { own } else { -own }
    }

    /// Returns White's advantage in units of 100 cp, limited to the range from `-max_men` to `max_men`. A win for White
    /// counts as `max_men`, and a win for Black as `-max_men`.
    pub fn men(self, max_men: f64) -> f64 {
        match self {
            Self::Cp(score) => (f64::from(score) / 100.0).clamp(-max_men, max_men),
            Self::White(_) => max_men,
            Self::Black(_) => -max_men,
        }
    }

    /// Returns the argument of the PDN `[%eval]` command: `0.12` for 12 cp, `#4` if White wins in 4 moves, or `#-4` if
    /// Black wins in 4 moves.
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

/// Formats an advantage in units of 100 cp with a sign, such as `+0.12` for 12 cp.
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
        assert_eq!(WhiteScore::from_men(-0.125).to_string(), "-0.13");
    }
}
