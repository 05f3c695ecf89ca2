//! The commands of the Hub protocol. Whatever is not known is ignored, without a word.

use super::level::{Level, LevelError};
use super::{Line, PositionText, quoted};
use std::fmt;
use strum::{EnumString, IntoStaticStr};

/// A command.
#[derive(Clone, Debug, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum Command {
    /// Name the engine and declare its parameters.
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
    /// The position to search.
    Position(PositionText),
    /// Limits for the next search.
    Level(Level),
    /// Search.
    Go(Mode),
    /// The expected move was played.
    PonderHit,
    /// End the search.
    Stop,
    /// Answer with `pong`.
    Ping,
    /// End the program.
    Quit,
}

/// The purpose of a search.
#[derive(Clone, Copy, Debug, EnumString, IntoStaticStr, PartialEq, Eq)]
#[strum(serialize_all = "lowercase")]
pub enum Mode {
    /// To play the move.
    Think,
    /// To use the opponent's time.
    Ponder,
    /// To learn about the position.
    Analyze,
}

impl Command {
    /// Reads a line; `None` if it is not understood.
    ///
    /// # Errors
    /// When a limit is not a number.
    pub fn read(text: &str) -> Result<Option<Self>, LevelError> {
        let Some(line) = Line::read(text) else { return Ok(None) };
        Ok(Some(match line.command {
            "hub" => Self::Hub,
            "init" => Self::Init,
            "set-param" => {
                let (Some(name), Some(value)) = (line.value("name"), line.value("value")) else { return Ok(None) };
                Self::SetParam { name: name.to_owned(), value: value.to_owned() }
            }
            "new-game" => Self::NewGame,
            "pos" => {
                let text = |name| line.value(name).unwrap_or_default().to_owned();
                Self::Position(PositionText { squares: text("pos"), moves: text("moves"), king_runs: text("wolf") })
            }
            "level" => Self::Level(Level::read(&line)?),
            "go" => Self::Go(line.arguments.iter().find_map(|(name, _)| name.parse().ok()).unwrap_or(Mode::Think)),
            "ponder-hit" => Self::PonderHit,
            "stop" => Self::Stop,
            "ping" => Self::Ping,
            "quit" => Self::Quit,
            _ => return Ok(None),
        }))
    }
}

impl fmt::Display for Command {
    /// Prints what [`Command::read`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SetParam { name, value } => write!(f, "set-param name={} value={}", quoted(name), quoted(value)),
            Self::Position(position) => position.fmt(f),
            Self::Level(level) => level.fmt(f),
            Self::Go(mode) => write!(f, "go {}", <&str>::from(mode)),
            other => f.write_str(other.into()),
        }
    }
}
