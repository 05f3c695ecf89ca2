//! Reads a line of the conversation.

use super::super::game::State;
use super::super::notation::{read_gnubg_id, read_xgid};
use super::super::player::Limits;
use super::super::rules::{Play, Roll};
use std::fmt;
use std::time::Duration;

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption { name: String, value: Option<String> },
    Position { start: State, moves: Vec<(Option<Roll>, Play)> },
    Dice(Roll),
    Roll,
    Move { roll: Option<Roll>, play: Play },
    Undo(usize),
    Redo(usize),
    Go(Go),
    Legal,
    Eval,
    Status,
    Display,
    Perft(u8),
    Stop,
    PonderHit,
    Wait,
    Help,
    Quit,
}

/// What a search is told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    pub dice: Option<Roll>,
    pub limits: Limits,
    pub is_infinite: bool,
    /// Time and increment of white, then of black.
    pub clocks: [(Option<Duration>, Duration); 2],
}

/// Why a line cannot be obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandError(String);

impl CommandError {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    fn expected(what: &str, expected: &str, found: Option<&str>) -> Self {
        match found {
            None => Self(format!("{what} expected {expected}, found nothing")),
            Some(found) => Self(format!("{what} expected {expected}, found '{}'", shown(found))),
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CommandError {}

/// The beginning of a text from outside, fit to be printed in one line.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String = text.chars().take(LONGEST).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push_str("...");
    }
    shown
}

/// The most turns that `undo` and `redo` can be asked for, the deepest count, and the most games of a rollout.
const MAX_TURNS: usize = 9999;
const MAX_PERFT: u8 = 9;
const MAX_GAMES: u32 = 1_000_000;

type Result<T> = std::result::Result<T, CommandError>;

/// The words that are still to be read.
type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

/// Reads a line that is not empty.
pub(super) fn parse(line: &str) -> Result<Command> {
    let mut words = line.split_whitespace().peekable();
    let verb = words.next().unwrap_or_default().to_ascii_lowercase();
    let command = match verb.as_str() {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "wait" => Command::Wait,
        "quit" => Command::Quit,
        "ucinewgame" => Command::NewGame,
        "setoption" => return set_option(line),
        "position" => position(&mut words)?,
        "dice" => Command::Dice(roll("dice", &mut words)?),
        "roll" => Command::Roll,
        "move" => {
            let text: Vec<&str> = words.by_ref().collect();
            if text.is_empty() {
                return Err(CommandError::expected("move", "a play such as 8/5,6/5", None));
            }
            let (roll, play) = turn(&text.join(" "))?;
            Command::Move { roll, play }
        }
        "undo" => Command::Undo(count("undo", &mut words)?),
        "redo" => Command::Redo(count("redo", &mut words)?),
        "go" => Command::Go(go(&mut words)?),
        "legal" => Command::Legal,
        "eval" => Command::Eval,
        "status" => Command::Status,
        "d" => Command::Display,
        "perft" => Command::Perft(number("perft", "a depth from 0 to 9", &mut words, |&depth| depth <= MAX_PERFT)?),
        "help" => Command::Help,
        other => return Err(CommandError(format!("command '{}' is not known in tavla, try help", shown(other)))),
    };
    match words.next() {
        None => Ok(command),
        Some(extra) => Err(CommandError::expected(&verb, "the end of the line", Some(extra))),
    }
}

fn set_option(line: &str) -> Result<Command> {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let Some((first, rest)) = words.split_first() else {
        return Err(CommandError::expected("setoption", "'name'", None));
    };
    if !first.eq_ignore_ascii_case("name") {
        return Err(CommandError::expected("setoption", "'name'", Some(first)));
    }
    let end = rest.iter().position(|word| word.eq_ignore_ascii_case("value"));
    let (name, value) = match end {
        Some(end) => (rest.get(..end), rest.get(end + 1..)),
        None => (Some(rest), None),
    };
    let name = name.unwrap_or_default().join(" ");
    if name.is_empty() {
        return Err(CommandError::expected("setoption", "a name", None));
    }
    Ok(Command::SetOption { name, value: value.map(|words| words.join(" ")) })
}

fn position(words: &mut Words<'_>) -> Result<Command> {
    let kinds = "startpos, xgid or gnubgid";
    let kind = words.next().ok_or_else(|| CommandError::expected("position", kinds, None))?;
    let start = match kind.to_ascii_lowercase().as_str() {
        "startpos" => State::start(),
        kind @ ("xgid" | "gnubgid") => {
            let id = words.next().ok_or_else(|| CommandError::expected(kind, "an ID", None))?;
            let read = if kind == "xgid" { read_xgid(id) } else { read_gnubg_id(id) };
            read.map_err(|error| CommandError(format!("{kind} {error}")))?
        }
        _ => return Err(CommandError::expected("position", kinds, Some(kind))),
    };
    match words.next() {
        None => Ok(Command::Position { start, moves: Vec::new() }),
        Some(word) if word.eq_ignore_ascii_case("moves") => {
            Ok(Command::Position { start, moves: words.map(turn).collect::<Result<_>>()? })
        }
        Some(extra) => Err(CommandError::expected("position", "moves or the end of the line", Some(extra))),
    }
}

/// A play, perhaps with its dice before it, as `31:8/5,6/5`.
fn turn(text: &str) -> Result<(Option<Roll>, Play)> {
    let wrong = |error: &dyn fmt::Display| CommandError(format!("move {} {error}", shown(text)));
    let (roll, play) = match text.split_once(':') {
        None => (None, text),
        Some((dice, play)) => {
            let roll =
                dice.trim().parse().map_err(|error| CommandError(format!("move {}: expected {error}", shown(text))))?;
            (Some(roll), play.trim())
        }
    };
    Ok((roll, play.parse().map_err(|error: super::super::rules::PlayError| wrong(&error))?))
}

/// Two dice, as two words or one.
fn roll(what: &str, words: &mut Words<'_>) -> Result<Roll> {
    let expected = "two dice from 1 to 6, as in 3 1";
    let first = words.next().ok_or_else(|| CommandError::expected(what, expected, None))?;
    if let Ok(roll) = first.parse() {
        return Ok(roll);
    }
    let second = words.next();
    let dice = first.parse().ok().zip(second.and_then(|word| word.parse().ok()));
    let found = second.map_or_else(|| first.to_owned(), |second| format!("{first} {second}"));
    dice.and_then(|(first, second)| Roll::new(first, second))
        .ok_or_else(|| CommandError::expected(what, expected, Some(&found)))
}

/// A number of turns; 1 when none is given.
fn count(what: &str, words: &mut Words<'_>) -> Result<usize> {
    if words.peek().is_none() {
        return Ok(1);
    }
    number(what, "a number of turns from 1 to 9999", words, |count| (1..=MAX_TURNS).contains(count))
}

fn number<T: std::str::FromStr>(
    what: &str,
    expected: &str,
    words: &mut Words<'_>,
    is_possible: impl FnOnce(&T) -> bool,
) -> Result<T> {
    let text = words.next();
    let number = text.and_then(|text| text.parse().ok()).filter(is_possible);
    number.ok_or_else(|| CommandError::expected(what, expected, text))
}

fn go(words: &mut Words<'_>) -> Result<Go> {
    let mut go = Go::default();
    let [white, black] = &mut go.clocks;
    while let Some(word) = words.next() {
        let parameter = word.to_ascii_lowercase();
        let what = format!("go {parameter}");
        let milliseconds = |words: &mut Words<'_>| {
            // Clocks can have run below zero.
            number::<i64>(&what, "whole milliseconds", words, |_| true)
                .map(|number| Duration::from_millis(number.max(0).unsigned_abs()))
        };
        match parameter.as_str() {
            "dice" => go.dice = Some(roll("go dice", words)?),
            "depth" => {
                let depth: u64 = number(&what, "a depth of at least 1", words, |&depth| depth > 0)?;
                go.limits.depth = Some(depth.min(255) as u8);
            }
            "nodes" => {
                go.limits.nodes = Some(number(&what, "a number of nodes of at least 1", words, |&nodes| nodes > 0)?);
            }
            "movetime" => go.limits.time = Some(milliseconds(words)?),
            "rollout" => {
                let possible = |games: &u32| (1..=MAX_GAMES).contains(games);
                go.limits.rollout = Some(number(&what, "a number of games from 1 to 1000000", words, possible)?);
            }
            "wtime" => white.0 = Some(milliseconds(words)?),
            "btime" => black.0 = Some(milliseconds(words)?),
            "winc" => white.1 = milliseconds(words)?,
            "binc" => black.1 = milliseconds(words)?,
            "infinite" => go.is_infinite = true,
            _ => {
                let expected = "dice, depth, movetime, nodes, rollout, wtime, btime, winc, binc or infinite";
                return Err(CommandError::expected("go", expected, Some(word)));
            }
        }
    }
    Ok(go)
}
