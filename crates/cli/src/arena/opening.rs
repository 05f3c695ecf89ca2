//! How a game begins.

use soffio::notation::{FenRecord, GameError, MoveRecord, WrittenGame};
use soffio::rules::Variant;
use std::fmt;

/// A position to play from, and the moves that lead from it to the first that an engine is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Where it begins; the start position when it is left out.
    pub start: Option<FenRecord>,
    /// Moves, each in its full path.
    pub moves: Vec<String>,
}

/// Why a game of a variant cannot begin with an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnplayableOpening {
    /// A text is no move at all.
    Syntax(String),
    /// The position is none of the variant, or a move is not legal.
    Game(GameError),
}

impl fmt::Display for UnplayableOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(problem) => f.write_str(problem),
            Self::Game(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for UnplayableOpening {}

impl Opening {
    /// A game of `variant` after this opening.
    ///
    /// # Errors
    /// When it is none of the variant.
    pub fn played(&self, variant: Variant) -> Result<WrittenGame, UnplayableOpening> {
        let moves = self.moves.iter().map(|text| text.parse());
        let moves = moves.collect::<Result<Vec<MoveRecord>, _>>();
        let moves = moves.map_err(|error| UnplayableOpening::Syntax(error.to_string()))?;
        let mut game = WrittenGame::new(variant);
        game.set_position(self.start.as_ref(), &moves).map_err(UnplayableOpening::Game)?;
        Ok(game)
    }
}

impl fmt::Display for Opening {
    /// Prints what a file of openings has on a line: the position, if it is not the start position, and the moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.start.as_ref().map(ToString::to_string);
        let words: Vec<_> = start.iter().chain(&self.moves).map(String::as_str).collect();
        f.write_str(&words.join(" "))
    }
}
