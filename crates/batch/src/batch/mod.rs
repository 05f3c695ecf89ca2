//! Judgements of positions and games by the line: a request comes in as a JSON object, records go out.
//!
//! A [`Judge`] is one engine, and what it says of a request depends on nothing but the request and its settings, as long as
//! depth or nodes limit the search.

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
