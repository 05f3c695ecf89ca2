//! The fields that the logs of all games begin with, draughts or tavla.

use super::{Pairing, Schedule};
use serde::{Deserialize, Serialize};
use soffio::rules::Color;

/// The fields that the logs of all games begin with, draughts or tavla.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameHeader {
    /// The number of the game in the match, counted from 1.
    pub game: usize,
    /// White's engine.
    pub white: String,
    /// Black's engine.
    pub black: String,
    /// The winner; none in a draw, and in a game that was too long.
    pub winner: Option<Color>,
}

impl GameHeader {
    /// The header of the game `pairing` between engines with these `names`, White's first.
    pub fn new(pairing: &Pairing, [white, black]: [&str; 2], winner: Option<Color>) -> Self {
        Self { game: pairing.number + 1, white: white.to_owned(), black: black.to_owned(), winner }
    }

    /// The game of `schedule` that this is; none if the engines, called `names` there, are others.
    pub fn pairing(&self, schedule: &Schedule, names: &[String]) -> Option<Pairing> {
        let pairing = schedule.pairing(self.game.checked_sub(1)?)?;
        let is_of = |index: usize, name: &String| names.get(index) == Some(name);
        (is_of(pairing.white, &self.white) && is_of(pairing.black, &self.black)).then_some(pairing)
    }
}
