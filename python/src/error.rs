//! The exceptions of the package. Each message quotes the offending text.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::{PyErr, PyTypeInfo, create_exception};
use std::fmt::Display;
use std::path::Path;

create_exception!(soffio, VariantError, PyValueError, "No variant has this name.");
create_exception!(soffio, FenError, PyValueError, "A text is not the FEN of a position of the variant.");
create_exception!(soffio, InvalidMoveError, PyValueError, "A text is not a move.");
create_exception!(soffio, IllegalMoveError, PyValueError, "A move is not legal, or means more than one.");
create_exception!(soffio, PdnError, PyValueError, "A game record cannot be read.");
create_exception!(
    soffio,
    OptionError,
    PyValueError,
    "An engine has no such option, or the option cannot have this value."
);
create_exception!(soffio, EngineError, PyRuntimeError, "The engine cannot do what it is asked for.");
create_exception!(soffio, PositionsError, PyValueError, "An array does not hold positions of the variant.");
create_exception!(
    soffio,
    WeightsError,
    PyValueError,
    "Weights do not fit the network of a variant, or a file has none."
);
create_exception!(soffio, DataError, PyValueError, "A file does not hold games of self-play, or is damaged.");
create_exception!(soffio, BookError, PyValueError, "A file is no opening book, is damaged, or is for another game.");
create_exception!(soffio, TavlaError, PyValueError, "A position, roll or play of tavla is not possible.");

/// Converts an error to the exception `E`.
pub fn raised<E: PyTypeInfo>(error: impl Display) -> PyErr {
    PyErr::new::<E, _>(error.to_string())
}

/// Converts an error to the exception `E`, whose message starts with `path`.
pub fn at_path<E: PyTypeInfo, T: Display>(path: &Path) -> impl Fn(T) -> PyErr {
    move |error| raised::<E>(format_args!("{}: {error}", path.display()))
}
