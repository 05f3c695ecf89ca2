//! Positions and games: move generation, making moves, perft, and the end of the game.
//!
//! [`Position`] is fast: its generator is compiled for each rule family, and [`GameRules`] calls it through a table of
//! functions. [`mod@reference`] is slow and simple, driven by a [`RuleSet`](crate::rules::RuleSet). It is the oracle of
//! the tests, and reports the whole path of a capture.
#![allow(clippy::indexing_slicing, reason = "squares and directions index arrays of the board")]

mod capture;
mod draw;
mod game_rules;
mod generator;
mod history;
mod key;
mod perft;
mod pieces;
#[expect(clippy::module_inception)]
mod position;
pub mod reference;
mod setup;

pub use draw::{DrawReason, EndingLimits};
pub(crate) use game_rules::map_width;
pub use game_rules::{AnyRules, ByWidth, GameRules, any_rules, with_width};
pub use history::{History, Status, WinReason};
pub use key::Key;
pub use perft::{CaptureOrder, IsStopped, Stopped, divide, perft};
pub use pieces::{Move, MoveList, Pieces};
pub use position::Position;
pub use setup::{EndingAges, KingRun, Piece, Setup, SetupError};
