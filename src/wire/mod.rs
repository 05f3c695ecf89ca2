//! The protocols as text, in both directions: what one side writes the other side reads, and both stand here.
//!
//! Sessions and adapters speak them for this engine, the arena with other engines. What the words mean for a game or a search
//! is decided there.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod hub;
pub mod native;

pub use crate::search::Value;
