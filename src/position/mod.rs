//! Positions and games: generating and playing moves, perft, and detecting the end of a game.
//!
//! [`Position`] uses a fast move generator, which is compiled for each rule family and called through a table of
//! functions in [`GameRules`]. The [`paths`] module contains a second generator, which reports the whole path of a
//! capture. It is slow and simple and interprets a [`RuleSet`](crate::rules::RuleSet) at run time. The fast generator
//! is tested against it.
#![allow(clippy::indexing_slicing, reason = "squares and directions are valid indices of the board's arrays")]

mod capture;
mod draw;
mod generator;
mod history;
mod key;
pub mod paths;
mod pieces;
#[expect(clippy::module_inception)]
mod position;
mod setup;
mod width;

pub use draw::DrawReason;
pub use generator::{IsStopped, PartialPerft};
pub use history::{History, Status, WinReason};
pub use key::Key;
pub use pieces::{CaptureOrder, Move, MoveList, Pieces};
pub use position::{GameRules, Position, divide, perft};
pub use setup::{EndingAges, KingRun, Piece, Setup, SetupError};
pub(crate) use width::map_width;
pub use width::{AnyRules, ByWidth, any_rules, with_width};
