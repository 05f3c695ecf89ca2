//! Moves as text: parsing, matching against legal moves, and printing as full paths or in Hub notation.

use super::SquareError;
use super::syntax::{Excerpt, Fault, ParseResult, Problem, expect, square_name};
use crate::board::{Number, Square, SquareName};
use crate::position::paths::{Sequence, legal_sequences, stops};
use crate::position::{Move, Position, Setup};
use crate::rules::{RuleSet, Word};
use nom::character::complete::{multispace0, one_of};
use nom::combinator::{eof, peek, rest, verify};
use nom::multi::fold_many1;
use nom::sequence::{delimited, terminated};
use nom::{Finish, IResult, Parser};
use smallvec::SmallVec;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// The squares that follow the origin of a move. One or two squares, as in most moves, are stored without an
/// allocation.
pub type Path = SmallVec<[SquareName; 2]>;

/// A parsed move: its squares in the order in which they appear in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRecord {
    /// Square from which the piece starts.
    pub from: SquareName,
    /// Squares after the origin (at least one): landing squares or squares of captured pieces.
    pub path: Path,
    /// Whether the move contains a capture separator. Some programs write captures with a hyphen.
    pub capture: bool,
}

/// Why a string is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .problem.message(.excerpt))]
pub struct MoveSyntaxError {
    /// What is wrong.
    pub problem: Problem,
    /// Text and column at which the error was found.
    pub excerpt: Excerpt,
}

impl FromStr for MoveRecord {
    type Err = MoveSyntaxError;

    fn from_str(text: &str) -> Result<Self, MoveSyntaxError> {
        let mut whole = delimited(multispace0, record(multispace0), expect(END, eof));
        whole.parse(text).finish().map(|(_, record)| record).map_err(|fault| MoveSyntaxError::new(text, &fault))
    }
}

const END: &str = "'-', 'x' or the end";

impl MoveSyntaxError {
    fn new(text: &str, fault: &Fault<'_>) -> Self {
        Self { problem: fault.problem, excerpt: fault.excerpt(text) }
    }
}

/// Parses a move at the start of `input`. The move must not contain whitespace, and must be followed by whitespace or
/// the end of `input`. Every error is an `Err::Failure`.
pub fn move_word(input: &str) -> IResult<&str, MoveRecord, MoveSyntaxError> {
    let ends = |rest: &&str| !rest.starts_with(|c: char| !c.is_whitespace());
    let mut whole = terminated(record(|input| Ok((input, ""))), expect(END, verify(peek(rest), ends)));
    whole.parse(input).map_err(|error| {
        error.map(|fault| {
            let word = input.find(char::is_whitespace).map_or(input, |end| input.get(..end).unwrap_or(input));
            let at = word.get(input.len() - fault.rest.len()..).unwrap_or_default();
            MoveSyntaxError::new(word, &Fault { rest: at, ..fault })
        })
    })
}

fn record<'a>(
    blanks: impl Fn(&'a str) -> ParseResult<'a, &'a str> + Copy,
) -> impl Parser<&'a str, Output = MoveRecord, Error = Fault<'a>> {
    let square = move || terminated(expect("a square", square_name), blanks);
    let sign = terminated(one_of("-xX:*"), blanks);
    let path = fold_many1(
        (sign, square()),
        || (Path::new(), false),
        |(mut path, capture), (sign, square)| {
            path.push(square);
            (path, capture || sign != '-')
        },
    );
    (square(), expect("'-' or 'x'", path)).map(|(from, (path, capture))| MoveRecord { from, path, capture })
}

impl fmt::Display for MoveRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.capture { 'x' } else { '-' };
        write!(f, "{}", self.from)?;
        self.path.iter().try_for_each(|square| write!(f, "{sign}{square}"))
    }
}

/// Formats the move in `spec`'s notation.
pub fn written(spec: &RuleSet, sequence: &Sequence) -> String {
    if spec.notation.hub_moves { hub_form(spec, sequence) } else { full_path(spec, sequence) }
}

/// Formats the move with every landing square in the notation of the variant, as in `32-28`, `28x19x10` or `c3:e5:g7`.
pub fn full_path(spec: &RuleSet, sequence: &Sequence) -> String {
    path_text(spec, sequence.from, &sequence.landings, &sequence.captured)
}

/// Formats the move for the Hub protocol: the numbers of the origin, the destination and the captured pieces, as in
/// `28x19x23`.
pub fn hub_form(spec: &RuleSet, sequence: &Sequence) -> String {
    hub_text(spec, sequence.from, sequence.to(), &sequence.captured)
}

/// Formats the legal move `mv` in `spec`'s notation. The path is determined only if the move captures several pieces,
/// because determining it for every move of every reported line would be too slow.
pub fn move_text<W: Word>(spec: &RuleSet, position: &Position<W>, mv: Move<W>) -> String {
    let mut captured = mv.captured.squares();
    let single_step = |captured: &[Square]| {
        if spec.notation.hub_moves {
            hub_text(spec, mv.from, mv.to, captured)
        } else {
            path_text(spec, mv.from, &[mv.to], captured)
        }
    };
    match (captured.next(), captured.next()) {
        (None, _) => single_step(&[]),
        (Some(only), None) => single_step(&[only]),
        _ => {
            let sequence = printed_sequence(spec, &position.to_setup(1), |sequence| bitboard_move(sequence) == mv);
            // Only a bug can lead to an illegal move here. The question mark makes the bug visible.
            sequence.map_or_else(|| "?".to_owned(), |sequence| written(spec, &sequence))
        }
    }
}

fn path_text(spec: &RuleSet, from: Square, landings: &[Square], captured: &[Square]) -> String {
    let sign = if captured.is_empty() { '-' } else { spec.notation.capture };
    joined(sign, std::iter::once(&from).chain(landings), |square| spec.square_name(square))
}

fn hub_text(spec: &RuleSet, from: Square, to: Square, captured: &[Square]) -> String {
    let sign = if captured.is_empty() { '-' } else { 'x' };
    joined(sign, [from, to].iter().chain(captured), |square| spec.number(square))
}

fn joined<'a, N: ToString>(
    sign: char,
    squares: impl Iterator<Item = &'a Square>,
    name: impl Fn(Square) -> N,
) -> String {
    squares.map(|&square| name(square).to_string()).collect::<Vec<_>>().join(&sign.to_string())
}

/// Returns the legal moves in `setup`, ordered by their squares. For a move with several paths, the result contains the
/// path whose landing squares are nearest to the top left.
pub fn printed_moves(spec: &RuleSet, setup: &Setup) -> Vec<Sequence> {
    one_path_each(spec, legal_sequences(spec, setup))
}

/// Returns the path to print for a legal move in `setup`. `is_move` must accept exactly the paths of this move. Returns
/// `None` if it accepts no path.
pub fn printed_sequence(spec: &RuleSet, setup: &Setup, is_move: impl Fn(&Sequence) -> bool) -> Option<Sequence> {
    legal_sequences(spec, setup).into_iter().filter(is_move).min_by_key(|sequence| places(spec, &sequence.landings))
}

pub(super) fn places(spec: &RuleSet, squares: &[Square]) -> Vec<Number> {
    squares.iter().map(|&square| spec.shape.number(square)).collect()
}

pub(super) fn one_path_each(spec: &RuleSet, mut sequences: Vec<Sequence>) -> Vec<Sequence> {
    sequences.sort_by_cached_key(|sequence| (spec.shape.number(sequence.from), places(spec, &sequence.landings)));
    let mut seen = HashSet::new();
    sequences.retain(|sequence| {
        seen.insert((sequence.from, sequence.to(), captured_mask(sequence), sequence.crowned_in_passing))
    });
    sequences
}

/// Converts a path to the move that it describes.
pub fn bitboard_move<W: Word>(sequence: &Sequence) -> Move<W> {
    let captured = W::from_mask(captured_mask(sequence));
    let crowned_in_passing = sequence.crowned_in_passing;
    Move { captured, from: sequence.from, to: sequence.to(), crowned_in_passing }
}

/// Returns the squares of the pieces that `sequence` captures, as a bitboard.
pub fn captured_mask(sequence: &Sequence) -> u128 {
    mask_of(&sequence.captured)
}

fn mask_of(squares: &[Square]) -> u128 {
    squares.iter().fold(0, |mask, square| mask | 1 << square.index())
}

pub(super) struct WrittenPath<'a> {
    pub(super) spec: &'a RuleSet,
    pub(super) from: Square,
    pub(super) path: Vec<Square>,
    pub(super) capture: bool,
}

impl<'a> WrittenPath<'a> {
    pub(super) fn new(spec: &'a RuleSet, record: &MoveRecord) -> Result<Self, SquareError> {
        let from = record.from.resolve(spec)?;
        let path = record.path.iter().map(|square| square.resolve(spec)).collect::<Result<_, _>>()?;
        Ok(Self { spec, from, path, capture: record.capture })
    }

    /// Returns the `sequences` whose full path matches the written squares. If there are none, falls back to the
    /// sequences that match in Hub form, and then to the sequences whose paths contain the squares.
    pub(super) fn matching(&self, sequences: &[Sequence]) -> Vec<Sequence> {
        self.readings(sequences).into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    pub(super) fn readings(&self, sequences: &[Sequence]) -> [Vec<Sequence>; 3] {
        [Self::is_full_path, Self::is_hub_form, Self::is_part_of_path].map(|reading| {
            let possible = |sequence: &&Sequence| self.allows(sequence) && reading(self, sequence);
            sequences.iter().filter(possible).cloned().collect()
        })
    }

    pub(super) fn matches_any(&self, sequences: &[Sequence]) -> bool {
        !self.matching(sequences).is_empty()
    }

    /// Returns the destination, which is either the first or the last square of the path. It is the first square if all
    /// other squares hold pieces of the opponent in `setup`, as in Hub form.
    pub(super) fn to(&self, setup: &Setup) -> Square {
        let is_prey = |square: &Square| setup.pieces.get(square).is_some_and(|piece| piece.color != setup.side);
        match self.path.as_slice() {
            [to, captured @ ..] if !captured.is_empty() && captured.iter().all(is_prey) => *to,
            [.., to] => *to,
            [] => self.from,
        }
    }

    fn allows(&self, sequence: &Sequence) -> bool {
        sequence.from == self.from && !(self.capture && sequence.captured.is_empty())
    }

    fn is_full_path(&self, sequence: &Sequence) -> bool {
        self.path.as_slice() == sequence.landings.as_slice()
    }

    fn is_hub_form(&self, sequence: &Sequence) -> bool {
        let [to, captured @ ..] = self.path.as_slice() else { return false };
        *to == sequence.to()
            && captured.len() == sequence.captured.len()
            && mask_of(captured) == captured_mask(sequence)
    }

    fn is_part_of_path(&self, sequence: &Sequence) -> bool {
        let mut stops = stops(self.spec, sequence).into_iter();
        self.path.last() == sequence.landings.last()
            && self.path.iter().all(|square| stops.any(|stops| stops.contains(square)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reprinted(text: &str) -> String {
        text.parse().map_or_else(|error: MoveSyntaxError| error.to_string(), |record: MoveRecord| record.to_string())
    }

    #[test]
    fn every_separator_is_parsed() {
        for text in ["28x19x10", "28X19X10", "28:19:10", "28*19*10", "28-19x10", " 28 x 19 x 10 "] {
            assert_eq!(reprinted(text), "28x19x10");
        }
        assert_eq!(reprinted("32-28"), "32-28");
        assert_eq!(reprinted("c3-D4"), "c3-d4");
        assert_eq!(reprinted("c3:e5:g7"), "c3xe5xg7");
    }

    #[test]
    fn errors_contain_the_location_and_the_reason() {
        assert_eq!(reprinted(""), "expected a square, found the end at column 1");
        assert_eq!(reprinted("32"), "expected '-' or 'x', found the end at column 3");
        assert_eq!(reprinted("32-"), "expected a square, found the end at column 4");
        assert_eq!(reprinted("32-é8"), "expected a square, found 'é8' at column 4");
        assert_eq!(reprinted("32-28\u{7}!"), "expected '-', 'x' or the end, found '?!' at column 6");
        assert_eq!(reprinted("32-2800"), "number too large: '2800' at column 4");
    }
}
