//! Soffio: a draughts engine for every variant.
//!
//! The rooms, each of which knows only those before it: [`board`], [`rules`], [`position`]; [`notation`], [`eval`];
//! [`search`]; [`engine`] and [`protocol`]; [`session`]; [`adapter`]; [`stdio`]. [`arena`] plays matches between processes,
//! and knows no search. What it shares with the adapter, the messages of DXP, has a room below both.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod adapter;
pub mod arena;
pub mod board;
pub mod console;
mod dxp;
pub mod engine;
pub mod eval;
pub mod notation;
pub mod position;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod session;
pub mod stdio;
