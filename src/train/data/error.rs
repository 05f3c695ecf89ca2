//! What can be wrong with a file of games.

use std::fmt;
use std::io;

/// Why a file of games cannot be used.
#[derive(Debug)]
pub enum DataError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It does not begin as such a file does.
    NotGames,
    /// It has a version that this program does not know.
    Version(u16),
    /// Its header is damaged.
    Header,
    /// It is damaged.
    Damaged {
        /// The byte at which the damaged frame begins.
        at: u64,
        /// What is wrong there.
        what: &'static str,
    },
    /// Its games are of another variant, whose name this is, or by other rules.
    OtherGame(String),
    /// Its games belong to another plan, which is given as text.
    OtherPlan(String),
    /// A game cannot be written, for this reason.
    Unfit(&'static str),
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotGames => f.write_str("this is no file of games"),
            Self::Version(version) => write!(f, "version {version} of the format is unknown"),
            Self::Header => f.write_str("the header is damaged"),
            Self::Damaged { at, what } => write!(f, "damaged at byte {at}: {what}"),
            Self::OtherGame(variant) => write!(f, "the games are of another variant or by other rules: {variant}"),
            Self::OtherPlan(plan) => write!(f, "the games in it were to be played in another way: {plan}"),
            Self::Unfit(what) => write!(f, "a game cannot be kept: {what}"),
        }
    }
}

impl std::error::Error for DataError {}

impl From<io::Error> for DataError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
