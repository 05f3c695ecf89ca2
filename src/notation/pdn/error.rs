//! Why a text is no collection of games.

use std::fmt;

/// Why a text is no collection of games, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdnError {
    /// What must stand there.
    pub expected: &'static str,
    /// What stands there; nothing at the end.
    pub found: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
}

impl PdnError {
    /// The error that `rest`, what is left of `whole`, does not begin with what is `expected`.
    pub(super) fn new(whole: &str, rest: &str, expected: &'static str) -> Self {
        let before = whole.strip_suffix(rest).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let word = rest.split_whitespace().next().filter(|_| !rest.starts_with(char::is_whitespace));
        Self {
            expected,
            found: crate::notation::printable(word.unwrap_or_default().chars()),
            line: before.matches('\n').count() + 1,
            column: line.chars().count() + 1,
        }
    }
}

impl fmt::Display for PdnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} column {}: expected {}, found ", self.line, self.column, self.expected)?;
        if self.found.is_empty() { f.write_str("the end") } else { write!(f, "'{}'", self.found) }
    }
}

impl std::error::Error for PdnError {}
