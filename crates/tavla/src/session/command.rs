//! Parses tavla commands. The native protocol parses the commands that tavla shares with draughts.

use crate::game::TavlaState;
use crate::notation::{read_gnubg_id, read_xgid};
use crate::rules::{PlayError, Roll, RollError, TavlaPlay};
use anyhow::Result;
use nom::branch::alt;
use nom::combinator::{cut, eof, map_opt, map_res, peek, rest, value, verify};
use nom::error::context;
use nom::multi::{many0, many1};
use nom::sequence::{preceded, terminated};
use nom::{Finish, Parser};
use soffio::notation::printable;
use soffio::position::CaptureOrder;
use soffio::session::{self, JobEffect, SessionDialect};
use soffio::wire::native::words::{
    CommandError as Fault, ParseResult, blanks, end, expect, keyword, number, shown_word, word,
};
use soffio::wire::native::{self, WhileSearching};
use strum::IntoStaticStr;

#[derive(Clone, Debug, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "lowercase")]
pub enum TavlaCommand {
    Common(native::NativeCommand),
    Position { start: TavlaState, moves: Vec<(Option<Roll>, TavlaPlay)> },
    Dice(Roll),
    Roll,
    Move { roll: Option<Roll>, play: TavlaPlay },
    Go(TavlaGo),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct TavlaGo {
    pub dice: Option<Roll>,
    pub rollout: Option<u32>,
    pub common: native::Go,
}

const MAX_PERFT: u8 = 9;
// A single game has no standard error.
const MIN_GAMES: u32 = 2;
const MAX_GAMES: u32 = 1_000_000;
const GAMES: &str = "a number of games from 2 to 1000000";

const COMMON_PARAMETERS: [&str; 9] =
    ["depth", "movetime", "nodes", "wtime", "btime", "winc", "binc", "movestogo", "infinite"];
const PARAMETERS: &str = "dice, rollout, depth, movetime, nodes, wtime, btime, winc, binc, movestogo, infinite";

impl TavlaCommand {
    pub fn read(line: &str) -> Result<Option<Self>> {
        let mut line_parser = preceded(blanks, alt((value(None, eof), command.map(Some))));
        Ok(line_parser.parse(line).finish()?.1)
    }

    pub(super) fn job_effect(&self) -> JobEffect {
        match self {
            Self::Common(command) => session::Native::job_effect(command),
            Self::Go(_) => JobEffect::StartJob,
            _ => JobEffect::InOrder,
        }
    }

    pub(super) fn while_searching(&self) -> (&'static str, WhileSearching) {
        match self {
            Self::Common(command) => (command.name(), command.while_searching()),
            Self::Position { .. } | Self::Go(_) => (self.into(), WhileSearching::StopsSearch),
            _ => (self.into(), WhileSearching::Rejected),
        }
    }
}

type Arguments = fn(&str) -> ParseResult<'_, TavlaCommand>;

/// Commands that draughts does not have or parses differently.
const OWN: [(&str, Arguments); 6] = [
    ("position", position),
    ("dice", |line| terminated(roll, end("the end of the line")).map(TavlaCommand::Dice).parse(line)),
    ("roll", |line| value(TavlaCommand::Roll, end("the end of the line")).parse(line)),
    ("move", |line| {
        let words = expect("a play such as 8/5,6/5", many1(word)).map(|words| words.join(" "));
        map_res(words, |text| turn(&text)).map(|(roll, play)| TavlaCommand::Move { roll, play }).parse(line)
    }),
    ("go", go),
    ("perft", |line| {
        let depth = expect("a depth from 0 to 9", number(0..=MAX_PERFT));
        let perft = |depth| native::NativeCommand::Perft { depth, order: CaptureOrder::Merged };
        terminated(depth, end("the end of the line")).map(|depth| TavlaCommand::Common(perft(depth))).parse(line)
    }),
];

fn command(line: &str) -> ParseResult<'_, TavlaCommand> {
    let (arguments, name) = word(line)?;
    match OWN.into_iter().find(|(own, _)| own.eq_ignore_ascii_case(name)) {
        Some((name, arguments_of)) => context(name, cut(arguments_of)).parse(arguments),
        None => map_res(rest, |_| common(line, name)).parse(arguments),
    }
}

fn common(line: &str, name: &str) -> Result<TavlaCommand, Fault> {
    use native::NativeCommand as Common;
    match native::NativeCommand::read(line) {
        Ok(None | Some(Common::Probe | Common::Divide { .. } | Common::Bench | Common::Debug(_)))
        | Err(Fault::Unknown(_)) => {
            let what = format!("command '{}'", shown_word(name));
            Err(Fault::Malformed { what, reason: "is not available in tavla; try help".to_owned() })
        }
        Ok(Some(command)) => Ok(TavlaCommand::Common(command)),
        Err(error) => Err(error),
    }
}

fn position(arguments: &str) -> ParseResult<'_, TavlaCommand> {
    let id = |name: &'static str, read: fn(&str) -> Result<TavlaState>| {
        let malformed =
            move |error: anyhow::Error| Fault::Malformed { what: name.to_owned(), reason: error.to_string() };
        let id = map_res(expect("an ID", word), move |id| read(id).map_err(malformed));
        preceded(keyword(name), cut(id))
    };
    let start =
        alt((value(TavlaState::start(), keyword("startpos")), id("xgid", read_xgid), id("gnubgid", read_gnubg_id)));
    let no_moves = value(Vec::new(), end("moves or the end of the line"));
    let moves = alt((preceded(keyword("moves"), many0(turn_word)), no_moves));
    (expect("startpos, xgid or gnubgid", start), moves)
        .map(|(start, moves)| TavlaCommand::Position { start, moves })
        .parse(arguments)
}

/// Parses one word of a move list. A malformed move is a fatal error, because `many0` would stop at any other error and
/// drop the rest of the line.
fn turn_word(input: &str) -> ParseResult<'_, (Option<Roll>, TavlaPlay)> {
    let (rest, text) = word(input)?;
    turn(text).map(|turn| (rest, turn)).map_err(nom::Err::Failure)
}

/// Parses a play, optionally with the dice before it, as in `31:8/5,6/5`.
fn turn(text: &str) -> Result<(Option<Roll>, TavlaPlay), Fault> {
    let malformed = |reason: String| Fault::Malformed { what: format!("move {}:", printable(text.chars())), reason };
    let (dice, play) = text.split_once(':').map_or((None, text), |(dice, play)| (Some(dice), play.trim()));
    let roll = dice.map(|dice| dice.trim().parse()).transpose();
    let roll = roll.map_err(|error: RollError| malformed(format!("expected {error}")))?;
    Ok((roll, play.parse().map_err(|error: PlayError| malformed(error.to_string()))?))
}

fn roll(input: &str) -> ParseResult<'_, Roll> {
    let second = expect("a second die from 1 to 6", number(1..=6));
    let two = map_opt((number(1..=6), second), |(first, second)| Roll::new(first, second));
    expect("two dice from 1 to 6, as in 3 1", alt((map_opt(word, |word| word.parse().ok()), two))).parse(input)
}

fn go(arguments: &str) -> ParseResult<'_, TavlaCommand> {
    let (mut dice, mut rollout) = (None, None);
    let is_common = |word: &&str| COMMON_PARAMETERS.iter().any(|name| word.eq_ignore_ascii_case(name));
    let parameter = |input, common: &mut native::Go| {
        alt((
            preceded(keyword("dice"), context("dice", roll)).map(|roll| dice = Some(roll)),
            preceded(keyword("rollout"), context("rollout", expect(GAMES, number(MIN_GAMES..=MAX_GAMES))))
                .map(|games| rollout = Some(games)),
            preceded(peek(verify(word, is_common)), |input| native::go_parameter(input, common)),
        ))
        .parse(input)
    };
    let (rest, common) = native::limits(parameter, PARAMETERS).parse(arguments)?;
    Ok((rest, TavlaCommand::Go(TavlaGo { dice, rollout, common })))
}
