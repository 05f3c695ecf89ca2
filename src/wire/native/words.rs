//! nom parsers for the words of a command line, and the error that names the word at fault.

use crate::notation::printable;
use nom::bytes::complete::{take_till1, take_while};
use nom::combinator::{eof, map_opt, verify};
use nom::error::{ContextError, ErrorKind, FromExternalError, ParseError};
use nom::sequence::terminated;
use nom::{Err, IResult, Parser};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The first word is not a command.
    #[error("command '{0}' is not known, try help")]
    Unknown(String),
    /// A word is missing, or cannot stand where it does.
    #[error("{what} expected {expected}, found {}", quoted(.found))]
    Expected {
        /// The command, followed by its parameter if the error is in the value of one.
        what: String,
        /// What can stand here.
        expected: &'static str,
        /// The beginning of the word that stands here; empty at the end of the line.
        found: String,
    },
    /// A position, a move or another value is malformed.
    #[error("{what} {reason}")]
    Malformed {
        /// The kind of value, and the value if it is short.
        what: String,
        /// The syntax error in it.
        reason: String,
    },
}

fn quoted(word: &str) -> String {
    if word.is_empty() { "nothing".to_owned() } else { format!("'{word}'") }
}

impl CommandError {
    /// The error that the line goes on with `rest` where `expected` must stand.
    pub fn expected(expected: &'static str, rest: &str) -> Self {
        Self::Expected { what: String::new(), expected, found: shown_word(rest) }
    }
}

/// Returns the first word of `input` as error messages show it.
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

/// What a parser of words returns.
pub type Parsed<'a, T> = IResult<&'a str, T, CommandError>;

/// Skips blanks of any kind.
pub fn blanks(input: &str) -> Parsed<'_, &str> {
    take_while(char::is_whitespace).parse(input)
}

/// Parses one word and the blanks after it.
pub fn word(input: &str) -> Parsed<'_, &str> {
    terminated(take_till1(char::is_whitespace), blanks).parse(input)
}

/// Parses the word `name` in upper or lower case.
pub fn keyword<'a>(name: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = CommandError> {
    verify(word, move |word: &str| word.eq_ignore_ascii_case(name))
}

/// Parses a number within `range`.
pub fn number<'a, T: FromStr + PartialOrd>(
    range: RangeInclusive<T>,
) -> impl Parser<&'a str, Output = T, Error = CommandError> {
    map_opt(word, move |word| word.parse().ok().filter(|number| range.contains(number)))
}

/// Makes `parser` mandatory: where it does not match, the line is refused because `expected` must stand there.
pub fn expect<'a, T>(
    expected: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = CommandError>,
) -> impl Parser<&'a str, Output = T, Error = CommandError> {
    move |input| match parser.parse(input) {
        Err(Err::Error(_)) => Err(Err::Failure(CommandError::expected(expected, input))),
        other => other,
    }
}

/// Requires the end of the line, where `expected` could have stood.
pub fn end<'a>(expected: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = CommandError> {
    expect(expected, eof)
}
