//! Positions and games: move generation, making moves, perft, and the end of the game.
//!
//! [`Position`] is fast: its generator is compiled for each rule family, and [`GameRules`] calls it through a table of
//! functions. [`paths`] reports the whole path of a capture; it is slow and simple, driven by a
//! [`RuleSet`](crate::rules::RuleSet), and serves as the oracle of the tests.
#![allow(clippy::indexing_slicing, reason = "squares and directions index arrays of the board")]

mod capture;
mod draw;
mod generator;
mod history;
mod key;
pub mod paths;
mod perft;
mod pieces;
#[expect(clippy::module_inception)]
mod position;
mod setup;
mod side;
mod width;

pub use draw::DrawReason;
pub use history::{History, Status, WinReason};
pub use key::Key;
pub use perft::{IsStopped, PartialPerft};
pub use pieces::{CaptureOrder, Move, MoveList, Pieces};
pub use position::{GameRules, Position, divide, perft};
pub use setup::{EndingAges, KingRun, Piece, Setup, SetupError};
pub(crate) use width::map_width;
pub use width::{AnyRules, ByWidth, any_rules, with_width};
