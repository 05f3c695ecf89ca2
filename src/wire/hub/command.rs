//! Commands of the Hub protocol. Unknown input is silently ignored.

use super::{Level, Line, PositionText, quoted};
use std::fmt;
use strum::{EnumString, IntoStaticStr};

/// A command from the client.
#[derive(Clone, Debug, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum Command {
    /// Identify the engine and declare its parameters.
    Hub,
    /// All parameters have been set.
    Init,
    /// Set a parameter.
    SetParam {
        /// Name of the parameter.
        name: String,
        /// New value.
        value: String,
    },
    /// The next search belongs to a new game.
    NewGame,
    /// The position to search.
    Position(PositionText),
    /// Limits for the next search.
    Level(Level),
    /// Start a search.
    Go(Mode),
    /// The opponent has played the expected move.
    PonderHit,
    /// Stop the search.
    Stop,
    /// Answer with `pong`.
    Ping,
    /// Exit the program.
    Quit,
}

/// The purpose of a search.
#[derive(Clone, Copy, Debug, EnumString, IntoStaticStr, PartialEq, Eq)]
#[strum(serialize_all = "lowercase")]
pub enum Mode {
    /// Find the move to play.
    Think,
    /// Search during the opponent's turn.
    Ponder,
    /// Analyse the position.
    Analyze,
}

impl Command {
    /// Parses a line. Returns `Ok(None)` if the command is unknown, and an error if a limit is not a valid number.
    pub fn read(text: &str) -> Result<Option<Self>, String> {
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
