//! The analysis board. It consists of a browser page, which contains no rules, and of functions that apply the rules
//! for the page.
//!
//! [`call`] answers a [`BoardRequest`]. The request and the answer are JSON. [`page()`] returns the page as a single
//! file. The page needs a host that runs [`call`] and an engine. The host is either a web worker or the program that
//! serves the page.

mod find;
mod page;
mod pdn;
mod position;
#[cfg(test)]
mod tests;
mod tree;

pub use page::{Host, page};
pub use tree::GameTree;

use crate::find::PositionSearch;
use crate::position::{GamePosition, MoveExplanation, PlacedPosition, boards};
use crate::tree::page_parts;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashMap;

/// A request from the page. It is a JSON object with a `do` field.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum BoardRequest {
    Variants,
    /// Returns the position after a game's moves, with its FEN, its status, and all paths of all legal moves.
    Position(GamePosition),
    /// Returns the positions along a line that begins after the moves of a game.
    Line {
        #[serde(flatten)]
        game: GamePosition,
        line: Vec<String>,
    },
    /// Returns a sentence that explains why a move is bad.
    Explain(MoveExplanation),
    /// Validates a position that is given square by square. The answer has the same form as for `position`.
    Place(PlacedPosition),
    /// Lists the games in a PDN text. The answer gives the length of each game's text in UTF-16 code units. The games
    /// follow one another without a gap.
    Games {
        text: String,
    },
    /// Parses the first game in a PDN text into a tree.
    Open {
        text: String,
        /// The variant to assume if no tag names the variant.
        default_variant: Option<String>,
    },
    /// Finds the games in which a position occurs.
    Find(PositionSearch),
    /// Writes a game as PDN.
    Write(Box<GameTree>),
    /// Splits a comment into its text and its commands.
    Comment {
        text: String,
    },
}

/// Answers a request in JSON. If the request fails, the `error` field of the answer describes the error in a sentence.
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
        BoardRequest::Open { text, default_variant } => to_json(&pdn::open(&text, default_variant.as_deref())?),
        BoardRequest::Find(search) => Ok(json!({ "found": search.matching_games()? }).to_string()),
        BoardRequest::Write(tree) => Ok(json!({ "text": pdn::write(&tree)? }).to_string()),
        BoardRequest::Comment { text } => to_json(&page_parts(&text)),
    }
}

fn to_json(answer: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(answer).map_err(|error| error.to_string())
}
