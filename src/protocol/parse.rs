//! Reads a line of the native protocol.

use super::go::go;
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

/// Reads a line, whatever spaces are around its words. An empty line is no command.
///
/// # Errors
/// Says which word is wrong, and what was expected.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let Ok((arguments, name)) = word(line) else { return Ok(None) };
    let plain = |what, command: Command| match word(arguments) {
        Ok((_, extra)) => Err(CommandError::expected(what, "the end of the line", extra)),
        Err(_) => Ok(command),
    };
    match name.to_ascii_lowercase().as_str() {
        "uci" => plain("uci", Command::Uci),
        "isready" => plain("isready", Command::IsReady),
        "ucinewgame" => plain("ucinewgame", Command::UciNewGame),
        "setoption" => set_option(arguments),
        "position" => position(arguments),
        "move" => match moves(arguments)? {
            moves if moves.is_empty() => Err(CommandError::Missing { what: "move", expected: "a move" }),
            moves => Ok(Command::Move(moves)),
        },
        "undo" => count("undo", arguments).map(Command::Undo),
        "redo" => count("redo", arguments).map(Command::Redo),
        "go" => go(arguments).map(Command::Go),
        "stop" => plain("stop", Command::Stop),
        "ponderhit" => plain("ponderhit", Command::PonderHit),
        "d" => plain("d", Command::Display),
        "legal" => plain("legal", Command::Legal),
        "eval" => plain("eval", Command::Eval),
        "status" => plain("status", Command::Status),
        "perft" => perft("perft", 0, arguments).map(|(depth, order)| Command::Perft { depth, order }),
        "divide" => perft("divide", 1, arguments).map(|(depth, order)| Command::Divide { depth, order }),
        "bench" => plain("bench", Command::Bench),
        "wait" => plain("wait", Command::Wait),
        "help" => plain("help", Command::Help),
        "quit" => plain("quit", Command::Quit),
        _ => Err(CommandError::Unknown(name.to_owned())),
    }
    .map(Some)
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
