//! Games at the keyboard of a terminal: [`play`] draughts, [`tavla_play`] tavla, both on the widgets of `screen`.
#![deny(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod play;
mod screen;
pub mod tavla_play;
