//! The rules: the board, the dice and the legal plays.

mod board;
mod generator;
mod perft;
mod play;

pub use board::{BAR, Board, BoardError, CHECKERS, HOME, OFF, Side, facing};
pub use generator::{Legal, Plays, after_hops, next_hops};
pub use perft::{Perft, Random, perft};
pub use play::{Hop, MAX_HOPS, Play, PlayError, Roll, RollError, WAYS};

use strum::{EnumString, VariantNames};

/// The agreements of the players, where customs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// True if a win against a side that has borne off nothing counts two points.
    pub mars: bool,
    /// True if a checker that has hit in its own home may be moved on in the same play.
    pub hit_and_run: bool,
    pub opening: Opening,
}

/// The first roll of a game, once each side has rolled one die and they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum Opening {
    /// The side with the larger die rolls both dice again, so that it can begin with a double.
    #[strum(serialize = "anew")]
    RollBoth,
    /// The side with the larger die plays the two single dice.
    Single,
}

impl Default for Rules {
    fn default() -> Self {
        Self { mars: false, hit_and_run: true, opening: Opening::RollBoth }
    }
}
