//! Portable Draughts Notation: squares, positions (FEN) and moves as text.
//!
//! Reading has two steps with an error type each. The syntax step turns any string into a record, without knowing a
//! board; the second step gives the record its meaning by a [`RuleSet`](crate::rules::RuleSet) and a position.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod attempt;
mod explain;
mod fast_move;
mod fen;
mod game_type;
mod hub_position;
mod illegal_move;
mod move_record;
mod move_text;
pub mod pdn;
mod replay;
mod resolve;
mod square_name;
mod syntax;
mod written_game;

pub use crate::board::SquareName;
pub use crate::position::EndingAges;
pub use fast_move::{fast_move, legal_move, move_text};
pub use fen::{FenError, FenKingRun, FenPiece, FenRecord, Part};
pub use game_type::{GameTypeError, game_type, variant_of_game_type};
pub use hub_position::hub_position;
pub use illegal_move::IllegalMove;
pub use move_record::{MoveRecord, MoveSyntaxError};
pub use move_text::{captured_mask, full_path, hub_form, printed_moves, printed_sequence, written};
pub use replay::{Replay, ReplayError, replay};
pub use resolve::resolve;
pub use square_name::SquareError;
pub use syntax::{Excerpt, Problem, printable};
pub use written_game::{GameError, WrittenGame};
