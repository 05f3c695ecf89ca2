//! Matches between engine processes, with this program as the arbiter.
//!
//! `engine_spec`, `openings` and `schedule` describe a match; `tournament` runs it. `game` plays one game between two
//! engines, each of which has a `client` that communicates with it over pipes or DXP. `journal` stores finished games.
//! `check` tests whether an engine follows its protocol.
//!
//! Engines are never trusted: every move is checked, time is measured at the pipe, and every fault ends the game with a
//! named [`Termination`]. Each thread plays one game at a time; [`run`] distributes the games of a match among the
//! threads.

mod adjudication;
mod answer;
mod check;
mod client;
mod control;
pub mod dxp;
mod engine_spec;
mod game;
mod game_log;
mod journal;
mod line_protocol;
mod machine;
mod openings;
mod process;
mod results;
mod schedule;
pub mod statistics;
pub mod tavla;
mod tournament;
mod usage;

pub use adjudication::{DrawRule, WinRule};
pub(crate) use answer::MoveAnswer;
pub use answer::{EngineFault, MoveEvaluation, NoAnswer};
pub use check::{StepResult, check};
pub(crate) use client::NewGame;
pub use client::{MatchPlayer, Timeouts};
pub use control::{BareNumber, ClockControl, Control, SideClock, TimeText, read_time};
pub use engine_spec::{DxpPeer, EngineSpec, Link, Program, command_words};
pub use game::{Draughts, GameEnd, MatchGame};
pub(crate) use game::{end_game, forfeit};
pub use game_log::{GameLog, GameVerdict, MoveLog, Termination, game_record};
pub use journal::{Journal, JournalFiles, JournalParts, JournalSettings, SEED, SHARD, term_of_journal};
pub(crate) use line_protocol::SearchRequest;
pub use line_protocol::{LineProtocol, MoveTexts};
pub use machine::cores_of_games;
pub use openings::{
    LineStart, Margin, Opening, OpeningEvaluator, OpeningGenerator, built_in, numbered_lines, openings_from_book,
    read_openings, read_position,
};
pub use results::{Average, EngineFigures, MatchResults};
pub use schedule::{MatchFormat, MatchPlan, Pairing, Schedule};
pub use tournament::{MatchSettings, run};

use soffio::stop::Stop;
