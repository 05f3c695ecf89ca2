//! What a line can ask for.

use crate::notation::{FenRecord, MoveRecord};
use crate::position::CaptureOrder;
use crate::rules::Color;
use crate::search::{Clock, Limits};
use std::time::Duration;

/// A command with everything that its line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Who are you, and what can be set?
    Uci,
    /// Are you there?
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
        /// What to play.
        moves: Vec<MoveRecord>,
    },
    /// Play moves from the present position.
    Move(Vec<MoveRecord>),
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

/// What `go` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Limits that are the same for both sides.
    pub limits: Limits,
    /// Time left to White.
    pub white_time: Option<Duration>,
    /// Time left to Black.
    pub black_time: Option<Duration>,
    /// Time that White gains with each move.
    pub white_increment: Option<Duration>,
    /// Time that Black gains with each move.
    pub black_increment: Option<Duration>,
    /// Moves until more time is added.
    pub moves_to_go: Option<u32>,
    /// The only moves to consider; none means all.
    pub search_moves: Vec<MoveRecord>,
}

impl Go {
    /// Whether the search, once it no longer ponders, ends only when it is told to.
    pub fn is_open_ended(&self) -> bool {
        let Limits { depth, nodes, win_in, move_time, infinite, .. } = self.limits;
        let has_limit = depth.is_some()
            || nodes.is_some()
            || win_in.is_some()
            || move_time.is_some()
            || self.white_time.is_some()
            || self.black_time.is_some();
        infinite || !has_limit
    }

    /// The clock of `side`, if clocks are given.
    ///
    /// # Errors
    /// When only the other side has one: the parameter that is missing.
    pub fn clock(&self, side: Color) -> Result<Option<Clock>, &'static str> {
        let white = (self.white_time, self.white_increment, "wtime");
        let black = (self.black_time, self.black_increment, "btime");
        let ((own, increment, name), (other, ..)) = match side {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        if own.is_none() && other.is_some() {
            return Err(name);
        }
        Ok(own.map(|remaining| Clock {
            remaining,
            increment: increment.unwrap_or_default(),
            moves_to_go: self.moves_to_go.filter(|&moves| moves > 0),
        }))
    }
}
