//! Game records: Portable Draughts Notation (PDN).
//!
//! A record is text with a structure: its moves are those of a game only when they have been played, see
//! [`GameRecord::start`] and [`MoveRecord`](super::MoveRecord).

mod error;
mod parse;
mod played;
mod write;

pub use error::PdnError;
pub use parse::read_games;
pub use played::{PlayedGame, today};

use super::{FenError, FenRecord};

/// A game as a file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// Names and values of the tags, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The moves.
    pub moves: Vec<PdnMove>,
    /// How it ended.
    pub result: GameResult,
}

/// A move of a game record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PdnMove {
    /// The move as it is written.
    pub text: String,
    /// What is said about it. Braces in it are printed as brackets, for a comment cannot contain them.
    pub comment: Option<String>,
}

/// The result of a game. The side that begins the game of a variant comes first: White in most, Black in English
/// draughts, as its collections of games have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0` or `2-0`: the side that begins has won.
    First,
    /// `0-1` or `0-2`: the other side has won.
    Second,
    /// `1/2-1/2` or `1-1`.
    Draw,
    /// `0-0`: both have lost.
    BothLost,
    /// `*`: not over, or not known.
    #[default]
    Unknown,
}

impl GameRecord {
    /// The value of the tag `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The position where the game begins, if a tag says so.
    ///
    /// # Errors
    /// When that is no FEN.
    pub fn start(&self) -> Result<Option<FenRecord>, FenError> {
        self.tag("FEN").map(str::parse).transpose()
    }
}
