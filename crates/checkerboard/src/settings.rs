//! CheckerBoard's engine settings, and the store that keeps them between sessions.

use super::board::{MAX_SHORT_REPLY, TOO_LONG, UNKNOWN};
use anyhow::{Context, Result, bail, ensure};
use soffio::Variant;
use soffio::engine::{OptionSpec, Options, Setting, SettingError};
use soffio::files::open_regular;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    pub options: Options,
    pub all_scores: bool,
    /// Problem mode: search every move for a win.
    pub solves: bool,
    pub uses_tables: bool,
    pub table_folder: Option<PathBuf>,
    pub book_file: Option<PathBuf>,
}

/// Maximum loss of a book move in cp, for the values 1 (all moves), 2 (good moves) and 3 (best moves) of CheckerBoard's
/// `book` setting. The value 0 disables the book.
const BOOK_VARIETIES: [u16; 3] = [30, 5, 0];

/// Persistent storage for settings, which are identified by CheckerBoard's names.
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

/// Stores settings in the registry under HKEY_CURRENT_USER, where CheckerBoard keeps its own settings.
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
            log::warn!("cannot store the setting {name}: {error}");
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

/// CheckerBoard's names for the settings.
pub const NAMES: [&str; 10] = [
    "hashsize", "searchthreads", "allscores", "solve", "enable_wld", "dbpath", "max_dbpieces", "dbmbytes", "book",
    "bookfile",
];

impl EngineSettings {
    pub fn get(&self, name: &str) -> Result<String> {
        let switch = |is_on: bool| u8::from(is_on).to_string();
        let path =
            |path: &Option<PathBuf>| path.as_ref().map_or(String::new(), |path| path.to_string_lossy().into_owned());
        let Options { hash, threads, table_pieces, table_memory, own_book, book_variety, .. } = self.options;
        Ok(match name {
            "hashsize" => hash.to_string(),
            "searchthreads" => threads.to_string(),
            "allscores" => switch(self.all_scores),
            "solve" => switch(self.solves),
            "enable_wld" => switch(self.uses_tables),
            "dbpath" => path(&self.table_folder),
            "max_dbpieces" => table_pieces.to_string(),
            "dbmbytes" => table_memory.to_string(),
            "book" => {
                let place = BOOK_VARIETIES.iter().position(|&known| own_book && known == book_variety);
                place.map_or(0, |place| place + 1).to_string()
            }
            "bookfile" => path(&self.book_file),
            _ => bail!(UNKNOWN),
        })
    }

    /// Changes the setting `name`. The settings are unchanged if an error is returned.
    pub fn set(&mut self, name: &str, text: &str) -> Result<()> {
        let switch = || {
            ensure!(matches!(text, "0" | "1"), "{name} must be 0 or 1, not '{text}'");
            Ok(text == "1")
        };
        match name {
            "hashsize" => self.set_option("Hash", text)?,
            "searchthreads" => self.set_option("Threads", text)?,
            "allscores" => self.all_scores = switch()?,
            "solve" => self.solves = switch()?,
            "enable_wld" => self.uses_tables = switch()?,
            "dbpath" => {
                let check = |path: &Path| std::fs::read_dir(path).map(drop);
                self.table_folder = absolute_path(text, check, SettingError::TablePath)?;
            }
            "max_dbpieces" => {
                // CheckerBoard also offers larger piece counts, which other engines support.
                let is_larger = text.parse().is_ok_and(|pieces: u32| pieces > Options::MAX_TABLE_PIECES.into());
                let max_pieces = Options::MAX_TABLE_PIECES.to_string();
                self.set_option("TablePieces", if is_larger { &max_pieces } else { text })?;
            }
            "dbmbytes" => self.set_option("TableMemory", text)?,
            "book" => {
                let kinds = "book must be 0 (none), 1 (all moves), 2 (good moves) or 3 (best moves)";
                let value: usize = text.parse().context(kinds)?;
                if let Some(place) = value.checked_sub(1) {
                    self.options.book_variety = *BOOK_VARIETIES.get(place).context(kinds)?;
                }
                self.options.own_book = value > 0;
            }
            "bookfile" => {
                let check = |path: &Path| open_regular(path).map(drop);
                self.book_file = absolute_path(text, check, SettingError::Book)?;
            }
            _ => bail!(UNKNOWN),
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, text: &str) -> Result<()> {
        match OptionSpec::read(name, Some(text))? {
            Setting::Hash(mib) => self.options.hash = mib,
            Setting::Threads(threads) => self.options.threads = threads,
            Setting::TablePieces(pieces) => self.options.table_pieces = pieces,
            Setting::TableMemory(mib) => self.options.table_memory = mib,
            _ => bail!(UNKNOWN),
        }
        Ok(())
    }
}

/// Returns the absolute path of `text`, or `None` if `text` is empty. `check` returns an error if the path cannot be
/// read.
fn absolute_path(
    text: &str,
    check: impl Fn(&Path) -> std::io::Result<()>,
    unusable: fn(PathBuf, String) -> SettingError,
) -> Result<Option<PathBuf>> {
    if text.is_empty() {
        return Ok(None);
    }
    let path = std::path::absolute(text).and_then(|path| check(&path).map(|()| path));
    let path = path.map_err(|error| unusable(text.into(), error.to_string()))?;
    // The reply with the path must fit into CheckerBoard's buffer.
    ensure!(path.to_string_lossy().len() <= MAX_SHORT_REPLY, TOO_LONG);
    Ok(Some(path))
}
