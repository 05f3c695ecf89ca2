//! A finished game as a line of JSON, for other programs and for a match that is resumed.

use super::{EngineScore, FinishedGame, GameHeader, MoveEvaluation, Opening, Termination};
use serde::{Deserialize, Serialize};
use soffio::rules::Color;
use std::time::Duration;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLog {
    /// Number, engines and winner.
    #[serde(flatten)]
    pub header: GameHeader,
    /// How it ended: a kind that is counted.
    pub termination: String,
    /// Whether the loser did something wrong.
    pub fault: bool,
    /// Whether it lost on time while the machine was as late.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub machine_late: bool,
    /// More about the end.
    pub detail: String,
    /// Where it began, if not at the start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The last position; journals of older versions do not have it.
    #[serde(default)]
    pub end: String,
    /// All moves, with those of the opening.
    pub moves: Vec<MoveLog>,
    /// The date, as `2026.01.31`.
    pub date: String,
}

/// A move of a finished game. Only moves of the opening have no time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveLog {
    /// The move in its full path.
    #[serde(rename = "move")]
    pub text: String,
    /// The side that made it.
    pub side: Color,
    /// The engine's score for itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Microseconds from the question to the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub us: Option<u64>,
    /// Microseconds of the search as the engine told last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_us: Option<u64>,
    /// A line that the engine told before this move and that cannot be played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bad_line: Option<String>,
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl MoveLog {
    /// The move `text` of `side`, and what its engine told about it.
    pub fn new(text: String, side: Color, evaluation: Option<MoveEvaluation>) -> Self {
        Self {
            text,
            side,
            score: evaluation.and_then(|evaluation| evaluation.score),
            depth: evaluation.and_then(|evaluation| evaluation.depth),
            nodes: evaluation.and_then(|evaluation| evaluation.nodes),
            us: evaluation.map(|evaluation| micros(evaluation.time)),
            told_us: evaluation.and_then(|evaluation| evaluation.told).map(micros),
            bad_line: None,
        }
    }
}

impl GameLog {
    /// The log of `finished`, a game with this `opening` between engines with these `names`, White's first.
    pub fn new(finished: &FinishedGame, opening: &Opening, names: [&str; 2], date: &str) -> Self {
        let game = &finished.game;
        let moves = game.moves.iter().map(|mv| MoveLog {
            bad_line: mv.bad_line.clone(),
            ..MoveLog::new(mv.text.clone(), mv.side, mv.evaluation)
        });
        Self {
            header: GameHeader::new(&finished.pairing, names, game.winner),
            termination: game.termination.kind(),
            fault: matches!(game.termination, Termination::Fault(_)),
            machine_late: matches!(&game.termination, Termination::Fault(fault) if fault.may_be_the_machine()),
            detail: game.termination.to_string(),
            fen: opening.start.as_ref().map(ToString::to_string),
            end: game.end.to_string(),
            moves: moves.collect(),
            date: date.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mv = MoveLog {
            text: "28x19".to_owned(),
            side: Color::Black,
            score: Some(EngineScore::Centimen(-7)),
            depth: Some(9),
            nodes: None,
            us: Some(1500),
            told_us: None,
            bad_line: None,
        };
        let log = GameLog {
            header: GameHeader { game: 3, white: "a".to_owned(), black: "b \"c\"".to_owned(), winner: None },
            termination: "repetition".to_owned(),
            fault: false,
            machine_late: false,
            detail: "repetition".to_owned(),
            fen: None,
            end: "W:W21:B1".to_owned(),
            moves: vec![mv],
            date: "2026.01.31".to_owned(),
        };
        let text = serde_json::to_string(&log).unwrap();
        let expected =
            r#"{"game":3,"white":"a","black":"b \"c\"","winner":null,"termination":"repetition","fault":false,"#
                .to_owned()
                + r#""detail":"repetition","end":"W:W21:B1","#
                + r#""moves":[{"move":"28x19","side":"black","score":{"cp":-7},"depth":9,"us":1500}],"date":"2026.01.31"}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<GameLog>(&text).unwrap(), log);
    }
}
