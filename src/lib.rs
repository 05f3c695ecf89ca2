//! Soffio: a draughts engine.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod board;
pub mod eval;
pub mod notation;
pub mod position;
pub mod rules;
pub mod search;
