//! The board, the dice and the legal plays.
#![allow(clippy::indexing_slicing, reason = "points index arrays of the board")]

mod board;
mod generator;
mod perft;
mod play;

pub use board::{BAR, BoardError, CHECKERS, Checkers, HOME, OFF, TavlaBoard, facing};
pub use generator::{Legal, Plays, after_hops, next_hops};
pub use perft::{Perft, perft};
pub use play::{Hop, MAX_HOPS, PlayError, Roll, RollError, TavlaPlay, WAYS};

use strum::{EnumString, VariantNames};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether a win counts two points if the loser has not borne off any checkers.
    pub mars: bool,
    /// Whether a checker that has hit in its own home may continue to move in the same play.
    pub hit_and_run: bool,
    pub opening: OpeningRoll,
}

/// How the winner of the opening roll obtains the dice for the first play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum OpeningRoll {
    /// Rolls both dice again, so a double is possible.
    #[strum(serialize = "anew")]
    RollBoth,
    /// Uses the two dice of the opening roll.
    Single,
}

impl Default for Rules {
    fn default() -> Self {
        Self { mars: false, hit_and_run: true, opening: OpeningRoll::RollBoth }
    }
}
