//! Analyses positions and games in bulk: reads JSON requests and writes records.
//!
//! A [`BatchEngine`] answers requests with a single engine. If searches are limited by depth or nodes, an answer
//! depends only on the request and the settings.

mod done;
mod engine;
mod input;
mod request;
mod run;

pub use done::{AnswerSettings, AnsweredRequests, MAX_RECORD_BYTES, MergeFindings, Names, RecordParts};
pub use engine::{BatchAnswer, BatchEngine, BatchEngineSettings, BatchFormat, RequestedGame, game_records};
pub use input::{InputForm, RawRequest, Requests};
pub use request::{BatchRequest, Id, MAX_MOVE_TIME, Moves, RequestSubject};
pub use run::{BatchPlan, BatchState, FinishedAnswer, ParallelRun};
pub use soffio_support::record::RequestLimits;
