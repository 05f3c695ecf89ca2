//! Weights from a file that a user names.

use super::{GameKind, Learned, WeightsError, WeightsFile};
use crate::rules::{Identity, Variant};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest file of weights that is read, in bytes: more than one with the most inputs that a file can have.
const LARGEST: u64 = 1 << 25;

/// Why a file of weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalFileError {
    /// It cannot be read; with the error message of the system.
    Io(PathBuf, String),
    /// It is not a file of weights for the variant.
    Refused(PathBuf, WeightsError),
}

impl fmt::Display for EvalFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Io(path, _) | Self::Refused(path, _)) = self;
        // The whole path, however long: what tells files apart is at its end.
        write!(f, "{}: ", path.to_string_lossy().replace(char::is_control, "?"))?;
        match self {
            Self::Io(_, error) => f.write_str(error),
            Self::Refused(_, error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EvalFileError {}

/// The evaluation of `variant` by the weights in the file at `path`.
///
/// # Errors
/// When it cannot be read, is damaged, or is for another game.
pub fn read_eval_file(path: &Path, variant: Variant) -> Result<Learned, EvalFileError> {
    let unreadable = |error: std::io::Error| EvalFileError::Io(path.to_owned(), error.to_string());
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes)).map_err(unreadable)?;
    let learned = WeightsFile::parse_for(&bytes, &Identity::of(variant), GameKind::of(variant.spec()));
    learned.map_err(|error| EvalFileError::Refused(path.to_owned(), error))
}
