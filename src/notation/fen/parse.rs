//! The syntax of a FEN.

use super::{FenError, FenKingRun, FenPiece, FenRecord, Part};
use crate::board::{MAX_SQUARES, Number, SquareName};
use crate::notation::square_name::{square_name, square_number};
use crate::notation::syntax::{Fault, Parsed, Problem, expect, number, symbol, token};
use crate::position::EndingAges;
use crate::rules::Color;
use nom::branch::alt;
use nom::character::complete::{char, multispace0, one_of, satisfy};
use nom::combinator::{eof, map_opt, opt, peek, value};
use nom::multi::separated_list1;
use nom::sequence::preceded;
use nom::{Finish, Parser};

/// The highest count of king moves: with so many, the king must wait.
const MOST_KING_MOVES: u8 = 3;

/// Reads `text` as a FEN.
pub(super) fn parse(text: &str) -> Result<FenRecord, FenError> {
    let mut reader = Reader { whole: text, rest: text };
    let mut part = Part::Side;
    reader.take(part, multispace0)?;
    let quoted = reader.take(part, opt(symbol('"')))?.is_some();
    let side = reader.take(part, expect("W or B", token(color)))?;
    let (mut white, mut black, mut half_moves, mut move_number) = (None, None, None, None);
    let (mut king_runs, mut ages) = (None, None);
    while reader.take(part, opt(symbol(':')))?.is_some() {
        let start = reader.rest;
        part = reader.take(Part::Field, expect("W, B, H, F, E or +", token(field)))?;
        let is_first = match part {
            Part::Pieces(Color::White) => white.replace(reader.take(part, pieces)?).is_none(),
            Part::Pieces(Color::Black) => black.replace(reader.take(part, pieces)?).is_none(),
            Part::HalfMoves => half_moves.replace(reader.take(part, counter(0))?).is_none(),
            Part::MoveNumber => move_number.replace(reader.take(part, counter(1))?).is_none(),
            Part::KingRuns => king_runs.replace(reader.take(part, both_king_runs)?).is_none(),
            Part::EndingAges => ages.replace(reader.take(part, ending_ages)?).is_none(),
            Part::Side | Part::Field => true,
        };
        if !is_first {
            return Err(reader.error(part, &Fault { rest: start, problem: Problem::Repeated }));
        }
    }
    reader.take(part, opt(symbol('.')))?;
    if quoted {
        reader.take(part, expect("a closing quote", symbol('"')))?;
    }
    reader.take(part, expect(part.followed_by(), eof))?;
    let missing = |color| FenError::Missing(Part::Pieces(color));
    let white = white.ok_or(missing(Color::White))?;
    let black = black.ok_or(missing(Color::Black))?;
    let (king_runs, ages) = (king_runs.unwrap_or_default(), ages.unwrap_or_default());
    Ok(FenRecord { side, white, black, half_moves, move_number, king_runs, ages })
}

/// The text, and the rest of it that has not been read yet.
struct Reader<'a> {
    whole: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    /// Continues with `parser`; an error is reported as one in `part`.
    fn take<T>(
        &mut self,
        part: Part,
        mut parser: impl Parser<&'a str, Output = T, Error = Fault<'a>>,
    ) -> Result<T, FenError> {
        let (rest, output) = parser.parse(self.rest).finish().map_err(|fault| self.error(part, &fault))?;
        self.rest = rest;
        Ok(output)
    }

    fn error(&self, part: Part, fault: &Fault<'a>) -> FenError {
        FenError::Syntax { part, problem: fault.problem, excerpt: fault.excerpt(self.whole) }
    }
}

fn color(input: &str) -> Parsed<'_, Color> {
    alt((value(Color::White, one_of("Ww")), value(Color::Black, one_of("Bb")))).parse(input)
}

/// The letter of a field, or the first of the signs that the counts of king moves begin with.
fn field(input: &str) -> Parsed<'_, Part> {
    let half_moves = value(Part::HalfMoves, one_of("Hh"));
    let move_number = value(Part::MoveNumber, one_of("Ff"));
    let king_runs = value(Part::KingRuns, char('+'));
    let ages = value(Part::EndingAges, one_of("Ee"));
    alt((color.map(Part::Pieces), half_moves, move_number, king_runs, ages)).parse(input)
}

/// A half-move clock or move number.
fn counter<'a>(least: u16) -> impl Parser<&'a str, Output = u16, Error = Fault<'a>> {
    let in_range = move |input| match number(Problem::OutOfRange).parse(input)? {
        (_, number) if number < least => Fault::fatal(input, Problem::OutOfRange),
        counted => Ok(counted),
    };
    expect("a number", token(in_range))
}

/// The plies that an ending of few pieces has lasted, alone or before those of the stay on the main road and of kings on both
/// sides.
fn ending_ages(input: &str) -> Parsed<'_, EndingAges> {
    let (rest, ending) = age(input)?;
    let others = (preceded(symbol(','), age), preceded(expect("','", symbol(',')), age));
    let (rest, others) = opt(others).parse(rest)?;
    let (road, balance) = others.unwrap_or_default();
    Ok((rest, EndingAges { ending, road, balance }))
}

/// Plies that an ending has lasted.
fn age(input: &str) -> Parsed<'_, u8> {
    expect("a number", token(number(Problem::OutOfRange))).parse(input)
}

/// The counts of king moves after their first `+`, White's first: `348+335` is three moves of each side, by the kings
/// on 48 and 35.
fn both_king_runs(input: &str) -> Parsed<'_, [Option<FenKingRun>; 2]> {
    let (rest, white) = king_run(input)?;
    let (rest, black) = preceded(expect("'+'", symbol('+')), king_run).parse(rest)?;
    Ok((rest, [white, black]))
}

/// One digit, the count, and the square of the king.
fn king_run(input: &str) -> Parsed<'_, Option<FenKingRun>> {
    let digit = map_opt(satisfy(|c| c.is_ascii_digit()), |digit| digit.to_digit(10));
    let (rest, count) = expect("a count from 0 to 3", token(digit)).parse(input)?;
    let (rest, square) = opt(token(square_name)).parse(rest)?;
    match u8::try_from(count) {
        Ok(0) => Ok((rest, None)),
        Ok(moves @ 1..=MOST_KING_MOVES) => Ok((rest, Some(FenKingRun { moves, square }))),
        _ => Fault::fatal(input, Problem::OutOfRange),
    }
}

/// A list of pieces, which may be empty.
fn pieces(input: &str) -> Parsed<'_, Vec<FenPiece>> {
    let nothing = value(Vec::new(), peek(alt((eof.map(|_| ' '), one_of(":.\"")))));
    let (rest, ranges) = alt((nothing, separated_list1(symbol(','), expect("a square", range)))).parse(input)?;
    // At most as many pieces as a board can have: ranges in a short text must not become an endless list.
    let pieces: Vec<_> = ranges.iter().flat_map(Range::pieces).take(MAX_SQUARES + 1).collect();
    if pieces.len() > MAX_SQUARES { Fault::fatal(input, Problem::TooMany) } else { Ok((rest, pieces)) }
}

/// Pieces of one kind: one piece, or one on every square from one number to another.
#[derive(Clone, Copy)]
struct Range {
    king: bool,
    first: SquareName,
    last: Option<Number>,
}

impl Range {
    fn pieces(&self) -> impl Iterator<Item = FenPiece> {
        let &Self { king, first, last } = self;
        let others = match (first, last) {
            (SquareName::Number(first), Some(last)) => Some(first.get().saturating_add(1)..=last.get()),
            _ => None,
        };
        let others = others.into_iter().flatten().filter_map(Number::new).map(SquareName::Number);
        std::iter::once(first).chain(others).map(move |square| FenPiece { king, square })
    }
}

/// One entry of a list. A `K` always means a king here, never the eleventh file: boards so wide use numbers.
fn range(input: &str) -> Parsed<'_, Range> {
    let (rest, king) = opt(token(one_of("Kk"))).parse(input)?;
    let (rest, first) = token(square_name).parse(rest)?;
    let single = Range { king: king.is_some(), first, last: None };
    let SquareName::Number(number) = first else { return Ok((rest, single)) };
    let last = preceded(symbol('-'), expect("a square number", token(square_number)));
    match opt(last).parse(rest)? {
        (_, Some(last)) if last < number => Fault::fatal(input, Problem::Backwards),
        (rest, last) => Ok((rest, Range { last, ..single })),
    }
}
