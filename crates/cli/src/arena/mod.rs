//! Matches between engine processes, with this library as the arbiter.
//!
//! An engine is never trusted: its moves are checked, its time is measured at the pipe, and whatever it does or leaves
//! undone ends in a [`Termination`] with a name. One thread plays one game at a time; [`run`] shares the games of a match
//! out to several of them.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod adjudication;
mod built_in;
mod check;
mod clock;
mod control;
mod cores;
mod delays;
mod dxp_link;
mod dxp_player;
mod engine_spec;
mod fault;
mod game;
mod game_header;
mod game_log;
mod generate;
mod hub;
mod journal;
mod line_player;
mod line_protocol;
mod link;
mod move_evaluation;
mod native;
mod native_engine;
mod opening;
mod opening_file;
mod pdn;
mod player;
mod ponder;
mod process;
mod results;
mod schedule;
pub mod statistics;
mod time_text;
mod tournament;

pub use adjudication::{DrawRule, WinRule};
pub use built_in::{BuiltInError, built_in};
pub use check::{NoSteps, StepResult, check};
pub use clock::SideClock;
pub use control::{ClockControl, Control, ControlError};
pub use cores::cores_of_games;
pub use engine_spec::{EngineSpec, SpecError};
pub use fault::Fault;
pub use game::OpeningError;
pub use game::{MatchGame, MatchRules, PlayedMove, Termination};
pub use game_header::GameHeader;
pub use game_log::{GameLog, MoveLog};
pub use generate::{GenerateError, Generator, Judge, LineStart};
pub use journal::{GameLines, Journal, JournalFiles, JournalSettings};
pub use line_protocol::{LineProtocol, MoveTexts};
pub use link::{DxpPeer, Link, Program};
pub use move_evaluation::{EngineScore, MoveEvaluation};
pub use native_engine::{NativeEngine, NativeQuestion};
pub use opening::{Opening, UnplayableOpening};
pub use opening_file::{OpeningFileError, read_openings};
pub use pdn::game_record;
pub use player::{NoAnswer, Timeouts};
pub use results::{EngineFigures, Results};
pub use schedule::{Format, MatchPlan, Pairing, Schedule};
pub use time_text::{BareNumber, TimeError, Words, read_time};
pub use tournament::{FinishedGame, MatchError, MatchSettings, run};

use soffio::stop::Stop;
