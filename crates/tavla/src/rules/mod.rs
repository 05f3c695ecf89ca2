//! The rules: the board, the dice and the legal plays.

mod board;
mod dice;
mod generator;
mod options;
mod perft;
mod play;
mod random;
#[cfg(test)]
mod reference;
mod steps;

pub use board::{BAR, Board, BoardError, CHECKERS, HOME, OFF, Side, facing};
pub use dice::{Roll, RollError, WAYS};
pub use generator::{Legal, Plays};
pub use options::{Opening, Rules};
pub use perft::{Perft, perft};
pub use play::{Hop, MAX_HOPS, Play, PlayError};
pub use random::Random;
pub use steps::{after_hops, next_hops};
