//! A puzzle as a line of JSON.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use soffio::notation::{MoveRecord, WrittenGame};
use soffio::rules::Variant;
use soffio_support::record::game_at;

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PuzzleRecord {
    /// The name of the game that it is from, and the position in it: `games/17/45`.
    pub id: String,
    pub variant: String,
    /// The position to be solved.
    pub fen: String,
    /// The position before, and the move that leads from there, if the game has them.
    pub before: Option<Before>,
    /// The goal of the side to move: `win`, `draw`, or `gain` of a man or more.
    pub goal: String,
    /// How it is proved: `table`, `search`, or `material` by a search of every answer.
    pub proof: String,
    /// Moves of the winner to the end of the game, where a win is proved.
    pub win_in: Option<u16>,
    /// The moves of both sides, each of the side that solves the only one that reaches the goal.
    pub solution: Vec<String>,
    pub themes: Vec<String>,
    /// How hard it is, from 1 to 20.
    pub difficulty: u8,
    /// Positions that were searched for the proof of each move.
    pub nodes: u64,
}

/// The position before that of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Before {
    /// The position.
    pub fen: String,
    /// The move that was played.
    #[serde(rename = "move")]
    pub text: String,
}

/// The puzzles of a game: a line of the file that a run goes on from.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Mined {
    /// The name of the game.
    pub id: String,
    /// The hash of the game.
    pub input_hash: String,
    #[serde(default)]
    pub puzzles: Vec<PuzzleRecord>,
    /// The reason why the game, or the rest of it, could not be looked at.
    pub error: Option<String>,
}

impl PuzzleRecord {
    /// The game after the solution, and the game before it.
    ///
    /// # Errors
    /// When the variant is not known, the position is impossible, or a move of the solution is not legal.
    pub fn solved(&self) -> Result<(WrittenGame, WrittenGame), String> {
        let start = position(&self.variant, &self.fen)?;
        let mut end = start.clone();
        let moves =
            self.solution.iter().map(|text| text.parse::<MoveRecord>().map_err(|error| format!("{text}: {error}")));
        end.play(&moves.collect::<Result<Vec<_>, _>>()?).map_err(|error| error.to_string())?;
        Ok((end, start))
    }
}

/// The game of the variant called `name` that begins in the position `fen`. Fails when the variant is not known, or the
/// position is impossible.
pub(super) fn position(name: &str, fen: &str) -> Result<WrittenGame, String> {
    let variant = Variant::named(name).ok_or_else(|| format!("variant {name} is not known"))?;
    game_at(variant, fen).map_err(|error| error.to_string())
}
