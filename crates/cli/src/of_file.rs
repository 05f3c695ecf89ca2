//! Errors about files, which name them.

use anyhow::{Error, Result};
use std::path::Path;

/// Puts the name of a file before an error.
pub(crate) trait OfFile<T> {
    /// The same, with `path` before what the error says.
    fn of_file(self, path: &Path) -> Result<T>;
}

impl<T, E: Into<Error>> OfFile<T> for Result<T, E> {
    fn of_file(self, path: &Path) -> Result<T> {
        self.map_err(|error| {
            let error = error.into();
            let text = format!("{}: {error}", path.display());
            // The error itself stays below it: that nobody reads a pipe any more is no fault.
            error.context(text)
        })
    }
}
