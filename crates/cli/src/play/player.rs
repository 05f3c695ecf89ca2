//! The player of a side.

use super::PlayError;
use super::limits::MoveLimits;
use crate::pairs::Pair;
use soffio::engine::{OptionSpec, Setting};
use std::fmt;
use std::str::FromStr;

/// The player of a side: a person, or the engine with options and limits of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// A person at the keyboard.
    Human,
    /// The engine.
    Engine(EnginePlayer),
}

/// How the engine plays a side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnginePlayer {
    /// The names and values of options and limits that were read, in lower case.
    words: Vec<(String, String)>,
    pub(super) settings: Vec<Setting>,
    pub(super) limits: MoveLimits,
}

impl Player {
    /// The word for a person.
    pub const HUMAN: &'static str = "human";
    /// The word for the engine as it is without options.
    pub const COMPUTER: &'static str = "computer";

    /// Whether a person plays.
    pub fn is_human(&self) -> bool {
        *self == Self::Human
    }

    /// Names and values of its options and limits.
    pub fn words(&self) -> &[(String, String)] {
        match self {
            Self::Human => &[],
            Self::Engine(EnginePlayer { words, .. }) => words,
        }
    }

    /// The value of the option or limit `name`, if it was set.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.words().iter().rev().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

impl FromStr for Player {
    type Err = PlayError;

    /// Reads `human`, `computer`, or options and limits by name, such as `level=hard` or `player=alphabeta,depth=3`.
    fn from_str(text: &str) -> Result<Self, PlayError> {
        let text = text.trim().to_lowercase();
        if text == Self::HUMAN {
            return Ok(Self::Human);
        }
        let mut engine = EnginePlayer::default();
        if text != Self::COMPUTER {
            for word in text.split(',') {
                engine.set(word)?;
            }
        }
        Ok(Self::Engine(engine))
    }
}

impl EnginePlayer {
    /// The engine that gives hints: it does not use all the time that a clock would allow.
    pub(super) fn adviser() -> Self {
        Self { limits: MoveLimits::usual(), ..Self::default() }
    }

    /// Reads one `name=value`.
    fn set(&mut self, word: &str) -> Result<(), PlayError> {
        let pair = Pair::read(word, "a list").map_err(|_| PlayError::NoPlayer(word.to_owned()))?;
        let (name, value) = (pair.key.trim(), pair.value.trim());
        match self.limits.set(name, value) {
            Some(Ok(())) => {}
            Some(Err(expected)) => {
                return Err(PlayError::Expected { what: name.to_owned(), expected, found: value.to_owned() });
            }
            None => match OptionSpec::read(name, Some(value))? {
                Setting::Variant(_) | Setting::ForcedCapture(_) | Setting::Squares(_) => {
                    return Err(PlayError::OptionOfGame(name.to_owned()));
                }
                setting => self.settings.push(setting),
            },
        }
        self.words.push((name.to_owned(), value.to_owned()));
        Ok(())
    }
}

impl fmt::Display for Player {
    /// Prints what [`Player::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.words().iter().map(|(name, value)| format!("{name}={value}")).collect();
        match self {
            Self::Human => f.write_str(Self::HUMAN),
            Self::Engine(_) if words.is_empty() => f.write_str(Self::COMPUTER),
            Self::Engine(_) => f.write_str(&words.join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::engine::Level;

    fn reprinted(text: &str) -> String {
        match text.parse::<Player>() {
            Ok(player) => player.to_string(),
            Err(error) => format!("error {error}"),
        }
    }

    #[test]
    fn players_are_read_and_printed() {
        for text in ["human", "computer", "level=hard", "depth=3,uci_elo=900,uci_limitstrength=true", "nodes=7"] {
            assert_eq!(reprinted(text), text);
        }
        assert_eq!(reprinted(" Human "), "human");
        assert_eq!(reprinted("Level = HARD, Move Overhead=5"), "level=hard,move overhead=5");
        let player: Player = "level=hard,movetime=500".parse().unwrap();
        let Player::Engine(engine) = &player else { panic!("{player}") };
        assert_eq!(engine.settings, [Setting::Level(Level::Hard)]);
        assert_eq!((player.value("Level"), player.value("depth")), (Some("hard"), None));
    }

    #[test]
    fn what_is_wrong_with_a_player_is_said() {
        assert_eq!(
            reprinted("hal"),
            "error player 'hal' is neither human nor computer nor a list such as level=hard,depth=5"
        );
        assert_eq!(reprinted("depth=0"), "error depth must be a depth from 1 to 255, not '0'");
        assert_eq!(reprinted("movetime=x"), "error movetime must be milliseconds, at least 1, not 'x'");
        assert_eq!(
            reprinted("level=best"),
            "error option Level cannot be 'best', only easy, medium, hard, expert, god, full"
        );
        assert_eq!(reprinted("uci_variant=thai"), "error option uci_variant is one of the game, not of a player");
        assert_eq!(
            reprinted("Forced Capture=false"),
            "error option forced capture is one of the game, not of a player"
        );
        assert!(reprinted("speed=3").starts_with("error option 'speed' is not known"));
        assert!(reprinted("level=hard,").starts_with("error player '' is neither"));
    }
}
