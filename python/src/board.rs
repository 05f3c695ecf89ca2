//! A board: a game of any variant, with its moves.

use crate::error::{EngineError, FenError, IllegalMoveError, InvalidMoveError};
use crate::given::{self, Named, integer, shown, text, whole, wrong_type};
use crate::moves::{Given, Move, line_of, move_of, moves_of};
use crate::svg;
use crate::wait::interruptible;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use soffio::game::{Game, Move as EngineMove};
use soffio::notation::pdn::{GameResult, PdnMove};
use soffio::notation::{FenRecord, MoveRecord, WrittenGame, printable};
use soffio::position::{CaptureOrder, Piece, Setup, Status, with_width};
use soffio::rules::{Color, Variant};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The result of a game, and its reason.
///
/// ``score`` is ``1-0``, ``0-1``, ``1/2-1/2`` or ``*``, with the side that begins first, as game records have it; ``winner`` is
/// ``WHITE``, ``BLACK`` or ``None``; ``reason`` says how it ended, ``None`` in a game that goes on.
#[pyclass(frozen, get_all, eq, hash, module = "soffio", name = "Result")]
#[derive(Clone, Hash, PartialEq)]
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

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PickledEnd)> {
        let restore = py.import("soffio._native")?.getattr("restore_result")?;
        Ok((restore, (self.score.clone(), self.winner, self.reason.clone())))
    }
}

/// Score, winner and reason of a pickled result.
type PickledEnd = (String, Option<bool>, Option<String>);

/// The result of a pickled one.
#[pyfunction]
pub fn restore_result(score: String, winner: Option<bool>, reason: Option<String>) -> GameEnd {
    GameEnd { score, winner, reason }
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
#[pyclass(frozen, module = "soffio", name = "Board")]
pub struct Board {
    /// Shared with work on the board that goes on while moves are played: the next move changes a copy then. The lock is never held while
    /// Python runs.
    game: Mutex<Arc<WrittenGame>>,
}

impl Board {
    /// A board with this game.
    pub fn of(game: WrittenGame) -> Self {
        Self { game: Mutex::new(Arc::new(game)) }
    }

    /// The game that is played on it, with its start and its moves as they were written, as it is now.
    pub fn played(&self) -> Arc<WrittenGame> {
        Arc::clone(&self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Arc<WrittenGame>> {
        self.game.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The legal move of `game` that `text` means.
fn meant(game: &WrittenGame, text: &str) -> PyResult<EngineMove> {
    let invalid = |error| InvalidMoveError::new_err(format!("move {}: {error}", printable(text.chars())));
    let record: MoveRecord = PdnMove::new(text.trim()).record().map_err(invalid)?;
    let meant = game.meant(&[record]).map_err(|error| IllegalMoveError::new_err(error.to_string()))?;
    meant.first().copied().ok_or_else(|| IllegalMoveError::new_err("no move"))
}

/// The legal move of `game` that is `given`.
fn legal_given(game: &WrittenGame, given: &Given<'_>) -> PyResult<EngineMove> {
    let (mv, text) = match given {
        Given::Text(text) => {
            let text = text.to_str()?;
            (meant(game, text)?, text.to_owned())
        }
        Given::Move(mv) => {
            let mv = mv.get();
            let text = mv.written(mv.variant().spec());
            if mv.variant() != game.variant() {
                let text = format!("move {text}: it is a move of {}, not of {}", mv.variant(), game.variant());
                return Err(IllegalMoveError::new_err(text));
            }
            (mv.inner(), text)
        }
    };
    if is_legal(game.game(), mv) {
        return Ok(mv);
    }
    if let Given::Move(_) = given {
        // The reason is that of the text.
        meant(game, &text)?;
    }
    Err(IllegalMoveError::new_err(format!("move {text}: it is not legal here")))
}

fn is_legal(game: &Game, mv: EngineMove) -> bool {
    with_width!(game.history(), history => history.position().legal_moves().contains(&mv.narrowed()))
}

fn last(game: &Game) -> PyResult<EngineMove> {
    game.last_move().ok_or_else(|| PyIndexError::new_err("no move has been played on this board"))
}

/// The start of `game`, from where its moves can be played again.
pub fn start_of(game: &Game) -> Game {
    let mut game = game.clone();
    (0..game.undoable()).for_each(|_| game.undo());
    game
}

/// The moves that can be played again from `start` on.
pub fn moves_after(start: &Game) -> Vec<Move> {
    let mut game = start.clone();
    let mut line = Vec::with_capacity(game.redoable());
    while game.redoable() > 0 {
        game.redo();
        line.extend(game.last_move());
    }
    line_of(start, &line)
}

fn pieces_by_number(game: &WrittenGame) -> impl Iterator<Item = (u8, Piece)> {
    let spec = game.variant().spec();
    let mut pieces: Vec<_> =
        game.game().setup().pieces.into_iter().map(|(square, piece)| (spec.number(square).get(), piece)).collect();
    pieces.sort_by_key(|&(number, _)| number);
    pieces.into_iter()
}

/// Variant, FEN of the start, and moves of a pickled board.
type Restored = (&'static str, String, Vec<String>);

/// The deepest count of move sequences, as in the protocol.
const MOST_PLIES: u8 = 99;

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (variant = Named(Variant::International), fen = None), text_signature = "(variant='international', fen=None)")]
    fn new(variant: Named, fen: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Named(variant) = variant;
        match fen {
            Some(fen) => begun(variant, text("fen", fen)?).map(Self::of),
            None => Ok(Self::of(WrittenGame::new(variant))),
        }
    }

    /// The name of the variant.
    #[getter]
    fn variant(&self) -> &'static str {
        self.played().variant().name()
    }

    /// The side to move: ``WHITE`` (``True``) or ``BLACK`` (``False``).
    #[getter]
    fn turn(&self) -> bool {
        self.played().side() == Color::White
    }

    /// The legal moves as a new list. Captures that take the same pieces by another way are one move.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        with_width!(self.played().game().history(), history => moves_of(py, history.position()))
    }

    /// The moves that were played, the first one first.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        moves_after(&start_of(self.played().game()))
    }

    /// The legal move that a text means, in any notation that this variant is written in.
    ///
    /// Raises ``InvalidMoveError`` for a text that is no move, ``IllegalMoveError`` with the reason for one that is not legal.
    ///
    /// >>> import soffio
    /// >>> soffio.Board("russian").parse_move("c3-d4") == soffio.Board("russian").parse_move("22-18")
    /// True
    fn parse_move(&self, text: &Bound<'_, PyAny>) -> PyResult<Move> {
        let game = self.played();
        Ok(move_of(game.game(), meant(&game, given::text("move", text)?)?))
    }

    /// Plays a legal move, given as a move or as text, and returns it.
    ///
    /// Raises as ``parse_move`` does; then nothing has changed.
    fn push(&self, r#move: Given<'_>) -> PyResult<Move> {
        let mut game = self.lock();
        let mv = legal_given(&game, &r#move)?;
        let wrapped = move_of(game.game(), mv);
        Arc::make_mut(&mut game).play_found(mv);
        Ok(wrapped)
    }

    /// Takes back the last move and returns it. Raises ``IndexError`` if there is none.
    fn pop(&self) -> PyResult<Move> {
        let mut game = self.lock();
        let last = last(game.game())?;
        Arc::make_mut(&mut game).undo(1).map_err(|error| PyIndexError::new_err(error.to_string()))?;
        Ok(move_of(game.game(), last))
    }

    /// The last move. Raises ``IndexError`` if there is none.
    fn peek(&self) -> PyResult<Move> {
        let mut before = self.played().game().clone();
        let last = last(&before)?;
        before.undo();
        Ok(move_of(&before, last))
    }

    /// Returns whether a move is legal here.
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mv = r#move.cast::<Move>().map_err(|_| wrong_type("move", "a Move", r#move))?.get();
        let game = self.played();
        Ok(mv.variant() == game.variant() && is_legal(game.game(), mv.inner()))
    }

    /// Returns whether the side to move can capture.
    #[getter]
    fn can_capture(&self) -> bool {
        self.played().game().can_capture()
    }

    /// The result of the game with its reason, by the rules of the variant; ``*`` if it goes on.
    ///
    /// >>> import soffio
    /// >>> soffio.Board("english", "W:W32:B").result()
    /// <Result *>
    /// >>> soffio.Board("english", "B:W32:B").result().reason
    /// 'no piece left'
    fn result(&self) -> GameEnd {
        let game = self.played();
        let (result, winner, reason) = match game.status() {
            Status::Playing { .. } => (GameResult::Unknown, None, None),
            Status::Won { winner, reason } => {
                let result = GameResult::won_by(winner, game.variant());
                (result, Some(winner == Color::White), Some(reason.to_string()))
            }
            Status::Drawn(reason) => (GameResult::Draw, None, Some(reason.to_string())),
        };
        GameEnd { score: result.to_string(), winner, reason }
    }

    /// Returns whether the game is over: a side has won, or it is drawn.
    fn is_game_over(&self) -> bool {
        !matches!(self.played().status(), Status::Playing { .. })
    }

    /// Plies since the last capture or man's move.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        with_width!(self.played().game().history(), history => history.position().quiet_plies())
    }

    /// The number of the move to be played, from 1; it grows after both sides have moved.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.played().game().setup().move_number
    }

    /// Moves that each side can still make before a rule that counts moves draws the game; ``None`` if no such rule counts.
    #[getter]
    fn countdown(&self) -> Option<u16> {
        match self.played().status() {
            Status::Playing { countdown } => countdown,
            _ => None,
        }
    }

    /// How often the position has occurred, now included.
    #[getter]
    fn repetitions(&self) -> usize {
        with_width!(self.played().game().history(), history => {
            history.repeatable_keys().iter().filter(|&&key| key == history.position().key()).count()
        })
    }

    /// Plies that were played on this board.
    fn ply(&self) -> usize {
        self.played().game().undoable()
    }

    /// A 64-bit hash of the pieces and the side to move: the same in every run, and equal for equal positions.
    #[getter]
    fn key(&self) -> u64 {
        self.played().game().key()
    }

    /// The position as FEN of Portable Draughts Notation.
    fn fen(&self) -> String {
        self.played().fen().to_string()
    }

    /// Sets up a position; the moves played are forgotten. Raises ``FenError``; then nothing has changed.
    fn set_fen(&self, fen: &Bound<'_, PyAny>) -> PyResult<()> {
        let game = begun(self.played().variant(), text("fen", fen)?)?;
        *self.lock() = Arc::new(game);
        Ok(())
    }

    /// The position as the Hub protocol writes it.
    fn hub(&self) -> String {
        self.played().hub_position()
    }

    /// The piece on a square, given by number or name: ``w`` or ``b`` for a man, ``W`` or ``B`` for a king, or ``None``.
    fn piece_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<char>> {
        let game = self.played();
        let wanted = square_number(game.variant(), square)?;
        Ok(pieces_by_number(&game).find(|&(number, _)| number == wanted).map(|(_, piece)| piece.letter()))
    }

    /// The pieces by the number of their square, as ``piece_at`` has them.
    fn piece_map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let map = PyDict::new(py);
        for (number, piece) in pieces_by_number(&self.played()) {
            map.set_item(number, piece.letter())?;
        }
        Ok(map)
    }

    /// Number of sequences of ``depth`` legal moves; captures of the same pieces by several ways count once. Ctrl-C ends it.
    ///
    /// >>> import soffio
    /// >>> soffio.Board("international").perft(6)
    /// 167140
    fn perft(&self, py: Python<'_>, depth: &Bound<'_, PyAny>) -> PyResult<u64> {
        let (game, depth) = (self.played().game().clone(), whole("depth", depth, 0..=MOST_PLIES)?);
        let count = interruptible(py, move |stop| game.perft(depth, CaptureOrder::Merged, &|| stop.is_stopped()))?;
        count.map_err(|error| EngineError::new_err(error.to_string()))
    }

    /// The legal moves, each with the number of sequences of ``depth`` moves that begin with it.
    fn divide<'py>(&self, py: Python<'py>, depth: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let (game, depth) = (self.played().game().clone(), whole("depth", depth, 1..=MOST_PLIES)?);
        let counted = game.clone();
        let counts = interruptible(py, move |stop| counted.divide(depth, CaptureOrder::Merged, &|| stop.is_stopped()))?;
        let counts = counts.map_err(|error| EngineError::new_err(error.to_string()))?;
        let divided = PyDict::new(py);
        for (mv, count) in counts {
            divided.set_item(Py::new(py, move_of(&game, mv))?, count)?;
        }
        Ok(divided)
    }

    /// The board drawn in text, White at the bottom.
    fn ascii(&self) -> String {
        self.played().drawing()
    }

    /// The board as an SVG image, ``size`` pixels wide, the squares of the last move marked; with ``flipped`` Black is at the bottom.
    #[pyo3(signature = (size = None, flipped = false), text_signature = "($self, size=360, flipped=False)")]
    fn svg(&self, size: Option<&Bound<'_, PyAny>>, flipped: bool) -> PyResult<String> {
        let size = size.map_or(Ok(360), |size| whole("size", size, 1..=u32::MAX))?;
        Ok(self.drawn(size, flipped))
    }

    fn _repr_svg_(&self) -> String {
        self.drawn(360, false)
    }

    /// A board of its own with the same position and moves.
    #[pyo3(signature = (_memo = None), text_signature = "($self)")]
    fn copy(&self, _memo: Option<&Bound<'_, PyAny>>) -> Self {
        Self { game: Mutex::new(self.played()) }
    }

    fn __repr__(&self) -> String {
        format!("Board('{}', '{}')", self.variant(), self.fen())
    }

    /// Returns whether variant, pieces, side to move and draw counters are the same, whatever was played before.
    fn __eq__(&self, other: &Self) -> bool {
        is_same_position(&self.played(), &other.played())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.variant(), self.key()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Restored)> {
        let game = self.played();
        let hub = crate::rules::in_notation(game.variant(), Some("hub"))?;
        let start = start_of(game.game());
        let moves = moves_after(&start).iter().map(|mv| mv.written(&hub)).collect();
        let restore = py.import("soffio._native")?.getattr("restore_board")?;
        Ok((restore, (game.variant().name(), WrittenGame::from(start).fen().to_string(), moves)))
    }
}

impl Board {
    fn drawn(&self, size: u32, flipped: bool) -> String {
        let game = self.played();
        let marked: Vec<_> = game.game().last_move().map(|mv| [mv.from, mv.to]).into_iter().flatten().collect();
        svg::draw(game.spec(), &game.game().setup(), &marked, size, flipped)
    }
}

/// Returns whether variant, pieces, side to move and draw counters are the same.
pub fn is_same_position(one: &WrittenGame, other: &WrittenGame) -> bool {
    let position = |game: &WrittenGame| Setup { move_number: 1, ..game.game().setup() };
    one.variant() == other.variant() && one.game().key() == other.game().key() && position(one) == position(other)
}

/// The number of the square that is `given` by its number or its name on the board of `variant`.
fn square_number(variant: Variant, given: &Bound<'_, PyAny>) -> PyResult<u8> {
    let number;
    let text = match given.cast::<PyString>() {
        Ok(name) => name.to_str()?,
        Err(_) => {
            number = shown(integer("square", given)?.as_any());
            number.as_str()
        }
    };
    let unknown =
        || PyValueError::new_err(format!("the board of {variant} has no square '{}'", printable(text.chars())));
    // A piece of a FEN is written as the square that it stands on.
    let record: FenRecord = format!("W:W{text}:B").parse().map_err(|_| unknown())?;
    let [piece] = record.white.as_slice() else { return Err(unknown()) };
    let square = piece.square.resolve(variant.spec()).map_err(|_| unknown())?;
    let is_square_alone = !piece.king && text.chars().all(char::is_alphanumeric);
    if is_square_alone { Ok(variant.spec().number(square).get()) } else { Err(unknown()) }
}

fn refused(fen: &str, error: &dyn std::fmt::Display) -> PyErr {
    FenError::new_err(format!("fen '{}': {error}", printable(fen.chars())))
}

/// The game of `variant` that begins at `fen`.
fn begun(variant: Variant, fen: &str) -> PyResult<WrittenGame> {
    let record: FenRecord = fen.parse().map_err(|error| refused(fen, &error))?;
    WrittenGame::at(variant, Some(&record)).map_err(|error| refused(fen, &error))
}

/// A board after the moves that are given in the Hub notation, for pickled ones.
#[pyfunction]
pub fn restore_board(variant: Named, fen: &str, moves: Vec<String>) -> PyResult<Board> {
    let mut game = begun(variant.0, fen)?;
    for text in &moves {
        let mv = meant(&game, text)?;
        game.play_found(mv);
    }
    Ok(Board::of(game))
}
