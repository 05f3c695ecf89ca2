//! The log of a finished game. It is written as a JSON line and as a game record. A resumed match reads the JSON lines.

use super::answer::{EngineFault, MoveEvaluation};
use super::{Control, Pairing, Schedule};
use derive_more::Display;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use soffio::engine::Value;
use soffio::notation::pdn::{DATE_FORMAT, GameRecord, GameResult, PdnMove, PlayedGame};
use soffio::rules::{Color, Variant};
use std::time::Duration;

#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[display("{}", self.kind())]
pub enum Termination {
    ByRules(String),
    Adjudicated,
    Known,
    MoveLimit,
    Resigned,
    #[display("{}: {_0}", _0.kind())]
    Fault(EngineFault),
}

impl Termination {
    pub fn kind(&self) -> &str {
        match self {
            Self::ByRules(reason) => reason,
            Self::Adjudicated => "adjudication",
            Self::Known => "endgame tables",
            Self::MoveLimit => "move limit",
            Self::Resigned => "resignation",
            Self::Fault(fault) => fault.kind(),
        }
    }
}

/// The winner (`None` for a draw), and how the game ended.
pub type GameVerdict = (Option<Color>, Termination);

#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameLog {
    pub game: usize,
    pub white: String,
    pub black: String,
    /// The winner, or `None` if the game was drawn or reached the maximum length.
    #[serialize_always]
    pub winner: Option<Color>,
    /// Points for the winner, or `None` if games are not scored by points.
    pub points: Option<u8>,
    pub termination: String,
    pub fault: bool,
    /// Whether the game was lost on time because of a scheduling delay.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub machine_late: bool,
    pub detail: String,
    pub fen: Option<String>,
    /// Final position. It is missing in games of tavla and in journals from older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub end: String,
    /// All moves, including the opening. A turn in tavla consists of the dice, a colon and the play: `31:8/5,6/5`.
    pub moves: Vec<MoveLog>,
    pub date: String,
}

/// A move of a finished game. `us` is `None` if the move was not requested from an engine.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveLog {
    #[serde(rename = "move")]
    pub text: String,
    pub side: Color,
    /// Score from the point of view of the engine that made the move, or `None` if there is none, as in tavla.
    pub score: Option<Value>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Microseconds from the request to the answer.
    pub us: Option<u64>,
    /// Search time in microseconds that the engine last reported, or `None` if it reported none.
    pub reported_us: Option<u64>,
    pub bad_line: Option<String>,
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl MoveLog {
    pub fn new(text: String, side: Color, evaluation: Option<MoveEvaluation>) -> Self {
        let us = evaluation.map(|reported| micros(reported.time));
        let MoveEvaluation { score, depth, nodes, reported, .. } = evaluation.unwrap_or_default();
        Self { text, side, score, depth, nodes, us, reported_us: reported.map(micros), bad_line: None }
    }
}

impl GameLog {
    pub fn new(
        pairing: &Pairing,
        [white, black]: [&str; 2],
        (winner, termination): &GameVerdict,
        moves: Vec<MoveLog>,
    ) -> Self {
        Self {
            game: pairing.number + 1,
            white: white.to_owned(),
            black: black.to_owned(),
            winner: *winner,
            termination: termination.kind().to_owned(),
            fault: matches!(termination, Termination::Fault(_)),
            machine_late: matches!(termination, Termination::Fault(fault) if fault.is_caused_by_machine()),
            detail: termination.to_string(),
            moves,
            date: Timestamp::now().strftime(DATE_FORMAT).to_string(),
            ..Self::default()
        }
    }

    /// Returns the entry of this game in `schedule`, or `None` if there is no such entry or its engines have different
    /// names.
    pub fn pairing(&self, schedule: &Schedule, names: &[String]) -> Option<Pairing> {
        let pairing = schedule.pairing(self.game.checked_sub(1)?)?;
        let is_of = |index: usize, name: &String| names.get(index) == Some(name);
        (is_of(pairing.white, &self.white) && is_of(pairing.black, &self.black)).then_some(pairing)
    }
}

pub fn game_record(log: &GameLog, variant: Variant, event: &str, site: &str, controls: [&Control; 2]) -> GameRecord {
    let game = PlayedGame {
        event,
        site,
        round: log.game,
        date: &log.date,
        players: [&log.white, &log.black],
        variant,
        fen: log.fen.as_deref(),
        controls: controls.map(Control::to_record),
        moves: log.moves.iter().map(pdn_move).collect(),
        result: log.winner.map_or(GameResult::Draw, |winner| GameResult::won_by(winner, variant)),
        reason: &log.detail,
    };
    game.into()
}

fn pdn_move(mv: &MoveLog) -> PdnMove {
    let comment = mv.us.map(|us| {
        let score = mv.score.map_or_else(String::new, |score| match score {
            Value::Cp(value) => soffio::score::men_text(value),
            Value::Win(moves) => format!("+W{moves}"),
            Value::Loss(moves) => format!("-W{moves}"),
        });
        let depth = mv.depth.map_or_else(String::new, |depth| format!("/{depth}"));
        let seconds = us as f64 / 1e6;
        format!("{score}{depth} {seconds:.3}s").trim_start().to_owned()
    });
    PdnMove { comment, ..PdnMove::played(&mv.text) }
}
