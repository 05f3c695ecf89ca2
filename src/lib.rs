//! Soffio: a draughts engine for every variant.
//!
//! The rooms, each of which knows only those before it: [`board`], [`rules`], [`position`]; [`game`]; [`notation`], [`eval`];
//! [`search`]; [`engine`] and [`protocol`]; [`session`]; [`adapter`]; [`stdio`]; [`play`]. [`arena`] plays matches between
//! processes, and knows no search; what it shares with the adapter, the messages of `dxp`, has a room below both.
//! [`train`] fits the weights of the learned evaluation to games. [`annotate`] judges games from files; like a match it can be
//! ended by a [`stop`]. [`seeds`] has the experiments of the reports that asked for all this.
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod adapter;
pub mod annotate;
pub mod arena;
pub mod board;
pub mod console;
mod dxp;
pub mod engine;
pub mod eval;
pub mod game;
pub mod notation;
pub mod play;
pub mod position;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod seeds;
pub mod session;
pub mod stdio;
pub mod stop;
pub mod train;
