use crate::convert::{
    self, EngineError, FenError, IllegalMoveError, InvalidMoveError, VariantName, integer, shown, text, to_py_err,
    whole, wrong_type,
};
use crate::moves::{MoveArgument, PyMove, line_of, move_of, moves_of};
use crate::wait::interruptible;
use parking_lot::Mutex;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use soffio::board::Square;
use soffio::game::{Game, Move};
use soffio::notation::pdn::{GameResult, PdnMove};
use soffio::notation::{FenRecord, MoveRecord, WrittenGame, printable};
use soffio::position::{CaptureOrder, Piece, Setup, Status, with_width};
use soffio::rules::{Color, RuleSet, Variant};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// A board of any variant, with the moves played on it.
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
pub struct PyBoard {
    /// The game, which is shared with running searches. A move that is played during a search changes a copy of the
    /// game. The lock is never held while Python code runs.
    game: Mutex<Arc<WrittenGame>>,
}

impl PyBoard {
    pub fn from_game(game: WrittenGame) -> Self {
        Self { game: Mutex::new(Arc::new(game)) }
    }

    pub fn played(&self) -> Arc<WrittenGame> {
        Arc::clone(&self.game.lock())
    }
}

fn resolve_move(game: &WrittenGame, text: &str) -> PyResult<Move> {
    let invalid = |error| InvalidMoveError::new_err(format!("move {}: {error}", printable(text.chars())));
    let record: MoveRecord = PdnMove::new(text.trim()).record().map_err(invalid)?;
    let moves = game.resolve(&[record]).map_err(to_py_err::<IllegalMoveError>)?;
    moves.first().copied().ok_or_else(|| IllegalMoveError::new_err("no move"))
}

fn legal_given(game: &WrittenGame, given: &MoveArgument<'_>) -> PyResult<Move> {
    let (mv, text) = match given {
        MoveArgument::Text(text) => {
            let text = text.to_str()?;
            (resolve_move(game, text)?, text.to_owned())
        }
        MoveArgument::Move(mv) => {
            let mv = mv.get();
            let text = mv.written(mv.variant.spec());
            if mv.variant != game.variant() {
                let text =
                    format!("move {text}: the move is for {}, but the board is for {}", mv.variant, game.variant());
                return Err(IllegalMoveError::new_err(text));
            }
            (mv.inner(), text)
        }
    };
    if is_legal(game.game(), mv) {
        return Ok(mv);
    }
    if let MoveArgument::Move(_) = given {
        // If the text of the move is illegal too, the parser's error states the reason.
        resolve_move(game, &text)?;
    }
    Err(IllegalMoveError::new_err(format!("move {text}: not legal in this position")))
}

fn is_legal(game: &Game, mv: Move) -> bool {
    with_width!(game.history(), history => history.position().legal_moves().contains(&mv.narrowed()))
}

fn last(game: &Game) -> PyResult<Move> {
    game.last_move().ok_or_else(|| PyIndexError::new_err("no move has been played on this board"))
}

pub fn start_of(game: &Game) -> Game {
    let mut game = game.clone();
    (0..game.ply()).for_each(|_| game.undo());
    game
}

pub fn moves_after(start: &Game) -> Vec<PyMove> {
    let mut game = start.clone();
    let mut line = Vec::with_capacity(game.redo_count());
    while game.redo_count() > 0 {
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

/// A pickled board, which consists of the variant, the FEN of the start position, and the moves in Hub notation.
type PickledBoard = (&'static str, String, Vec<String>);

const MAX_PLIES: u8 = 99;

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (variant = VariantName(Variant::International), fen = None), text_signature = "(variant='international', fen=None)")]
    fn new(variant: VariantName, fen: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        match fen {
            Some(fen) => begun(*variant, text("fen", fen)?).map(Self::from_game),
            None => Ok(Self::from_game(WrittenGame::new(*variant))),
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

    /// The legal moves as a new list. Captures of the same pieces on different paths count as one move.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        with_width!(self.played().game().history(), history => moves_of(py, history.position()))
    }

    /// The moves played, in order.
    #[getter]
    fn move_stack(&self) -> Vec<PyMove> {
        moves_after(&start_of(self.played().game()))
    }

    /// Parses a legal move, in any notation used for the variant.
    ///
    /// Raises ``InvalidMoveError`` if the text is not a move, and ``IllegalMoveError`` with the reason if the move is
    /// illegal.
    ///
    /// >>> import soffio
    /// >>> soffio.Board("russian").parse_move("c3-d4") == soffio.Board("russian").parse_move("22-18")
    /// True
    fn parse_move(&self, text: &Bound<'_, PyAny>) -> PyResult<PyMove> {
        let game = self.played();
        Ok(move_of(game.game(), resolve_move(&game, convert::text("move", text)?)?))
    }

    /// Plays a legal move, given as a move or as text, and returns it.
    ///
    /// Raises the same errors as ``parse_move``. The board is unchanged after an error.
    fn push(&self, r#move: MoveArgument<'_>) -> PyResult<PyMove> {
        let mut game = self.game.lock();
        let mv = legal_given(&game, &r#move)?;
        let wrapped = move_of(game.game(), mv);
        Arc::make_mut(&mut game).play_found(mv);
        Ok(wrapped)
    }

    /// Undoes the last move and returns it. Raises ``IndexError`` if no move has been played.
    fn pop(&self) -> PyResult<PyMove> {
        let mut game = self.game.lock();
        let last = last(game.game())?;
        Arc::make_mut(&mut game).undo(1).map_err(to_py_err::<PyIndexError>)?;
        Ok(move_of(game.game(), last))
    }

    /// Returns the last move. Raises ``IndexError`` if no move has been played.
    fn peek(&self) -> PyResult<PyMove> {
        let mut before = self.played().game().clone();
        let last = last(&before)?;
        before.undo();
        Ok(move_of(&before, last))
    }

    /// Returns whether a move is legal in the current position.
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mv = r#move.cast::<PyMove>().map_err(|_| wrong_type("move", "a Move", r#move))?.get();
        let game = self.played();
        Ok(mv.variant == game.variant() && is_legal(game.game(), mv.inner()))
    }

    /// Whether the side to move can capture.
    #[getter]
    fn can_capture(&self) -> bool {
        self.played().game().can_capture()
    }

    /// Returns the result of the game under the rules of the variant, with the reason. The result is ``*`` while the
    /// game is in progress.
    ///
    /// >>> import soffio
    /// >>> soffio.Board("english", "W:W32:B").result()
    /// <Result *>
    /// >>> soffio.Board("english", "B:W32:B").result().reason
    /// 'no piece left'
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let game = self.played();
        let (result, winner, reason) = match game.status() {
            Status::Playing { .. } => (GameResult::Unknown, None, None),
            Status::Won { winner, reason } => {
                let result = GameResult::won_by(winner, game.variant());
                (result, Some(winner == Color::White), Some(reason.to_string()))
            }
            Status::Drawn(reason) => (GameResult::Draw, None, Some(reason.to_string())),
        };
        py.import("soffio.score")?.getattr("Result")?.call1((result.to_string(), winner, reason))
    }

    /// Returns whether a side has won or the game is drawn.
    fn is_game_over(&self) -> bool {
        !matches!(self.played().status(), Status::Playing { .. })
    }

    /// Number of plies since the last capture or advance of a man.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        with_width!(self.played().game().history(), history => history.position().quiet_plies())
    }

    /// The number of the next move, starting at 1. It is incremented after both sides have moved.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.played().game().setup().move_number
    }

    /// Number of moves that each side can still make before a move-count rule ends the game in a draw, or ``None`` if
    /// no such rule applies.
    #[getter]
    fn countdown(&self) -> Option<u16> {
        match self.played().status() {
            Status::Playing { countdown } => countdown,
            _ => None,
        }
    }

    /// Number of times that the current position has occurred, including the current occurrence.
    #[getter]
    fn repetitions(&self) -> usize {
        with_width!(self.played().game().history(), history => {
            history.repeatable_keys().iter().filter(|&&key| key == history.position().key()).count()
        })
    }

    /// Returns the number of plies played on this board.
    fn ply(&self) -> usize {
        self.played().game().ply()
    }

    /// 64-bit hash of the pieces and the side to move. Equal positions have the same hash, which does not change
    /// between runs.
    #[getter]
    fn key(&self) -> u64 {
        self.played().game().key()
    }

    /// Returns the position as a PDN FEN.
    fn fen(&self) -> String {
        self.played().fen().to_string()
    }

    /// Sets up a position and clears the move stack. Raises ``FenError`` if the FEN is invalid; the board is then
    /// unchanged.
    fn set_fen(&self, fen: &Bound<'_, PyAny>) -> PyResult<()> {
        let game = begun(self.played().variant(), text("fen", fen)?)?;
        *self.game.lock() = Arc::new(game);
        Ok(())
    }

    /// Returns the position in Hub notation.
    fn hub(&self) -> String {
        self.played().hub_position()
    }

    /// Returns the piece on a square, given by number or name: ``w`` or ``b`` for a man, ``W`` or ``B`` for a king, and
    /// ``None`` if the square is empty.
    fn piece_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<char>> {
        let game = self.played();
        let wanted = square_number(game.variant(), square)?;
        Ok(pieces_by_number(&game).find(|&(number, _)| number == wanted).map(|(_, piece)| piece.letter()))
    }

    /// Returns a dictionary that maps square numbers to pieces, with the same letters as in ``piece_at``.
    fn piece_map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let map = PyDict::new(py);
        for (number, piece) in pieces_by_number(&self.played()) {
            map.set_item(number, piece.letter())?;
        }
        Ok(map)
    }

    /// Counts the sequences of ``depth`` legal moves. Captures of the same pieces on different paths count as one move.
    /// Ctrl-C interrupts the count.
    ///
    /// >>> import soffio
    /// >>> soffio.Board("international").perft(6)
    /// 167140
    fn perft(&self, py: Python<'_>, depth: &Bound<'_, PyAny>) -> PyResult<u64> {
        let (game, depth) = (self.played().game().clone(), whole("depth", depth, 0..=MAX_PLIES)?);
        let count = interruptible(py, move |stop| game.perft(depth, CaptureOrder::Merged, &|| stop.is_stopped()))?;
        count.map_err(to_py_err::<EngineError>)
    }

    /// Returns the legal moves, each with the number of sequences of ``depth`` moves that start with it.
    fn divide<'py>(&self, py: Python<'py>, depth: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let (game, depth) = (self.played().game().clone(), whole("depth", depth, 1..=MAX_PLIES)?);
        let counted = game.clone();
        let counts = interruptible(py, move |stop| counted.divide(depth, CaptureOrder::Merged, &|| stop.is_stopped()))?;
        let counts = counts.map_err(to_py_err::<EngineError>)?;
        let divided = PyDict::new(py);
        for (mv, count) in counts {
            divided.set_item(Py::new(py, move_of(&game, mv))?, count)?;
        }
        Ok(divided)
    }

    /// Returns a drawing of the board as text, with White at the bottom.
    fn ascii(&self) -> String {
        self.played().drawing()
    }

    /// Returns an SVG image of the board, ``size`` pixels wide, in which the last move is marked. If ``flipped`` is
    /// true, Black is at the bottom.
    #[pyo3(signature = (size = None, flipped = false), text_signature = "($self, size=360, flipped=False)")]
    fn svg(&self, size: Option<&Bound<'_, PyAny>>, flipped: bool) -> PyResult<String> {
        let size = size.map_or(Ok(360), |size| whole("size", size, 1..=u32::MAX))?;
        let game = self.played();
        let marked: Vec<_> = game.game().last_move().map(|mv| [mv.from, mv.to]).into_iter().flatten().collect();
        Ok(draw_svg(game.spec(), &game.game().setup(), &marked, size, flipped))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None, false)
    }

    /// Returns an independent copy with the same position and moves.
    #[pyo3(signature = (_memo = None), text_signature = "($self)")]
    fn copy(&self, _memo: Option<&Bound<'_, PyAny>>) -> Self {
        Self { game: Mutex::new(self.played()) }
    }

    fn __repr__(&self) -> String {
        format!("Board('{}', '{}')", self.variant(), self.fen())
    }

    /// Compares the variant, the pieces, the side to move and the draw counters, but not the moves played.
    fn __eq__(&self, other: &Self) -> bool {
        is_same_position(&self.played(), &other.played())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.variant(), self.key()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PickledBoard)> {
        let game = self.played();
        let hub = crate::moves::in_notation(game.variant(), Some("hub"))?;
        let start = start_of(game.game());
        let moves = moves_after(&start).iter().map(|mv| mv.written(&hub)).collect();
        let restore = py.import("soffio._native")?.getattr("restore_board")?;
        Ok((restore, (game.variant().name(), WrittenGame::from(start).fen().to_string(), moves)))
    }
}

pub fn is_same_position(one: &WrittenGame, other: &WrittenGame) -> bool {
    let position = |game: &WrittenGame| Setup { move_number: 1, ..game.game().setup() };
    one.variant() == other.variant() && one.game().key() == other.game().key() && position(one) == position(other)
}

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
    // Parse the square as part of a FEN, in which pieces are named by their squares.
    let record: FenRecord = format!("W:W{text}:B").parse().map_err(|_| unknown())?;
    let [piece] = record.white.as_slice() else { return Err(unknown()) };
    let square = piece.square.resolve(variant.spec()).map_err(|_| unknown())?;
    let is_square_alone = !piece.king && text.chars().all(char::is_alphanumeric);
    if is_square_alone { Ok(variant.spec().number(square).get()) } else { Err(unknown()) }
}

fn fen_error(fen: &str, error: &dyn std::fmt::Display) -> PyErr {
    FenError::new_err(format!("fen '{}': {error}", printable(fen.chars())))
}

fn begun(variant: Variant, fen: &str) -> PyResult<WrittenGame> {
    let record: FenRecord = fen.parse().map_err(|error| fen_error(fen, &error))?;
    WrittenGame::from_start(variant, Some(&record)).map_err(|error| fen_error(fen, &error))
}

/// Restores a pickled board.
#[pyfunction]
pub fn restore_board(variant: VariantName, fen: &str, moves: Vec<String>) -> PyResult<PyBoard> {
    let mut game = begun(variant.0, fen)?;
    for text in &moves {
        let mv = resolve_move(&game, text)?;
        game.play_found(mv);
    }
    Ok(PyBoard::from_game(game))
}

/// Side length of a square in SVG units.
const SIDE: u32 = 40;

fn draw_svg(spec: &RuleSet, setup: &Setup, marked: &[Square], size: u32, flipped: bool) -> String {
    let (width, height) = (u32::from(spec.shape.width), u32::from(spec.shape.height));
    let place = |row: u8, column: u8| {
        let (row, column) = (u32::from(row), u32::from(column));
        if flipped { (width - 1 - column, height - 1 - row) } else { (column, row) }
    };
    let (right, bottom) = (width * SIDE, height * SIDE);
    let shown = u64::from(size) * u64::from(height) / u64::from(width);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {right} {bottom}\" width=\"{size}\" height=\"{shown}\">\
         <rect width=\"{right}\" height=\"{bottom}\" fill=\"#f0e0c0\"/>"
    );
    for square in spec.shape.all_squares() {
        let (row, column) = (spec.shape.row(square), spec.shape.column(square));
        let (x, y) = place(row, column);
        let is_light = spec.shape.is_full() && (row + column) % 2 == 0;
        let fill = if marked.contains(&square) {
            "#a9a23e"
        } else if is_light {
            "#d8b88c"
        } else {
            "#b07d4f"
        };
        let (left, top) = (x * SIDE, y * SIDE);
        let name = spec.square_name(square);
        let _ = write!(
            text,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"9\" font-family=\"sans-serif\" fill=\"#3a2a1a\">{name}</text>",
            left + 2,
            top + 10
        );
        if let Some(&piece) = setup.pieces.get(&square) {
            text += &svg_piece(piece, left + SIDE / 2, top + SIDE / 2);
        }
    }
    text + "</svg>"
}

fn svg_piece(piece: Piece, x: u32, y: u32) -> String {
    let (fill, line) = match piece.color {
        Color::White => ("#fffaf0", "#40301f"),
        Color::Black => ("#2b2320", "#d8c8b0"),
    };
    let mut text = format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"16\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"1.5\"/>\
         <circle cx=\"{x}\" cy=\"{y}\" r=\"11\" fill=\"none\" stroke=\"{line}\" stroke-width=\"1\"/>"
    );
    if piece.king {
        let points = [(-8, 6), (-8, -5), (-4, 0), (0, -7), (4, 0), (8, -5), (8, 6)];
        let points = points.map(|(right, down)| format!("{},{}", i64::from(x) + right, i64::from(y) + down));
        let _ = write!(text, "<polygon points=\"{}\" fill=\"#c9a227\" stroke=\"{line}\"/>", points.join(" "));
    }
    text
}
