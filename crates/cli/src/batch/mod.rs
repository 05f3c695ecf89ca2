//! Judgements of positions and games by the line: a request comes in as a JSON object, records go out.
//!
//! A [`Judge`] is one engine, and what it says of a request depends on nothing but the request and its settings, as long as
//! depth or nodes limit the search.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod done;
mod format;
mod input;
mod judge;
mod merge;
mod request;
mod run;

pub use crate::record::RequestLimits;
pub use done::Done;
pub use format::Format;
pub use input::{InputForm, RawRequest, Requests};
pub use judge::{Answer, Judge, JudgeSettings, game_records};
pub use merge::{Found, Names, Parts};
pub use request::{Id, Moves, Request, RequestError, Subject};
pub use run::{BatchPlan, BatchState};
