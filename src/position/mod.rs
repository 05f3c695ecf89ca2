//! Positions and games: legal moves, making them, counting them, and the end of the game.
//!
//! [`Position`] is the fast one, compiled for each variant. [`mod@reference`] is the slow and obvious one, driven by a
//! [`RuleSet`](crate::rules::RuleSet) at run time: the oracle of the tests, and the one that knows the whole path of a
//! capture and why a move is refused.

mod capture;
mod draw;
mod game;
mod key;
mod moves;
mod perft;
mod pieces;
#[expect(clippy::module_inception)]
mod position;
pub mod reference;
mod setup;

pub use draw::DrawReason;
pub use game::{Game, Status, WinReason};
pub use key::Key;
pub use moves::{Move, MoveList};
pub use perft::{CaptureOrder, divide, perft};
pub use pieces::Pieces;
pub use position::Position;
pub use setup::{KingRun, Piece, Setup, SetupError};
