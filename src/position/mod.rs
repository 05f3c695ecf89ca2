//! Positions and games: legal moves, making them, counting them, and the end of the game.
//!
//! [`Position`] is the fast one. Its moves come from a generator that is compiled for each family of rules; [`GameRules`] holds
//! it as a table of functions, so that everything else is compiled once for each width of a set of squares.
//! [`mod@reference`] is the slow and obvious generator, driven by a [`RuleSet`](crate::rules::RuleSet): the oracle of the
//! tests, and the one that knows the whole path of a capture and why a move is refused.

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
