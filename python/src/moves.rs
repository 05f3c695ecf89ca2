use crate::convert::{VariantName, text, wrong_type};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use soffio::board::{Bits, Number, Square};
use soffio::game::{Game, Move};
use soffio::notation::{FenRecord, WrittenGame, bitboard_move, printable, printed_sequence, written};
use soffio::position::paths::{Sequence, Steps};
use soffio::position::{Position, Setup, with_width};
use soffio::rules::{RuleSet, Variant, Word};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// A function that returns the position before a move. The position determines the path of the move.
type Origin = Arc<dyn Fn() -> Setup + Send + Sync>;

/// A legal move. Moves can be compared, hashed and pickled.
///
/// ``Board.legal_moves``, ``Board.parse_move`` and ``Board.push`` return moves. Squares have the variant's usual
/// numbers, starting at 1.
///
/// >>> import soffio
/// >>> board = soffio.Board("international", "W:W31,K50:B18,19,22")
/// >>> move = board.parse_move("50x17")
/// >>> move.from_square, move.to_square, move.captured, move.promotes
/// (50, 17, (22,), False)
#[pyclass(frozen, freelist = 256, module = "soffio", name = "Move")]
pub struct PyMove {
    captured: [u64; 2],
    from: Square,
    to: Square,
    crowned_in_passing: bool,
    promotes: bool,
    pub variant: Variant,
    /// The position before the move if it captures several pieces, or `None` if the squares alone determine the path.
    origin: Option<Origin>,
}

pub fn moves_of<'py, W: Word>(py: Python<'py>, position: &Position<W>) -> PyResult<Bound<'py, PyList>> {
    let mut context = Context::new(position);
    PyList::new(py, position.legal_moves().iter().map(|&mv| context.wrap(mv)))
}

pub fn line_of(game: &Game, line: &[Move]) -> Vec<PyMove> {
    fn wrapped<W: Word>(mut position: Position<W>, line: &[Move]) -> Vec<PyMove> {
        let wrap = |mv: &Move| {
            let mv = mv.narrowed();
            let wrapped = Context::new(&position).wrap(mv);
            position = position.play(mv);
            wrapped
        };
        line.iter().map(wrap).collect()
    }
    with_width!(game.history(), history => wrapped(*history.position(), line))
}

pub fn move_of(game: &Game, mv: Move) -> PyMove {
    with_width!(game.history(), history => Context::new(history.position()).wrap(mv.narrowed()))
}

struct Context<'a, W: Word> {
    position: &'a Position<W>,
    variant: Variant,
    far_row: W,
    origin: Option<Origin>,
}

impl<'a, W: Word> Context<'a, W> {
    fn new(position: &'a Position<W>) -> Self {
        let spec = position.spec();
        let far_row = W::from_mask(spec.shape.row_mask(spec.far_row(position.side())));
        Self { position, variant: position.rules().variant(), far_row, origin: None }
    }

    fn wrap(&mut self, mv: soffio::position::Move<W>) -> PyMove {
        let mask = mv.captured.mask();
        let is_long = !mv.captured.is_empty() && !mv.captured.is_single();
        let origin = is_long.then(|| {
            let position = *self.position;
            Arc::clone(self.origin.get_or_insert_with(|| Arc::new(move || position.to_setup(1))))
        });
        let by_man = !self.position.pieces().kings.contains(mv.from);
        PyMove {
            captured: [mask as u64, (mask >> 64) as u64],
            from: mv.from,
            to: mv.to,
            crowned_in_passing: mv.crowned_in_passing,
            promotes: by_man && (mv.crowned_in_passing || self.far_row.contains(mv.to)),
            variant: self.variant,
            origin,
        }
    }
}

impl PyMove {
    pub fn inner(&self) -> Move {
        let captured = u128::from(self.captured[0]) | u128::from(self.captured[1]) << 64;
        Move { captured, from: self.from, to: self.to, crowned_in_passing: self.crowned_in_passing }
    }

    fn number(&self, square: Square) -> u8 {
        self.variant.spec().number(square).get()
    }

    fn sequence(&self) -> Sequence {
        let spec = self.variant.spec();
        let mv = self.inner();
        let sequence = self
            .origin
            .as_ref()
            .and_then(|origin| printed_sequence(spec, &origin(), |sequence| bitboard_move::<u128>(sequence) == mv));
        sequence.unwrap_or_else(|| Sequence {
            from: mv.from,
            landings: [mv.to].into_iter().collect(),
            captured: mv.captured.squares().collect(),
            directions: Steps::new(),
            by_king: false,
            crowned_in_passing: mv.crowned_in_passing,
        })
    }

    pub fn written(&self, spec: &RuleSet) -> String {
        written(spec, &self.sequence())
    }
}

#[pymethods]
impl PyMove {
    /// The number of the square that the piece leaves.
    #[getter(from_square)]
    fn departure(&self) -> u8 {
        self.number(self.from)
    }

    /// The number of the square where the piece ends its move.
    #[getter(to_square)]
    fn arrival(&self) -> u8 {
        self.number(self.to)
    }

    /// All squares that the piece visits, in order: the square that it leaves, then its destination or, in a capture,
    /// one landing square per captured piece.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let sequence = self.sequence();
        PyTuple::new(
            py,
            std::iter::once(sequence.from)
                .chain(sequence.landings)
                .map(|square| self.number(square))
                .collect::<Vec<_>>(),
        )
    }

    /// The squares of the captured pieces in order of capture, or an empty tuple for a quiet move.
    #[getter]
    fn captured<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.sequence().captured.into_iter().map(|square| self.number(square)).collect::<Vec<_>>())
    }

    /// Whether the move captures.
    #[getter]
    fn is_capture(&self) -> bool {
        self.captured != [0; 2]
    }

    /// Whether a man becomes a king.
    #[getter]
    fn promotes(&self) -> bool {
        self.promotes
    }

    /// Returns the move in a notation: ``default`` (the variant's own), ``numeric``, ``algebraic`` or ``hub``.
    #[pyo3(signature = (notation = None))]
    fn text(&self, notation: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let style = notation.map(|notation| text("notation", notation)).transpose()?;
        Ok(self.written(&in_notation(self.variant, style)?))
    }

    fn __str__(&self) -> String {
        self.written(self.variant.spec())
    }

    fn __repr__(&self) -> String {
        format!("<Move {} ({})>", self.__str__(), self.variant)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.variant == other.variant && self.inner() == other.inner()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.captured, self.from, self.to, self.crowned_in_passing).hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PickledMove)> {
        let fen = |origin: &Origin| FenRecord::from_setup(self.variant.spec(), &origin()).to_string();
        let captured = self.inner().captured.squares().map(|square| self.number(square)).collect();
        let squares = (self.departure(), self.arrival(), captured);
        let origin = self.origin.as_ref().map(fen);
        let restore = py.import("soffio._native")?.getattr("restore_move")?;
        Ok((restore, (self.variant.name(), squares, (self.crowned_in_passing, self.promotes), origin)))
    }
}

/// A pickled move, which consists of the variant, the square numbers (from, to, captured), two flags, and the FEN of
/// the position before the move if the path depends on it. The flags are true if a man is crowned in passing, and if
/// the move promotes a man.
type PickledMove = (&'static str, (u8, u8, Vec<u8>), (bool, bool), Option<String>);

/// Restores a pickled move.
#[pyfunction]
pub fn restore_move(
    variant: VariantName,
    squares: (u8, u8, Vec<u8>),
    marks: (bool, bool),
    origin: Option<&str>,
) -> PyResult<PyMove> {
    let (VariantName(variant), (from, to, captured), (crowned_in_passing, promotes)) = (variant, squares, marks);
    let wrong = || PyValueError::new_err("not a pickled move");
    let square = |number| Number::new(number).and_then(|number| variant.spec().numbered(number)).ok_or_else(wrong);
    let (from, to) = (square(from)?, square(to)?);
    let captured = captured.into_iter().map(square).collect::<PyResult<Vec<_>>>()?;
    let mask = captured.iter().fold(0, |mask, &square| mask | u128::from_square(square));
    let Some(fen) = origin else {
        let captured = [mask as u64, (mask >> 64) as u64];
        return Ok(PyMove { captured, from, to, crowned_in_passing, promotes, variant, origin: None });
    };
    let fen: FenRecord = fen.parse().map_err(|_| wrong())?;
    let game = WrittenGame::from_start(variant, Some(&fen)).map_err(|_| wrong())?;
    let mv = Move { captured: mask, from, to, crowned_in_passing };
    if game.game().legal_moves().contains(&mv) { Ok(move_of(game.game(), mv)) } else { Err(wrong()) }
}

pub enum MoveArgument<'py> {
    Move(Bound<'py, PyMove>),
    Text(Bound<'py, PyString>),
}

impl<'py> FromPyObject<'_, 'py> for MoveArgument<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(mv) = given.cast::<PyMove>() {
            return Ok(Self::Move(mv.to_owned()));
        }
        let text = given.cast::<PyString>().map_err(|_| wrong_type("move", "a Move or a str", &given))?;
        Ok(Self::Text(text.to_owned()))
    }
}

/// Returns the names of all variants.
#[pyfunction]
pub fn variant_names() -> Vec<&'static str> {
    Variant::ALL.iter().map(|variant| variant.name()).collect()
}

/// Returns the properties of a variant in a dictionary, whose keys are the field names of the Python class ``Variant``.
#[pyfunction]
pub fn describe_variant<'py>(py: Python<'py>, name: VariantName) -> PyResult<Bound<'py, PyDict>> {
    let VariantName(variant) = name;
    let spec = variant.spec();
    let squares = || (1..=spec.shape.squares()).filter_map(Number::new).filter_map(|number| spec.numbered(number));
    let described = PyDict::new(py);
    described.set_item("name", variant.name())?;
    described.set_item("aliases", variant.aliases().to_vec())?;
    described.set_item("game_type", variant.game_type())?;
    described.set_item("width", spec.shape.width)?;
    described.set_item("height", spec.shape.height)?;
    described.set_item("squares", spec.shape.squares())?;
    described.set_item("men", spec.men())?;
    described.set_item("white_starts", spec.starts == soffio::Color::White)?;
    described.set_item("algebraic", spec.notation.algebraic)?;
    let places: Vec<_> = squares().map(|square| (spec.shape.row(square), spec.shape.column(square))).collect();
    described.set_item("places", places)?;
    described.set_item("bits", squares().map(|square| square.index()).collect::<Vec<_>>())?;
    described
        .set_item("square_names", squares().map(|square| spec.square_name(square).to_string()).collect::<Vec<_>>())?;
    Ok(described)
}

pub fn in_notation(variant: Variant, style: Option<&str>) -> PyResult<RuleSet> {
    use soffio::engine::SquareStyle;
    let style = match style {
        None | Some("default") => SquareStyle::OfVariant,
        Some("numeric") => SquareStyle::Numeric,
        Some("algebraic") => SquareStyle::Algebraic,
        Some("hub") => SquareStyle::Hub,
        Some(other) => {
            let text =
                format!("unknown notation '{}'; expected default, numeric, algebraic or hub", printable(other.chars()));
            return Err(pyo3::exceptions::PyValueError::new_err(text));
        }
    };
    Ok(RuleSet { notation: style.apply(variant.spec().notation), ..*variant.spec() })
}
