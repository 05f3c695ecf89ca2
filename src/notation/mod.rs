//! Portable Draughts Notation: squares, positions (FEN) and moves as text.
//!
//! Parsing has two steps with separate error types. The first step checks the syntax and turns text into a record
//! without knowledge of the board. The second step interprets the record with a [`RuleSet`](crate::rules::RuleSet) and
//! a position.

mod fen;
mod moves;
pub mod pdn;
mod replay;
mod resolve;
mod syntax;
mod written_game;

pub use crate::board::SquareName;
pub use crate::position::EndingAges;
pub use fen::{FenError, FenKingRun, FenPiece, FenRecord, Part, Placement};
pub use moves::{
    MoveRecord, MoveSyntaxError, Path, bitboard_move, captured_mask, full_path, hub_form, move_text, move_word,
    printed_moves, printed_sequence, written,
};
pub use pdn::{GameTypeError, game_type, variant_of_game_type};
use replay::legal_move_count;
pub use replay::{Replay, ReplayError, placements, replay};
use resolve::only_move_between;
pub use resolve::{IllegalMove, legal_move, resolve};
pub(crate) use syntax::ascii;
pub use syntax::{Excerpt, Problem, SquareError, printable};
pub use written_game::{GameError, WrittenGame};
