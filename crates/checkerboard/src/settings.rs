//! CheckerBoard's engine settings, and the store that keeps them between sessions.

use super::board::{SHORT, TOO_LONG, UNKNOWN};
use anyhow::{Context, Result, bail, ensure};
use soffio::Variant;
use soffio::engine::{OptionSpec, Options, Setting, SettingError};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// Hash, threads, tables and book count.
    pub options: Options,
    pub all_scores: bool,
    /// Problem mode: search for wins with every move.
    pub solves: bool,
    pub uses_tables: bool,
    pub table_folder: Option<PathBuf>,
    pub book_file: Option<PathBuf>,
}

/// Maximum loss of a book move in cp for CheckerBoard's values of `book` from 1 on: all kinds of moves, good moves, best
/// moves. 0 is no book.
const BOOK_VARIETIES: [u16; 3] = [30, 5, 0];

/// Persistent storage of settings under CheckerBoard's names.
pub trait SettingsStore: Send + Sync {
    fn load(&self, name: &str) -> Option<String>;

    fn save(&self, name: &str, value: &str);
}

pub struct Forgetful;

impl SettingsStore for Forgetful {
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
impl SettingsStore for Registry {
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

pub fn store(game: Variant) -> Box<dyn SettingsStore> {
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
    pub value: fn(&EngineSettings) -> String,
    /// On error the settings are unchanged.
    pub set: fn(&mut EngineSettings, &str) -> Result<()>,
}

macro_rules! number {
    ($name:literal, $field:ident, $option:literal) => {
        Topic {
            name: $name,
            value: |settings| settings.options.$field.to_string(),
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
            value: |settings| settings.options.table_pieces.to_string(),
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
                let Options { own_book, book_variety, .. } = settings.options;
                let place = BOOK_VARIETIES.iter().position(|&known| own_book && known == book_variety);
                place.map_or(0, |place| place + 1).to_string()
            },
            set: |settings, text| {
                let kinds = "book is 0 for none, 1 for all moves, 2 for good ones, 3 for the best";
                let value: usize = text.parse().context(kinds)?;
                if let Some(place) = value.checked_sub(1) {
                    settings.options.book_variety = *BOOK_VARIETIES.get(place).context(kinds)?;
                }
                settings.options.own_book = value > 0;
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

fn option(settings: &mut EngineSettings, name: &str, text: &str) -> Result<()> {
    match OptionSpec::read(name, Some(text))? {
        Setting::Hash(mib) => settings.options.hash = mib,
        Setting::Threads(threads) => settings.options.threads = threads,
        Setting::TablePieces(pieces) => settings.options.table_pieces = pieces,
        Setting::TableMemory(mib) => settings.options.table_memory = mib,
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
