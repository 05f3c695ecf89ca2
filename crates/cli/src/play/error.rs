//! Why a command is not obeyed.

use soffio::engine::OptionError;
use soffio::notation::{FenError, GameError, IllegalMove, MoveSyntaxError, printable};
use soffio::rules::Color;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a command is not obeyed. Nothing has changed.
#[derive(Debug, Error)]
pub enum PlayError {
    #[error("'{}' is neither a move nor a command, try help", shown(.0))]
    Command(String),
    #[error("line longer than {0} bytes, left out")]
    TooLong(usize),
    /// A command has too few words, too many, or others; this is how it is used.
    #[error("write {0}")]
    Usage(&'static str),
    #[error("{} must be {expected}, not '{}'", shown(setting), shown(found))]
    Expected { setting: String, expected: &'static str, found: String },
    #[error("variant '{}' is not known, soffio variants lists all", shown(.0))]
    Variant(String),
    #[error("player '{}' is neither human nor computer nor a list such as level=hard,depth=5", shown(.0))]
    NoPlayer(String),
    /// An option of a player is one that both players must share.
    #[error("option {} is one of the game, not of a player", shown(.0))]
    OptionOfGame(String),
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The system lacks the memory or threads that an option needs.
    #[error("{0}")]
    Resources(String),
    #[error("move: {0}")]
    Syntax(#[from] MoveSyntaxError),
    #[error("{}: {reason}", shown(text))]
    Move { text: String, reason: IllegalMove },
    #[error("fen {0}")]
    Fen(#[from] FenError),
    #[error(transparent)]
    Engine(#[from] GameError),
    /// Only so many moves have been played.
    #[error("{}", if *.0 == 0 { "no move has been played".to_owned() } else { format!("only {} can be taken back", .0) })]
    Undo(usize),
    /// Only so many moves have been taken back.
    #[error("{}", if *.0 == 0 { "no move has been taken back".to_owned() } else { format!("only {} can be played again", .0) })]
    Redo(usize),
    #[error("the game is over: {0}")]
    Over(String),
    #[error("it is the turn of {0}, which the engine plays")]
    NotYourTurn(Color),
    #[error("the engine is thinking about your move")]
    Thinking,
    /// The rules leave no choice about captures.
    #[error("captures stay forced in {0}")]
    AlwaysForced(&'static str),
    #[error("{}: {error}", shown_path(path))]
    File { path: PathBuf, error: std::io::Error },
    /// A game of a file cannot be read or played.
    #[error("{}: {problem}", shown_path(path))]
    Game { path: PathBuf, problem: String },
}

fn shown(text: &str) -> String {
    printable(text.chars()).to_string()
}

/// The name of a file on one line.
pub(super) fn shown_path(path: &Path) -> String {
    path.display().to_string().replace(char::is_control, "?")
}
