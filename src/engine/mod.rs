//! The engine behind every protocol: a game of some variant, and a thread that searches it.
//!
//! [`open`] picks the types for a variant once; from then on a [`Handle`] is driven with records and text, and what
//! the thread finds comes back as [`Event`]s.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod bench;
mod error;
mod event;
mod handle;
mod options;
mod request;
mod strength;
mod style;
mod text;
mod typed;
mod worker;

pub use crate::eval::PlainKind;
pub use crate::position::{CaptureOrder, Status};
pub use crate::search::{AllocationError, Bound, Clock, PlainPlayer, Signal, Table, Value};
pub use bench::{BenchResult, bench};
pub use error::EngineError;
pub use event::{Current, Event, Info};
pub use handle::{Handle, open};
pub use options::{Domain, OptionError, OptionSpec, Options, Setting, SquareStyle};
pub use request::{PerftRequest, Request};
pub use strength::{Level, Strength};
pub use style::Style;
