//! Reads and writes game records. `soffio.pdn` turns them into trees.

use crate::board::{PyBoard, is_same_position, moves_after, start_of};
use crate::convert::VariantName;
use crate::moves::PyMove;
use parking_lot::Mutex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use soffio::WrittenGame;
use soffio::notation::pdn::{
    Command, CommentPart, GameRecord, GameResult, Guesses, PdnGames, PdnMove, Variation, comment_parts,
};
use soffio::rules::{Color, Variant};
use soffio::score::WhiteScore;
use soffio_analysis::annotate::PlayableGame;
use std::collections::VecDeque;
use std::convert::Infallible;

/// Maximum depth of nested variations, as in the PDN parser.
const MAX_NESTING: usize = 100;

/// Maximum number of games to read ahead in order to guess a variant.
const MAX_AHEAD: usize = 1000;

#[derive(FromPyObject, IntoPyObject)]
pub struct MoveText(String, Vec<u16>, Option<String>, Vec<LineText>);

#[derive(FromPyObject, IntoPyObject)]
pub struct LineText(Option<String>, Vec<MoveText>);

/// A record: its tags, comment, moves and result, its source text, and notes about unusual syntax.
type RecordText = (Vec<(String, String)>, Option<String>, Vec<MoveText>, String, String, Vec<String>);

/// A game, its source text, and notes about unusual syntax.
struct KeptGame {
    record: GameRecord,
    source: String,
    notes: Vec<String>,
}

#[derive(IntoPyObject)]
pub struct PlayedRecord {
    board: PyBoard,
    moves: Vec<PyMove>,
    /// For each position that is set up between moves: the index of the next move, counted from `first`, and the moves
    /// from there up to the next such position.
    later: Vec<(usize, Vec<PyMove>)>,
    fault: Option<String>,
    /// Whether the variant was guessed because no tag names it.
    is_guess: bool,
    /// Index in the record of the first move in `moves`. `board` includes all earlier setup positions and placements.
    first: usize,
    /// Whether the variant or the start position is unknown. If so, `board` is meaningless.
    is_lost: bool,
}

fn text_of(mv: PdnMove) -> MoveText {
    let line = |line: Variation| LineText(line.comment, line.moves.into_iter().map(text_of).collect());
    MoveText(mv.text, mv.glyphs, mv.comment, mv.variations.into_iter().map(line).collect())
}

/// Converts a move and its variations. Fails if the text of a move would be parsed as something else, or if variations
/// are nested too deeply.
fn read_move(mv: MoveText, depth: usize) -> PyResult<PdnMove> {
    let MoveText(text, glyphs, comment, variations) = mv;
    if depth > MAX_NESTING {
        return Err(PyValueError::new_err(format!("variations are nested more than {MAX_NESTING} levels deep")));
    }
    let mut read = match PdnMove::new(&text).set_up() {
        Some(position) => position.map(|_| PdnMove::new(&text)).map_err(|error| error.to_string()),
        None => PdnMove::new(&text).record().map(|_| PdnMove::played(&text)).map_err(|error| error.to_string()),
    }
    .map_err(|error| PyValueError::new_err(format!("move {text:?} of the record: {error}")))?;
    read.glyphs = glyphs;
    read.comment = comment;
    let line = |LineText(comment, moves): LineText| {
        let moves = moves.into_iter().map(|mv| read_move(mv, depth + 1)).collect::<PyResult<_>>()?;
        Ok(Variation { comment, moves, ..Variation::default() })
    };
    read.variations = variations.into_iter().map(line).collect::<PyResult<_>>()?;
    Ok(read)
}

/// Reads games from text that arrives in blocks.
#[pyclass(frozen, module = "soffio")]
pub struct RecordReader(Mutex<GamesReader>);

#[pymethods]
impl RecordReader {
    /// ``default_variant`` is the variant for games that do not name one. If it is ``None``, their variant is guessed.
    #[new]
    fn new(default_variant: Option<VariantName>) -> Self {
        let default_variant = default_variant.map(|VariantName(variant)| variant);
        let (text, games, evidence) = (PdnGames::new(None), VecDeque::new(), Vec::new());
        Self(Mutex::new(GamesReader { default_variant, text, games, evidence, guesses: None }))
    }

    /// Adds the next bytes of the text.
    fn feed(&self, bytes: &[u8]) {
        self.0.lock().text.bytes.extend_from_slice(bytes);
    }

    /// Marks the end of the text.
    fn end(&self) {
        self.0.lock().text.is_ended = true;
    }

    /// Returns the next game, both as the written record and as the played moves, or ``None`` if more bytes are needed
    /// or there are no more games.
    fn next(&self, py: Python<'_>) -> Option<(RecordText, PlayedRecord)> {
        py.detach(|| self.0.lock().next())
    }
}

struct GamesReader {
    default_variant: Option<Variant>,
    text: PdnGames,
    games: VecDeque<KeptGame>,
    evidence: Vec<GameRecord>,
    guesses: Option<Guesses>,
}

impl GamesReader {
    fn next(&mut self) -> Option<(RecordText, PlayedRecord)> {
        self.read_until(|reader| !reader.games.is_empty());
        let is_unnamed = |game: &KeptGame| game.record.variant() == Ok(None);
        if self.default_variant.is_none() && self.guesses.is_none() && self.games.front().is_some_and(is_unnamed) {
            let is_enough =
                |reader: &Self| reader.evidence.len() >= Guesses::MAX_GAMES || reader.games.len() >= MAX_AHEAD;
            self.read_until(is_enough);
            if !is_enough(self) && !self.text.is_ended {
                return None;
            }
            self.guesses = Some(Guesses::new(&self.evidence));
        }
        let KeptGame { record, source, notes } = self.games.pop_front()?;
        let guess = self.default_variant.or_else(|| self.guesses.as_ref()?.variant(&record));
        let played = played(&record, guess, self.default_variant.is_none());
        let result = record.result_text();
        let moves = record.moves.into_iter().skip(played.first).map(text_of).collect();
        Some(((record.tags, record.comment, moves, result, source, notes), played))
    }

    fn read_until(&mut self, is_enough: impl Fn(&Self) -> bool) {
        while !is_enough(self) && self.read() {}
    }

    /// Reads the next block of games. Returns false if there is none.
    fn read(&mut self) -> bool {
        let Ok(is_read) = self.text.read(usize::MAX, |game, _| {
            if Guesses::is_evidence(&game.record) && self.evidence.len() < Guesses::MAX_GAMES {
                self.evidence.push(game.record.clone());
            }
            let notes = game.notes.iter().map(|note| format!("game {}, {note}", game.number)).collect();
            self.games.push_back(KeptGame { record: game.record, source: game.source.to_owned(), notes });
            Ok::<_, Infallible>(())
        });
        is_read
    }
}

/// Plays the moves of `record`. `default_variant` is the variant to use if no tag names one, and `is_guess` states
/// whether it was guessed.
fn played(record: &GameRecord, default_variant: Option<Variant>, is_guess: bool) -> PlayedRecord {
    let is_guess = is_guess && record.variant() == Ok(None);
    let start = record.start();
    let fen = start.as_ref().ok().and_then(Option::as_ref);
    match PlayableGame::parts(record, default_variant).as_deref() {
        Ok([playable, later @ ..]) => {
            let first = playable.first();
            let fault = std::iter::once(playable).chain(later).find_map(PlayableGame::fault).map(ToString::to_string);
            let start = start_of(playable.played().game());
            let moves = moves_after(&start);
            let later = later.iter().map(|part| (part.first() - first, moves_after(&start_of(part.played().game()))));
            let later = later.collect();
            // Create a new board, which has no moves to redo.
            let fen = WrittenGame::from(start).fen();
            let board = WrittenGame::from_start(playable.variant(), Some(&fen));
            let board = PyBoard::from_game(board.unwrap_or_else(|_| WrittenGame::new(playable.variant())));
            PlayedRecord { board, moves, later, fault, is_guess, first, is_lost: false }
        }
        unplayable => {
            let variant = record.variant().ok().flatten().or(default_variant);
            let board = variant.and_then(|variant| WrittenGame::from_start(variant, fen).ok());
            let is_lost = board.is_none() || start.is_err();
            let error = unplayable.err().map(ToString::to_string);
            let fault = error.filter(|_| !record.moves.is_empty() || is_lost);
            let board = board.unwrap_or_else(|| WrittenGame::new(variant.unwrap_or(Variant::International)));
            PlayedRecord {
                board: PyBoard::from_game(board),
                moves: Vec::new(),
                later: Vec::new(),
                fault,
                is_guess: is_guess || is_lost,
                first: 0,
                is_lost,
            }
        }
    }
}

/// Returns a game record as text. Unless the variant was guessed, adds the tags for the variant and the start position,
/// and checks those that already exist.
#[pyfunction]
pub fn write_record(
    board: &PyBoard,
    is_guess: bool,
    tags: Vec<(String, String)>,
    comment: Option<String>,
    moves: Vec<MoveText>,
    result: &str,
) -> PyResult<String> {
    for (name, _) in &tags {
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(PyValueError::new_err(format!(
                "{name:?} is not a valid tag name: use only letters, digits and underscores"
            )));
        }
    }
    let moves = moves.into_iter().map(|mv| read_move(mv, 0)).collect::<PyResult<_>>()?;
    // A result such as 4-6 is not a `GameResult` and is kept only as text.
    let known = result.parse::<GameResult>();
    if known.is_err() && !(result.starts_with(|c: char| c.is_ascii_digit()) && result.contains('-')) {
        return Err(PyValueError::new_err(format!("{result:?} is not a game result such as 2-0, 1-1 or *")));
    }
    let (ending, result) = (Some(result.to_owned()), known.unwrap_or_default());
    let mut record = GameRecord { tags, comment, moves, result, ending, ..GameRecord::default() };
    if !is_guess {
        set_start(&mut record, &board.played()).map_err(PyValueError::new_err)?;
    }
    Ok(record.to_string())
}

/// Adds the tags for the variant and the start position. Fails if `record` already has different ones.
fn set_start(record: &mut GameRecord, start: &WrittenGame) -> Result<(), String> {
    let variant = start.variant();
    if let Some(other) = record.variant().map_err(|error| error.to_string())?.filter(|&other| other != variant) {
        return Err(format!("the tags name {other}, but the variant of the game is {variant}"));
    }
    record.set_variant(variant);
    let fen = record.start().map_err(|error| format!("FEN tag: {error}"))?;
    let tagged = WrittenGame::from_start(variant, fen.as_ref()).map_err(|error| format!("FEN tag: {error}"))?;
    if is_same_position(&tagged, start) {
        return Ok(());
    }
    if fen.is_some() {
        return Err(format!("the FEN tag does not match the position in which the game begins: {}", start.fen()));
    }
    record.set_tag("FEN", start.fen().to_string());
    Ok(())
}

/// Returns the commands in a comment by name, and the remaining text as ``text``.
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
            CommentPart::Command(Command::Evaluation(WhiteScore::Cp(cp))) => {
                read.set_item("eval", (Some(f64::from(cp) / 100.0), None::<(bool, u16)>))?;
            }
            CommentPart::Command(Command::Evaluation(score)) => {
                let won = score.winner().map(|(winner, moves)| (winner == Color::White, moves));
                read.set_item("eval", (None::<f64>, won))?;
            }
            CommentPart::Command(Command::Marks(_)) => {}
        }
    }
    read.set_item("text", words.join(" "))?;
    Ok(read)
}
