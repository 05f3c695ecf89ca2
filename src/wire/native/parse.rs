//! Reads a line of the native protocol.

use super::go::go;
use super::help::Shown;
use super::{Command, CommandError, Start};
use crate::notation::{FenRecord, MoveRecord};
use crate::position::CaptureOrder;
use nom::branch::alt;
use nom::bytes::complete::{take_till, take_while1};
use nom::combinator::{peek, recognize, rest, value, verify};
use nom::error::Error;
use nom::multi::many0_count;
use nom::sequence::preceded;
use nom::{IResult, Parser};
use std::str::FromStr;

/// Deepest perft that can be asked for; deeper ones would not end in a lifetime.
const MAX_PERFT_DEPTH: u8 = 99;

/// Most moves that `undo` and `redo` can be asked for.
const MAX_MOVES: usize = 9999;

pub(super) type Parsed<'a, T> = IResult<&'a str, T>;

/// How the arguments of a command are read; it is told its name, for errors.
type Read = fn(&'static str, &str) -> Result<Command, CommandError>;

/// All commands, in the order in which the help shows them.
const COMMANDS: [(&str, Read, Shown); 22] = [
    ("position", |_, rest| position(rest), Shown("startpos|fen <FEN> [moves <m>...]", Some("set up a position"))),
    ("move", play, Shown("<m>...", Some("play moves: 23-19, 22x15, 28x19x10"))),
    ("undo", |name, rest| count(name, rest).map(Command::Undo), Shown("[n]", None)),
    ("redo", |name, rest| count(name, rest).map(Command::Redo), Shown("[n]", Some("take back, play again"))),
    ("go", |_, rest| go(rest).map(Command::Go), Shown("", None)),
    ("stop", |name, rest| alone(name, rest, Command::Stop), Shown("", None)),
    ("ponderhit", |name, rest| alone(name, rest, Command::PonderHit), Shown("", None)),
    (
        "wait",
        |name, rest| alone(name, rest, Command::Wait),
        Shown("", Some("end the search, the expected move was played, read on when it is over")),
    ),
    ("d", |name, rest| alone(name, rest, Command::Display), Shown("", None)),
    ("legal", |name, rest| alone(name, rest, Command::Legal), Shown("", None)),
    ("eval", |name, rest| alone(name, rest, Command::Eval), Shown("", None)),
    (
        "status",
        |name, rest| alone(name, rest, Command::Status),
        Shown("", Some("board, legal moves, evaluation, whether the game is over")),
    ),
    (
        "probe",
        |name, rest| alone(name, rest, Command::Probe),
        Shown("", Some("what endgame tables say of the position and its moves")),
    ),
    (
        "perft",
        |name, rest| perft(name, 0, rest).map(|(depth, order)| Command::Perft { depth, order }),
        Shown("N [all]", None),
    ),
    (
        "divide",
        |name, rest| perft(name, 1, rest).map(|(depth, order)| Command::Divide { depth, order }),
        Shown("N [all]", None),
    ),
    (
        "bench",
        |name, rest| alone(name, rest, Command::Bench),
        Shown("", Some("count move sequences, measure the search")),
    ),
    (
        "setoption",
        |_, rest| set_option(rest),
        Shown(
            "name <option> [value <v>]",
            Some("UCI_Variant italian|english|international, Hash MiB, Clear Hash, ..."),
        ),
    ),
    ("uci", |name, rest| alone(name, rest, Command::Uci), Shown("", None)),
    ("isready", |name, rest| alone(name, rest, Command::IsReady), Shown("", None)),
    ("ucinewgame", |name, rest| alone(name, rest, Command::UciNewGame), Shown("", None)),
    ("help", |name, rest| alone(name, rest, Command::Help), Shown("", None)),
    ("quit", |name, rest| alone(name, rest, Command::Quit), Shown("", Some(""))),
];

/// The commands as the help shows them.
pub(super) fn shown() -> impl Iterator<Item = (String, Shown)> {
    COMMANDS.iter().map(|(name, _, shown)| (shown.usage(name), *shown))
}

impl Command {
    /// Reads a line, whatever spaces are around its words. An empty line is no command.
    ///
    /// # Errors
    /// Says which word is wrong, and what was expected.
    pub fn read(line: &str) -> Result<Option<Self>, CommandError> {
        let Ok((arguments, name)) = word(line) else { return Ok(None) };
        let known = COMMANDS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
        let (name, read, _) = known.ok_or_else(|| CommandError::Unknown(name.to_owned()))?;
        read(name, arguments).map(Some)
    }
}

/// A command without arguments.
fn alone(name: &'static str, arguments: &str, command: Command) -> Result<Command, CommandError> {
    match next_word(arguments) {
        "" => Ok(command),
        extra => Err(CommandError::expected(name, "the end of the line", extra)),
    }
}

fn play(name: &'static str, arguments: &str) -> Result<Command, CommandError> {
    match moves(arguments)? {
        moves if moves.is_empty() => Err(CommandError::Missing { what: name, expected: "a move" }),
        moves => Ok(Command::Move(moves)),
    }
}

fn is_space(c: char) -> bool {
    c.is_whitespace()
}

/// The next word, without the spaces before it.
pub(super) fn word(input: &str) -> Parsed<'_, &str> {
    preceded(take_till(|c| !is_space(c)), take_while1(|c| !is_space(c))).parse(input)
}

/// The word `keyword`, in upper or lower case.
fn keyword<'a>(keyword: &'static str) -> impl Parser<&'a str, Output = (), Error = Error<&'a str>> {
    value((), verify(word, move |found: &str| found.eq_ignore_ascii_case(keyword)))
}

/// The words before the word `end`, or all words if it does not come.
fn words_before<'a>(end: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Error<&'a str>> {
    let other = verify(word, move |found: &str| !found.eq_ignore_ascii_case(end));
    recognize(many0_count(other)).map(str::trim)
}

/// The word that comes next, or nothing.
pub(super) fn next_word(input: &str) -> &str {
    peek(word).parse(input).map_or("", |(_, found)| found)
}

fn set_option(arguments: &str) -> Result<Command, CommandError> {
    let wrong = |expected, found: &str| Err(CommandError::expected("setoption", expected, next_word(found)));
    let Ok((after_name, ())) = keyword("name").parse(arguments) else { return wrong("'name'", arguments) };
    let Ok((input, name)) = words_before("value").parse(after_name) else { return wrong("a name", after_name) };
    if name.is_empty() {
        return wrong("a name", after_name);
    }
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let given = preceded(keyword("value"), rest::<&str, Error<&str>>).parse(input).ok();
    Ok(Command::SetOption { name, value: given.map(|(_, value)| value.trim().to_owned()) })
}

fn position(arguments: &str) -> Result<Command, CommandError> {
    let mut kind = alt((keyword("startpos").map(|()| false), keyword("fen").map(|()| true)));
    let Ok((input, has_fen)) = kind.parse(arguments) else {
        return Err(CommandError::expected("position", "startpos or fen", next_word(arguments)));
    };
    let (input, start) = if has_fen {
        let (input, text) = words_before("moves").parse(input).unwrap_or((input, ""));
        (input, Start::Fen(FenRecord::from_str(text).map_err(CommandError::Fen)?))
    } else {
        (input, Start::Startpos)
    };
    match keyword("moves").parse(input) {
        Ok((input, ())) => Ok(Command::Position { start, moves: moves(input)? }),
        Err(_) if next_word(input).is_empty() => Ok(Command::Position { start, moves: Vec::new() }),
        Err(_) => Err(CommandError::expected("position", "moves or the end of the line", next_word(input))),
    }
}

/// Moves up to the end of the line.
fn moves(arguments: &str) -> Result<Vec<MoveRecord>, CommandError> {
    arguments.split_whitespace().map(one_move).collect()
}

pub(super) fn one_move(text: &str) -> Result<MoveRecord, CommandError> {
    text.parse().map_err(|error| CommandError::Move { text: text.to_owned(), error })
}

/// A number of moves; 1 when none is given.
fn count(what: &'static str, arguments: &str) -> Result<usize, CommandError> {
    let wrong = |found: &str| CommandError::expected(what, "a number of moves from 1 to 9999", found);
    let Ok((input, text)) = word(arguments) else { return Ok(1) };
    let number = text.parse().ok().filter(|number| (1..=MAX_MOVES).contains(number)).ok_or_else(|| wrong(text))?;
    match word(input) {
        Ok((_, extra)) => Err(CommandError::expected(what, "the end of the line", extra)),
        Err(_) => Ok(number),
    }
}

/// A depth of at least `least`, and perhaps the word `all`.
fn perft(what: &'static str, least: u8, arguments: &str) -> Result<(u8, CaptureOrder), CommandError> {
    let expected = if least == 0 { "a depth from 0 to 99" } else { "a depth from 1 to 99" };
    let text = next_word(arguments);
    let depth = text.parse().ok().filter(|depth| (least..=MAX_PERFT_DEPTH).contains(depth));
    let depth = depth.ok_or_else(|| CommandError::expected(what, expected, text))?;
    let input = word(arguments).map_or("", |(input, _)| input);
    let (input, order) = match keyword("all").parse(input) {
        Ok((input, ())) => (input, CaptureOrder::Counted),
        Err(_) => (input, CaptureOrder::Merged),
    };
    match next_word(input) {
        "" => Ok((depth, order)),
        extra => Err(CommandError::expected(what, "all or the end of the line", extra)),
    }
}
