//! Errors of weights.

use crate::sealed_file::SealError;
use std::fmt;

/// Why a file with weights is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// It is no such file, or not whole.
    Seal(SealError),
    /// The content contradicts itself.
    Content(&'static str),
    /// It was made for another variant, whose name this is.
    Variant(String),
    /// It was made for other rules of the variant.
    Rules,
    /// The inputs are not those of the board.
    Board,
    /// A sum of the network could overflow.
    Sums,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seal(error) => error.fmt(f),
            Self::Content(what) => write!(f, "the file contradicts itself: {what}"),
            Self::Variant(variant) => write!(f, "the weights are for the variant {variant:?}"),
            Self::Rules => f.write_str("the weights are for other rules of this variant"),
            Self::Board => f.write_str("the weights do not fit on the board"),
            Self::Sums => f.write_str("the weights are so large that sums could overflow"),
        }
    }
}

impl std::error::Error for WeightsError {}

impl From<SealError> for WeightsError {
    fn from(error: SealError) -> Self {
        Self::Seal(error)
    }
}
