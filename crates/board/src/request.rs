//! Defines the page's requests and their answers.

use crate::comment::parts;
use crate::pdn;
use crate::position::{GamePosition, MoveExplanation, PlacedPosition};
use crate::tree::GameTree;
use crate::variants::boards;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashMap;

/// A request from the page: JSON with field `do`.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum BoardRequest {
    Variants,
    /// The position after the moves of a game: FEN, every path of every legal move, and status.
    Position(GamePosition),
    /// The positions along a line that begins after the moves of a game.
    Line {
        #[serde(flatten)]
        game: GamePosition,
        line: Vec<String>,
    },
    /// Explains in a sentence why a move is bad.
    Explain(MoveExplanation),
    /// Validates a position given square by square; same answer as `position`.
    Place(PlacedPosition),
    /// Lists the games in a PDN text, each with its own text.
    Games {
        text: String,
    },
    /// Parses the first game in a PDN text into a tree.
    Open {
        text: String,
        /// Variant to assume if no tag names one.
        otherwise: Option<String>,
    },
    /// Writes a game as PDN.
    Write(Box<GameTree>),
    /// Splits a comment into text and commands.
    Comment {
        text: String,
    },
}

/// Answers a request as JSON. If the request fails, the answer has an `error` field with a sentence.
///
/// ```
/// let answer = soffio_board::call(r#"{"do": "position", "variant": "english", "moves": ["11-15"]}"#);
/// assert!(answer.contains(r#""side":"white""#));
/// let answer = soffio_board::call(r#"{"do": "position", "variant": "english", "moves": ["11-14"]}"#);
/// assert_eq!(answer, r#"{"error":"move 11-14: the piece on 11 cannot reach 14"}"#);
/// ```
pub fn call(request: &str) -> String {
    let answer = serde_json::from_str(request).map_err(|error| format!("request: {error}")).and_then(answer);
    answer.unwrap_or_else(|error| json!({ "error": error }).to_string())
}

fn answer(request: BoardRequest) -> Result<String, String> {
    match request {
        BoardRequest::Variants => to_json(&boards()),
        BoardRequest::Position(game) => to_json(&game.answer()?),
        BoardRequest::Line { game, line } => to_json(&game.line(&line)?),
        BoardRequest::Explain(explained) => Ok(json!({ "text": explained.sentence()? }).to_string()),
        BoardRequest::Place(placed) => to_json(&placed.answer()?),
        BoardRequest::Games { text } => to_json(&HashMap::from([("games", pdn::games(&text)?)])),
        BoardRequest::Open { text, otherwise } => to_json(&pdn::open(&text, otherwise.as_deref())?),
        BoardRequest::Write(tree) => Ok(json!({ "text": pdn::write(&tree)? }).to_string()),
        BoardRequest::Comment { text } => to_json(&parts(&text)),
    }
}

fn to_json(answer: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(answer).map_err(|error| error.to_string())
}
