//! Parsers (using nom) for the words of a command line, and their error type.

use crate::notation::{MoveRecord, MoveSyntaxError, move_word, printable};
use nom::bytes::complete::{take_till1, take_while};
use nom::combinator::{eof, fail, map_opt, verify};
use nom::error::{ContextError, ErrorKind, FromExternalError, ParseError};
use nom::sequence::terminated;
use nom::{Err, IResult, Parser};
use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Why a line is not a valid command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The first word is not the name of a command.
    #[error("unknown command '{0}'; try help")]
    Unknown(String),
    /// A word is missing, or is not what was expected.
    #[error("{what} expected {expected}, found {}", quoted(.found))]
    Expected {
        /// The command and, if one of its parameters is wrong, the name of that parameter.
        what: String,
        /// Description of what was expected.
        expected: &'static str,
        /// The word that was found instead, truncated if it is long. Empty at the end of the line.
        found: String,
    },
    /// A position, a move or another value is malformed.
    #[error("{what} {reason}")]
    Malformed {
        /// Kind of the value, followed by the value itself if it is short.
        what: String,
        /// The syntax error in the value.
        reason: String,
    },
}

fn quoted(word: &str) -> String {
    if word.is_empty() { "nothing".to_owned() } else { format!("'{word}'") }
}

impl CommandError {
    /// Creates the error for a line that continues with `rest` instead of with `expected`.
    pub fn expected(expected: &'static str, rest: &str) -> Self {
        Self::Expected { what: String::new(), expected, found: shown_word(rest) }
    }
}

/// Returns the first word of `input`, made printable for error messages.
pub fn shown_word(input: &str) -> String {
    printable(input.chars().take_while(|c| !c.is_whitespace()))
}

impl ParseError<&str> for CommandError {
    fn from_error_kind(rest: &str, _: ErrorKind) -> Self {
        Self::expected("something else", rest)
    }

    fn append(_: &str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl ContextError<&str> for CommandError {
    fn add_context(_: &str, context: &'static str, mut error: Self) -> Self {
        if let Self::Expected { what, .. } = &mut error {
            *what = if what.is_empty() { context.to_owned() } else { format!("{context} {what}") };
        }
        error
    }
}

impl FromExternalError<&str, Self> for CommandError {
    fn from_external_error(_: &str, _: ErrorKind, error: Self) -> Self {
        error
    }
}

/// Result of a parser for words of a command line.
pub type ParseResult<'a, T> = IResult<&'a str, T, CommandError>;

/// Skips whitespace.
pub fn blanks(input: &str) -> ParseResult<'_, &str> {
    take_while(char::is_whitespace).parse(input)
}

/// Parses one word and skips the blanks after it.
pub fn word(input: &str) -> ParseResult<'_, &str> {
    terminated(take_till1(char::is_whitespace), blanks).parse(input)
}

/// Parses the word `name`. Case is ignored.
pub fn keyword<'a>(name: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = CommandError> {
    verify(word, move |word: &str| word.eq_ignore_ascii_case(name))
}

/// Parses a number within `range`.
pub fn number<'a, T: FromStr + PartialOrd>(
    range: RangeInclusive<T>,
) -> impl Parser<&'a str, Output = T, Error = CommandError> {
    map_opt(word, move |word| word.parse().ok().filter(|number| range.contains(number)))
}

/// Converts a mismatch of `parser` into a fatal error that reports `expected` as the expected input.
pub fn expect<'a, T>(
    expected: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = CommandError>,
) -> impl Parser<&'a str, Output = T, Error = CommandError> {
    move |input| match parser.parse(input) {
        Err(Err::Error(_)) => Err(Err::Failure(CommandError::expected(expected, input))),
        other => other,
    }
}

/// Requires the end of the line. In the error message, `expected` describes everything that is allowed at this point.
pub fn end<'a>(expected: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = CommandError> {
    expect(expected, eof)
}

pub(super) fn one_move(input: &str) -> ParseResult<'_, MoveRecord> {
    if input.is_empty() {
        return fail().parse(input);
    }
    let malformed = |error: MoveSyntaxError| CommandError::Malformed {
        what: format!("move {}:", shown_word(input)),
        reason: error.to_string(),
    };
    let (rest, record) = move_word(input).map_err(|error| error.map(malformed))?;
    blanks(rest).map(|(rest, _)| (rest, record))
}

pub(super) fn write_moves(f: &mut fmt::Formatter<'_>, moves: &[impl Display]) -> fmt::Result {
    moves.iter().try_for_each(|mv| write!(f, " {mv}"))
}
