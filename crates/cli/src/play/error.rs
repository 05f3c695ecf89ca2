//! Why a command is not obeyed.

use soffio::engine::OptionError;
use soffio::notation::GameError;
use soffio::notation::{FenError, IllegalMove, MoveSyntaxError, printable};
use soffio::rules::Color;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a command is not obeyed. Nothing has changed.
#[derive(Debug)]
pub enum PlayError {
    /// There is no such command.
    Command(String),
    /// A line of more bytes than this was left out.
    TooLong(usize),
    /// A command has too few words, too many, or others; this is how it is used.
    Usage(&'static str),
    /// A setting cannot have this value.
    Expected {
        /// The setting.
        what: String,
        /// The values that are possible.
        expected: &'static str,
        /// The value that was given.
        found: String,
    },
    /// There is no such variant.
    Variant(String),
    /// The text is no player.
    NoPlayer(String),
    /// An option of a player is one that both players must share.
    OptionOfGame(String),
    /// An option is not known or cannot have the value.
    Option(OptionError),
    /// The system lacks the memory or threads that an option needs.
    Resources(String),
    /// The text is no move.
    Syntax(MoveSyntaxError),
    /// The move is not legal.
    Move {
        /// The move as it was given.
        text: String,
        /// Why it is not legal.
        reason: IllegalMove,
    },
    /// The text is no position of the game.
    Fen(FenError),
    /// The engine failed.
    Engine(GameError),
    /// So many moves cannot be taken back or played again.
    TooFar {
        /// Whether moves were to be taken back.
        back: bool,
        /// How many are possible.
        possible: usize,
    },
    /// The game is over, with this result.
    Over(String),
    /// It is the turn of the engine.
    NotYourTurn(Color),
    /// The engine is thinking for the player already.
    Thinking,
    /// The rules leave no choice about captures.
    AlwaysForced(&'static str),
    /// A file cannot be read or written.
    File {
        /// Its name.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A game of a file cannot be read or played.
    Game {
        /// Its name.
        path: PathBuf,
        /// Why.
        problem: String,
    },
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &str| printable(text.chars());
        match self {
            Self::Command(word) => write!(f, "'{}' is neither a move nor a command, try help", shown(word)),
            Self::TooLong(most) => write!(f, "line longer than {most} bytes, left out"),
            Self::Usage(usage) => write!(f, "write {usage}"),
            Self::Expected { what, expected, found } => {
                write!(f, "{} must be {expected}, not '{}'", shown(what), shown(found))
            }
            Self::Variant(name) => write!(f, "variant '{}' is not known, soffio variants lists all", shown(name)),
            Self::NoPlayer(word) => write!(
                f,
                "player '{}' is neither human nor computer nor a list such as level=hard,depth=5",
                shown(word)
            ),
            Self::OptionOfGame(name) => write!(f, "option {} is one of the game, not of a player", shown(name)),
            Self::Option(error) => error.fmt(f),
            Self::Resources(problem) => f.write_str(problem),
            Self::Syntax(error) => write!(f, "move: {error}"),
            Self::Move { text, reason } => write!(f, "{}: {reason}", shown(text)),
            Self::Fen(error) => write!(f, "fen {error}"),
            Self::Engine(error) => error.fmt(f),
            Self::TooFar { back: true, possible: 0 } => f.write_str("no move has been played"),
            Self::TooFar { back: true, possible } => write!(f, "only {possible} can be taken back"),
            Self::TooFar { back: false, possible: 0 } => f.write_str("no move has been taken back"),
            Self::TooFar { back: false, possible } => write!(f, "only {possible} can be played again"),
            Self::Over(how) => write!(f, "the game is over: {how}"),
            Self::NotYourTurn(color) => write!(f, "it is the turn of {color}, which the engine plays"),
            Self::Thinking => f.write_str("the engine is thinking about your move"),
            Self::AlwaysForced(variant) => write!(f, "captures stay forced in {variant}"),
            Self::File { path, error } => write!(f, "{}: {error}", shown_path(path)),
            Self::Game { path, problem } => write!(f, "{}: {problem}", shown_path(path)),
        }
    }
}

/// The name of a file on one line.
pub(super) fn shown_path(path: &Path) -> String {
    path.display().to_string().replace(char::is_control, "?")
}

impl std::error::Error for PlayError {}

impl From<OptionError> for PlayError {
    fn from(error: OptionError) -> Self {
        Self::Option(error)
    }
}

impl From<GameError> for PlayError {
    fn from(error: GameError) -> Self {
        Self::Engine(error)
    }
}

impl From<FenError> for PlayError {
    fn from(error: FenError) -> Self {
        Self::Fen(error)
    }
}

impl From<MoveSyntaxError> for PlayError {
    fn from(error: MoveSyntaxError) -> Self {
        Self::Syntax(error)
    }
}
