//! Scores of positions, always from White's side.

use serde::{Deserialize, Serialize};
use soffio::annotate::WhiteScore;
use soffio::notation::pdn::Evaluation;
use soffio::rules::Color;

/// The score of a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Score {
    /// White's lead in 1/100 man.
    Cp(i32),
    /// White wins in so many moves.
    White(u16),
    /// Black wins in so many moves.
    Black(u16),
}

impl From<WhiteScore> for Score {
    fn from(score: WhiteScore) -> Self {
        match score {
            WhiteScore::Centimen(value) => Self::Cp(value),
            WhiteScore::Wins(Color::White, moves) => Self::White(moves),
            WhiteScore::Wins(Color::Black, moves) => Self::Black(moves),
        }
    }
}

impl From<&Evaluation> for Score {
    fn from(evaluation: &Evaluation) -> Self {
        match *evaluation {
            // A float becomes the nearest integer that there is.
            Evaluation::Men(men) => Self::Cp((men * 100.0).round() as i32),
            Evaluation::Wins(Color::White, moves) => Self::White(moves),
            Evaluation::Wins(Color::Black, moves) => Self::Black(moves),
        }
    }
}

impl From<Score> for Evaluation {
    fn from(score: Score) -> Self {
        match score {
            Score::Cp(value) => Self::Men(f64::from(value) / 100.0),
            Score::White(moves) => Self::Wins(Color::White, moves),
            Score::Black(moves) => Self::Wins(Color::Black, moves),
        }
    }
}
