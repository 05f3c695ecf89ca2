//! Adds file names to errors.

use anyhow::{Error, Result};
use soffio::files::shown_path;
use soffio::system::reason;
use std::io;
use std::path::Path;

/// Adds the name of the file to an error. The kind of the error stays the same.
pub fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {}", shown_path(path), reason(error)))
}

pub trait WithPath<T> {
    /// Adds `path` at the beginning of the error text.
    fn with_path(self, path: &Path) -> Result<T>;
}

impl<T, E: Into<Error>> WithPath<T> for Result<T, E> {
    fn with_path(self, path: &Path) -> Result<T> {
        self.map_err(|error| {
            let error = error.into();
            let text = format!("{}: {}", shown_path(path), reason(&error));
            // The original error is kept as the source, so that a closed pipe, which is not a fault, can be recognised.
            error.context(text)
        })
    }
}
