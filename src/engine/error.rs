//! The reasons for which the engine cannot do what it is asked for.

use super::EvalFileError;
use crate::notation::printable;
use crate::search::AllocationError;
use std::path::PathBuf;

/// Why the engine cannot search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// There is not enough memory for the transposition table.
    #[error(transparent)]
    Memory(#[from] AllocationError),
    /// The system has no more threads; with its error message.
    #[error("no thread can be started: {0}")]
    Thread(String),
    /// The search broke off because of a bug.
    #[error("search broken off by a fault: {0}")]
    Fault(String),
}

/// Why an option was not changed. It prints the option first, then why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// There is not enough memory for a table of the size asked for.
    #[error("option Hash {0}")]
    Memory(#[from] AllocationError),
    /// The file of weights cannot be used.
    #[error("option EvalFile {0}")]
    EvalFile(#[from] EvalFileError),
    /// The folder for endgame tables cannot be read; with the error message of the system.
    #[error("option TablePath {}: {}", printable(.0.to_string_lossy().chars()), .1)]
    TablePath(PathBuf, String),
}

/// Why a text is not the new value of an option. It prints the option first, then why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("option '{}' is not known, uci lists all options; a value comes after the word value", printable(.0.chars()))]
    Unknown(String),
    /// The option needs a value.
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    /// The option is a button.
    #[error("option {0} is a button and has no value")]
    HasNoValue(&'static str),
    /// The value is neither true nor false.
    #[error("option {name} must be true or false, not '{}'", printable(.value.chars()))]
    NotABool {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
    },
    /// The value is not one of the choices.
    #[error("option {name} cannot be '{}', only {}", printable(.value.chars()), .choices.join(", "))]
    NotAChoice {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// All words that it could be.
        choices: Vec<&'static str>,
    },
    /// The value is not a number within the bounds.
    #[error("option {name} must be a number from {} to {}, not '{}'", .bounds.0, .bounds.1, printable(.value.chars()))]
    OutOfRange {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// Least and greatest value.
        bounds: (u64, u64),
    },
}
