//! Weights of the learned evaluation from a file.

use crate::eval::learned::{GameKind, Identity, Learned, WeightsError, WeightsFile};
use crate::rules::Variant;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// No file of weights has more bytes.
const LARGEST: u64 = 1 << 28;

/// Weights that were read from a file, for one variant.
#[derive(Clone, Debug)]
pub(super) struct EvalFile {
    variant: Variant,
    learned: Learned,
}

/// Why a file of weights is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalFileError {
    /// It cannot be read; what the system says.
    Io(PathBuf, String),
    /// It is no file of weights for the variant.
    Refused(PathBuf, WeightsError),
}

impl fmt::Display for EvalFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Io(path, _) | Self::Refused(path, _)) = self;
        write!(f, "{}: ", crate::notation::printable(path.to_string_lossy().chars()))?;
        match self {
            Self::Io(_, error) => f.write_str(error),
            Self::Refused(_, error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EvalFileError {}

impl EvalFile {
    /// Reads the weights for `variant` in the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read, is damaged, or is for another game.
    pub(super) fn read(path: &Path, variant: Variant) -> Result<Self, EvalFileError> {
        let unreadable = |error: std::io::Error| EvalFileError::Io(path.to_owned(), error.to_string());
        let mut bytes = Vec::new();
        File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes)).map_err(unreadable)?;
        let refused = |error| EvalFileError::Refused(path.to_owned(), error);
        let kind = GameKind::of(variant.spec());
        let file = WeightsFile::parse_for(&bytes, &Identity::of(variant), kind).map_err(refused)?;
        let learned = Learned::new(kind, &file.weights).ok_or_else(|| refused(WeightsError::Board))?;
        Ok(Self { variant, learned })
    }

    /// The evaluation, if it is one for `variant`.
    pub(super) fn for_variant(&self, variant: Variant) -> Option<&Learned> {
        (self.variant == variant).then_some(&self.learned)
    }
}
