//! Errors of training.

use super::data::DataError;
use std::fmt;
use std::path::PathBuf;

/// Why no weights could be fitted.
#[derive(Debug)]
pub enum TrainError {
    /// A file cannot be used.
    File(PathBuf, DataError),
    /// No file was named.
    NoFiles,
    /// The games are of another board than the variant.
    Board,
    /// After leaving out what is not learned from, too few positions are left on one side of the split.
    TooFew {
        /// Positions to learn from.
        fit: usize,
        /// Positions held out.
        held_out: usize,
    },
    /// There are more positions than can be numbered.
    TooMany,
    /// No epoch was better than the random weights of the beginning.
    NoProgress,
    /// It was ended from outside.
    Stopped,
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::NoFiles => f.write_str("there is no file to learn from"),
            Self::Board => f.write_str("the games are on another board than the variant"),
            Self::TooFew { fit, held_out } => {
                write!(f, "too few positions are left: {fit} to learn from and {held_out} held out")
            }
            Self::TooMany => write!(f, "more than {} positions", u32::MAX),
            Self::Stopped => f.write_str("stopped before the end: no weights were written"),
            Self::NoProgress => f.write_str(
                "no epoch was better than the random weights of the beginning: the rate may be too high, or the games too few",
            ),
        }
    }
}

impl std::error::Error for TrainError {}
