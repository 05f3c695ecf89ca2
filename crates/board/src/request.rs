//! The requests of the page, and their answers.

use crate::comment::parts;
use crate::pdn;
use crate::position::{Explained, GamePosition, Placed};
use crate::tree::Tree;
use crate::variants::boards;
use serde::{Deserialize, Serialize};
use soffio::rules::Variant;

/// A request of the page, as JSON with the field `do`.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Request {
    /// The variants with their boards.
    Variants,
    /// The position after the moves of a game: its FEN, its legal moves by every way, and its status.
    Position(GamePosition),
    /// The positions along a line of moves that begins after those of a game.
    Line {
        /// Where it begins.
        #[serde(flatten)]
        game: GamePosition,
        /// Its moves.
        line: Vec<String>,
    },
    /// A sentence that says why a move is bad.
    Explain(Explained),
    /// The FEN of a position that is given square by square, if it is one of the variant.
    Place(Placed),
    /// The games of a text in Portable Draughts Notation, each with its own text.
    Games {
        /// The text.
        text: String,
    },
    /// The first game of a text as a tree.
    Open {
        /// The text.
        text: String,
        /// The variant, if no tag says another one.
        otherwise: Option<String>,
    },
    /// The text of a game in Portable Draughts Notation.
    Write(Box<Tree>),
    /// The words and commands of a comment.
    Comment {
        /// The comment.
        text: String,
    },
}

/// The answer to a request: JSON, with the field `error` and a sentence in it if the request cannot be obeyed.
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

/// The answer as JSON.
///
/// # Errors
/// When the request cannot be obeyed: a sentence that says why.
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

/// The variant called `name`, which may be one that only an option leads to.
///
/// # Errors
/// When there is none.
pub(crate) fn variant(name: &str) -> Result<Variant, String> {
    let unknown = || format!("variant '{}' is not known", soffio::notation::printable(name.chars()));
    Variant::called(name).or_else(|| Variant::named(name)).ok_or_else(unknown)
}
