//! Why the engine cannot do what it is asked for.

use super::EvalFileError;
use crate::notation::printable;
use crate::search::AllocationError;
use std::fmt;
use std::path::PathBuf;

/// Why the engine cannot search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// There is not enough memory for the transposition table.
    Memory(AllocationError),
    /// The system has no more threads; with its error message.
    Thread(String),
    /// The search broke off because of a bug.
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

/// Why an option was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingError {
    /// There is not enough memory for a table of the size asked for.
    Memory(AllocationError),
    /// The file of weights cannot be used.
    EvalFile(EvalFileError),
    /// The folder for endgame tables cannot be read; with the error message of the system.
    TablePath(PathBuf, String),
}

/// Prints the option first, then why.
impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(error) => write!(f, "option Hash {error}"),
            Self::EvalFile(error) => write!(f, "option EvalFile {error}"),
            Self::TablePath(folder, error) => {
                write!(f, "option TablePath {}: {error}", printable(folder.to_string_lossy().chars()))
            }
        }
    }
}

impl std::error::Error for SettingError {}

impl From<AllocationError> for SettingError {
    fn from(error: AllocationError) -> Self {
        Self::Memory(error)
    }
}

impl From<EvalFileError> for SettingError {
    fn from(error: EvalFileError) -> Self {
        Self::EvalFile(error)
    }
}

impl From<AllocationError> for EngineError {
    fn from(error: AllocationError) -> Self {
        Self::Memory(error)
    }
}
