//! Errors about files, which name them.

use anyhow::{Error, Result};
use std::io;
use std::path::Path;

/// The name of a file on one line.
pub fn shown_path(path: &Path) -> String {
    path.display().to_string().replace(char::is_control, "?")
}

/// `error` with the name of its file, of the same kind.
pub fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", shown_path(path)))
}

/// Puts the name of a file before an error.
pub trait OfFile<T> {
    /// The same, with `path` before what the error says.
    fn of_file(self, path: &Path) -> Result<T>;
}

impl<T, E: Into<Error>> OfFile<T> for Result<T, E> {
    fn of_file(self, path: &Path) -> Result<T> {
        self.map_err(|error| {
            let error = error.into();
            let text = format!("{}: {error}", shown_path(path));
            // The error itself stays below it: that nobody reads a pipe any more is no fault.
            error.context(text)
        })
    }
}
