//! What the parsers of squares, positions and moves share: the error that says where and why, and tokens.

use nom::character::complete::{char, digit1, multispace0};
use nom::error::{ErrorKind, ParseError};
use nom::sequence::terminated;
use nom::{Err, IResult, Parser};
use std::fmt;
use std::str::FromStr;

/// Most characters of an input that an error repeats.
const LONGEST_EXCERPT: usize = 40;

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Something else is expected here.
    Expected(&'static str),
    /// No board has a square with this number.
    TooLarge,
    /// A counter that no game can have.
    OutOfRange,
    /// Something that can be said once is said again.
    Repeated,
    /// The first square of a range comes after the last.
    Backwards,
    /// More squares than any board has.
    TooMany,
}

/// The place where a text is wrong: a few characters of it, made fit for one line, and their column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The characters, none at the end of the text.
    pub text: String,
    /// The column of the first one in characters, counted from 1.
    pub column: usize,
}

impl Excerpt {
    /// The next token of `rest`, which is what is left of `whole`.
    fn new(whole: &str, rest: &str) -> Self {
        let before = whole.strip_suffix(rest).unwrap_or_default();
        let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | ':');
        let token = rest.chars().enumerate().take_while(|&(index, c)| index == 0 || !is_end(c)).map(|(_, c)| c);
        Self { text: printable(token), column: before.chars().count() + 1 }
    }
}

/// The beginning of a text, made safe for an error message: characters that could break or blank out the line are
/// replaced.
pub fn printable(text: impl IntoIterator<Item = char>) -> String {
    let visible = |c: char| if c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric() { c } else { '?' };
    text.into_iter().take(LONGEST_EXCERPT).map(visible).collect()
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text.as_str() {
            "" => write!(f, "the end at column {}", self.column),
            text => write!(f, "'{text}' at column {}", self.column),
        }
    }
}

impl Problem {
    /// Prints the problem together with its place.
    pub(super) fn write(self, f: &mut fmt::Formatter<'_>, excerpt: &Excerpt) -> fmt::Result {
        match self {
            Self::Expected(expected) => write!(f, "expected {expected}, found {excerpt}"),
            Self::TooLarge => write!(f, "number too large: {excerpt}"),
            Self::OutOfRange => write!(f, "out of range: {excerpt}"),
            Self::Repeated => write!(f, "given twice: {excerpt}"),
            Self::Backwards => write!(f, "the range runs backwards: {excerpt}"),
            Self::TooMany => write!(f, "more squares than any board has: {excerpt}"),
        }
    }
}

/// The error of the parsers: where they stopped, and why.
#[derive(Debug)]
pub(super) struct Fault<'a> {
    pub(super) rest: &'a str,
    pub(super) problem: Problem,
}

impl<'a> Fault<'a> {
    /// An error that ends the parse: no other alternative is tried.
    pub(super) fn fatal<T>(rest: &'a str, problem: Problem) -> Parsed<'a, T> {
        Err(Err::Failure(Self { rest, problem }))
    }

    /// The place of the fault in `whole`.
    pub(super) fn excerpt(&self, whole: &str) -> Excerpt {
        Excerpt::new(whole, self.rest)
    }
}

impl<'a> ParseError<&'a str> for Fault<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        Self { rest, problem: Problem::Expected("something else") }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// What a parser returns.
pub(super) type Parsed<'a, T> = IResult<&'a str, T, Fault<'a>>;

/// `parser`, and the spaces after it.
pub(super) fn token<'a, T>(
    parser: impl Parser<&'a str, Output = T, Error = Fault<'a>>,
) -> impl Parser<&'a str, Output = T, Error = Fault<'a>> {
    terminated(parser, multispace0)
}

/// The character `symbol`, and the spaces after it.
pub(super) fn symbol<'a>(symbol: char) -> impl Parser<&'a str, Output = char, Error = Fault<'a>> {
    token(char(symbol))
}

/// `parser`, which must succeed: `expected` says what belongs here.
pub(super) fn expect<'a, T>(
    expected: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = Fault<'a>>,
) -> impl Parser<&'a str, Output = T, Error = Fault<'a>> {
    move |input| match parser.parse(input) {
        Err(Err::Error(_)) => Fault::fatal(input, Problem::Expected(expected)),
        other => other,
    }
}

/// A number of the type `T`; one that does not fit is the problem `too_large`.
pub(super) fn number<'a, T: FromStr>(too_large: Problem) -> impl Parser<&'a str, Output = T, Error = Fault<'a>> {
    move |input| {
        let (rest, digits): (_, &str) = digit1(input)?;
        match digits.parse() {
            Ok(number) => Ok((rest, number)),
            Err(_) => Fault::fatal(input, too_large),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_one_token_with_its_column() {
        let excerpt = |whole, rest| Excerpt::new(whole, rest).to_string();
        assert_eq!(excerpt("W:W31 x", "31 x"), "'31' at column 4");
        assert_eq!(excerpt("é:W31", "W31"), "'W31' at column 3");
        assert_eq!(excerpt("W:", ""), "the end at column 3");
        assert_eq!(excerpt("\0\u{202e}:", "\0\u{202e}:"), "'??' at column 1");
        assert_eq!(Excerpt::new(&"x".repeat(99), &"x".repeat(99)).text.len(), LONGEST_EXCERPT);
    }
}
