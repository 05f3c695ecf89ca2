//! Soffio: a draughts engine for every variant.
//!
//! The rooms, each of which knows only those before it: [`board`], [`rules`], [`position`]; [`notation`], [`eval`];
//! [`search`]; [`engine`] and [`protocol`]; [`session`]; [`adapter`]; [`stdio`]. [`arena`] plays matches between processes,
//! and knows no search; [`annotate`] judges games from files. Both can be ended by a [`stop`]. [`seeds`] has the experiments
//! of the reports that asked for all this.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod adapter;
pub mod annotate;
pub mod arena;
pub mod board;
pub mod console;
pub mod engine;
pub mod eval;
pub mod notation;
pub mod position;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod seeds;
pub mod session;
pub mod stdio;
pub mod stop;
