//! Results of games.

use crate::rules::{Color, Variant};
use std::fmt;
use std::str::FromStr;

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

impl GameResult {
    /// The result of a game of `variant` that `winner` has won.
    pub fn won_by(winner: Color, variant: Variant) -> Self {
        if winner == variant.spec().starts { Self::First } else { Self::Second }
    }
}

/// The error that a text is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoResult;

impl FromStr for GameResult {
    type Err = NoResult;

    /// Reads the result at the end of a game or in its tag. An `F` after it says that the game was won by forfeit.
    fn from_str(text: &str) -> Result<Self, NoResult> {
        match text.trim_end_matches(['F', 'f']) {
            "1-0" | "2-0" => Ok(Self::First),
            "0-1" | "0-2" => Ok(Self::Second),
            "1/2-1/2" | "½-½" | "1-1" => Ok(Self::Draw),
            "0-0" => Ok(Self::BothLost),
            _ if text == "*" => Ok(Self::Unknown),
            _ => Err(NoResult),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "1-0",
            Self::Second => "0-1",
            Self::Draw => "1/2-1/2",
            Self::BothLost => "0-0",
            Self::Unknown => "*",
        })
    }
}
