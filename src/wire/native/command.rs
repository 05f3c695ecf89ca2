//! Commands of the native protocol. A single table defines them for the parser, the `help` output and the documentation
//! checks.

use super::go::{GO_PARAMETERS, Go, go_parameter, limits};
use super::words::{
    CommandError, ParseResult, blanks, end, expect, keyword, number, one_move, shown_word, word, write_moves,
};
use crate::notation::{FenError, FenRecord, MoveRecord};
use crate::position::CaptureOrder;
use nom::branch::alt;
use nom::combinator::{cut, eof, map_res, not, opt, rest, value};
use nom::error::context;
use nom::multi::{many0, many1};
use nom::sequence::{preceded, terminated};
use nom::{Finish, Parser};
use std::fmt::{self, Display};
use strum::{IntoStaticStr, VariantNames};

/// The effect of a command while a search runs. During a perft or a bench, every command waits unless it can be
/// answered immediately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhileSearching {
    /// The command is executed.
    Allowed,
    /// The command is rejected.
    Rejected,
    /// The command stops the search and is executed after the `bestmove` of that search.
    StopsSearch,
}

use WhileSearching::{Allowed, Rejected, StopsSearch};

/// A row of the command table.
pub struct CommandRow {
    /// First word of the line, which is the name of the command.
    pub name: &'static str,
    /// Syntax of the arguments.
    pub syntax: &'static str,
    /// Description of the command in the output of `help`.
    pub help: &'static str,
    /// The effect of the command while a search runs.
    pub while_searching: WhileSearching,
    parse: fn(&str) -> ParseResult<'_, NativeCommand>,
}

/// All commands, in the order in which the help lists them.
pub const COMMANDS: &[CommandRow] = &[
    row("uci", "", "print name, author and options", Allowed, |line| alone(line, NativeCommand::Uci)),
    row("isready", "", "answer readyok when ready", Allowed, |line| alone(line, NativeCommand::IsReady)),
    row("ucinewgame", "", "clear the transposition table, set up the start position", Rejected, |line| {
        alone(line, NativeCommand::UciNewGame)
    }),
    row("setoption", "name <option> [value <value>]", "set an option; uci lists them", Rejected, set_option),
    row("debug", "on|off", "print the limits of each search", Allowed, debug),
    row("position", "startpos|fen <FEN> [moves <move>...]", "set up a position and play moves", StopsSearch, position),
    row("move", "<move>...", "play moves, such as 23-19, 22x15, 28x19x10", Rejected, |line| {
        expect("a move", many1(one_move)).map(NativeCommand::Move).parse(line)
    }),
    row("undo", "[<n>]", "undo n moves (default 1)", Rejected, |line| count.map(NativeCommand::Undo).parse(line)),
    row("redo", "[<n>]", "redo n undone moves (default 1)", Rejected, |line| {
        count.map(NativeCommand::Redo).parse(line)
    }),
    row("go", "[<parameter>...]", "search", StopsSearch, go),
    row("stop", "", "stop the search, perft or bench", Allowed, |line| alone(line, NativeCommand::Stop)),
    row("ponderhit", "", "signal that the ponder move was played", Allowed, |line| {
        alone(line, NativeCommand::PonderHit)
    }),
    row("wait", "", "finish the search before the next command", Allowed, |line| alone(line, NativeCommand::Wait)),
    row("d", "", "draw the board", Allowed, |line| alone(line, NativeCommand::Display)),
    row("legal", "", "list the legal moves", Allowed, |line| alone(line, NativeCommand::Legal)),
    row("eval", "", "evaluate without searching", Allowed, |line| alone(line, NativeCommand::Eval)),
    row("status", "", "report whether the game has ended", Allowed, |line| alone(line, NativeCommand::Status)),
    row("probe", "", "probe the endgame tables", Rejected, |line| alone(line, NativeCommand::Probe)),
    row("perft", "<n> [all]", "count the sequences of n moves", Rejected, |line| {
        let depth = expect("a depth from 0 to 99", number(0..=MAX_PERFT_DEPTH));
        (depth, capture_order).map(|(depth, order)| NativeCommand::Perft { depth, order }).parse(line)
    }),
    row("divide", "<n> [all]", "perft, split by first move", Rejected, |line| divide(line, false)),
    row("bench", "", "search a fixed set of positions", Rejected, |line| alone(line, NativeCommand::Bench)),
    row("help", "", "print this list", Allowed, |line| alone(line, NativeCommand::Help)),
    row("quit", "", "end the program", Allowed, |line| alone(line, NativeCommand::Quit)),
];

const fn row(
    name: &'static str,
    syntax: &'static str,
    help: &'static str,
    while_searching: WhileSearching,
    parse: fn(&str) -> ParseResult<'_, NativeCommand>,
) -> CommandRow {
    CommandRow { name, syntax, help, while_searching, parse }
}

/// Maximum depth of a perft. A deeper perft would not finish in a lifetime.
pub const MAX_PERFT_DEPTH: u8 = 99;

const MAX_MOVES: usize = 9999;

/// A command with its arguments. `M` is the type of the moves. A client can use any type whose `Display` implementation
/// prints a move.
#[derive(Clone, Debug, IntoStaticStr, PartialEq, Eq, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum NativeCommand<M = MoveRecord> {
    /// Print the name, the author and the options.
    Uci,
    /// Answer with `readyok`, even while earlier commands are queued.
    IsReady,
    /// The next position belongs to a new game.
    UciNewGame,
    /// Start or stop printing the limits of each search.
    Debug(bool),
    /// Set an option.
    SetOption {
        /// Name of the option.
        name: String,
        /// New value, or `None` for a button.
        value: Option<String>,
    },
    /// Set up a position and play moves from it.
    Position {
        /// Position before the moves.
        start: Start,
        /// Moves to play.
        moves: Vec<M>,
    },
    /// Play moves from the current position.
    Move(Vec<M>),
    /// Undo this number of moves.
    Undo(usize),
    /// Redo this number of undone moves.
    Redo(usize),
    /// Start a search.
    Go(Go),
    /// Stop the search, perft or bench.
    Stop,
    /// The opponent has played the expected move.
    PonderHit,
    /// Draw the board.
    #[strum(serialize = "d")]
    Display,
    /// List the legal moves.
    Legal,
    /// Evaluate without searching.
    Eval,
    /// Probe the endgame tables for the position and for the position after each move.
    Probe,
    /// Report whether the game has ended.
    Status,
    /// Count the sequences of legal moves of a given length.
    Perft {
        /// Depth in plies, from 0 to 99.
        depth: u8,
        /// Whether captures of the same pieces in a different order are counted separately.
        order: CaptureOrder,
    },
    /// Count the sequences of legal moves separately for each first move.
    Divide {
        /// Depth in plies, from 1 to 99.
        depth: u8,
        /// Whether captures of the same pieces in a different order are counted separately.
        order: CaptureOrder,
        /// Whether the command is written `go perft`, which is its name in UCI.
        as_go: bool,
    },
    /// Search a fixed set of positions.
    Bench,
    /// Wait until the search has ended before the next command is executed.
    Wait,
    /// List the commands.
    Help,
    /// Exit the program.
    Quit,
}

/// The position from which a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The start position of the variant.
    Startpos,
    /// The position in a FEN.
    Fen(FenRecord),
}

impl CommandRow {
    fn find(name: &str) -> Option<&'static Self> {
        COMMANDS.iter().find(|row| row.name.eq_ignore_ascii_case(name))
    }
}

impl NativeCommand {
    /// Parses a line. Returns `Ok(None)` if the line is blank. An error names the faulty word and what was expected in
    /// its place.
    pub fn read(line: &str) -> Result<Option<Self>, CommandError> {
        preceded(blanks, alt((value(None, eof), command.map(Some)))).parse(line).finish().map(|(_, command)| command)
    }

    /// Returns the effect of the command while a search runs.
    pub fn while_searching(&self) -> WhileSearching {
        CommandRow::find(self.name()).map_or(Allowed, |row| row.while_searching)
    }
}

fn command(line: &str) -> ParseResult<'_, NativeCommand> {
    let known = |name: &str| CommandRow::find(name).ok_or_else(|| CommandError::Unknown(shown_word(name)));
    let (arguments, row) = map_res(word, known).parse(line)?;
    context(row.name, cut(row.parse)).parse(arguments)
}

fn alone(arguments: &str, command: NativeCommand) -> ParseResult<'_, NativeCommand> {
    value(command, end("the end of the line")).parse(arguments)
}

fn set_option(arguments: &str) -> ParseResult<'_, NativeCommand> {
    let part_of_name = preceded(not(keyword("value")), word);
    let name = preceded(expect("'name'", keyword("name")), expect("a name", many1(part_of_name)));
    let new_value = opt(preceded(keyword("value"), rest));
    (name, new_value)
        .map(|(name, value)| NativeCommand::SetOption {
            name: name.join(" "),
            value: value.map(|value| value.trim_end().to_owned()),
        })
        .parse(arguments)
}

fn debug(arguments: &str) -> ParseResult<'_, NativeCommand> {
    let switch = alt((value(true, keyword("on")), value(false, keyword("off"))));
    terminated(expect("on or off", switch), end("the end of the line")).map(NativeCommand::Debug).parse(arguments)
}

fn position(arguments: &str) -> ParseResult<'_, NativeCommand> {
    let start = alt((value(Start::Startpos, keyword("startpos")), preceded(keyword("fen"), fen.map(Start::Fen))));
    let no_moves = value(Vec::new(), end("moves or the end of the line"));
    let moves = alt((preceded(keyword("moves"), many0(one_move)), no_moves));
    (expect("startpos or fen", start), moves)
        .map(|(start, moves)| NativeCommand::Position { start, moves })
        .parse(arguments)
}

fn fen(input: &str) -> ParseResult<'_, FenRecord> {
    let malformed = |error: FenError| CommandError::Malformed { what: "fen".to_owned(), reason: error.to_string() };
    FenRecord::parse_until(input, |rest| keyword("moves").parse(rest).is_ok()).map_err(|error| error.map(malformed))
}

fn go(arguments: &str) -> ParseResult<'_, NativeCommand> {
    let limits = limits(go_parameter, "a limit such as depth, nodes, win, movetime, wtime, infinite");
    alt((preceded(keyword("perft"), context("perft", cut(|line| divide(line, true)))), limits.map(NativeCommand::Go)))
        .parse(arguments)
}

fn count(arguments: &str) -> ParseResult<'_, usize> {
    let given = expect("a number of moves from 1 to 9999", number(1..=MAX_MOVES));
    alt((value(1, eof), terminated(given, end("the end of the line")))).parse(arguments)
}

fn capture_order(input: &str) -> ParseResult<'_, CaptureOrder> {
    let order = opt(keyword("all")).map(|all| if all.is_some() { CaptureOrder::Counted } else { CaptureOrder::Merged });
    terminated(order, end("all or the end of the line")).parse(input)
}

fn divide(arguments: &str, as_go: bool) -> ParseResult<'_, NativeCommand> {
    let depth = expect("a depth from 1 to 99", number(1..=MAX_PERFT_DEPTH));
    (depth, capture_order).map(|(depth, order)| NativeCommand::Divide { depth, order, as_go }).parse(arguments)
}

pub(super) fn help() -> String {
    let commands = COMMANDS.iter().map(|row| (format!("{} {}", row.name, row.syntax), row.help));
    let parameters = GO_PARAMETERS.iter().map(|row| (format!("  {} {}", row.name, row.syntax), row.help));
    let go = COMMANDS.iter().position(|row| row.name == "go").map_or(0, |index| index + 1);
    let mut lines: Vec<_> = commands.collect();
    lines.splice(go..go, parameters);
    let lines = lines.iter().map(|(usage, help)| format!("{:HELP_COLUMN$}{help}", usage.trim_end()));
    lines.collect::<Vec<_>>().join("\n")
}

const HELP_COLUMN: usize = 46;

impl<M> NativeCommand<M> {
    /// Returns the name of the command, which is the first word of its line.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// Returns the words with which the command begins. They differ from its name only for `go perft`.
    pub fn words(&self) -> &'static str {
        if let Self::Divide { as_go: true, .. } = self { "go perft" } else { self.name() }
    }
}

impl<M: Display> Display for NativeCommand<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())?;
        match self {
            Self::SetOption { name, value } => {
                write!(f, " name {name}")?;
                value.iter().try_for_each(|value| write!(f, " value {value}"))
            }
            Self::Position { start, moves } => {
                match start {
                    Start::Startpos => f.write_str(" startpos")?,
                    Start::Fen(fen) => write!(f, " fen {fen}")?,
                }
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                write_moves(f, moves)
            }
            Self::Move(moves) => write_moves(f, moves),
            Self::Debug(on) => f.write_str(if *on { " on" } else { " off" }),
            Self::Undo(count) | Self::Redo(count) => write!(f, " {count}"),
            Self::Go(go) => go.fmt(f),
            Self::Perft { depth, order } | Self::Divide { depth, order, .. } => {
                let all = if *order == CaptureOrder::Counted { " all" } else { "" };
                write!(f, " {depth}{all}")
            }
            _ => Ok(()),
        }
    }
}
