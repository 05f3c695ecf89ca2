//! A move as it is written, before it is known whether it is legal.

use super::SquareName;
use super::square_name::square_name;
use super::syntax::{Excerpt, Fault, Parsed, Problem, expect, token};
use nom::character::complete::{multispace0, one_of};
use nom::combinator::eof;
use nom::multi::many0;
use nom::sequence::delimited;
use nom::{Finish, Parser};
use std::fmt;
use std::str::FromStr;

/// The squares of a move in the order in which they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRecord {
    /// The square that the piece leaves.
    pub from: SquareName,
    /// The squares after it, at least one: where the piece lands, or what it takes.
    pub path: Vec<SquareName>,
    /// Whether a capture sign is used. A hyphen does not exclude a capture: some programs write it for captures too.
    pub capture: bool,
}

impl FromStr for MoveRecord {
    type Err = MoveSyntaxError;

    fn from_str(text: &str) -> Result<Self, MoveSyntaxError> {
        let fault = |fault: Fault<'_>| MoveSyntaxError { problem: fault.problem, excerpt: fault.excerpt(text) };
        let (_, record) =
            delimited(multispace0, record, expect("'-', 'x' or the end", eof)).parse(text).finish().map_err(fault)?;
        Ok(record)
    }
}

fn record(input: &str) -> Parsed<'_, MoveRecord> {
    let square = || expect("a square", token(square_name));
    let (rest, from) = square().parse(input)?;
    let (rest, sign) = expect("'-' or 'x'", token(separator)).parse(rest)?;
    let (rest, second) = square().parse(rest)?;
    let (rest, others) = many0((token(separator), square())).parse(rest)?;
    let capture = sign != '-' || others.iter().any(|&(sign, _)| sign != '-');
    let path = std::iter::once(second).chain(others.into_iter().map(|(_, square)| square)).collect();
    Ok((rest, MoveRecord { from, path, capture }))
}

/// The hyphen, or one of the capture signs in use.
fn separator(input: &str) -> Parsed<'_, char> {
    one_of("-xX:*").parse(input)
}

impl fmt::Display for MoveRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.capture { 'x' } else { '-' };
        write!(f, "{}", self.from)?;
        self.path.iter().try_for_each(|square| write!(f, "{sign}{square}"))
    }
}

/// Why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveSyntaxError {
    /// What is wrong.
    pub problem: Problem,
    /// Where.
    pub excerpt: Excerpt,
}

impl fmt::Display for MoveSyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem.write(f, &self.excerpt)
    }
}

impl std::error::Error for MoveSyntaxError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn reprinted(text: &str) -> String {
        match text.parse::<MoveRecord>() {
            Ok(record) => record.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_separator_is_read() {
        for text in ["28x19x10", "28X19X10", "28:19:10", "28*19*10", "28-19x10", " 28 x 19 x 10 "] {
            assert_eq!(reprinted(text), "28x19x10");
        }
        assert_eq!(reprinted("32-28"), "32-28");
        assert_eq!(reprinted("c3-D4"), "c3-d4");
        assert_eq!(reprinted("c3:e5:g7"), "c3xe5xg7");
    }

    #[test]
    fn errors_say_where_and_why() {
        assert_eq!(reprinted(""), "expected a square, found the end at column 1");
        assert_eq!(reprinted("32"), "expected '-' or 'x', found the end at column 3");
        assert_eq!(reprinted("32-"), "expected a square, found the end at column 4");
        assert_eq!(reprinted("32-é8"), "expected a square, found 'é8' at column 4");
        assert_eq!(reprinted("32-28\u{7}!"), "expected '-', 'x' or the end, found '?!' at column 6");
        assert_eq!(reprinted("32-2800"), "number too large: '2800' at column 4");
    }
}
