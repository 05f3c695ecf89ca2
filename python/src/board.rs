//! A board: a game of any variant, with its moves.

use crate::error::{EngineError, FenError, IllegalMoveError, InvalidMoveError};
use crate::moves::{Move, line_of, move_of, moves_of};
use crate::rules::variant;
use crate::svg;
use crate::wait::interruptible;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use soffio::game::{Game, Move as EngineMove};
use soffio::notation::pdn::{GameResult, PdnMove};
use soffio::notation::{FenRecord, MoveRecord, WrittenGame, printable};
use soffio::position::{CaptureOrder, Piece, Status, with_width};
use soffio::rules::{Color, Variant};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The result of a game, and its reason.
///
/// ``score`` is ``1-0``, ``0-1``, ``1/2-1/2`` or ``*``, with the side that begins first, as game records have it; ``winner`` is
/// ``WHITE``, ``BLACK`` or ``None``; ``reason`` says how it ended, ``None`` in a game that goes on.
#[pyclass(frozen, get_all, eq, module = "soffio", name = "Result")]
#[derive(Clone, PartialEq)]
pub struct GameEnd {
    score: String,
    winner: Option<bool>,
    reason: Option<String>,
}

#[pymethods]
impl GameEnd {
    fn __str__(&self) -> &str {
        &self.score
    }

    fn __repr__(&self) -> String {
        match &self.reason {
            Some(reason) => format!("<Result {}: {reason}>", self.score),
            None => format!("<Result {}>", self.score),
        }
    }
}

/// A board of any variant with the moves that were played on it.
///
/// >>> import soffio
/// >>> board = soffio.Board("english")
/// >>> sorted(str(move) for move in board.legal_moves)
/// ['10-14', '10-15', '11-15', '11-16', '12-16', '9-13', '9-14']
/// >>> board.push("11-15")
/// <Move 11-15 (english)>
/// >>> board.fen()
/// 'W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15'
#[pyclass(module = "soffio", name = "Board")]
#[derive(Clone)]
pub struct Board {
    game: WrittenGame,
}

impl Board {
    /// A board with this game.
    pub fn of(game: WrittenGame) -> Self {
        Self { game }
    }

    /// The game that is played on it.
    pub fn game(&self) -> &Game {
        self.game.game()
    }

    /// The same with its start and its moves as they were written.
    pub fn written(&self) -> &WrittenGame {
        &self.game
    }

    fn meant(&self, text: &str) -> PyResult<EngineMove> {
        let record = self.record(text)?;
        let meant = self.game.meant(&[record]).map_err(|error| IllegalMoveError::new_err(error.to_string()))?;
        meant.first().copied().ok_or_else(|| IllegalMoveError::new_err("no move"))
    }

    fn record(&self, text: &str) -> PyResult<MoveRecord> {
        let invalid = |error| InvalidMoveError::new_err(format!("move {}: {error}", printable(text.chars())));
        PdnMove::new(text.trim()).record().map_err(invalid)
    }

    fn start(&self) -> Game {
        let mut game = self.game().clone();
        (0..game.undoable()).for_each(|_| game.undo());
        game
    }
}

/// Variant, FEN of the start, and moves of a pickled board.
type Restored = (String, String, Vec<String>);

/// A move, or its text.
#[derive(FromPyObject)]
pub enum Given<'py> {
    Move(PyRef<'py, Move>),
    Text(String),
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (variant = "international", fen = None))]
    fn new(variant: &str, fen: Option<&str>) -> PyResult<Self> {
        let start = |fen: &str| fen.parse::<FenRecord>().map_err(|error| refused(fen, &error));
        let variant = self::variant(variant)?;
        let record = fen.map(start).transpose()?;
        let game = WrittenGame::at(variant, record.as_ref());
        Ok(Self { game: game.map_err(|error| refused(fen.unwrap_or_default(), &error))? })
    }

    /// The name of the variant.
    #[getter]
    fn variant(&self) -> &'static str {
        self.game.variant().name()
    }

    /// The side to move: ``WHITE`` (``True``) or ``BLACK`` (``False``).
    #[getter]
    fn turn(&self) -> bool {
        self.game.side() == Color::White
    }

    /// The legal moves as a new list. Captures that take the same pieces by another way are one move.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        with_width!(self.game().history(), history => moves_of(py, history.position()))
    }

    /// The moves that were played, the first one first.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        let mut start = self.start();
        let mut line = Vec::with_capacity(start.redoable());
        while start.redoable() > 0 {
            start.redo();
            line.extend(start.last_move());
        }
        line_of(&self.start(), &line)
    }

    /// The legal move that a text means, in any notation that this variant is written in.
    ///
    /// Raises ``InvalidMoveError`` for a text that is no move, ``IllegalMoveError`` with the reason for one that is not legal.
    ///
    /// >>> import soffio
    /// >>> soffio.Board("russian").parse_move("c3-d4") == soffio.Board("russian").parse_move("22-18")
    /// True
    fn parse_move(&self, text: &str) -> PyResult<Move> {
        Ok(move_of(self.game(), self.meant(text)?))
    }

    /// Plays a legal move, given as a move or as text, and returns it.
    ///
    /// Raises as ``parse_move`` does; then nothing has changed.
    fn push(&mut self, r#move: Given<'_>) -> PyResult<Move> {
        let mv = match &r#move {
            Given::Move(mv) if mv.variant() != self.game.variant() => {
                let text = format!(
                    "move {}: it is a move of {}, not of {}",
                    mv.written(mv.variant().spec()),
                    mv.variant(),
                    self.game.variant()
                );
                return Err(IllegalMoveError::new_err(text));
            }
            Given::Move(mv) => mv.inner(),
            Given::Text(text) => self.meant(text)?,
        };
        let before = self.legal(mv);
        match (before, &r#move) {
            (true, _) => {}
            // The reason is that of the text.
            (false, Given::Move(mv)) => {
                let text = mv.written(mv.variant().spec());
                self.meant(&text)?;
                return Err(IllegalMoveError::new_err(format!("move {text}: it is not legal here")));
            }
            (false, Given::Text(text)) => {
                return Err(IllegalMoveError::new_err(format!("move {text}: it is not legal here")));
            }
        }
        let wrapped = move_of(self.game(), mv);
        self.game.play_found(mv);
        Ok(wrapped)
    }

    /// Takes back the last move and returns it. Raises ``IndexError`` if there is none.
    fn pop(&mut self) -> PyResult<Move> {
        let last = self.last()?;
        self.game.undo(1).map_err(|error| PyIndexError::new_err(error.to_string()))?;
        Ok(move_of(self.game(), last))
    }

    /// The last move. Raises ``IndexError`` if there is none.
    fn peek(&self) -> PyResult<Move> {
        let last = self.last()?;
        let mut before = self.game().clone();
        before.undo();
        Ok(move_of(&before, last))
    }

    /// Returns whether a move is legal here.
    fn is_legal(&self, r#move: &Move) -> bool {
        r#move.variant() == self.game.variant() && self.legal(r#move.inner())
    }

    /// Returns whether the side to move can capture.
    #[getter]
    fn can_capture(&self) -> bool {
        self.game().can_capture()
    }

    /// The result of the game with its reason, by the rules of the variant; ``*`` if it goes on.
    ///
    /// >>> import soffio
    /// >>> soffio.Board("english", "W:W32:B").result()
    /// <Result *>
    /// >>> soffio.Board("english", "B:W32:B").result().reason
    /// 'no piece left'
    fn result(&self) -> GameEnd {
        let (result, winner, reason) = match self.game.status() {
            Status::Playing { .. } => (GameResult::Unknown, None, None),
            Status::Won { winner, reason } => {
                let result = GameResult::won_by(winner, self.game.variant());
                (result, Some(winner == Color::White), Some(reason.to_string()))
            }
            Status::Drawn(reason) => (GameResult::Draw, None, Some(reason.to_string())),
        };
        GameEnd { score: result.to_string(), winner, reason }
    }

    /// Returns whether the game is over: a side has won, or it is drawn.
    fn is_game_over(&self) -> bool {
        !matches!(self.game.status(), Status::Playing { .. })
    }

    /// Plies since the last capture or man's move.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        with_width!(self.game().history(), history => history.position().quiet_plies())
    }

    /// The number of the move to be played, from 1; it grows after both sides have moved.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.game().setup().move_number
    }

    /// Moves that each side can still make before a rule that counts moves draws the game; ``None`` if no such rule counts.
    #[getter]
    fn countdown(&self) -> Option<u16> {
        match self.game.status() {
            Status::Playing { countdown } => countdown,
            _ => None,
        }
    }

    /// How often the position has occurred, now included.
    #[getter]
    fn repetitions(&self) -> usize {
        with_width!(self.game().history(), history => {
            history.repeatable_keys().iter().filter(|&&key| key == history.position().key()).count()
        })
    }

    /// Plies that were played on this board.
    fn ply(&self) -> usize {
        self.game().undoable()
    }

    /// A 64-bit hash of the pieces and the side to move: the same in every run, and equal for equal positions.
    #[getter]
    fn key(&self) -> u64 {
        self.game().key()
    }

    /// The position as FEN of Portable Draughts Notation.
    fn fen(&self) -> String {
        self.game.fen().to_string()
    }

    /// Sets up a position; the moves played are forgotten. Raises ``FenError``; then nothing has changed.
    fn set_fen(&mut self, fen: &str) -> PyResult<()> {
        *self = Self::new(self.variant(), Some(fen))?;
        Ok(())
    }

    /// The position as the Hub protocol writes it.
    fn hub(&self) -> String {
        self.game.hub_position()
    }

    /// The piece on a square, given by number or name: ``w`` or ``b`` for a man, ``W`` or ``B`` for a king, or ``None``.
    fn piece_at(&self, square: SquareGiven) -> PyResult<Option<char>> {
        let wanted = square.number(self.game.variant())?;
        Ok(self.pieces_by_number().find(|&(number, _)| number == wanted).map(|(_, piece)| piece.letter()))
    }

    /// The pieces by the number of their square, as ``piece_at`` has them.
    fn piece_map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let map = PyDict::new(py);
        for (number, piece) in self.pieces_by_number() {
            map.set_item(number, piece.letter())?;
        }
        Ok(map)
    }

    /// Number of sequences of ``depth`` legal moves; captures of the same pieces by several ways count once. Ctrl-C ends it.
    ///
    /// >>> import soffio
    /// >>> soffio.Board("international").perft(6)
    /// 167140
    fn perft(&self, py: Python<'_>, depth: u8) -> PyResult<u64> {
        let game = self.game().clone();
        let count = interruptible(py, move |stop| game.perft(depth, CaptureOrder::Merged, &|| stop.is_stopped()))?;
        count.map_err(|error| EngineError::new_err(error.to_string()))
    }

    /// The legal moves, each with the number of sequences of ``depth`` moves that begin with it.
    fn divide<'py>(&self, py: Python<'py>, depth: u8) -> PyResult<Bound<'py, PyDict>> {
        if depth == 0 {
            return Err(PyValueError::new_err("divide: the depth must be at least 1, not 0"));
        }
        let game = self.game().clone();
        let counts = interruptible(py, move |stop| game.divide(depth, CaptureOrder::Merged, &|| stop.is_stopped()))?;
        let counts = counts.map_err(|error| EngineError::new_err(error.to_string()))?;
        let divided = PyDict::new(py);
        for (mv, count) in counts {
            divided.set_item(Py::new(py, move_of(self.game(), mv))?, count)?;
        }
        Ok(divided)
    }

    /// The board drawn in text, White at the bottom.
    fn ascii(&self) -> String {
        self.game.drawing()
    }

    /// The board as an SVG image, ``size`` pixels wide, the squares of the last move marked; with ``flipped`` Black is at the bottom.
    #[pyo3(signature = (size = 360, flipped = false))]
    fn svg(&self, size: u32, flipped: bool) -> String {
        let marked: Vec<_> = self.game().last_move().map(|mv| [mv.from, mv.to]).into_iter().flatten().collect();
        svg::draw(self.game.spec(), &self.game().setup(), &marked, size, flipped)
    }

    fn _repr_svg_(&self) -> String {
        self.svg(360, false)
    }

    /// A board of its own with the same position and moves.
    #[pyo3(signature = (_memo = None), text_signature = "($self)")]
    fn copy(&self, _memo: Option<&Bound<'_, PyAny>>) -> Self {
        self.clone()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}', '{}')", self.variant(), self.fen())
    }

    /// Returns whether variant, pieces, side to move and draw counters are the same, whatever was played before.
    fn __eq__(&self, other: &Self) -> bool {
        let position = |board: &Self| soffio::position::Setup { move_number: 1, ..board.game().setup() };
        self.game.variant() == other.game.variant() && self.key() == other.key() && position(self) == position(other)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.variant(), self.key()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Restored)> {
        let board = slf.borrow();
        let hub = crate::rules::in_notation(board.game.variant(), Some("hub"))?;
        let start = WrittenGame::from(board.start()).fen().to_string();
        let moves = board.move_stack().iter().map(|mv| mv.written(&hub)).collect();
        let restore = slf.py().import("soffio._native")?.getattr("restore_board")?;
        Ok((restore, (board.variant().to_owned(), start, moves)))
    }
}

impl Board {
    fn legal(&self, mv: EngineMove) -> bool {
        with_width!(self.game().history(), history => history.position().legal_moves().contains(&mv.narrowed()))
    }

    fn last(&self) -> PyResult<EngineMove> {
        self.game().last_move().ok_or_else(|| PyIndexError::new_err("no move has been played on this board"))
    }

    fn pieces_by_number(&self) -> impl Iterator<Item = (u8, Piece)> {
        let spec = self.game.variant().spec();
        let mut pieces: Vec<_> =
            self.game().setup().pieces.into_iter().map(|(square, piece)| (spec.number(square).get(), piece)).collect();
        pieces.sort_by_key(|&(number, _)| number);
        pieces.into_iter()
    }
}

/// A square by its number or its name.
#[derive(FromPyObject)]
pub enum SquareGiven {
    Number(u8),
    Name(String),
}

impl SquareGiven {
    /// The number of the square on the board of `variant`.
    fn number(&self, variant: Variant) -> PyResult<u8> {
        let spec = variant.spec();
        let text = match self {
            Self::Number(number) => number.to_string(),
            Self::Name(name) => name.clone(),
        };
        let unknown =
            || PyValueError::new_err(format!("the board of {variant} has no square '{}'", printable(text.chars())));
        // A piece of a FEN is written as the square that it stands on.
        let record: FenRecord = format!("W:W{text}:B").parse().map_err(|_| unknown())?;
        let [piece] = record.white.as_slice() else { return Err(unknown()) };
        let square = piece.square.resolve(spec).map_err(|_| unknown())?;
        Ok(spec.number(square).get())
    }
}

fn refused(fen: &str, error: &dyn std::fmt::Display) -> PyErr {
    FenError::new_err(format!("fen '{}': {error}", printable(fen.chars())))
}

/// A board after the moves that are given in the Hub notation, for pickled ones.
#[pyfunction]
pub fn restore_board(variant: &str, fen: &str, moves: Vec<String>) -> PyResult<Board> {
    let mut board = Board::new(variant, Some(fen))?;
    for text in &moves {
        let mv = board.meant(text)?;
        board.game.play_found(mv);
    }
    Ok(board)
}
