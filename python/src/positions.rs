//! Converts positions to and from numpy arrays with eight words per row, and reads positions from training files.
//! `soffio.arrays` names the columns.

use crate::convert::{DataError, PositionsError, VariantName, WeightsError, at_path, check_file, text, to_py_err};
use crate::wait::interruptible;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray2, PyReadonlyArray4};
use parking_lot::Mutex;
use pyo3::prelude::*;
use soffio::board::{Bits, Square};
use soffio::eval::nnue::{GameKind, Inputs, Nnue, embedded, read_eval_file};
use soffio::notation::{FenRecord, printable};
use soffio::position::{GameRules, MoveList, Pieces, Position, Setup, any_rules, with_width};
use soffio::rules::{Color, RuleSet, Variant, Word};
use soffio_training::data::{DataFile, GameOutcome, PositionRecord, TrainingGame};
use std::path::PathBuf;

/// Number of words per position: two each for White's pieces, Black's pieces and the kings, one for the marks (see
/// [`row`]), and one for the game number.
const WORDS: usize = 8;

/// Number of positions to process between two checks for signals such as Ctrl-C.
const BLOCK: usize = 1 << 18;

type Row = [u64; WORDS];

/// Number of planes per position: White's men, White's kings, Black's men, Black's kings, and the side to move.
const PLANES: usize = 5;

fn row(position: &PositionRecord, result: i8, game: u64) -> Row {
    let [white, black, kings] =
        [position.white, position.black, position.kings].map(|set| [set as u64, (set >> 64) as u64]);
    let [ply_low, ply_high] = position.ply.to_le_bytes();
    let [score_low, score_high] = position.score.unwrap_or(0).to_le_bytes();
    let marks = [
        position.white_to_move.into(),
        position.quiet.into(),
        position.score.is_some().into(),
        result.to_le_bytes()[0],
        ply_low,
        ply_high,
        score_low,
        score_high,
    ];
    [white[0], white[1], black[0], black[1], kings[0], kings[1], u64::from_le_bytes(marks), game]
}

fn rows<'a>(array: &'a PyReadonlyArray2<'_, u64>) -> PyResult<&'a [Row]> {
    let words = array.as_slice().map_err(|_| PositionsError::new_err("positions must be a contiguous array"))?;
    match words.as_chunks() {
        (rows, []) => Ok(rows),
        _ => Err(PositionsError::new_err("each position must have eight 64-bit words")),
    }
}

fn array<'py, const N: usize>(py: Python<'py>, rows: Vec<[u64; N]>) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let count = rows.len();
    rows.into_flattened().into_pyarray(py).reshape([count, N])
}

#[derive(Clone, Copy)]
struct PieceSets {
    white: u128,
    black: u128,
    kings: u128,
    side: Color,
}

impl PieceSets {
    fn from_row(row: &Row) -> Self {
        let [w0, w1, b0, b1, k0, k1, marks, _] = *row;
        let set = |low: u64, high: u64| u128::from(low) | u128::from(high) << 64;
        let side = if marks & 0xff != 0 { Color::White } else { Color::Black };
        Self { white: set(w0, w1), black: set(b0, b1), kings: set(k0, k1), side }
    }

    fn record(self) -> PositionRecord {
        let Self { white, black, kings, side } = self;
        PositionRecord { white, black, kings, white_to_move: side == Color::White, quiet: false, ply: 0, score: None }
    }

    fn pieces<W: Bits>(self) -> Pieces<W> {
        Pieces { white: W::from_mask(self.white), black: W::from_mask(self.black), kings: W::from_mask(self.kings) }
    }
}

struct RowValidator {
    spec: &'static RuleSet,
    far_rows: [u128; 2],
}

impl RowValidator {
    fn for_variant(variant: Variant) -> Self {
        let spec = variant.spec();
        let far_row = |color| spec.shape.row_mask(spec.far_row(color));
        Self { spec, far_rows: [far_row(Color::White), far_row(Color::Black)] }
    }

    /// Checks that a row has at least one piece, that all pieces are on the board and on different squares, and that no
    /// man is on its promotion row. `index` is the index of the row for error messages.
    #[inline]
    fn placed(&self, index: usize, row: &Row) -> Result<PieceSets, RowFault> {
        let placed = PieceSets::from_row(row);
        let men = !placed.kings;
        let what = if !placed.record().fits(self.spec.shape) {
            "invalid bitboards: overlapping pieces, kings without a piece, or squares outside the board"
        } else if placed.white & men & self.far_rows[0] != 0 || placed.black & men & self.far_rows[1] != 0 {
            "a man stands on its promotion row"
        } else if placed.white | placed.black == 0 {
            "no pieces on the board"
        } else {
            return Ok(placed);
        };
        Err(RowFault { index, what })
    }

    fn each<T: Send>(
        &self,
        py: Python<'_>,
        rows: &[Row],
        mut of: impl FnMut(PieceSets) -> T + Send,
    ) -> PyResult<Vec<T>> {
        let mut made = Vec::with_capacity(rows.len());
        in_blocks(py, rows, |index, row| {
            made.push(of(self.placed(index, row)?));
            Ok::<_, RowFault>(())
        })?;
        Ok(made)
    }

    /// Returns `size` cells per position. `mark` passes the index of each cell that is 1 to the callback; all others
    /// are 0.
    fn cells<'py>(
        &self,
        py: Python<'py>,
        rows: &[Row],
        size: usize,
        mark: impl Fn(PieceSets, &mut dyn FnMut(usize)) + Send + Sync,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let mut cells = vec![0u8; rows.len() * size];
        let mut left = cells.chunks_exact_mut(size);
        self.each(py, rows, |placed| {
            let cells = left.next().unwrap_or_default();
            mark(placed, &mut |place| {
                if let Some(cell) = cells.get_mut(place) {
                    *cell = 1;
                }
            });
        })?;
        Ok(cells.into_pyarray(py))
    }
}

/// Calls `visit` for each item with its index, without the GIL. Fails if `visit` fails, or if a signal handler raises
/// an exception.
fn in_blocks<T: Sync, E: Into<PyErr> + Send>(
    py: Python<'_>,
    items: &[T],
    mut visit: impl FnMut(usize, &T) -> Result<(), E> + Send,
) -> PyResult<()> {
    for (block, items) in items.chunks(BLOCK).enumerate() {
        let mut numbered = items.iter().zip(block * BLOCK..);
        py.detach(|| numbered.try_for_each(|(item, index)| visit(index, item))).map_err(Into::into)?;
        py.check_signals()?;
    }
    Ok(())
}

struct RowFault {
    index: usize,
    what: &'static str,
}

impl From<RowFault> for PyErr {
    fn from(RowFault { index, what }: RowFault) -> Self {
        PositionsError::new_err(format!("position {index}: {what}"))
    }
}

/// Loads numpy's C API. numpy must already have been imported.
///
/// The `numpy` crate loads the C API when it is first used, but panics if an exception such as `KeyboardInterrupt` is
/// raised in the meantime. Python raises that exception only in the main thread, so a different thread loads the C API.
#[pyfunction]
pub fn load_numpy(py: Python<'_>) -> PyResult<()> {
    interruptible(py, |_| Python::attach(|py| drop(PyArray1::<u8>::zeros(py, 1, false).readonly())))
}

/// Converts FENs to positions.
#[pyfunction]
pub fn pack<'py>(
    py: Python<'py>,
    variant: VariantName,
    fens: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let given = |(index, fen): (usize, &Bound<'py, PyAny>)| {
        if index % BLOCK == BLOCK - 1 {
            py.check_signals()?;
        }
        Ok(text(&format!("the FEN of position {index}"), fen)?.to_owned())
    };
    let fens = fens.iter().enumerate().map(given).collect::<PyResult<Vec<String>>>()?;
    let mut rows = Vec::with_capacity(fens.len());
    in_blocks(py, &fens, |index, fen| {
        let setup = fen.parse::<FenRecord>().and_then(|fen| fen.to_setup(variant.spec()));
        let setup = setup.and_then(|setup| setup.check(variant.spec()).map_err(Into::into).map(|()| setup));
        let setup = setup.map_err(|error| {
            crate::convert::FenError::new_err(format!("position {index}: fen '{}': {error}", printable(fen.chars())))
        })?;
        rows.push(row(&recorded(&setup), 0, 0));
        Ok::<_, PyErr>(())
    })?;
    array(py, rows)
}

fn recorded(setup: &Setup) -> PositionRecord {
    let mut record = PieceSets { white: 0, black: 0, kings: 0, side: setup.side }.record();
    for (&square, piece) in &setup.pieces {
        let bit = u128::from_square(square);
        match piece.color {
            Color::White => record.white |= bit,
            Color::Black => record.black |= bit,
        }
        if piece.king {
            record.kings |= bit;
        }
    }
    record
}

/// Converts positions to FENs.
#[pyfunction]
pub fn unpack(py: Python<'_>, variant: VariantName, positions: PyReadonlyArray2<'_, u64>) -> PyResult<Vec<String>> {
    let fen = |placed: PieceSets| FenRecord::from_setup(variant.spec(), &placed.record().setup()).to_string();
    RowValidator::for_variant(*variant).each(py, rows(&positions)?, fen)
}

/// Returns the network's evaluation of each position for the side to move, in the network's own units.
#[pyfunction]
pub fn evaluate<'py>(
    py: Python<'py>,
    variant: VariantName,
    positions: PyReadonlyArray2<'_, u64>,
    eval_file: Option<PathBuf>,
) -> PyResult<Bound<'py, PyArray1<i16>>> {
    let nnue = match eval_file {
        Some(path) => {
            check_file(&path)?;
            read_eval_file(&path, *variant).map_err(to_py_err::<WeightsError>)?
        }
        None => embedded(*variant)
            .cloned()
            .ok_or_else(|| WeightsError::new_err(format!("no built-in weights for {}: set eval_file", *variant)))?,
    };
    let is_wide = variant.spec().shape.is_wide();
    let value = |placed| {
        let value = if is_wide { value_of::<u128>(&nnue, placed) } else { value_of::<u64>(&nnue, placed) };
        value as i16
    };
    Ok(RowValidator::for_variant(*variant).each(py, rows(&positions)?, value)?.into_pyarray(py))
}

#[inline]
fn value_of<B: Bits>(nnue: &Nnue, placed: PieceSets) -> i32 {
    let Pieces { white, black, kings } = placed.pieces::<B>();
    nnue.evaluate(white, black, kings, placed.side == Color::White)
}

/// The legal moves of many positions in three arrays. The first array contains the index of each position's first move,
/// followed by the total number of moves. The second array has three words per move: two for the captured squares, and
/// one for the other fields. The third array contains the positions after the moves.
type LegalMovesResult<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<u64>>, Bound<'py, PyArray2<u64>>);

#[pyfunction]
pub fn legal_moves<'py>(
    py: Python<'py>,
    variant: VariantName,
    positions: PyReadonlyArray2<'_, u64>,
    with_successors: bool,
) -> PyResult<LegalMovesResult<'py>> {
    let (rows, validator) = (rows(&positions)?, RowValidator::for_variant(*variant));
    let (starts, moves, successors) =
        with_width!(any_rules(*variant), rules => list_moves(py, &validator, rules, rows, with_successors))?;
    Ok((starts.into_pyarray(py), array(py, moves)?, array(py, successors)?))
}

type MoveLists = (Vec<i64>, Vec<[u64; 3]>, Vec<Row>);

fn list_moves<W: Word>(
    py: Python<'_>,
    validator: &RowValidator,
    rules: &'static GameRules<W>,
    rows: &[Row],
    with_successors: bool,
) -> PyResult<MoveLists> {
    let (mut starts, mut moves, mut successors) = (vec![0], Vec::new(), Vec::new());
    let number = |square: Square| u64::from(validator.spec.number(square).get());
    let mut list = MoveList::new();
    in_blocks(py, rows, |index, row| {
        let placed = validator.placed(index, row)?;
        let position = Position::from_pieces(rules, placed.pieces(), placed.side);
        position.moves(&mut list);
        for mv in list.iter() {
            let captured = mv.captured.mask();
            let squares = number(mv.from) | number(mv.to) << 8 | u64::from(mv.crowned_in_passing) << 16;
            moves.push([captured as u64, (captured >> 64) as u64, squares]);
            if with_successors {
                let after = position.pieces_after(*mv);
                let [white, black, kings] = [after.white, after.black, after.kings].map(Bits::mask);
                let after = PieceSets { white, black, kings, side: placed.side.opponent() };
                successors.push(self::row(&after.record(), 0, index as u64));
            }
        }
        starts.push(moves.len() as i64);
        Ok::<_, RowFault>(())
    })?;
    Ok((starts, moves, successors))
}

/// Converts positions to planes, with row 0 at the top of the board.
#[pyfunction]
pub fn planes<'py>(
    py: Python<'py>,
    variant: VariantName,
    positions: PyReadonlyArray2<'_, u64>,
) -> PyResult<Bound<'py, PyArray4<u8>>> {
    let shape = variant.spec().shape;
    let (width, height) = (usize::from(shape.width), usize::from(shape.height));
    let size = width * height;
    let cells = RowValidator::for_variant(*variant).cells(py, rows(&positions)?, PLANES * size, |placed, mark| {
        let PieceSets { white, black, kings, side } = placed;
        for (plane, set) in [white & !kings, white & kings, black & !kings, black & kings].into_iter().enumerate() {
            for square in set.squares() {
                let place = usize::from(shape.row(square)) * width + usize::from(shape.column(square));
                mark(plane * size + place);
            }
        }
        if side == Color::White {
            ((PLANES - 1) * size..PLANES * size).for_each(mark);
        }
    })?;
    cells.reshape([cells.len()? / (PLANES * size), PLANES, height, width])
}

/// Converts planes to positions.
#[pyfunction]
pub fn from_planes<'py>(
    py: Python<'py>,
    variant: VariantName,
    planes: PyReadonlyArray4<'_, u8>,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let shape = variant.spec().shape;
    let planes = planes.as_array();
    let (count, planes_of, height, width) = planes.dim();
    if (planes_of, height, width) != (PLANES, shape.height.into(), shape.width.into()) {
        let (width, height) = (shape.width, shape.height);
        let text =
            format!("planes for {} must have shape (n, {PLANES}, {height}, {width}), not {:?}", *variant, planes.dim());
        return Err(PositionsError::new_err(text));
    }
    let board = RowValidator::for_variant(*variant);
    let read = |index: usize| {
        let at = |plane: usize, row: u8, column: u8| {
            planes.get([index, plane, row.into(), column.into()]).is_some_and(|&cell| cell != 0)
        };
        let side = if at(PLANES - 1, 0, 0) { Color::White } else { Color::Black };
        let mut sets = [0u128; PLANES - 1];
        for (row, column) in (0..shape.height).flat_map(|row| (0..shape.width).map(move |column| (row, column))) {
            for (_, set) in sets.iter_mut().enumerate().filter(|(plane, _)| at(*plane, row, column)) {
                let square = shape.square_at(row, column);
                let square =
                    square.ok_or(RowFault { index, what: "a piece stands on a square that is not playable" })?;
                *set |= u128::from_square(square);
            }
        }
        let [white_men, white_kings, black_men, black_kings] = sets;
        let kings = white_kings | black_kings;
        let placed = PieceSets { white: white_men | white_kings, black: black_men | black_kings, kings, side };
        if (white_men | black_men) & kings != 0 {
            return Err(RowFault { index, what: "two pieces stand on one square" });
        }
        let row = row(&placed.record(), 0, 0);
        board.placed(index, &row).map(|_| row)
    };
    let mut rows = Vec::with_capacity(count);
    for start in (0..count).step_by(BLOCK) {
        let block = start..count.min(start + BLOCK);
        rows.extend(py.detach(|| block.map(read).collect::<Result<Vec<_>, RowFault>>())?);
        py.check_signals()?;
    }
    array(py, rows)
}

/// Returns the network inputs of each position as zeros and ones, from the point of view of the side to move.
#[pyfunction]
pub fn inputs<'py>(
    py: Python<'py>,
    variant: VariantName,
    positions: PyReadonlyArray2<'_, u64>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let inputs = Inputs::new(GameKind::for_rules(variant.spec()).shape);
    let cells = RowValidator::for_variant(*variant).cells(py, rows(&positions)?, inputs.count(), |placed, mark| {
        let PieceSets { white, black, kings, side } = placed;
        inputs.for_each(white, black, kings, side == Color::White, mark);
    })?;
    cells.reshape([cells.len()? / inputs.count(), inputs.count()])
}

/// Reads the positions of a training file in blocks.
#[pyclass(frozen, module = "soffio", name = "DataReader")]
pub struct PyDataReader {
    path: PathBuf,
    file: Mutex<DataFile>,
    #[pyo3(get)]
    variant: String,
    #[pyo3(get)]
    plan: String,
}

#[pymethods]
impl PyDataReader {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        check_file(&path)?;
        let file = DataFile::open(&path).map_err(at_path::<DataError, _>(&path))?;
        let header = &file.header;
        let (variant, plan) = (header.identity.variant.clone(), header.plan.clone());
        Ok(Self { path, file: Mutex::new(file), variant, plan })
    }

    /// Whether the end of the file is missing. This is known only when ``read`` has returned ``None``.
    #[getter]
    fn is_truncated(&self, py: Python<'_>) -> bool {
        py.detach(|| self.file.lock().is_truncated)
    }

    /// Returns the positions of the next games: at least ``least`` positions, or fewer if the file ends first.
    /// Returns ``None`` at the end of the file.
    fn read<'py>(&self, py: Python<'py>, least: usize) -> PyResult<Option<Bound<'py, PyArray2<u64>>>> {
        let rows = py.detach(|| {
            let mut file = self.file.lock();
            let mut rows: Vec<Row> = Vec::new();
            while rows.len() < least.max(1)
                && let Some(game) = file.next()
            {
                append(&mut rows, &game?);
            }
            Ok(rows)
        });
        let rows = rows.map_err(at_path::<DataError, soffio_training::data::DataError>(&self.path))?;
        if rows.is_empty() {
            return Ok(None);
        }
        array(py, rows).map(Some)
    }
}

fn append(rows: &mut Vec<Row>, game: &TrainingGame) {
    let result = match game.outcome {
        GameOutcome::WhiteLost => -1,
        GameOutcome::Draw => 0,
        GameOutcome::WhiteWon => 1,
    };
    rows.extend(game.positions.iter().map(|position| row(position, result, game.number)));
}
