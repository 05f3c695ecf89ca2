//! What a line can ask for.

use crate::notation::{FenRecord, MoveRecord};
use crate::position::CaptureOrder;
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
    /// Deepest iteration in plies.
    pub depth: Option<u8>,
    /// Only look for a win in so many moves.
    pub win_in: Option<u16>,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
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
    /// Search until told to stop.
    pub infinite: bool,
    /// Search while the opponent is thinking.
    pub ponder: bool,
    /// The only moves to consider; none means all.
    pub search_moves: Vec<MoveRecord>,
}

impl Go {
    /// Whether the search, once it no longer ponders, ends only when it is told to.
    pub fn is_open_ended(&self) -> bool {
        let has_limit = self.depth.is_some()
            || self.nodes.is_some()
            || self.win_in.is_some()
            || self.move_time.is_some()
            || self.white_time.is_some()
            || self.black_time.is_some();
        self.infinite || !has_limit
    }
}
