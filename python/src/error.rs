//! Defines the exceptions of the package. Each message quotes the offending text.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::{PyErr, PyTypeInfo, create_exception};
use std::fmt::Display;
use std::path::Path;

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
pub fn raised<E: PyTypeInfo>(error: impl Display) -> PyErr {
    PyErr::new::<E, _>(error.to_string())
}

/// Converts an error to the exception `E`, whose message starts with `path`.
pub fn at_path<E: PyTypeInfo, T: Display>(path: &Path) -> impl Fn(T) -> PyErr {
    move |error| raised::<E>(format_args!("{}: {error}", path.display()))
}
