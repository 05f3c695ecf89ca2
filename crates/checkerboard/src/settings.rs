//! CheckerBoard's engine settings, and the store that keeps them between sessions.

use super::command::{SHORT, TOO_LONG, UNKNOWN};
use super::game_type::GameType;
use anyhow::{Context, Result, bail, ensure};
use soffio::engine::{OptionSpec, Options, Setting, SettingError};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the transposition table in MiB.
    pub hash: usize,
    pub threads: NonZeroUsize,
    pub all_scores: bool,
    /// Problem mode: search for wins with every move.
    pub solves: bool,
    pub uses_tables: bool,
    pub table_folder: Option<PathBuf>,
    pub table_pieces: u8,
    /// Memory limit in MiB for tables solved in memory.
    pub table_memory: usize,
    pub book: BookUse,
    pub book_file: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookUse {
    Off,
    /// Moves at most this much worse than the best one, in cp.
    Within(u16),
}

impl BookUse {
    /// Indexed by CheckerBoard's value of `book`: no book, all kinds of moves, good moves, best moves.
    const ALL: [Self; 4] = [Self::Off, Self::Within(30), Self::Within(5), Self::Within(0)];
}

/// Persistent storage of settings under CheckerBoard's names.
pub trait Store: Send + Sync {
    fn load(&self, name: &str) -> Option<String>;

    fn save(&self, name: &str, value: &str);
}

pub struct Forgetful;

impl Store for Forgetful {
    fn load(&self, _: &str) -> Option<String> {
        None
    }

    fn save(&self, _: &str, _: &str) {}
}

/// Stores under HKEY_CURRENT_USER, as CheckerBoard does.
#[cfg(windows)]
pub struct Registry {
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

pub fn store(game: GameType) -> Box<dyn Store> {
    #[cfg(windows)]
    return Box::new(Registry { path: format!(r"Software\Soffio\CheckerBoard\{game}") });
    #[cfg(not(windows))]
    {
        let _ = game;
        Box::new(Forgetful)
    }
}

#[derive(Debug)]
pub struct Topic {
    pub name: &'static str,
    pub value: fn(&Settings) -> String,
    /// On error the settings are unchanged.
    pub set: fn(&mut Settings, &str) -> Result<()>,
}

macro_rules! number {
    ($name:literal, $field:ident, $option:literal) => {
        Topic {
            name: $name,
            value: |settings| settings.$field.to_string(),
            set: |settings, text| option(settings, $option, text),
        }
    };
}

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
                // CheckerBoard also offers the larger piece counts of other engines.
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

    pub fn named(name: &str) -> Option<&'static Self> {
        const { &Self::ALL }.iter().find(|topic| topic.name == name)
    }
}

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

fn path_text(path: Option<&Path>) -> String {
    path.map_or(String::new(), |path| path.to_string_lossy().into_owned())
}

/// Stores the absolute path of `text` in `place`, or `None` if it is empty. `look` checks that the path can be read.
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
    // The reply must fit CheckerBoard's buffer.
    ensure!(path.to_string_lossy().len() <= SHORT, TOO_LONG);
    *place = Some(path);
    Ok(())
}
