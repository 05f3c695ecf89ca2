//! Puzzles as JSON lines.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use soffio::notation::{MoveRecord, WrittenGame};
use soffio::rules::Variant;
use soffio_analysis::puzzle::{Goal, Proof};
use soffio_support::record::game_at;

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PuzzleRecord {
    /// Name of the game, followed by the ply of the position, as in `games/17/45`. If the puzzle follows a move that
    /// was not played, the ID contains the ply of the position before the move, followed by the move.
    pub id: String,
    pub variant: String,
    pub fen: String,
    /// The previous position and the move that leads to the puzzle, or `None` if they are unknown.
    pub before: Option<PreviousPosition>,
    pub goal: Goal,
    pub proof: Proof,
    /// Number of moves that the winner needs to end the game, or `None` if no win is proved.
    pub win_in: Option<u16>,
    /// The moves for both sides. Each of the solver's moves is the only move that reaches the goal.
    pub solution: Vec<String>,
    pub themes: Vec<String>,
    /// Difficulty from 1 to 20; higher is harder.
    pub difficulty: u8,
    /// Node limit for proving a move.
    pub nodes: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PreviousPosition {
    pub fen: String,
    #[serde(rename = "move")]
    pub text: String,
}

/// The puzzles of a game, which are stored as a line of the `--resume` file.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct MinedGame {
    pub id: String,
    pub input_hash: String,
    /// The variant as which the game was read, or `None` if it could not be read.
    pub variant: Option<String>,
    #[serde(default)]
    pub puzzles: Vec<PuzzleRecord>,
    /// Why the game, or the rest of the game, was not searched; `None` if the whole game was searched.
    pub error: Option<String>,
}

impl PuzzleRecord {
    /// Returns the game after the solution and the game before it.
    pub fn solved(&self) -> Result<(WrittenGame, WrittenGame), String> {
        let start = position(&self.variant, &self.fen)?;
        let mut end = start.clone();
        let moves =
            self.solution.iter().map(|text| text.parse::<MoveRecord>().map_err(|error| format!("{text}: {error}")));
        end.play(&moves.collect::<Result<Vec<_>, _>>()?).map_err(|error| error.to_string())?;
        Ok((end, start))
    }
}

pub(super) fn position(name: &str, fen: &str) -> Result<WrittenGame, String> {
    let variant = Variant::any_named(name).ok_or_else(|| format!("unknown variant {name}"))?;
    game_at(variant, fen).map_err(|error| error.to_string())
}
