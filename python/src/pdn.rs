//! Game records: read and written here, and made into trees by `soffio.pdn`.

use crate::board::Board;
use crate::error::PdnError;
use crate::moves::{Move, line_of};
use crate::rules::variant;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use soffio::annotate::PlayableGame;
use soffio::notation::pdn::{
    Command, CommentPart, Evaluation, GameRecord, PdnMove, PdnReader, Variation, comment_parts,
};
use soffio::rules::{Color, Variant};
use soffio::{FenRecord, WrittenGame};
use std::sync::{Mutex, PoisonError};

/// The most variations within each other.
const DEEPEST: usize = 60;

/// A move of a record: text, glyphs, comment, variations.
#[derive(FromPyObject, IntoPyObject)]
pub struct MoveText(String, Vec<u16>, Option<String>, Vec<LineText>);

/// A variation: its comment, and its moves.
#[derive(FromPyObject, IntoPyObject)]
pub struct LineText(Option<String>, Vec<MoveText>);

/// A record: tags, comment, moves, result.
type RecordText = (Vec<(String, String)>, Option<String>, Vec<MoveText>, String);

/// A record as it is played: variant, board at its start, moves, and why it cannot be played any further.
type Played = (Option<&'static str>, Option<Board>, Vec<Move>, Option<String>);

fn text_of(mv: PdnMove) -> MoveText {
    let line = |line: Variation| LineText(line.comment, line.moves.into_iter().map(text_of).collect());
    MoveText(mv.text, mv.glyphs, mv.comment, mv.variations.into_iter().map(line).collect())
}

/// # Errors
/// When a move is a text that would be read as something else, or variations stand in each other too deep.
fn read_move(mv: MoveText, depth: usize) -> PyResult<PdnMove> {
    let MoveText(text, glyphs, comment, variations) = mv;
    if depth > DEEPEST {
        return Err(PyValueError::new_err(format!("variations stand in each other deeper than {DEEPEST}")));
    }
    let mut read = PdnMove::played(&text);
    read.record().map_err(|error| PyValueError::new_err(format!("move {text:?} of the record: {error}")))?;
    read.glyphs = glyphs;
    read.comment = comment;
    let line = |LineText(comment, moves): LineText| {
        let moves = moves.into_iter().map(|mv| read_move(mv, depth + 1)).collect::<PyResult<_>>()?;
        Ok(Variation { comment, moves })
    };
    read.variations = variations.into_iter().map(line).collect::<PyResult<_>>()?;
    Ok(read)
}

/// The games of a text, one after the other.
#[pyclass(frozen, module = "soffio")]
pub struct RecordReader {
    games: Mutex<std::vec::IntoIter<Result<GameRecord, soffio::notation::pdn::PdnError>>>,
}

#[pymethods]
impl RecordReader {
    #[new]
    fn new(py: Python<'_>, text: &str) -> Self {
        let games = py.detach(|| PdnReader::new(text).map(|game| game.map(|game| game.record)).collect::<Vec<_>>());
        Self { games: Mutex::new(games.into_iter()) }
    }

    /// The next game, as it is written and as it is played; `None` at the end. One that cannot be read raises PdnError; the next call
    /// goes on after it.
    fn next(&self, otherwise: Option<&str>) -> PyResult<Option<(RecordText, Played)>> {
        let otherwise = otherwise.map(variant).transpose()?;
        let next = self.games.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some(record) = next else { return Ok(None) };
        let record = record.map_err(|error| PdnError::new_err(error.to_string()))?;
        let played = played(&record, otherwise);
        let result = record.result_text();
        let moves = record.moves.into_iter().map(text_of).collect();
        Ok(Some(((record.tags, record.comment, moves, result), played)))
    }
}

fn played(record: &GameRecord, otherwise: Option<Variant>) -> Played {
    match PlayableGame::new(record, otherwise) {
        Ok(playable) => {
            let fault = playable.fault().map(ToString::to_string);
            let mut game = playable.played().game().clone();
            (0..game.undoable()).for_each(|_| game.undo());
            let start = game.clone();
            let mut line = Vec::new();
            while game.redoable() > 0 {
                game.redo();
                line.extend(game.last_move());
            }
            // Its own start, without the moves that can be played again.
            let fen: Option<FenRecord> = record.start().ok().flatten();
            let board = WrittenGame::at(playable.variant(), fen.as_ref()).ok().map(Board::of);
            (Some(playable.variant().name()), board, line_of(&start, &line), fault)
        }
        Err(error) => {
            let variant = record.variant().ok().flatten().or(otherwise);
            let fen = record.start().ok().flatten();
            let board = variant.and_then(|variant| WrittenGame::at(variant, fen.as_ref()).ok()).map(Board::of);
            // Without moves there is nothing that could not be played.
            let fault = (!record.moves.is_empty() || board.is_none()).then(|| error.to_string());
            (variant.map(Variant::name), board, Vec::new(), fault)
        }
    }
}

/// A record as text; the tag of its variant is added.
#[pyfunction]
pub fn write_record(
    variant: &str,
    tags: Vec<(String, String)>,
    comment: Option<String>,
    moves: Vec<MoveText>,
    result: &str,
) -> PyResult<String> {
    let variant = self::variant(variant)?;
    for (name, _) in &tags {
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(PyValueError::new_err(format!("{name:?} is no name of a tag")));
        }
    }
    let moves = moves.into_iter().map(|mv| read_move(mv, 0)).collect::<PyResult<_>>()?;
    let result = result.parse().map_err(|_| PyValueError::new_err(format!("{result:?} is no result of a game")))?;
    let mut record = GameRecord { tags, comment, moves, result };
    record.set_variant(variant);
    Ok(record.to_string())
}

/// The commands in a comment, by name, and the rest of it.
#[pyfunction]
pub fn read_comment<'py>(py: Python<'py>, comment: &str) -> PyResult<Bound<'py, PyDict>> {
    let read = PyDict::new(py);
    let mut words = Vec::new();
    for part in comment_parts(comment) {
        match part {
            CommentPart::Text(text) | CommentPart::Unknown(text) => words.push(text),
            CommentPart::Command(Command::Clocks(clocks)) => {
                let clock = |clock: &soffio::notation::pdn::ClockReading| {
                    (clock.side.map(|side| side == Color::White), clock.left.as_secs_f64())
                };
                read.set_item("clk", clocks.iter().map(clock).collect::<Vec<_>>())?;
            }
            CommentPart::Command(Command::MechanicalClock(time)) => read.set_item("mct", time.as_secs_f64())?,
            CommentPart::Command(Command::MoveTime(time)) => read.set_item("emt", time.as_secs_f64())?,
            CommentPart::Command(Command::GameTime(time)) => read.set_item("egt", time.as_secs_f64())?,
            CommentPart::Command(Command::Evaluation(Evaluation::Men(men))) => {
                read.set_item("eval", (Some(men), None::<i32>))?;
            }
            CommentPart::Command(Command::Evaluation(Evaluation::Wins(color, moves))) => {
                let moves = i32::from(moves);
                read.set_item("eval", (None::<f64>, Some(if color == Color::White { moves } else { -moves })))?;
            }
            CommentPart::Command(Command::Marks(_)) => {}
        }
    }
    read.set_item("text", words.join(" "))?;
    Ok(read)
}
