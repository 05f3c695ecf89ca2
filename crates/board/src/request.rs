//! Requests of the page and their answers.

use crate::comment::parts;
use crate::pdn;
use crate::position::{Explained, GamePosition, Placed};
use crate::tree::Tree;
use crate::variants::boards;
use serde::{Deserialize, Serialize};
use soffio::rules::Variant;

/// A request of the page: JSON with the field `do`.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Request {
    /// Lists the variants with their boards.
    Variants,
    /// The position after the moves of a game: FEN, every path of every legal move, and status.
    Position(GamePosition),
    /// The positions along a line that begins after the moves of a game.
    Line {
        /// The game before the line.
        #[serde(flatten)]
        game: GamePosition,
        /// The moves of the line.
        line: Vec<String>,
    },
    /// Explains in a sentence why a move is bad.
    Explain(Explained),
    /// Validates a position given square by square; same answer as `position`.
    Place(Placed),
    /// Lists the games of a PDN text, each with its own text.
    Games {
        /// The PDN text.
        text: String,
    },
    /// Parses the first game of a PDN text into a tree.
    Open {
        /// The PDN text.
        text: String,
        /// Variant to assume if no tag names one.
        otherwise: Option<String>,
    },
    /// Writes a game as PDN.
    Write(Box<Tree>),
    /// Splits a comment into text and commands.
    Comment {
        /// The comment.
        text: String,
    },
}

/// Answers a request as JSON. If it fails, the answer has the field `error` with a sentence.
///
/// ```
/// let answer = soffio_board::call(r#"{"do": "position", "variant": "english", "moves": ["11-15"]}"#);
/// assert!(answer.contains(r#""side":"white""#));
/// let answer = soffio_board::call(r#"{"do": "position", "variant": "english", "moves": ["11-14"]}"#);
/// assert_eq!(answer, r#"{"error":"move 11-14: the piece on 11 cannot reach 14"}"#);
/// ```
pub fn call(request: &str) -> String {
    let answer = serde_json::from_str(request).map_err(|error| format!("request {error}")).and_then(answer);
    answer.unwrap_or_else(|error| serde_json::json!({ "error": error }).to_string())
}

fn answer(request: Request) -> Result<String, String> {
    match request {
        Request::Variants => json(&boards()),
        Request::Position(game) => json(&game.answer()?),
        Request::Line { game, line } => json(&game.line(&line)?),
        Request::Explain(explained) => json(&explained.answer()?),
        Request::Place(placed) => json(&placed.answer()?),
        Request::Games { text } => json(&pdn::games(&text)?),
        Request::Open { text, otherwise } => json(&pdn::open(&text, otherwise.as_deref())?),
        Request::Write(tree) => json(&pdn::write(&tree)?),
        Request::Comment { text } => json(&parts(&text)),
    }
}

fn json(answer: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(answer).map_err(|error| error.to_string())
}

/// Finds a variant by name, including those that only an option selects.
pub(crate) fn variant(name: &str) -> Result<Variant, String> {
    let unknown = || format!("variant '{}' is not known", soffio::notation::printable(name.chars()));
    Variant::called(name).or_else(|| Variant::named(name)).ok_or_else(unknown)
}
