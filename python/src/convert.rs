//! Converts arguments from Python, and scores to Python. Error messages name the argument, its value and the allowed
//! values.

use derive_more::Deref;
use pyo3::exceptions::{PyException, PyOSError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use pyo3::{PyErr, PyTypeInfo, create_exception};
use soffio::engine::Value;
use soffio::notation::printable;
use soffio::rules::Variant;
use soffio::system::reason;
use std::fmt::Display;
use std::fs::{self, File};
use std::io;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

/// Returns the beginning of the ``repr`` of a value, with unprintable characters replaced, for use in error messages.
#[pyfunction]
pub fn shown(given: &Bound<'_, PyAny>) -> String {
    match given.repr() {
        Ok(text) => printable(text.to_string_lossy().chars()),
        // This fails, for example, for an integer with more digits than Python prints.
        Err(_) => given.get_type().name().map_or_else(|_| "this".to_owned(), |name| format!("this {name}")),
    }
}

pub fn wrong_type(name: &str, expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("{name} must be {expected}, not {}", shown(given)))
}

pub fn text<'a>(name: &str, given: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    given.cast::<PyString>().map_err(|_| wrong_type(name, "a str", given))?.to_str()
}

pub fn whole<'py, T>(name: &str, given: &Bound<'py, PyAny>, bounds: RangeInclusive<T>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py> + PartialOrd + Display,
{
    let number = integer(name, given)?;
    // An integer that does not fit into `T` is also out of bounds.
    let within = number.extract().ok().filter(|number| bounds.contains(number));
    within.ok_or_else(|| {
        let (minimum, maximum) = bounds.into_inner();
        PyValueError::new_err(format!("{name} must be from {minimum} to {maximum}, not {}", shown(number.as_any())))
    })
}

pub fn count(name: &str, given: &Bound<'_, PyAny>, maximum: usize) -> PyResult<NonZeroUsize> {
    Ok(NonZeroUsize::new(whole(name, given, 1..=maximum)?).unwrap_or(NonZeroUsize::MIN))
}

/// Converts an `int` or an integer of a different type, such as a numpy integer.
pub fn integer<'py>(name: &str, given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyInt>> {
    let wrong = || wrong_type(name, "an int", given);
    match given.call_method0("__index__") {
        Ok(number) => number.cast_into().map_err(|_| wrong()),
        Err(error) => Err(if error.is_instance_of::<PyException>(given.py()) { wrong() } else { error }),
    }
}

pub fn time(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let beyond = || {
        let text = format!("{name} must be a number of seconds, 0 or more, not {}", shown(given));
        PyValueError::new_err(text)
    };
    match given.extract::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|_| beyond()),
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => Err(beyond()),
        Err(_) => Err(wrong_type(name, "a number of seconds", given)),
    }
}

#[derive(Clone, Copy, Deref)]
pub struct VariantName(pub Variant);

impl<'py> FromPyObject<'_, 'py> for VariantName {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        variant(text("variant", &given)?).map(Self)
    }
}

/// Returns the variant with this name, alias or game type number, or a ``VariantError`` if there is none.
fn variant(name: &str) -> PyResult<Variant> {
    let unknown = || {
        let names: Vec<_> = Variant::listed().map(Variant::name).collect();
        VariantError::new_err(format!(
            "unknown variant '{}'; expected one of {}",
            printable(name.chars()),
            names.join(", ")
        ))
    };
    Variant::any_named(name).ok_or_else(unknown)
}

pub fn scored(value: Value) -> (&'static str, i32) {
    match value {
        Value::Cp(cp) => ("cp", cp.into()),
        Value::Win(moves) => ("win", moves.into()),
        Value::Loss(moves) => ("loss", moves.into()),
    }
}

/// Returns ``value`` if it is an integer from ``minimum`` to ``maximum``; otherwise raises an error. ``name`` is the
/// name of the argument for error messages.
#[pyfunction]
pub fn whole_number(name: &str, value: &Bound<'_, PyAny>, minimum: i128, maximum: i128) -> PyResult<i128> {
    whole(name, value, minimum..=maximum)
}

/// Converts a time in seconds to a float. ``name`` is the name of the argument for error messages.
#[pyfunction]
pub fn seconds(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    time(name, value).map(|time| time.as_secs_f64())
}

create_exception!(soffio, VariantError, PyValueError, "Raised if no variant has the given name.");
create_exception!(
    soffio,
    FenError,
    PyValueError,
    "Raised if a string is not the FEN of a valid position in the variant."
);
create_exception!(soffio, InvalidMoveError, PyValueError, "Raised if a string is not a move.");
create_exception!(soffio, IllegalMoveError, PyValueError, "Raised if a move is illegal or ambiguous.");
create_exception!(soffio, PdnError, PyValueError, "Raised if a game record cannot be read.");
create_exception!(soffio, OptionError, PyValueError, "Raised if an option does not exist or its value is invalid.");
create_exception!(soffio, EngineError, PyRuntimeError, "Raised if the engine cannot carry out a request.");
create_exception!(
    soffio,
    PositionsError,
    PyValueError,
    "Raised if an array does not contain valid positions of the variant."
);
create_exception!(
    soffio,
    WeightsError,
    PyValueError,
    "Raised if weights do not fit the variant's network, or if a file is not a weights file."
);
create_exception!(soffio, DataError, PyValueError, "Raised if a file does not contain self-play games or is damaged.");
create_exception!(
    soffio,
    BookError,
    PyValueError,
    "Raised if a file is not an opening book, is damaged, or is for a different variant."
);
create_exception!(soffio, TavlaError, PyValueError, "Raised if a position, roll or play in tavla is invalid.");

/// Converts an error to the exception `E`.
pub fn to_py_err<E: PyTypeInfo>(error: impl Display) -> PyErr {
    PyErr::new::<E, _>(reason(error))
}

/// Converts an error to the exception `E`, whose message starts with `path`.
pub fn at_path<E: PyTypeInfo, T: Display>(path: &Path) -> impl Fn(T) -> PyErr {
    move |error| to_py_err::<E>(format_args!("{}: {error}", path.display()))
}

/// Converts an error of the operating system about the file at `path` to the subclass of `OSError` for its number.
pub fn os_error(path: &Path, error: &io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(number) => PyOSError::new_err((number, reason(error), path.as_os_str().to_owned())),
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}

/// Fails with an `OSError`, such as `FileNotFoundError`, if the file at `path` cannot be opened. The engine and the
/// readers of files report the reason only as text.
pub fn check_file(path: &Path) -> PyResult<()> {
    let metadata = fs::metadata(path);
    // Opening a pipe would wait for its other end.
    let opened = metadata.and_then(|found| if found.is_file() { File::open(path).map(drop) } else { Ok(()) });
    opened.map_err(|error| os_error(path, &error))
}

/// Fails with an `OSError` if the folder at `path` cannot be listed.
pub fn check_folder(path: &Path) -> PyResult<()> {
    fs::read_dir(path).map(drop).map_err(|error| os_error(path, &error))
}
