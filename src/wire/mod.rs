//! The protocols as text, in both directions: what one side writes the other side reads, and both stand here.
//!
//! The adapter speaks them for this engine, the arena with other engines. What the words mean for a game or a search is for
//! these to say.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub(crate) mod dxp;
pub(crate) mod hub;
