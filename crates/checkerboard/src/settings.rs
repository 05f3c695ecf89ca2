//! The settings of CheckerBoard: names, values, and the store that keeps them from one start of the program to the next.

use super::command::{SHORT, TOO_LONG, UNKNOWN};
use super::game_type::GameType;
use anyhow::{Context, Result, bail, ensure};
use soffio::engine::{OptionSpec, Options, Setting, SettingError};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// The settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Threads of a search.
    pub threads: NonZeroUsize,
    /// True if the status shows the scores of all moves.
    pub all_scores: bool,
    /// True if wins are looked for in every move, as problems need it.
    pub solves: bool,
    /// True if endgame tables are used.
    pub uses_tables: bool,
    /// The folder of their files.
    pub table_folder: Option<PathBuf>,
    /// Most pieces on the board.
    pub table_pieces: u8,
    /// Most MiB of those that are solved in memory.
    pub table_memory: usize,
    /// Which moves of the opening book are played.
    pub book: BookUse,
    /// The file of the opening book.
    pub book_file: Option<PathBuf>,
}

/// Which moves of an opening book are played, as CheckerBoard counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookUse {
    /// None.
    Off,
    /// Those within the margin that a book may have without being bad, in 1/100 man.
    Within(u16),
}

impl BookUse {
    /// No book, all kinds of moves, good moves, best moves.
    const ALL: [Self; 4] = [Self::Off, Self::Within(30), Self::Within(5), Self::Within(0)];
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
#[derive(Debug)]
pub struct Topic {
    /// The name that CheckerBoard has for it.
    pub name: &'static str,
    /// Returns its value, as CheckerBoard reads it.
    pub value: fn(&Settings) -> String,
    /// Sets it to what the text says, unless it cannot have this value; then nothing has changed.
    pub set: fn(&mut Settings, &str) -> Result<()>,
}

/// The topic `name` that is an option of the engine with a number, which this field of the settings keeps.
macro_rules! number {
    ($name:literal, $field:ident, $option:literal) => {
        Topic {
            name: $name,
            value: |settings| settings.$field.to_string(),
            set: |settings, text| option(settings, $option, text),
        }
    };
}

/// The topic `name` that switches this field of the settings on and off.
macro_rules! switch {
    ($name:literal, $field:ident) => {
        Topic {
            name: $name,
            value: |settings| u8::from(settings.$field).to_string(),
            set: |settings, text| {
                ensure!(matches!(text, "0" | "1"), concat!($name, " is 0 or 1"));
                settings.$field = text == "1";
                Ok(())
            },
        }
    };
}

impl Topic {
    /// All of them.
    pub const ALL: [Self; 10] = [
        number!("hashsize", hash, "Hash"),
        number!("searchthreads", threads, "Threads"),
        switch!("allscores", all_scores),
        switch!("solve", solves),
        switch!("enable_wld", uses_tables),
        Self {
            name: "dbpath",
            value: |settings| path_text(settings.table_folder.as_deref()),
            set: |settings, text| {
                let look = |path: &Path| std::fs::read_dir(path).map(drop);
                whole_path(&mut settings.table_folder, text, look, SettingError::TablePath)
            },
        },
        Self {
            name: "max_dbpieces",
            value: |settings| settings.table_pieces.to_string(),
            set: |settings, text| {
                // CheckerBoard also offers the numbers of engines that have larger ones.
                let most = text.parse().is_ok_and(|pieces: u32| pieces > Options::MOST_TABLE_PIECES.into());
                option(settings, "TablePieces", if most { "8" } else { text })
            },
        },
        number!("dbmbytes", table_memory, "TableMemory"),
        Self {
            name: "book",
            value: |settings| {
                let place = BookUse::ALL.iter().position(|known| *known == settings.book);
                place.unwrap_or_default().to_string()
            },
            set: |settings, text| {
                let place = text.parse().ok().and_then(|place: usize| BookUse::ALL.get(place));
                settings.book =
                    *place.context("book is 0 for none, 1 for all moves, 2 for good ones, 3 for the best")?;
                Ok(())
            },
        },
        Self {
            name: "bookfile",
            value: |settings| path_text(settings.book_file.as_deref()),
            set: |settings, text| {
                let look = |path: &Path| std::fs::File::open(path).map(drop);
                whole_path(&mut settings.book_file, text, look, SettingError::Book)
            },
        },
    ];

    /// The topic that CheckerBoard calls so.
    pub fn named(name: &str) -> Option<&'static Self> {
        const { &Self::ALL }.iter().find(|topic| topic.name == name)
    }
}

/// Sets what the option of the engine that is called `name` stands for.
fn option(settings: &mut Settings, name: &str, text: &str) -> Result<()> {
    match OptionSpec::read(name, Some(text))? {
        Setting::Hash(mib) => settings.hash = mib,
        Setting::Threads(threads) => settings.threads = threads,
        Setting::TablePieces(pieces) => settings.table_pieces = pieces,
        Setting::TableMemory(mib) => settings.table_memory = mib,
        _ => bail!(UNKNOWN),
    }
    Ok(())
}

/// A path as CheckerBoard reads it.
fn path_text(path: Option<&Path>) -> String {
    path.map_or(String::new(), |path| path.to_string_lossy().into_owned())
}

/// Sets `place` to the file or folder at the path `text`, wherever the program goes later, if a path is given and `look` can look at it.
fn whole_path(
    place: &mut Option<PathBuf>,
    text: &str,
    look: impl Fn(&Path) -> std::io::Result<()>,
    unusable: fn(PathBuf, String) -> SettingError,
) -> Result<()> {
    if text.is_empty() {
        *place = None;
        return Ok(());
    }
    let whole = std::path::absolute(text).and_then(|path| look(&path).map(|()| path));
    let path = whole.map_err(|error| unusable(text.into(), error.to_string()))?;
    // Whoever asks for it has so much room.
    ensure!(path.to_string_lossy().len() <= SHORT, TOO_LONG);
    *place = Some(path);
    Ok(())
}
