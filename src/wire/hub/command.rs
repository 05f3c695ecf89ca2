//! The commands of the Hub protocol. Whatever is not known is ignored, without a word.

use super::level::{Level, LevelError};
use super::{Line, PositionText, quoted};
use std::fmt;

/// A command.
#[derive(Clone, Debug, PartialEq)]
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
            "go" => Self::Go(line.arguments.iter().find_map(|(name, _)| Mode::named(name)).unwrap_or(Mode::Think)),
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
            Self::Hub => f.write_str("hub"),
            Self::Init => f.write_str("init"),
            Self::SetParam { name, value } => write!(f, "set-param name={} value={}", quoted(name), quoted(value)),
            Self::NewGame => f.write_str("new-game"),
            Self::Position(position) => position.fmt(f),
            Self::Level(level) => level.fmt(f),
            Self::Go(mode) => write!(f, "go {}", mode.name()),
            Self::PonderHit => f.write_str("ponder-hit"),
            Self::Stop => f.write_str("stop"),
            Self::Ping => f.write_str("ping"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

impl Mode {
    const ALL: [Self; 3] = [Self::Think, Self::Ponder, Self::Analyze];

    fn name(self) -> &'static str {
        match self {
            Self::Think => "think",
            Self::Ponder => "ponder",
            Self::Analyze => "analyze",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_printed_is_read_back() {
        let param = |name: &str, value: &str| Command::SetParam { name: name.to_owned(), value: value.to_owned() };
        let position = PositionText::new("Wee", ["32-28", "19x23x28"]);
        let runs = PositionText { king_runs: "W28=2 B5=1".to_owned(), ..PositionText::new("Wee", []) };
        let limits = Level {
            depth: Some(7),
            nodes: Some(123_456),
            move_time: Some(Duration::from_millis(250)),
            ..Level::timed(Duration::from_millis(1500), Duration::from_millis(100), Some(40))
        };
        let commands = [
            (Command::Hub, "hub"),
            (Command::Init, "init"),
            (param("variant", "normal"), "set-param name=variant value=normal"),
            (param("book file", ""), "set-param name=\"book file\" value=\"\""),
            (Command::NewGame, "new-game"),
            (Command::Position(position), "pos pos=Wee moves=\"32-28 19x23x28\""),
            (Command::Position(runs), "pos pos=Wee wolf=\"W28=2 B5=1\""),
            (Command::Level(limits), "level moves=40 time=1.4 inc=0.1 move-time=0.25 nodes=123456 depth=7"),
            (Command::Level(Level { infinite: true, ..Level::default() }), "level infinite"),
            (Command::Go(Mode::Think), "go think"),
            (Command::Position(PositionText::new("", ["32-28"])), "pos pos=\"\" moves=\"32-28\""),
            (Command::Go(Mode::Ponder), "go ponder"),
            (Command::Go(Mode::Analyze), "go analyze"),
            (Command::PonderHit, "ponder-hit"),
            (Command::Stop, "stop"),
            (Command::Ping, "ping"),
            (Command::Quit, "quit"),
        ];
        for (command, text) in commands {
            assert_eq!(command.to_string(), text);
            assert_eq!(Command::read(text), Ok(Some(command)), "{text}");
        }
    }

    #[test]
    fn what_is_not_known_is_no_command() {
        for text in ["", "no-such a=1", "set-param name=x", "Hub"] {
            assert_eq!(Command::read(text), Ok(None), "{text}");
        }
        assert!(Command::read("level depth=x").is_err());
    }
}
