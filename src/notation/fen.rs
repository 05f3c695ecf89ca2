//! Positions as text: FEN as defined by Portable Draughts Notation, and the square-by-square format of Hub and DXP.

use super::syntax::{Excerpt, Fault, ParseResult, Problem, expect, number, square_name, square_number, symbol, token};
use super::{SquareError, SquareName};
use crate::board::{MAX_SQUARES, Number};
use crate::position::{EndingAges, KingRun, Piece, Setup, SetupError};
use crate::rules::{Color, RuleSet};
use derive_more::Display;
use nom::branch::alt;
use nom::character::complete::{char, multispace0, one_of, satisfy};
use nom::combinator::{eof, map_opt, opt, peek, value};
use nom::multi::separated_list1;
use nom::sequence::preceded;
use nom::{Finish, IResult, Parser};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A parsed FEN. Its squares have not been checked against a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenRecord {
    /// Side to move.
    pub side: Color,
    /// White pieces, in the order in which the FEN lists them.
    pub white: Vec<FenPiece>,
    /// Black pieces, in the order in which the FEN lists them.
    pub black: Vec<FenPiece>,
    /// Half-move clock (`H`): number of plies since the last capture or advance of a man. `None` if the FEN does not
    /// give it.
    pub half_moves: Option<u16>,
    /// Number of the next move (`F`), counted from 1. `None` if the FEN does not give it.
    pub move_number: Option<u16>,
    /// Number of consecutive moves that White and Black have made with the same king (`+`), in variants that limit such
    /// moves. `None` if the number is 0 or missing.
    pub king_runs: [Option<FenKingRun>; 2],
    /// The number of plies since each ending with a move limit began (field `E`).
    pub ages: EndingAges,
}

/// A number of consecutive moves with the same king, in variants that limit such moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenKingRun {
    /// Number of moves, from 1 to 3.
    pub moves: u8,
    /// Current square of the king. `None` if the FEN does not give it, which is allowed if the side has only one king.
    pub square: Option<SquareName>,
}

/// A piece in a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenPiece {
    /// Whether the piece is a king rather than a man.
    pub king: bool,
    /// Name of the square on which the piece stands.
    pub square: SquareName,
}

impl FromStr for FenRecord {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Self::parse_until(text, |_| false).finish().map(|(_, record)| record)
    }
}

impl FenRecord {
    /// Parses the FEN at the start of `text`. The FEN extends to the end of `text` or to the first blank after which
    /// `is_end` accepts the remaining text. Every error is an `Err::Failure`.
    pub fn parse_until(text: &str, is_end: impl Fn(&str) -> bool) -> IResult<&str, Self, FenError> {
        let mut reader = FenReader { whole: text, rest: text, is_end };
        let record = reader.record().map_err(nom::Err::Failure)?;
        Ok((reader.rest, record))
    }
}

impl<F: Fn(&str) -> bool> FenReader<'_, F> {
    fn record(&mut self) -> Result<FenRecord, FenError> {
        let mut part = Part::Side;
        self.take(part, multispace0)?;
        let quoted = self.take(part, opt(symbol('"')))?.is_some();
        let side = self.take(part, expect("W or B", token(color)))?;
        let (mut white, mut black, mut half_moves, mut move_number) = (None, None, None, None);
        let (mut king_runs, mut ages) = (None, None);
        while self.take(part, opt(symbol(':')))?.is_some() {
            let start = self.rest;
            part = self.take(Part::Field, expect("W, B, H, F, E or +", token(field)))?;
            let is_first = match part {
                Part::Pieces(Color::White) => white.replace(self.take(part, pieces)?).is_none(),
                Part::Pieces(Color::Black) => black.replace(self.take(part, pieces)?).is_none(),
                Part::HalfMoves => half_moves.replace(self.take(part, counter(0))?).is_none(),
                Part::MoveNumber => move_number.replace(self.take(part, counter(1))?).is_none(),
                Part::KingRuns => king_runs.replace(self.take(part, both_king_runs)?).is_none(),
                Part::EndingAges => ages.replace(self.take(part, ending_ages)?).is_none(),
                Part::Side | Part::Field => true,
            };
            if !is_first {
                return Err(self.error(part, &Fault { rest: start, problem: Problem::Repeated }));
            }
        }
        self.take(part, opt(symbol('.')))?;
        if quoted {
            self.take(part, expect("a closing quote", symbol('"')))?;
        }
        if !self.is_at_end(self.rest) {
            let fault = Fault { rest: self.rest, problem: Problem::Expected(part.followed_by()) };
            return Err(self.error(part, &fault));
        }
        let missing = |color| FenError::Missing(Part::Pieces(color));
        let white = white.ok_or(missing(Color::White))?;
        let black = black.ok_or(missing(Color::Black))?;
        let (king_runs, ages) = (king_runs.unwrap_or_default(), ages.unwrap_or_default());
        Ok(FenRecord { side, white, black, half_moves, move_number, king_runs, ages })
    }
}

impl fmt::Display for FenRecord {
    /// Prints White first and every square separately, because this is the only form that all readers accept.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.side.pick(LETTERS))?;
        for (color, pieces) in [(Color::White, &self.white), (Color::Black, &self.black)] {
            write!(f, ":{}", color.pick(LETTERS))?;
            for (index, piece) in pieces.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                let king = if piece.king { "K" } else { "" };
                write!(f, "{comma}{king}{}", piece.square)?;
            }
        }
        if let Some(plies) = self.half_moves {
            write!(f, ":H{plies}")?;
        }
        if let Some(number) = self.move_number {
            write!(f, ":F{number}")?;
        }
        match self.ages {
            EndingAges { ending: 0, road: 0, balance: 0 } => {}
            EndingAges { ending, road: 0, balance: 0 } => write!(f, ":E{ending}")?,
            EndingAges { ending, road, balance } => write!(f, ":E{ending},{road},{balance}")?,
        }
        if self.king_runs.iter().any(Option::is_some) {
            f.write_str(":")?;
            for run in &self.king_runs {
                write!(f, "+{}", run.map_or(0, |run| run.moves))?;
                if let Some(square) = run.and_then(|run| run.square) {
                    write!(f, "{square}")?;
                }
            }
        }
        Ok(())
    }
}

const LETTERS: [&str; 2] = ["W", "B"];

impl FenRecord {
    /// Converts the FEN to a position on `spec`'s board. Positions that cannot occur in a game are accepted.
    pub fn to_setup(&self, spec: &RuleSet) -> Result<Setup, FenError> {
        let mut pieces = BTreeMap::new();
        for (color, listed) in [(Color::White, &self.white), (Color::Black, &self.black)] {
            // The pieces are placed in reverse order, so that the error for a range that leaves the board names the end
            // of the range.
            for piece in listed.iter().rev() {
                let square = piece.square.resolve(spec)?;
                if pieces.insert(square, Piece { color, king: piece.king }).is_some() {
                    return Err(FenError::TwoPieces(spec.square_name(square)));
                }
            }
        }
        let mut setup = Setup { ages: self.ages, ..Setup::new(self.side, pieces) };
        setup.quiet_plies = self.half_moves.unwrap_or(setup.quiet_plies);
        setup.move_number = self.move_number.unwrap_or(setup.move_number);
        let [white, black] = self.king_runs;
        let counted = |color, run| counted_king(spec, &setup, color, run);
        setup.king_runs = [counted(Color::White, white)?, counted(Color::Black, black)?];
        Ok(setup)
    }

    /// Converts a position on `spec`'s board to a FEN. Squares are written in the variant's notation, and pieces are
    /// listed row by row from the top left.
    ///
    /// A half-move clock of 0 is omitted because some readers do not support the field. For the same reason, a move
    /// number of 1 is omitted if there is no half-move clock.
    pub fn from_setup(spec: &RuleSet, setup: &Setup) -> Self {
        // `K` marks a king, so squares are written as numbers on a board with a file `k`.
        let is_k_a_file = spec.shape.width.max(spec.shape.height) > b'k' - b'a';
        let name =
            |square| if is_k_a_file { SquareName::Number(spec.number(square)) } else { spec.square_name(square) };
        let pieces = |color| {
            let placed = spec.shape.all_squares().filter_map(|square| Some((square, setup.pieces.get(&square)?)));
            let own = placed.filter(|(_, piece)| piece.color == color);
            own.map(|(square, piece)| FenPiece { king: piece.king, square: name(square) }).collect()
        };
        let king_run = |run: KingRun| FenKingRun { moves: run.moves, square: Some(name(run.square)) };
        let has_clock = setup.quiet_plies > 0;
        Self {
            side: setup.side,
            white: pieces(Color::White),
            black: pieces(Color::Black),
            half_moves: has_clock.then_some(setup.quiet_plies),
            move_number: (has_clock || setup.move_number > 1).then_some(setup.move_number),
            king_runs: setup.king_runs.map(|run| run.map(king_run)),
            ages: setup.ages,
        }
    }
}

/// Resolves the square of the king in `run`. Returns `None` if `run` is `None`, or if the side has no men, because king
/// moves are limited only while the side has men.
fn counted_king(
    spec: &RuleSet,
    setup: &Setup,
    color: Color,
    run: Option<FenKingRun>,
) -> Result<Option<KingRun>, FenError> {
    let Some(FenKingRun { moves, square }) = run else { return Ok(None) };
    if spec.king_moves.is_none() {
        return Err(FenError::UncountedKing(color));
    }
    if !setup.has_man(color) {
        return Ok(None);
    }
    if let Some(name) = square {
        return Ok(Some(KingRun { square: name.resolve(spec)?, moves }));
    }
    let mut kings = setup.pieces.iter().filter(|&(_, &piece)| piece == Piece { color, king: true });
    match (kings.next(), kings.next()) {
        (Some((&square, _)), None) => Ok(Some(KingRun { square, moves })),
        _ => Err(FenError::WhichKing(color)),
    }
}

/// A position as a list of all squares, in the variant's numbering order.
///
/// It is formatted as in the Hub protocol: the side to move, then `w`, `b`, `W`, `B` or `e` for each square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Side to move.
    pub side: Color,
    /// Piece on each square, or `None` if the square is empty.
    pub squares: Vec<Option<Piece>>,
}

impl Placement {
    /// Converts a position on `spec`'s board to a list of all squares.
    pub fn new(spec: &RuleSet, setup: &Setup) -> Self {
        let mut squares: Vec<_> = spec.shape.all_squares().collect();
        squares.sort_by_key(|&square| spec.number(square));
        Self { side: setup.side, squares: squares.iter().map(|square| setup.pieces.get(square).copied()).collect() }
    }

    /// Converts the position to a FEN that contains only the side to move and the pieces.
    pub fn record(&self) -> FenRecord {
        let pieces = |color| {
            let numbered = (1..).map_while(SquareName::numbered).zip(&self.squares);
            let placed = numbered.filter_map(|(square, piece)| Some((square, (*piece)?)));
            let own = placed.filter(|(_, piece)| piece.color == color);
            own.map(|(square, piece)| FenPiece { king: piece.king, square }).collect()
        };
        FenRecord {
            side: self.side,
            white: pieces(Color::White),
            black: pieces(Color::Black),
            half_moves: None,
            move_number: None,
            king_runs: [None; 2],
            ages: EndingAges::default(),
        }
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.side.pick(LETTERS))?;
        self.squares.iter().try_for_each(|piece| write!(f, "{}", piece.map_or('e', Piece::letter)))
    }
}

/// A part of a FEN, as named in error messages.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Part {
    /// The letter for the side to move.
    #[display("side to move")]
    Side,
    /// The letter at the start of a field.
    #[display("next field")]
    Field,
    /// The list of one side's pieces.
    #[display("{_0} pieces")]
    Pieces(Color),
    /// The half-move clock.
    #[display("half-move clock")]
    HalfMoves,
    /// The number of the next move.
    #[display("move number")]
    MoveNumber,
    /// The numbers of consecutive moves with the same king.
    #[display("king move counts")]
    KingRuns,
    /// How long endings with their own move limit have lasted, in plies.
    #[display("ending ages")]
    EndingAges,
}

impl Part {
    const fn followed_by(self) -> &'static str {
        match self {
            Self::Side => "':'",
            Self::Pieces(_) | Self::EndingAges => "',', ':' or the end",
            Self::Field | Self::HalfMoves | Self::MoveNumber | Self::KingRuns => "':' or the end",
        }
    }
}

/// Why a string is not a valid FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// A part of the FEN is malformed.
    #[error("{part}: {}", .problem.message(.excerpt))]
    Syntax {
        /// The part of the FEN that contains the error.
        part: Part,
        /// What is wrong.
        problem: Problem,
        /// Text and column at which the error was found.
        excerpt: Excerpt,
    },
    /// The piece list of a side is missing. A side without pieces needs an empty list.
    #[error("{0}: the list is missing")]
    Missing(Part),
    /// A square is not on the board.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// Two pieces are on the same square.
    #[error("two pieces on {0}")]
    TwoPieces(SquareName),
    /// The FEN gives a number of consecutive moves for a king of this side, but the variant does not limit such moves.
    #[error("moves of a {0} king are counted, but this variant does not limit them")]
    UncountedKing(Color),
    /// The FEN gives a number of consecutive moves for a king of this side, but not its square. The square is required
    /// unless the side has exactly one king.
    #[error("moves of a {0} king are counted, but the square of that king is missing")]
    WhichKing(Color),
    /// The position cannot occur in a game.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Maximum number of consecutive moves with the same king. After that many moves, a different piece must move.
const MAX_KING_MOVES: u8 = 3;

struct FenReader<'a, F> {
    whole: &'a str,
    rest: &'a str,
    is_end: F,
}

impl<'a, F: Fn(&str) -> bool> FenReader<'a, F> {
    /// Runs `parser` on the rest of the text. Errors report `part` as the faulty part of the FEN.
    fn take<T>(
        &mut self,
        part: Part,
        mut parser: impl Parser<&'a str, Output = T, Error = Fault<'a>>,
    ) -> Result<T, FenError> {
        let (rest, output) = parser.parse(self.rest).finish().map_err(|fault| self.error(part, &fault))?;
        self.rest = rest;
        Ok(output)
    }

    fn is_at_end(&self, rest: &str) -> bool {
        let before = self.whole.strip_suffix(rest).unwrap_or_default();
        rest.is_empty() || !before.ends_with(|c: char| !c.is_whitespace()) && (self.is_end)(rest)
    }

    fn error(&self, part: Part, fault: &Fault<'a>) -> FenError {
        let mut excerpt = fault.excerpt(self.whole);
        if self.is_at_end(fault.rest) {
            excerpt.text.clear();
        }
        FenError::Syntax { part, problem: fault.problem, excerpt }
    }
}

fn color(input: &str) -> ParseResult<'_, Color> {
    alt((value(Color::White, one_of("Ww")), value(Color::Black, one_of("Bb")))).parse(input)
}

fn field(input: &str) -> ParseResult<'_, Part> {
    let half_moves = value(Part::HalfMoves, one_of("Hh"));
    let move_number = value(Part::MoveNumber, one_of("Ff"));
    let king_runs = value(Part::KingRuns, char('+'));
    let ages = value(Part::EndingAges, one_of("Ee"));
    alt((color.map(Part::Pieces), half_moves, move_number, king_runs, ages)).parse(input)
}

fn counter<'a>(least: u16) -> impl Parser<&'a str, Output = u16, Error = Fault<'a>> {
    let in_range = move |input| match number(Problem::OutOfRange).parse(input)? {
        (_, number) if number < least => Fault::fatal(input, Problem::OutOfRange),
        counted => Ok(counted),
    };
    expect("a number", token(in_range))
}

/// Parses three numbers separated by commas: the age of the ending, the time that the lone king has stayed on the main
/// road, and the age of an ending with kings on both sides. The last two numbers may be omitted together.
fn ending_ages(input: &str) -> ParseResult<'_, EndingAges> {
    let (rest, ending) = age(input)?;
    let others = (preceded(symbol(','), age), preceded(expect("','", symbol(',')), age));
    let (rest, others) = opt(others).parse(rest)?;
    let (road, balance) = others.unwrap_or_default();
    Ok((rest, EndingAges { ending, road, balance }))
}

fn age(input: &str) -> ParseResult<'_, u8> {
    expect("a number", token(number(Problem::OutOfRange))).parse(input)
}

/// Parses the numbers of king moves after the first `+`, White's number first. In `348+335`, each side has made three
/// moves, with the kings on 48 and 35.
fn both_king_runs(input: &str) -> ParseResult<'_, [Option<FenKingRun>; 2]> {
    let (rest, white) = king_run(input)?;
    let (rest, black) = preceded(expect("'+'", symbol('+')), king_run).parse(rest)?;
    Ok((rest, [white, black]))
}

fn king_run(input: &str) -> ParseResult<'_, Option<FenKingRun>> {
    let digit = map_opt(satisfy(|c| c.is_ascii_digit()), |digit| digit.to_digit(10));
    let (rest, count) = expect("a count from 0 to 3", token(digit)).parse(input)?;
    let (rest, square) = opt(token(square_name)).parse(rest)?;
    match u8::try_from(count) {
        Ok(0) if square.is_some() => Fault::fatal(input, Problem::Expected("a count from 1 to 3 before a square")),
        Ok(0) => Ok((rest, None)),
        Ok(moves @ 1..=MAX_KING_MOVES) => Ok((rest, Some(FenKingRun { moves, square }))),
        _ => Fault::fatal(input, Problem::OutOfRange),
    }
}

fn pieces(input: &str) -> ParseResult<'_, Vec<FenPiece>> {
    let nothing = value(Vec::new(), peek(alt((eof.map(|_| ' '), one_of(":.\"")))));
    let (rest, ranges) = alt((nothing, separated_list1(symbol(','), expect("a square", range)))).parse(input)?;
    // The limit prevents the ranges in a short text from expanding to a very long list.
    let pieces: Vec<_> = ranges.iter().flat_map(Range::pieces).take(MAX_SQUARES + 1).collect();
    if pieces.len() > MAX_SQUARES { Fault::fatal(input, Problem::TooMany) } else { Ok((rest, pieces)) }
}

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

/// Parses an entry of a piece list. A leading `K` always means a king and never file k, because boards with a file k
/// use numbers.
fn range(input: &str) -> ParseResult<'_, Range> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn squares_are_printed_in_the_order_of_their_numbers() {
        let position = |variant: Variant, fen: &str| {
            let record: FenRecord = fen.parse().unwrap();
            let placement = Placement::new(variant.spec(), &record.to_setup(variant.spec()).unwrap());
            assert_eq!(placement.record().to_string(), fen);
            placement.to_string()
        };
        assert_eq!(position(Variant::English, "B:WK5,32:B1,K28"), format!("Bbeee{}{}Beeew", "W", "e".repeat(22)));
        // Spanish square numbers start at the bottom right.
        let spanish = position(Variant::Spanish, "W:W1:B32");
        assert!(spanish.starts_with("Ww") && spanish.ends_with('b') && spanish.len() == 33, "{spanish}");
    }
}
