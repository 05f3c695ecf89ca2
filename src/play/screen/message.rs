//! What the last command was answered.

use crate::play::PlayError;

/// A line for the person at the keyboard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Message(String);

impl Message {
    /// Tells `text`.
    pub(super) fn told(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Says why something is not done.
    pub(super) fn refused(reason: impl ToString) -> Self {
        Self(format!("No: {}", reason.to_string()))
    }

    /// The line.
    pub(super) fn text(&self) -> &str {
        &self.0
    }
}

impl From<Result<String, PlayError>> for Message {
    fn from(result: Result<String, PlayError>) -> Self {
        result.map_or_else(Self::refused, Self::told)
    }
}
