//! Reads a line of the conversation. What every engine of the native protocol knows is read as the draughts engine reads it.

use crate::game::State;
use crate::notation::{read_gnubg_id, read_xgid};
use crate::rules::{Play, Roll};
use soffio::notation::printable;
use soffio::session;
use soffio::session::{Dialect, Role};
use soffio::wire::native;
use strum::IntoStaticStr;

/// A line of the conversation.
#[derive(Clone, Debug, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "lowercase")]
pub enum Command {
    /// One that draughts has too, and that is not below.
    Common(native::Command),
    Position {
        start: State,
        moves: Vec<(Option<Roll>, Play)>,
    },
    Dice(Roll),
    Roll,
    Move {
        roll: Option<Roll>,
        play: Play,
    },
    Go(Go),
}

/// The parameters of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    pub dice: Option<Roll>,
    /// Games of a rollout of the best plays, when they have been found.
    pub rollout: Option<u32>,
    /// Limits and clocks.
    pub common: native::Go,
}

/// A line that cannot be obeyed, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CommandError(String);

impl CommandError {
    pub(super) fn new(reason: impl ToString) -> Self {
        Self(reason.to_string())
    }

    /// The error that `found` stands where `expected` must, or nothing does.
    fn expected(what: &str, expected: &str, found: Option<&str>) -> Self {
        let found = found.map_or("nothing".to_owned(), |found| format!("'{}'", printable(found.chars())));
        Self(format!("{what} expected {expected}, found {found}"))
    }
}

/// The deepest count, and the most games of a rollout.
const MAX_PERFT: u8 = 9;
const MAX_GAMES: u32 = 1_000_000;

/// The parameters of `go` that are read as in draughts.
const COMMON_PARAMETERS: [&str; 8] = ["depth", "movetime", "nodes", "wtime", "btime", "winc", "binc", "infinite"];

type Result<T> = std::result::Result<T, CommandError>;

/// The words that are still to be read.
type Words<'a> = std::str::SplitWhitespace<'a>;

impl Command {
    /// Reads a line; an empty one is not a command.
    ///
    /// # Errors
    /// Says which word is wrong, and what was expected.
    pub fn read(line: &str) -> Result<Option<Self>> {
        let mut words = line.split_whitespace();
        let Some(verb) = words.next() else { return Ok(None) };
        let command = match verb.to_ascii_lowercase().as_str() {
            "position" => position(&mut words)?,
            "dice" => Self::Dice(roll("dice", &mut words)?),
            "roll" => Self::Roll,
            "move" => {
                let text: Vec<&str> = words.by_ref().collect();
                if text.is_empty() {
                    return Err(CommandError::expected("move", "a play such as 8/5,6/5", None));
                }
                let (roll, play) = turn(&text.join(" "))?;
                Self::Move { roll, play }
            }
            "go" => Self::Go(go(&mut words)?),
            _ => return common(line, verb).map(Some),
        };
        match words.next() {
            None => Ok(Some(command)),
            Some(extra) => Err(CommandError::expected(&verb.to_ascii_lowercase(), "the end of the line", Some(extra))),
        }
    }

    /// The effect of the command on jobs.
    pub(super) fn role(&self) -> Role {
        match self {
            Self::Common(command) => session::Native::role(command),
            Self::Go(_) => Role::Begin,
            _ => Role::Plain,
        }
    }

    /// The name of a command that cannot be obeyed during a search.
    pub(super) fn refused_while_busy(&self) -> Option<&'static str> {
        match self {
            Self::Common(command) => session::refused_while_busy(command),
            command => Some(command.into()),
        }
    }
}

fn common(line: &str, verb: &str) -> Result<Command> {
    use native::Command as Common;
    match native::Command::read(line) {
        Ok(None | Some(Common::Probe | Common::Divide { .. } | Common::Bench))
        | Err(native::CommandError::Unknown(_)) => {
            Err(CommandError(format!("command '{}' is not known in tavla, try help", printable(verb.chars()))))
        }
        Ok(Some(Common::Perft { depth, .. })) if depth > MAX_PERFT => {
            Err(CommandError::expected("perft", "a depth from 0 to 9", Some(&depth.to_string())))
        }
        Ok(Some(command)) => Ok(Command::Common(command)),
        Err(error) => Err(CommandError::new(error)),
    }
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
    let (dice, play) = text.split_once(':').map_or((None, text), |(dice, play)| (Some(dice), play.trim()));
    let shown = printable(text.chars());
    let roll = dice.map(|dice| dice.trim().parse()).transpose();
    let roll = roll.map_err(|error| CommandError(format!("move {shown}: expected {error}")))?;
    let play = play.parse().map_err(|error| CommandError(format!("move {shown} {error}")))?;
    Ok((roll, play))
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

fn go(words: &mut Words<'_>) -> Result<Go> {
    let mut go = Go::default();
    let mut common = "go".to_owned();
    while let Some(word) = words.next() {
        match word.to_ascii_lowercase().as_str() {
            "dice" => go.dice = Some(roll("go dice", words)?),
            "rollout" => {
                let text = words.next();
                let games = text.and_then(|text| text.parse().ok()).filter(|games| (1..=MAX_GAMES).contains(games));
                let expected = "a number of games from 1 to 1000000";
                go.rollout = Some(games.ok_or_else(|| CommandError::expected("go rollout", expected, text))?);
            }
            parameter if COMMON_PARAMETERS.contains(&parameter) || parameter.parse::<i64>().is_ok() => {
                common = format!("{common} {parameter}");
            }
            _ => {
                let expected = format!("dice, rollout, {}", COMMON_PARAMETERS.join(", "));
                return Err(CommandError::expected("go", &expected, Some(word)));
            }
        }
    }
    match native::Command::read(&common) {
        Ok(Some(native::Command::Go(common))) => Ok(Go { common, ..go }),
        Ok(_) => Ok(go),
        Err(error) => Err(CommandError::new(error)),
    }
}
