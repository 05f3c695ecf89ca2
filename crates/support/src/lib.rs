//! What the programs of Soffio share around the engine.
#![deny(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod json;
pub mod key_value;
pub mod of_file;
pub mod output_file;
pub mod record;
pub mod stdio;
pub mod words;
