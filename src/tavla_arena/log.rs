//! A finished game as a line of JSON, for other programs and for a match that is resumed.

use super::game::Played;
use crate::arena::{MoveLog, Pairing};
use crate::color::Color;
use serde::{Deserialize, Serialize};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLog {
    /// Its number, counted from 1.
    pub game: usize,
    /// White's engine; White begins.
    pub white: String,
    /// Black's engine.
    pub black: String,
    /// The winner; none when the game was too long.
    pub winner: Option<Color>,
    /// The points that the winner has won.
    pub points: u8,
    /// How it ended: a kind that is counted.
    pub termination: String,
    /// Whether the loser did something wrong.
    pub fault: bool,
    /// More about the end.
    pub detail: String,
    /// All turns: the dice, a colon, and the play, as `31:8/5,6/5`. A side that had to pass was not asked, and has no time.
    pub moves: Vec<MoveLog>,
    /// The date, as `2026.01.31`.
    pub date: String,
}

impl GameLog {
    /// The log of the game `pairing` between engines with these `names`, White's first.
    pub(super) fn new(pairing: &Pairing, played: Played, [white, black]: [&str; 2], date: &str) -> Self {
        let Played { moves, winner, points, end, .. } = played;
        Self {
            game: pairing.number + 1,
            white: white.to_owned(),
            black: black.to_owned(),
            winner,
            points,
            termination: end.kind().to_owned(),
            fault: end.is_fault(),
            detail: end.to_string(),
            moves,
            date: date.to_owned(),
        }
    }
}
