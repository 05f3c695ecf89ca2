//! The `go` command: the table of its parameters, and the limits that they set.

use super::words::{CommandError, ParseResult, end, expect, one_move, word, write_moves};
use crate::notation::MoveRecord;
use crate::rules::Color;
use crate::search::{Clock, Limits};
use nom::combinator::{fail, map_opt, not};
use nom::error::context;
use nom::multi::{many0_count, many1};
use nom::sequence::{preceded, terminated};
use nom::{Err, Parser};
use std::fmt::{self, Display};
use std::num::{IntErrorKind, ParseIntError};
use std::ops::RangeInclusive;
use std::time::Duration;

/// A parameter of `go`.
pub struct GoParameter {
    /// Name of the parameter.
    pub name: &'static str,
    /// Syntax of its value.
    pub syntax: &'static str,
    /// Description of the parameter in the output of `help`.
    pub help: &'static str,
    effect: Effect,
}

enum Effect {
    Flag(fn(&mut Go)),
    /// A number within a range. The string describes the range in error messages.
    Number(RangeInclusive<i64>, &'static str, fn(&mut Go, i64)),
    SearchMoves,
    /// `go perft` is a separate command without other parameters.
    Perft,
}

use Effect::{Flag, Number, Perft, SearchMoves};

const fn row(name: &'static str, syntax: &'static str, help: &'static str, effect: Effect) -> GoParameter {
    GoParameter { name, syntax, help, effect }
}

const ANY: RangeInclusive<i64> = i64::MIN..=i64::MAX;
const FROM_0: RangeInclusive<i64> = 0..=i64::MAX;
const FROM_1: RangeInclusive<i64> = 1..=i64::MAX;
const TIME: &str = "a whole number of milliseconds";
const TIME_FROM_0: &str = "a whole number of milliseconds, at least 0";
const WIN: RangeInclusive<i64> = 1..=60;
const WIN_WORDS: &str = "a number of moves from 1 to 60";

/// All parameters, in the order in which the help lists them.
pub const GO_PARAMETERS: &[GoParameter] = &[
    row("depth", "<n>", "search to this depth in plies", {
        Number(FROM_1, "a depth of at least 1", |go, n| go.limits.depth = Some(n.min(255) as u8))
    }),
    row("nodes", "<n>", "search this number of nodes", {
        Number(FROM_1, "a node count of at least 1", |go, n| go.limits.nodes = Some(n.unsigned_abs()))
    }),
    row("movetime", "<ms>", "search for this time", Number(FROM_0, TIME_FROM_0, |go, n| go.limits.move_time = ms(n))),
    row("wtime", "<ms>", "time left for White", Number(ANY, TIME, |go, n| go.times[0] = ms(n))),
    row("btime", "<ms>", "time left for Black", Number(ANY, TIME, |go, n| go.times[1] = ms(n))),
    row("winc", "<ms>", "increment of White", Number(FROM_0, TIME_FROM_0, |go, n| go.increments[0] = ms(n))),
    row("binc", "<ms>", "increment of Black", Number(FROM_0, TIME_FROM_0, |go, n| go.increments[1] = ms(n))),
    row("movestogo", "<n>", "moves until the next time control", {
        Number(FROM_0, "a number of moves", |go, n| go.moves_to_go = Some(n.min(9999) as u32))
    }),
    row("infinite", "", "search until stop", Flag(|go| go.limits.infinite = true)),
    row("ponder", "", "search during the opponent's time, until ponderhit", Flag(|go| go.limits.ponder = true)),
    row("searchmoves", "<move>...", "search only these moves", SearchMoves),
    row("win", "<n>", "search only for a win in n moves", Number(WIN, WIN_WORDS, set_win_in)),
    row("mate", "<n>", "same as win (UCI name)", Number(WIN, WIN_WORDS, set_win_in)),
    row("perft", "<n>", "same as divide (UCI name)", Perft),
];

fn ms(milliseconds: i64) -> Option<Duration> {
    Some(Duration::from_millis(milliseconds.max(0).unsigned_abs()))
}

fn set_win_in(go: &mut Go, moves: i64) {
    go.limits.win_in = Some(moves as u16);
}

/// The search limits set by the parameters of `go`. A limit is `None` if it is not set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Limits that do not depend on the side to move.
    pub limits: Limits,
    /// Remaining time of White and of Black.
    pub times: [Option<Duration>; 2],
    /// Increment per move of White and of Black.
    pub increments: [Option<Duration>; 2],
    /// Number of moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// The only moves to consider. If the list is empty, all moves are considered.
    pub search_moves: Vec<MoveRecord>,
}

impl Go {
    /// Returns whether the search runs until it is stopped. `ponder` is ignored, so the result describes the search
    /// after pondering.
    pub fn is_open_ended(&self) -> bool {
        let Limits { depth, nodes, win_in, move_time, infinite, .. } = self.limits;
        let has_limit =
            depth.is_some() || nodes.is_some() || win_in.is_some() || move_time.is_some() || self.times != [None; 2];
        infinite || !has_limit
    }

    /// Returns the clock of `side`, or `None` if neither side has a clock. If only the opponent has a clock, the error
    /// is the name of the missing parameter.
    pub fn clock(&self, side: Color) -> Result<Option<Clock>, &'static str> {
        let own = side.pick(self.times);
        if own.is_none() && self.times != [None; 2] {
            return Err(side.pick(["wtime", "btime"]));
        }
        let increment = side.pick(self.increments).unwrap_or_default();
        let moves_to_go = self.moves_to_go.filter(|&moves| moves > 0);
        Ok(own.map(|remaining| Clock { remaining, increment, moves_to_go }))
    }
}

/// Parses limits in any order up to the end of the line. If a parameter is repeated, its last value counts.
pub fn limits<'a>(
    mut parameter: impl FnMut(&'a str, &mut Go) -> ParseResult<'a, ()>,
    expected: &'static str,
) -> impl Parser<&'a str, Output = Go, Error = CommandError> {
    move |arguments| {
        let mut go = Go::default();
        let (rest, _) = terminated(many0_count(|input| parameter(input, &mut go)), end(expected)).parse(arguments)?;
        let needs_clock = go.increments != [None; 2] || go.moves_to_go.is_some();
        if needs_clock && go.times == [None; 2] {
            return Err(Err::Failure(CommandError::expected("wtime or btime with winc, binc and movestogo", rest)));
        }
        Ok((rest, go))
    }
}

fn name_of_parameter(input: &str) -> ParseResult<'_, &'static GoParameter> {
    map_opt(word, |name| GO_PARAMETERS.iter().find(|row| row.name.eq_ignore_ascii_case(name))).parse(input)
}

/// Parses a whole number within `range`. A number that exceeds the type counts as the closest number of the type.
fn clamped<'a>(range: &RangeInclusive<i64>) -> impl Parser<&'a str, Output = i64, Error = CommandError> {
    let read = |word: &str| match word.parse().map_err(|error: ParseIntError| *error.kind()) {
        Ok(number) => Some(number),
        Err(IntErrorKind::PosOverflow) => Some(i64::MAX),
        Err(IntErrorKind::NegOverflow) => Some(i64::MIN),
        Err(_) => None,
    };
    map_opt(word, move |word| read(word).filter(|number| range.contains(number)))
}

/// Parses a parameter and its value, and stores the value in `go`.
pub fn go_parameter<'a>(input: &'a str, go: &mut Go) -> ParseResult<'a, ()> {
    let (rest, row) = name_of_parameter(input)?;
    let apply = |input| match &row.effect {
        Perft => fail().parse(input),
        Flag(set) => Ok((input, set(go))),
        Number(range, expected, set) => expect(expected, clamped(range)).map(|n| set(go, n)).parse(input),
        SearchMoves => expect("a move", many1(preceded(not(name_of_parameter), one_move)))
            .map(|moves| go.search_moves = moves)
            .parse(input),
    };
    context(row.name, apply).parse(rest)
}

impl Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limits, times: [white, black], increments: [white_gains, black_gains], moves_to_go, search_moves } =
            self;
        if limits.ponder {
            f.write_str(" ponder")?;
        }
        let ms = |time: Option<Duration>| time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let numbers = [
            ("wtime", ms(*white)),
            ("winc", ms(*white_gains)),
            ("btime", ms(*black)),
            ("binc", ms(*black_gains)),
            ("movestogo", moves_to_go.map(u64::from)),
            ("movetime", ms(limits.move_time)),
            ("nodes", limits.nodes),
            ("depth", limits.depth.map(u64::from)),
            ("win", limits.win_in.map(u64::from)),
        ];
        for (name, number) in numbers {
            number.iter().try_for_each(|number| write!(f, " {name} {number}"))?;
        }
        if limits.infinite {
            f.write_str(" infinite")?;
        }
        if !search_moves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        write_moves(f, search_moves)
    }
}
