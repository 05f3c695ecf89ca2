//! Matches between engine processes, with this library as the arbiter.
//!
//! A match is told from `engine_spec`, the words that describe its engines, over `openings` and `schedule` to `tournament`, which
//! starts a `player` for each engine and plays every `game` between two of them; a player asks its engine in lines
//! (`line_player`, `line_protocol`) or over DXP (`dxp_player`) and has an `answer`, with the limits of `control`. A game that
//! is over goes into the `journal` as a `game_log`, and into the results beside the `schedule` with their `statistics`. `check` walks one engine
//! through its protocol instead.
//!
//! An engine is never trusted: its moves are checked, its time is measured at the pipe, and whatever it does or leaves
//! undone ends in a [`Termination`] with a name. One thread plays one game at a time; [`run`] shares the games of a match
//! out to several of them.
#![deny(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod adjudication;
mod answer;
mod check;
mod control;
pub mod dxp;
mod dxp_player;
mod engine_spec;
mod game;
mod game_log;
mod journal;
mod line_player;
mod line_protocol;
mod machine;
mod openings;
mod player;
mod process;
mod schedule;
pub mod statistics;
pub mod tavla;
mod tournament;
mod usage;

pub use adjudication::{DrawRule, WinRule};
pub(crate) use answer::MoveAnswer;
pub use answer::{Fault, MoveEvaluation, NoAnswer};
pub use check::{StepResult, check};
pub use control::{BareNumber, ClockControl, Control, SideClock, Words, read_time};
pub use engine_spec::{DxpPeer, EngineSpec, Link, Program, command_words};
pub use game::{Draughts, MatchGame, PlayedGame, Termination, Verdict};
pub(crate) use game::{Stopped, end_game, forfeit};
pub use game_log::{GameLog, MoveLog, game_record};
pub use journal::{GameLines, Journal, JournalFiles, JournalParts, JournalSettings, SEED, SHARD, term_of_journal};
pub(crate) use line_protocol::Question;
pub use line_protocol::{LineProtocol, MoveTexts};
pub use machine::cores_of_games;
pub use openings::{
    Generator, Judge, LineStart, Margin, Opening, built_in, numbered_lines, of_book, read_openings, read_position,
};
pub(crate) use player::NewGame;
pub use player::{Player, Timeouts};
pub use schedule::{EngineFigures, Format, MatchPlan, Pairing, Results, Schedule};
pub use tournament::{MatchSettings, run};

use soffio::stop::Stop;
