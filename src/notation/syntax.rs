//! Building blocks of the parsers: tokens, square names, and errors with the column at which they were found.

use crate::board::{Number, Square, SquareName};
use crate::rules::{RuleSet, Variant};
use derive_more::Display;
use nom::branch::alt;
use nom::character::complete::{char, digit1, multispace0, satisfy};
use nom::combinator::{map_opt, verify};
use nom::error::{ErrorKind, ParseError};
use nom::sequence::terminated;
use nom::{Err, IResult, Parser};
use std::str::FromStr;

const MAX_EXCERPT_CHARS: usize = 40;

/// A kind of syntax error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The input is not what was expected. The string describes what was expected.
    Expected(&'static str),
    /// A square number or a rank is larger than on any board.
    TooLarge,
    /// A number is outside its valid range.
    OutOfRange,
    /// A field that may occur only once is repeated.
    Repeated,
    /// The first square of a range has a higher number than the last square.
    Backwards,
    /// A list contains more squares than any board has.
    TooMany,
}

/// The text at a syntax error, made printable on one line, with its column.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[display("{} at column {column}", if text.is_empty() { "the end".to_owned() } else { format!("'{text}'") })]
pub struct Excerpt {
    /// The quoted text. It is empty if the error is at the end of the input.
    pub text: String,
    /// Column of the first character. Columns count characters, starting at 1.
    pub column: usize,
}

impl Excerpt {
    fn new(whole: &str, rest: &str) -> Self {
        let before = whole.strip_suffix(rest).unwrap_or_default();
        let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | ':');
        let token = rest.chars().enumerate().take_while(|&(index, c)| index == 0 || !is_end(c)).map(|(_, c)| c);
        Self { text: printable(token), column: before.chars().count() + 1 }
    }
}

/// Truncates `text` to 40 characters. Characters that could break the line of an error message are replaced by `?`.
pub fn printable(text: impl IntoIterator<Item = char>) -> String {
    let visible = |c: char| if c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric() { c } else { '?' };
    text.into_iter().take(MAX_EXCERPT_CHARS).map(visible).collect()
}

/// Replaces the non-ASCII characters in an error of a protocol by `?`, because some clients read only ASCII.
pub(crate) fn ascii(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect()
}

impl Problem {
    pub(super) fn message(self, excerpt: &Excerpt) -> String {
        match self {
            Self::Expected(expected) => format!("expected {expected}, found {excerpt}"),
            Self::TooLarge => format!("number too large: {excerpt}"),
            Self::OutOfRange => format!("out of range: {excerpt}"),
            Self::Repeated => format!("given twice: {excerpt}"),
            Self::Backwards => format!("the range runs backwards: {excerpt}"),
            Self::TooMany => format!("more squares than any board has: {excerpt}"),
        }
    }
}

#[derive(Debug)]
pub(super) struct Fault<'a> {
    pub(super) rest: &'a str,
    pub(super) problem: Problem,
}

impl<'a> Fault<'a> {
    /// Returns an error that ends parsing, so that the parser does not try other alternatives.
    pub(super) fn fatal<T>(rest: &'a str, problem: Problem) -> ParseResult<'a, T> {
        Err(Err::Failure(Self { rest, problem }))
    }

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

pub(super) type ParseResult<'a, T> = IResult<&'a str, T, Fault<'a>>;

pub(super) fn token<'a, T>(
    parser: impl Parser<&'a str, Output = T, Error = Fault<'a>>,
) -> impl Parser<&'a str, Output = T, Error = Fault<'a>> {
    terminated(parser, multispace0)
}

pub(super) fn symbol<'a>(symbol: char) -> impl Parser<&'a str, Output = char, Error = Fault<'a>> {
    token(char(symbol))
}

/// Converts a recoverable error of `parser` into a fatal error, which reports `expected` as the expected input.
pub(super) fn expect<'a, T>(
    expected: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = Fault<'a>>,
) -> impl Parser<&'a str, Output = T, Error = Fault<'a>> {
    move |input| match parser.parse(input) {
        Err(Err::Error(_)) => Fault::fatal(input, Problem::Expected(expected)),
        other => other,
    }
}

/// Parses a number of type `T`. Reports `too_large` if the number does not fit this type.
pub(super) fn number<'a, T: FromStr>(too_large: Problem) -> impl Parser<&'a str, Output = T, Error = Fault<'a>> {
    move |input| {
        let (rest, digits): (_, &str) = digit1(input)?;
        match digits.parse() {
            Ok(number) => Ok((rest, number)),
            Err(_) => Fault::fatal(input, too_large),
        }
    }
}

impl SquareName {
    /// Returns the square with this name on `spec`'s board. Every variant accepts square numbers and names such as
    /// `c3`.
    pub fn resolve(self, spec: &RuleSet) -> Result<Square, SquareError> {
        let shape = spec.shape;
        let off_board = SquareError::OffBoard { name: self, width: shape.width, height: shape.height };
        match self {
            Self::Number(number) => spec.numbered(number).ok_or(off_board),
            Self::Algebraic { file, rank } => {
                let file = u32::from(file).checked_sub(u32::from('a')).and_then(|file| u8::try_from(file).ok());
                let place = file.zip(rank.checked_sub(1)).and_then(|(file, rank)| spec.column_and_row(file, rank));
                let Some((column, row)) = place else { return Err(off_board) };
                shape.square_at(row, column).ok_or(SquareError::Light(self))
            }
        }
    }
}

/// Why a name does not denote a playable square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SquareError {
    /// The board does not have this square.
    #[error("square {name} is not on the {width}x{height} board")]
    OffBoard {
        /// Name of the square that was not found.
        name: SquareName,
        /// Number of columns of the board.
        width: u8,
        /// Number of rows of the board.
        height: u8,
    },
    /// The square does not have the playable colour.
    #[error("{0} is a light square")]
    Light(SquareName),
}

pub(super) fn square_name(input: &str) -> ParseResult<'_, SquareName> {
    alt((square_number.map(SquareName::Number), algebraic)).parse(input)
}

pub(super) fn square_number(input: &str) -> ParseResult<'_, Number> {
    map_opt(number(Problem::TooLarge), Number::new).parse(input)
}

fn algebraic(input: &str) -> ParseResult<'_, SquareName> {
    let file = satisfy(|c| ('a'..=Variant::LAST_FILE).contains(&c.to_ascii_lowercase()));
    let rank = verify(number::<u8>(Problem::TooLarge), |&rank| rank > 0);
    (file, rank).map(|(file, rank)| SquareName::Algebraic { file: file.to_ascii_lowercase(), rank }).parse(input)
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
        assert_eq!(Excerpt::new(&"x".repeat(99), &"x".repeat(99)).text.len(), MAX_EXCERPT_CHARS);
    }

    fn number_of(variant: Variant, name: &str) -> Result<u8, String> {
        let (rest, name) = square_name(name).map_err(|error| error.to_string())?;
        assert_eq!(rest, "");
        let square = name.resolve(variant.spec()).map_err(|error| error.to_string())?;
        Ok(variant.spec().number(square).get())
    }

    #[test]
    fn both_names_of_a_square_are_accepted_and_numbers_follow_the_variant() {
        for (variant, name, number) in [
            (Variant::English, "a1", 29),
            (Variant::English, "H8", 4),
            (Variant::Italian, "h1", 32),
            (Variant::International, "j10", 5),
            (Variant::International, "050", 50),
            (Variant::Canadian, "k1", 72),
            (Variant::Spantsiretti, "j8", 5),
            (Variant::Dumm, "n14", 7),
            (Variant::Turkish, "a1", 57),
            (Variant::Spanish, "h1", 1),
            (Variant::Spanish, "a8", 32),
            (Variant::Thai, "g1", 1),
            (Variant::Thai, "b8", 32),
            (Variant::Russian, "b8", 1),
            (Variant::Jamaican, "a1", 1),
            (Variant::Jamaican, "a7", 4),
            (Variant::Jamaican, "h2", 29),
        ] {
            assert_eq!(number_of(variant, name), Ok(number), "{variant} {name}");
        }
    }

    #[test]
    fn squares_have_the_usual_names_of_the_variant() {
        for &variant in Variant::ALL {
            let spec = variant.spec();
            for square in spec.shape.all_squares() {
                let name = spec.square_name(square);
                assert_eq!(name.resolve(spec), Ok(square), "{variant} {name}");
                assert_eq!(matches!(name, SquareName::Algebraic { .. }), spec.notation.algebraic);
                assert_eq!(spec.numbered(spec.number(square)), Some(square));
            }
        }
    }

    #[test]
    fn invalid_square_names_are_rejected() {
        for (variant, name, error) in [
            (Variant::Italian, "a1", "a1 is a light square"),
            (Variant::Spanish, "33", "square 33 is not on the 8x8 board"),
            (Variant::English, "33", "square 33 is not on the 8x8 board"),
            (Variant::English, "i1", "square i1 is not on the 8x8 board"),
            (Variant::English, "a9", "square a9 is not on the 8x8 board"),
        ] {
            assert_eq!(number_of(variant, name), Err(error.to_owned()));
        }
        for text in ["", "0", "a0", "o1", "256", "a256", "a"] {
            assert!(square_name(text).is_err(), "{text}");
        }
    }
}
