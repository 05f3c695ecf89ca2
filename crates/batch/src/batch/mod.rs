//! Bulk analysis of positions and games: JSON requests in, records out.
//!
//! A [`Judge`] is one engine. If depth or nodes limit the search, its answer depends only on the request and the
//! settings.

mod done;
mod input;
mod judge;
mod request;
mod run;

pub use done::{Done, Found, Names, Parts};
pub use input::{InputForm, RawRequest, Requests};
pub use judge::{Answer, Format, Judge, JudgeSettings, game_records};
pub use request::{Id, Moves, Request, Subject};
pub use run::{BatchPlan, BatchState, Finished, SideBySide};
pub use soffio_support::record::RequestLimits;
