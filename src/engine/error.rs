//! Why the engine cannot search.

use crate::search::AllocationError;
use std::fmt;

/// Why the engine cannot search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// There is not enough memory for the transposition table.
    Memory(AllocationError),
    /// The system has no more threads; what it says.
    Thread(String),
    /// The search broke off because of a fault of the program.
    Fault(String),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(error) => error.fmt(f),
            Self::Thread(error) => write!(f, "no thread can be started: {error}"),
            Self::Fault(message) => write!(f, "search broken off by a fault: {message}"),
        }
    }
}

impl std::error::Error for EngineError {}

impl From<AllocationError> for EngineError {
    fn from(error: AllocationError) -> Self {
        Self::Memory(error)
    }
}
