//! The reasons for which the engine cannot do what it is asked for.

use super::EvalFileError;
use crate::notation::printable;
use crate::search::AllocationError;
use std::num::NonZeroUsize;
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
    /// Here is only one thread.
    #[error("option Threads can only be 1 here, where there are no more threads, not {0}")]
    Threads(NonZeroUsize),
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
    #[error("option {} must be true or false, not '{}'", .0, printable(.1.chars()))]
    NotABool(&'static str, String),
    /// The value is not one of the choices.
    #[error("option {} cannot be '{}', only {}", .0, printable(.1.chars()), .2.join(", "))]
    NotAChoice(&'static str, String, Vec<&'static str>),
    /// The value is not a number from the least to the greatest.
    #[error("option {} must be a number from {} to {}, not '{}'", .0, .2.0, .2.1, printable(.1.chars()))]
    OutOfRange(&'static str, String, (u64, u64)),
}
