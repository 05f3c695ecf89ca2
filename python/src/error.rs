//! Defines the exceptions of the package. Each message quotes the offending text.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::{PyErr, PyTypeInfo, create_exception};
use std::fmt::Display;
use std::path::Path;

create_exception!(soffio, VariantError, PyValueError, "No variant has this name.");
create_exception!(soffio, FenError, PyValueError, "A string is not the FEN of a valid position in the variant.");
create_exception!(soffio, InvalidMoveError, PyValueError, "A string is not a move.");
create_exception!(soffio, IllegalMoveError, PyValueError, "A move is illegal or ambiguous.");
create_exception!(soffio, PdnError, PyValueError, "A game record cannot be read.");
create_exception!(soffio, OptionError, PyValueError, "An option does not exist, or its value is invalid.");
create_exception!(soffio, EngineError, PyRuntimeError, "The engine cannot carry out a request.");
create_exception!(soffio, PositionsError, PyValueError, "An array does not contain valid positions of the variant.");
create_exception!(
    soffio,
    WeightsError,
    PyValueError,
    "Weights do not fit the variant's network, or a file is not a weights file."
);
create_exception!(soffio, DataError, PyValueError, "A file does not contain self-play games, or is damaged.");
create_exception!(
    soffio,
    BookError,
    PyValueError,
    "A file is not an opening book, is damaged, or is for a different variant."
);
create_exception!(soffio, TavlaError, PyValueError, "A position, roll or play in tavla is invalid.");

/// Converts an error to the exception `E`.
pub fn raised<E: PyTypeInfo>(error: impl Display) -> PyErr {
    PyErr::new::<E, _>(error.to_string())
}

/// Converts an error to the exception `E`, whose message starts with `path`.
pub fn at_path<E: PyTypeInfo, T: Display>(path: &Path) -> impl Fn(T) -> PyErr {
    move |error| raised::<E>(format_args!("{}: {error}", path.display()))
}
