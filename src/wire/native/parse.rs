//! Reads a line of the native protocol. The commands and the parameters of `go` stand in tables, from which the help is made too.

use super::{Command, CommandError, Go, Start};
use crate::notation::MoveRecord;
use crate::position::CaptureOrder;
use std::time::Duration;

/// Deepest perft that can be asked for; deeper ones would not end in a lifetime.
const MAX_PERFT_DEPTH: u8 = 99;

/// Most moves that `undo` and `redo` can be asked for.
const MAX_MOVES: usize = 9999;

/// Width of the column of commands in the help.
const COLUMN: usize = 44;

/// The command whose parameters have a table of their own.
const GO: &str = "go";

/// A word that is known at the start of a line or after `go`.
struct Known<R> {
    name: &'static str,
    /// How the help shows its arguments.
    usage: &'static str,
    /// The meaning of all words on the line of the help that this one ends.
    ends: Option<&'static str>,
    read: R,
}

const fn known<R>(name: &'static str, usage: &'static str, ends: Option<&'static str>, read: R) -> Known<R> {
    Known { name, usage, ends, read }
}

impl<R> Known<R> {
    /// Adds it to the lines of the help, with `separator` before what comes next on the same line.
    fn show(&self, lines: &mut Vec<String>, line: &mut String, (open, close, separator): (&str, &str, &str)) {
        let text = format!("{} {}", self.name, self.usage);
        line.push_str(&format!("{open}{}{close}", text.trim_end()));
        match self.ends {
            None => line.push_str(separator),
            Some(meaning) => {
                lines.push(format!("{:COLUMN$}{meaning}", std::mem::take(line)).trim_end().to_owned());
            }
        }
    }
}

/// How the arguments of a command are read; it is told its name, for errors.
enum Read {
    Alone(fn() -> Command),
    Arguments(fn(&'static str, Words<'_>) -> Result<Command, CommandError>),
}

use Read::{Alone, Arguments};

/// All commands, in the order in which the help shows them.
const COMMANDS: [Known<Read>; 22] = [
    known("position", "startpos|fen <FEN> [moves <m>...]", Some("set up a position"), Arguments(position)),
    known("move", "<m>...", Some("play moves: 23-19, 22x15, 28x19x10"), Arguments(play)),
    known("undo", "[n]", None, Arguments(|name, words| count(name, words).map(Command::Undo))),
    known("redo", "[n]", Some("take back, play again"), Arguments(|name, words| count(name, words).map(Command::Redo))),
    known(GO, "", None, Arguments(|_, words| go(words).map(Command::Go))),
    known("stop", "", None, Alone(|| Command::Stop)),
    known("ponderhit", "", None, Alone(|| Command::PonderHit)),
    known(
        "wait",
        "",
        Some("end the search, the expected move was played, read on when it is over"),
        Alone(|| Command::Wait),
    ),
    known("d", "", None, Alone(|| Command::Display)),
    known("legal", "", None, Alone(|| Command::Legal)),
    known("eval", "", None, Alone(|| Command::Eval)),
    known("status", "", Some("board, legal moves, evaluation, whether the game is over"), Alone(|| Command::Status)),
    known("probe", "", Some("what endgame tables say of the position and its moves"), Alone(|| Command::Probe)),
    known("perft", "N [all]", None, Arguments(|name, words| perft(name, 0, words))),
    known("divide", "N [all]", None, Arguments(|name, words| perft(name, 1, words))),
    known("bench", "", Some("count move sequences, measure the search"), Alone(|| Command::Bench)),
    known(
        "setoption",
        "name <option> [value <v>]",
        Some("UCI_Variant italian|english|international, Hash MiB, Clear Hash, ..."),
        Arguments(set_option),
    ),
    known("uci", "", None, Alone(|| Command::Uci)),
    known("isready", "", None, Alone(|| Command::IsReady)),
    known("ucinewgame", "", None, Alone(|| Command::UciNewGame)),
    known("help", "", None, Alone(|| Command::Help)),
    known("quit", "", Some(""), Alone(|| Command::Quit)),
];

/// The words that follow a parameter of `go`, and their effect.
enum Parameter {
    Flag(fn(&mut Go)),
    /// A number from the least to the greatest one, with the words for these in an error.
    Number((i64, i64), &'static str, fn(&mut Go, i64)),
    Moves,
}

use Parameter::{Flag, Moves, Number};

/// Clocks can have run below zero.
const ANY: (i64, i64) = (i64::MIN, i64::MAX);
const FROM_0: (i64, i64) = (0, i64::MAX);
const FROM_1: (i64, i64) = (1, i64::MAX);

const TIME: &str = "whole milliseconds";
const TIME_FROM_0: &str = "whole milliseconds from 0";

const PARAMETERS: [Known<Parameter>; 12] = [
    known(
        "depth",
        "N",
        None,
        Number(FROM_1, "a depth of at least 1", |go, n| go.limits.depth = Some(n.min(255) as u8)),
    ),
    known(
        "nodes",
        "N",
        None,
        Number(FROM_1, "a number of nodes of at least 1", |go, n| go.limits.nodes = Some(n.unsigned_abs())),
    ),
    known(
        "movetime",
        "MS",
        Some("search; without a limit until stop"),
        Number(FROM_0, TIME_FROM_0, |go, n| go.limits.move_time = ms(n)),
    ),
    known("wtime", "MS", None, Number(ANY, TIME, |go, n| go.times[0] = ms(n))),
    known("btime", "MS", None, Number(ANY, TIME, |go, n| go.times[1] = ms(n))),
    known("winc", "MS", None, Number(FROM_0, TIME_FROM_0, |go, n| go.increments[0] = ms(n))),
    known("binc", "MS", None, Number(FROM_0, TIME_FROM_0, |go, n| go.increments[1] = ms(n))),
    known(
        "movestogo",
        "N",
        Some(""),
        Number(FROM_0, "a number of moves", |go, n| go.moves_to_go = Some(n.min(9999) as u32)),
    ),
    known("infinite", "", None, Flag(|go| go.limits.infinite = true)),
    known("ponder", "", None, Flag(|go| go.limits.ponder = true)),
    known("searchmoves", "<m>...", Some(""), Moves),
    known(
        "win",
        "N",
        Some("look for a win in N moves and nothing else"),
        Number((1, 60), "a number of moves from 1 to 60", |go, n| go.limits.win_in = Some(n as u16)),
    ),
];

fn ms(milliseconds: i64) -> Option<Duration> {
    Some(Duration::from_millis(milliseconds.max(0).unsigned_abs()))
}

/// Returns the list of commands for people at a shell.
pub(super) fn help() -> String {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for command in &COMMANDS {
        if command.name != GO {
            command.show(&mut lines, &mut line, ("", "", ", "));
            continue;
        }
        command.show(&mut lines, &mut line, ("", "", " "));
        for parameter in &PARAMETERS {
            let open = if line.is_empty() { "   [" } else { "[" };
            parameter.show(&mut lines, &mut line, (open, "]", " "));
        }
    }
    lines.join("\n")
}

/// The words of a line that are still to be read.
#[derive(Clone, Copy)]
struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    /// Takes the next word; an empty one at the end of the line.
    fn next(&mut self) -> &'a str {
        let text = self.0.trim_start();
        let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
        self.0 = rest;
        word
    }

    fn peek(mut self) -> &'a str {
        self.next()
    }

    /// Takes the next word if it is `keyword`, in upper or lower case.
    fn skip(&mut self, keyword: &str) -> bool {
        let mut ahead = *self;
        let is_next = ahead.next().eq_ignore_ascii_case(keyword);
        if is_next {
            *self = ahead;
        }
        is_next
    }

    /// Takes the words before the word `end`, or all of them if it does not come.
    fn until(&mut self, end: &str) -> &'a str {
        let text = self.0;
        while !self.peek().is_empty() && !self.peek().eq_ignore_ascii_case(end) {
            self.next();
        }
        text.strip_suffix(self.0).unwrap_or(text).trim()
    }

    /// Checks that nothing is left; `expected` could be there for `what`.
    fn end(self, what: &'static str, expected: &'static str) -> Result<(), CommandError> {
        match self.peek() {
            "" => Ok(()),
            extra => Err(CommandError::expected(what, expected, extra)),
        }
    }

    /// Reads the moves up to the end of the line.
    fn moves(self) -> Result<Vec<MoveRecord>, CommandError> {
        self.0.split_whitespace().map(one_move).collect()
    }
}

impl Command {
    /// Reads a line, whatever spaces are around its words; `None` for an empty line.
    ///
    /// # Errors
    /// Says which word is wrong, and what was expected.
    pub fn read(line: &str) -> Result<Option<Self>, CommandError> {
        let mut words = Words(line);
        let name = words.next();
        if name.is_empty() {
            return Ok(None);
        }
        let mut commands = COMMANDS.into_iter();
        let known = commands.find(|known| known.name.eq_ignore_ascii_case(name));
        let Known { name, read, .. } = known.ok_or_else(|| CommandError::Unknown(name.to_owned()))?;
        match read {
            Alone(command) => words.end(name, "the end of the line").map(|()| Some(command())),
            Arguments(read) => read(name, words).map(Some),
        }
    }
}

fn play(name: &'static str, words: Words<'_>) -> Result<Command, CommandError> {
    match words.moves()? {
        moves if moves.is_empty() => Err(CommandError::expected(name, "a move", "")),
        moves => Ok(Command::Move(moves)),
    }
}

fn set_option(what: &'static str, mut words: Words<'_>) -> Result<Command, CommandError> {
    if !words.skip("name") {
        return Err(CommandError::expected(what, "'name'", words.peek()));
    }
    let after_name = words;
    let name = words.until("value").split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(CommandError::expected(what, "a name", after_name.peek()));
    }
    let value = words.skip("value").then(|| words.0.trim().to_owned());
    Ok(Command::SetOption { name, value })
}

fn position(what: &'static str, mut words: Words<'_>) -> Result<Command, CommandError> {
    let start = match words.next() {
        word if word.eq_ignore_ascii_case("startpos") => Start::Startpos,
        word if word.eq_ignore_ascii_case("fen") => {
            Start::Fen(words.until("moves").parse().map_err(CommandError::Fen)?)
        }
        other => return Err(CommandError::expected(what, "startpos or fen", other)),
    };
    if words.skip("moves") {
        return Ok(Command::Position { start, moves: words.moves()? });
    }
    words.end(what, "moves or the end of the line")?;
    Ok(Command::Position { start, moves: Vec::new() })
}

fn one_move(text: &str) -> Result<MoveRecord, CommandError> {
    text.parse().map_err(|error| CommandError::Move { text: text.to_owned(), error })
}

/// Reads a number of moves; 1 when none is given.
fn count(what: &'static str, mut words: Words<'_>) -> Result<usize, CommandError> {
    let text = words.next();
    if text.is_empty() {
        return Ok(1);
    }
    let number = text.parse().ok().filter(|number| (1..=MAX_MOVES).contains(number));
    let number = number.ok_or_else(|| CommandError::expected(what, "a number of moves from 1 to 9999", text))?;
    words.end(what, "the end of the line").map(|()| number)
}

/// Reads a depth of at least `least`, and perhaps the word `all`.
fn perft(what: &'static str, least: u8, mut words: Words<'_>) -> Result<Command, CommandError> {
    let expected = if least == 0 { "a depth from 0 to 99" } else { "a depth from 1 to 99" };
    let text = words.next();
    let depth = text.parse().ok().filter(|depth| (least..=MAX_PERFT_DEPTH).contains(depth));
    let depth = depth.ok_or_else(|| CommandError::expected(what, expected, text))?;
    let order = if words.skip("all") { CaptureOrder::Counted } else { CaptureOrder::Merged };
    words.end(what, "all or the end of the line")?;
    Ok(if least == 0 { Command::Perft { depth, order } } else { Command::Divide { depth, order } })
}

fn parameter(name: &str) -> Option<&'static Known<Parameter>> {
    PARAMETERS.iter().find(|known| known.name.eq_ignore_ascii_case(name))
}

/// Reads the parameters of `go` in any order; of one that is given twice the last counts.
fn go(mut words: Words<'_>) -> Result<Go, CommandError> {
    let mut go = Go::default();
    while !words.peek().is_empty() {
        let name = words.next();
        let Some(known) = parameter(name) else {
            let expected = "a limit such as depth, nodes, win, movetime, wtime, infinite";
            return Err(CommandError::expected(GO, expected, name));
        };
        let what = || format!("{GO} {}", known.name);
        match known.read {
            Flag(set) => set(&mut go),
            Number((least, most), expected, set) => {
                let text = words.next();
                let number = text.parse().ok().filter(|number| (least..=most).contains(number));
                set(&mut go, number.ok_or_else(|| CommandError::expected(what(), expected, text))?);
            }
            Moves => {
                go.search_moves.clear();
                while !words.peek().is_empty() && parameter(words.peek()).is_none() {
                    go.search_moves.push(one_move(words.next())?);
                }
                if go.search_moves.is_empty() {
                    return Err(CommandError::expected(what(), "a move", ""));
                }
            }
        }
    }
    if (go.increments != [None; 2] || go.moves_to_go.is_some()) && go.times == [None; 2] {
        return Err(CommandError::expected(GO, "wtime or btime with winc, binc and movestogo", ""));
    }
    Ok(go)
}
