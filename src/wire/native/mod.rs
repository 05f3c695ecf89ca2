//! The native protocol as text, which `protocol.md` describes: a [`Command`] is what a client sends, a [`Reply`] what an engine
//! answers. Both are written and read here.
//!
//! Reading a command knows syntax only. Whether a move is legal or an option exists is found out by the session.

mod parse;
mod reply;

pub use reply::{Info, Reply, per_second};

use crate::notation::{FenError, FenRecord, MoveRecord, MoveSyntaxError, printable};
use crate::position::CaptureOrder;
use crate::rules::Color;
use crate::search::{Clock, Limits};
use std::fmt::{self, Display};
use std::time::Duration;
use strum::IntoStaticStr;

/// Why a line is not a command: the place first, then the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The first word is not a command.
    #[error("command '{}' is not known, try help", printable(.0.chars()))]
    Unknown(String),
    /// Something else must stand here.
    #[error("{what} expected {expected}, found {}", shown(.found))]
    Expected {
        /// The command or parameter.
        what: String,
        /// The words that can stand here.
        expected: &'static str,
        /// The word that stands here, empty at the end of the line.
        found: String,
    },
    /// The position cannot be read.
    #[error("fen {0}")]
    Fen(FenError),
    /// A move cannot be read.
    #[error("move {}: {error}", printable(.text.chars()))]
    Move {
        /// The move.
        text: String,
        /// The fault in it.
        error: MoveSyntaxError,
    },
}

impl CommandError {
    fn expected(what: impl Into<String>, expected: &'static str, found: &str) -> Self {
        Self::Expected { what: what.into(), expected, found: found.to_owned() }
    }
}

fn shown(word: &str) -> String {
    if word.is_empty() { "nothing".to_owned() } else { format!("'{}'", printable(word.chars())) }
}

/// A command with everything that its line says. Its moves are records when it is read; a client writes whatever prints as
/// a move, such as the text in the notation of the variant.
#[derive(Clone, Debug, IntoStaticStr, PartialEq, Eq)]
#[strum(serialize_all = "lowercase")]
pub enum Command<M = MoveRecord> {
    /// Print name, author and options.
    Uci,
    /// Answer when all commands before this one have been obeyed.
    IsReady,
    /// The next position belongs to another game.
    UciNewGame,
    /// Set an option; buttons have no value.
    SetOption {
        /// Its name.
        name: String,
        /// Its new value.
        value: Option<String>,
    },
    /// Set up a position and play moves from it.
    Position {
        /// Where to begin.
        start: Start,
        /// The moves to play.
        moves: Vec<M>,
    },
    /// Play moves from the current position.
    Move(Vec<M>),
    /// Take back so many moves.
    Undo(usize),
    /// Play so many of the moves again that were taken back.
    Redo(usize),
    /// Search.
    Go(Go),
    /// End the search.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// Draw the board.
    #[strum(serialize = "d")]
    Display,
    /// List the legal moves.
    Legal,
    /// Evaluate without searching.
    Eval,
    /// Ask endgame tables for the position and its moves.
    Probe,
    /// Say whether the game is over.
    Status,
    /// Count move sequences.
    Perft {
        /// Their length.
        depth: u8,
        /// How captures are counted.
        order: CaptureOrder,
    },
    /// Count move sequences by their first move.
    Divide {
        /// Their length, at least 1.
        depth: u8,
        /// How captures are counted.
        order: CaptureOrder,
    },
    /// Search the fixed positions.
    Bench,
    /// Read no further command until the search is over.
    Wait,
    /// List the commands.
    Help,
    /// End the program.
    Quit,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the start position of the variant.
    Startpos,
    /// At this position.
    Fen(FenRecord),
}

/// The limits of a search, as `go` has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Limits that are the same for both sides.
    pub limits: Limits,
    /// Time left to White and to Black.
    pub times: [Option<Duration>; 2],
    /// Time that White and Black gain with each move.
    pub increments: [Option<Duration>; 2],
    /// Moves until more time is added.
    pub moves_to_go: Option<u32>,
    /// The only moves to consider; none means all.
    pub search_moves: Vec<MoveRecord>,
}

impl Go {
    /// Returns whether the search, once it no longer ponders, ends only when it is told to.
    pub fn is_open_ended(&self) -> bool {
        let Limits { depth, nodes, win_in, move_time, infinite, .. } = self.limits;
        let has_limit =
            depth.is_some() || nodes.is_some() || win_in.is_some() || move_time.is_some() || self.times != [None; 2];
        infinite || !has_limit
    }

    /// The clock of `side`, if clocks are given.
    ///
    /// # Errors
    /// When only the other side has one: the parameter that is missing.
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

impl<M> Command<M> {
    /// Returns the word that the line begins with.
    pub fn name(&self) -> &'static str {
        self.into()
    }
}

impl<M: Display> Display for Command<M> {
    /// Prints what [`Command::read`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
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
            Self::Undo(count) | Self::Redo(count) => write!(f, " {count}"),
            Self::Go(go) => go.fmt(f),
            Self::Perft { depth, order } | Self::Divide { depth, order } => {
                let all = if *order == CaptureOrder::Counted { " all" } else { "" };
                write!(f, " {depth}{all}")
            }
            _ => Ok(()),
        }
    }
}

fn write_moves(f: &mut fmt::Formatter<'_>, moves: &[impl Display]) -> fmt::Result {
    moves.iter().try_for_each(|mv| write!(f, " {mv}"))
}

impl Display for Go {
    /// Prints the parameters, each after a space.
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
