//! What CheckerBoard can set and ask for, and by which names.

use super::command::{CommandError, SHORT};
use super::settings::Settings;
use soffio::engine::{OptionSpec, Options, Setting, SettingError};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Something that can be set to a value and asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// MiB of the transposition table.
    Hash,
    /// Threads of a search.
    Threads,
    /// Whether the status shows the scores of all moves.
    AllScores,
    /// Whether every move is looked at for a win.
    Solve,
    /// Whether endgame tables are used.
    Tables,
    /// The folder of their files.
    TableFolder,
    /// Most pieces on the board for which they are used.
    TablePieces,
    /// MiB of those that are solved in memory.
    TableMemory,
}

/// A change of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// MiB of the transposition table.
    Hash(usize),
    /// Threads of a search.
    Threads(NonZeroUsize),
    /// Show the scores of all moves, or those of the best alone.
    AllScores(bool),
    /// Look for a win in every move, or search as in a game.
    Solve(bool),
    /// Use endgame tables, or none.
    Tables(bool),
    /// The folder of their files, or none.
    TableFolder(Option<PathBuf>),
    /// Most pieces on the board for which they are used.
    TablePieces(u8),
    /// MiB of those that are solved in memory.
    TableMemory(usize),
}

impl Change {
    /// Makes the change in `settings`.
    pub fn make(self, settings: &mut Settings) {
        match self {
            Self::Hash(mib) => settings.hash = mib,
            Self::Threads(threads) => settings.threads = threads,
            Self::AllScores(are_shown) => settings.all_scores = are_shown,
            Self::Solve(solves) => settings.solves = solves,
            Self::Tables(are_used) => settings.tables.are_used = are_used,
            Self::TableFolder(folder) => settings.tables.folder = folder,
            Self::TablePieces(pieces) => settings.tables.pieces = pieces,
            Self::TableMemory(mib) => settings.tables.memory = mib,
        }
    }

    /// What is changed.
    pub const fn topic(&self) -> Topic {
        match self {
            Self::Hash(_) => Topic::Hash,
            Self::Threads(_) => Topic::Threads,
            Self::AllScores(_) => Topic::AllScores,
            Self::Solve(_) => Topic::Solve,
            Self::Tables(_) => Topic::Tables,
            Self::TableFolder(_) => Topic::TableFolder,
            Self::TablePieces(_) => Topic::TablePieces,
            Self::TableMemory(_) => Topic::TableMemory,
        }
    }
}

impl Topic {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Hash,
        Self::Threads,
        Self::AllScores,
        Self::Solve,
        Self::Tables,
        Self::TableFolder,
        Self::TablePieces,
        Self::TableMemory,
    ];

    /// What CheckerBoard calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hash => "hashsize",
            Self::Threads => "searchthreads",
            Self::AllScores => "allscores",
            Self::Solve => "solve",
            Self::Tables => "enable_wld",
            Self::TableFolder => "dbpath",
            Self::TablePieces => "max_dbpieces",
            Self::TableMemory => "dbmbytes",
        }
    }

    /// The topic that CheckerBoard calls so.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.name() == name)
    }

    /// What it is set to, as CheckerBoard reads it.
    pub fn value(self, settings: &Settings) -> String {
        let switch = |is_on: bool| u8::from(is_on).to_string();
        let tables = &settings.tables;
        match self {
            Self::Hash => settings.hash.to_string(),
            Self::Threads => settings.threads.to_string(),
            Self::AllScores => switch(settings.all_scores),
            Self::Solve => switch(settings.solves),
            Self::Tables => switch(tables.are_used),
            Self::TableFolder => {
                tables.folder.as_deref().map_or_else(String::new, |folder| folder.to_string_lossy().into_owned())
            }
            Self::TablePieces => tables.pieces.to_string(),
            Self::TableMemory => tables.memory.to_string(),
        }
    }

    /// The change to `value`.
    ///
    /// # Errors
    /// When it cannot have this value.
    pub fn change(self, value: &str) -> Result<Change, CommandError> {
        match self {
            Self::Hash => option("Hash", value),
            Self::Threads => option("Threads", value),
            Self::AllScores => self.switch(value).map(Change::AllScores),
            Self::Solve => self.switch(value).map(Change::Solve),
            Self::Tables => self.switch(value).map(Change::Tables),
            Self::TableFolder => folder(value).map(Change::TableFolder),
            Self::TablePieces => {
                // CheckerBoard also offers the numbers of engines that have larger ones.
                let most = value.parse().is_ok_and(|pieces: u32| pieces > Options::MOST_TABLE_PIECES.into());
                option("TablePieces", if most { "8" } else { value })
            }
            Self::TableMemory => option("TableMemory", value),
        }
    }

    fn switch(self, value: &str) -> Result<bool, CommandError> {
        match value {
            "0" => Ok(false),
            "1" => Ok(true),
            _ => Err(CommandError::Switch(self.name())),
        }
    }
}

/// The change of the option of the engine that is called `name`.
fn option(name: &str, value: &str) -> Result<Change, CommandError> {
    match OptionSpec::read(name, Some(value)).map_err(CommandError::Value)? {
        Setting::Hash(mib) => Ok(Change::Hash(mib)),
        Setting::Threads(threads) => Ok(Change::Threads(threads)),
        Setting::TablePieces(pieces) => Ok(Change::TablePieces(pieces)),
        Setting::TableMemory(mib) => Ok(Change::TableMemory(mib)),
        _ => Err(CommandError::Unknown),
    }
}

/// The folder at `path`, wherever the program goes later; none if there is no path.
fn folder(path: &str) -> Result<Option<PathBuf>, CommandError> {
    if path.is_empty() {
        return Ok(None);
    }
    let unusable =
        |error: std::io::Error| CommandError::Refused(SettingError::TablePath(path.into(), error.to_string()));
    let folder = std::path::absolute(path).map_err(unusable)?;
    std::fs::read_dir(&folder).map_err(unusable)?;
    // Whoever asks for it has so much room.
    if folder.to_string_lossy().len() > SHORT { Err(CommandError::TooLong) } else { Ok(Some(folder)) }
}
