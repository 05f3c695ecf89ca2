//! What a line of the Hub protocol asks for. Whatever is not known is ignored, without a word.

use super::level::{Level, LevelError};
use super::line::Line;

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Who are you, and what can be set?
    Hub,
    /// All parameters are set.
    Init,
    /// Set a parameter.
    SetParam {
        /// Its name.
        name: String,
        /// Its new value.
        value: String,
    },
    /// The next search belongs to another game.
    NewGame,
    /// What to search.
    Position(PositionText),
    /// Limits for the next search.
    Level(Result<Level, LevelError>),
    /// Search.
    Go(Mode),
    /// The expected move was played.
    PonderHit,
    /// End the search.
    Stop,
    /// Are you there?
    Ping,
    /// A line of more bytes than this was left out.
    TooLong(usize),
    /// End the program.
    Quit,
}

/// The arguments of `pos` as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionText {
    /// The side to move, and a character for every square.
    pub squares: String,
    /// The moves played from there.
    pub moves: String,
    /// How often in a row each side has moved the same king.
    pub king_runs: String,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To play the move.
    Think,
    /// To use the opponent's time.
    Ponder,
    /// To learn about the position.
    Analyze,
}

impl Command {
    /// Reads a line; one that is not understood is no command.
    pub(super) fn read(text: &str) -> Option<Self> {
        let line = Line::read(text)?;
        Some(match line.command {
            "hub" => Self::Hub,
            "init" => Self::Init,
            "set-param" => {
                Self::SetParam { name: line.value("name")?.to_owned(), value: line.value("value")?.to_owned() }
            }
            "new-game" => Self::NewGame,
            "pos" => {
                let text = |name| line.value(name).unwrap_or_default().to_owned();
                Self::Position(PositionText { squares: text("pos"), moves: text("moves"), king_runs: text("wolf") })
            }
            "level" => Self::Level(Level::read(&line)),
            "go" => Self::Go(line.arguments().find_map(|(name, _)| Mode::named(name)).unwrap_or(Mode::Think)),
            "ponder-hit" => Self::PonderHit,
            "stop" => Self::Stop,
            "ping" => Self::Ping,
            "quit" => Self::Quit,
            _ => return None,
        })
    }
}

impl Mode {
    fn named(name: &str) -> Option<Self> {
        match name {
            "think" => Some(Self::Think),
            "ponder" => Some(Self::Ponder),
            "analyze" => Some(Self::Analyze),
            _ => None,
        }
    }
}
