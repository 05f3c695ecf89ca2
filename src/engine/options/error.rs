//! Why an option cannot be set.

use crate::notation::printable;
use std::fmt;

/// Why an option cannot be set. It prints the option first, then why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// There is no such option.
    Unknown(String),
    /// The option needs a value.
    NoValue(&'static str),
    /// The option is a button.
    HasNoValue(&'static str),
    /// The value is neither true nor false.
    NotABool {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
    },
    /// The value is none of the choices.
    NotAChoice {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// What it could be.
        choices: Vec<&'static str>,
    },
    /// The value is not a number within the bounds.
    OutOfRange {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// Least and greatest value.
        bounds: (u64, u64),
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &str| printable(text.chars());
        match self {
            Self::Unknown(name) => write!(
                f,
                "option '{}' is not known, uci lists all options; a value comes after the word value",
                shown(name)
            ),
            Self::NoValue(name) => write!(f, "option {name} needs a value"),
            Self::HasNoValue(name) => write!(f, "option {name} is a button and has no value"),
            Self::NotABool { name, value } => {
                write!(f, "option {name} must be true or false, not '{}'", shown(value))
            }
            Self::NotAChoice { name, value, choices } => {
                write!(f, "option {name} cannot be '{}', only {}", shown(value), choices.join(", "))
            }
            Self::OutOfRange { name, value, bounds: (least, most) } => {
                write!(f, "option {name} must be a number from {least} to {most}, not '{}'", shown(value))
            }
        }
    }
}

impl std::error::Error for OptionError {}
