//! A finished game as a line of JSON, for other programs and for a match that is resumed, and as a game record.

use super::answer::MoveEvaluation;
use super::game::Verdict;
use super::{Control, Pairing, Schedule, Termination};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use soffio::engine::Value;
use soffio::notation::pdn::{DATE_FORMAT, GameRecord, GameResult, PdnMove, PlayedGame};
use soffio::rules::{Color, Variant};
use std::time::Duration;

/// A finished game, of draughts or tavla.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameLog {
    /// The number of the game in the match, counted from 1.
    pub game: usize,
    /// White's engine.
    pub white: String,
    /// Black's engine.
    pub black: String,
    /// The winner, unless the game was drawn or too long.
    #[serialize_always]
    pub winner: Option<Color>,
    /// The points that the winner has won, where games count points.
    pub points: Option<u8>,
    /// The kind of its end, as it is counted.
    pub termination: String,
    /// True if the loser did something wrong.
    pub fault: bool,
    /// True if it lost on time because the machine let it wait.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub machine_late: bool,
    /// More about the end.
    pub detail: String,
    /// Where it began, if not at the start position.
    pub fen: Option<String>,
    /// The last position; neither journals of older versions nor those of tavla have it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub end: String,
    /// All moves, with those of the opening. A turn of tavla is its dice, a colon, and the play, as `31:8/5,6/5`.
    pub moves: Vec<MoveLog>,
    /// The date, as `2026.01.31`.
    pub date: String,
}

/// A move of a finished game. Only moves for which no engine was asked have no time.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveLog {
    /// Its full path.
    #[serde(rename = "move")]
    pub text: String,
    pub side: Color,
    /// The engine's score for itself.
    pub score: Option<Value>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Microseconds from the question to the answer.
    pub us: Option<u64>,
    /// Microseconds of the search as the engine told last.
    pub told_us: Option<u64>,
    /// A line that the engine told before this move and that cannot be played.
    pub bad_line: Option<String>,
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl MoveLog {
    /// Returns the move `text` of `side`, with what its engine told about it.
    pub fn new(text: String, side: Color, evaluation: Option<MoveEvaluation>) -> Self {
        let us = evaluation.map(|told| micros(told.time));
        let MoveEvaluation { score, depth, nodes, told, .. } = evaluation.unwrap_or_default();
        Self { text, side, score, depth, nodes, us, told_us: told.map(micros), bad_line: None }
    }
}

impl GameLog {
    /// Returns the log of the game `pairing` of today between engines with these `names`, White's first, and its result.
    pub fn new(
        pairing: &Pairing,
        [white, black]: [&str; 2],
        (winner, termination): &Verdict,
        moves: Vec<MoveLog>,
    ) -> Self {
        Self {
            game: pairing.number + 1,
            white: white.to_owned(),
            black: black.to_owned(),
            winner: *winner,
            termination: termination.kind().to_owned(),
            fault: matches!(termination, Termination::Fault(_)),
            machine_late: matches!(termination, Termination::Fault(fault) if fault.is_of_the_machine()),
            detail: termination.to_string(),
            moves,
            date: Timestamp::now().strftime(DATE_FORMAT).to_string(),
            ..Self::default()
        }
    }

    /// Returns the game of `schedule` that this is, unless the engines, called `names` there, are others.
    pub fn pairing(&self, schedule: &Schedule, names: &[String]) -> Option<Pairing> {
        let pairing = schedule.pairing(self.game.checked_sub(1)?)?;
        let is_of = |index: usize, name: &String| names.get(index) == Some(name);
        (is_of(pairing.white, &self.white) && is_of(pairing.black, &self.black)).then_some(pairing)
    }
}

/// Returns the record of a game of `variant`, played at the `event` and `site`; `controls` are those of White and Black.
pub fn game_record(
    log: &GameLog,
    variant: Variant,
    (event, site): (&str, &str),
    controls: [&Control; 2],
) -> GameRecord {
    let game = PlayedGame {
        event,
        site,
        round: log.game,
        date: &log.date,
        players: [&log.white, &log.black],
        variant,
        fen: log.fen.as_deref(),
        controls: controls.map(Control::written),
        moves: log.moves.iter().map(pdn_move).collect(),
        result: log.winner.map_or(GameResult::Draw, |winner| GameResult::won_by(winner, variant)),
        reason: &log.detail,
    };
    game.into()
}

/// Returns the move with `score/depth seconds` as its comment.
fn pdn_move(mv: &MoveLog) -> PdnMove {
    let comment = mv.us.map(|us| {
        let score = mv.score.map_or_else(String::new, |score| match score {
            Value::Centimen(value) => format!("{:+.2}", f64::from(value) / 100.0),
            Value::Win(moves) => format!("+W{moves}"),
            Value::Loss(moves) => format!("-W{moves}"),
        });
        let depth = mv.depth.map_or_else(String::new, |depth| format!("/{depth}"));
        let seconds = us as f64 / 1e6;
        format!("{score}{depth} {seconds:.3}s").trim_start().to_owned()
    });
    PdnMove { comment, ..PdnMove::played(&mv.text) }
}
