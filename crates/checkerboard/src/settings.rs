//! The settings of CheckerBoard: names, values, and the store that keeps them from one start of the program to the next.

use super::command::{CommandError, SHORT};
use super::game_type::GameType;
use soffio::engine::{OptionSpec, Options, Setting, SettingError};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Threads of a search.
    pub threads: NonZeroUsize,
    /// Whether the status shows the scores of all moves.
    pub all_scores: bool,
    /// Whether wins are looked for in every move, as problems need it.
    pub solves: bool,
    /// Which endgame tables are used.
    pub tables: TableSettings,
}

/// Which endgame tables are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSettings {
    /// Whether any are used.
    pub are_used: bool,
    /// The folder of their files.
    pub folder: Option<PathBuf>,
    /// Most pieces on the board.
    pub pieces: u8,
    /// Most MiB of those that are solved in memory.
    pub memory: usize,
}

/// A store of settings by the names that CheckerBoard has for them.
pub trait Store: Send + Sync {
    /// The value of the setting `name` that was kept last, if there is one.
    fn load(&self, name: &str) -> Option<String>;

    /// Keeps the value of the setting `name`.
    fn save(&self, name: &str, value: &str);
}

/// Keeps nothing: every start begins with the defaults.
pub struct Forgetful;

impl Store for Forgetful {
    fn load(&self, _: &str) -> Option<String> {
        None
    }

    fn save(&self, _: &str, _: &str) {}
}

/// The part of the registry that belongs to the user, where CheckerBoard keeps its own settings.
#[cfg(windows)]
pub struct Registry {
    /// The key.
    path: String,
}

#[cfg(windows)]
impl Store for Registry {
    fn load(&self, name: &str) -> Option<String> {
        windows_registry::CURRENT_USER.open(&self.path).and_then(|key| key.get_string(name)).ok()
    }

    fn save(&self, name: &str, value: &str) {
        let key = windows_registry::CURRENT_USER.create(&self.path);
        if let Err(error) = key.and_then(|key| key.set_string(name, value)) {
            log::warn!("{name} cannot be kept: {error}");
        }
    }
}

/// The store of the engine of `game` on this system.
pub fn store(game: GameType) -> Box<dyn Store> {
    #[cfg(windows)]
    return Box::new(Registry { path: format!(r"Software\Soffio\CheckerBoard\{game}") });
    #[cfg(not(windows))]
    {
        let _ = game;
        Box::new(Forgetful)
    }
}

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
    /// Whether endgame tables are used.
    Tables(bool),
    /// The folder of their files.
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

    /// The setting that is changed.
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

    /// The name that CheckerBoard has for it.
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

    /// The value in `settings`, as CheckerBoard reads it.
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
    match OptionSpec::read(name, Some(value))? {
        Setting::Hash(mib) => Ok(Change::Hash(mib)),
        Setting::Threads(threads) => Ok(Change::Threads(threads)),
        Setting::TablePieces(pieces) => Ok(Change::TablePieces(pieces)),
        Setting::TableMemory(mib) => Ok(Change::TableMemory(mib)),
        _ => Err(CommandError::Unknown),
    }
}

/// The folder at `path`, wherever the program goes later, if a path is given.
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
