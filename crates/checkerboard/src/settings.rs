//! What CheckerBoard can set, and where it is kept from one start of the program to the next.

use super::game_type::GameType;
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
    /// Whether any are.
    pub are_used: bool,
    /// Where files of them are.
    pub folder: Option<PathBuf>,
    /// Most pieces on the board.
    pub pieces: u8,
    /// Most MiB of those that are solved in memory.
    pub memory: usize,
}

/// Where settings are kept, by the names that CheckerBoard has for them.
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
mod registry {
    use super::{GameType, Registry, Store};
    use windows_registry::CURRENT_USER;

    impl Registry {
        /// The key of the engine of `game`.
        pub fn of(game: GameType) -> Self {
            Self { path: format!(r"Software\Soffio\CheckerBoard\{game}") }
        }
    }

    impl Store for Registry {
        fn load(&self, name: &str) -> Option<String> {
            CURRENT_USER.open(&self.path).and_then(|key| key.get_string(name)).ok()
        }

        fn save(&self, name: &str, value: &str) {
            if let Err(error) = CURRENT_USER.create(&self.path).and_then(|key| key.set_string(name, value)) {
                log::warn!("{name} cannot be kept: {error}");
            }
        }
    }
}

/// Where the settings of the engine of `game` are kept on this system.
pub fn store(game: GameType) -> Box<dyn Store> {
    #[cfg(windows)]
    return Box::new(Registry::of(game));
    #[cfg(not(windows))]
    {
        let _ = game;
        Box::new(Forgetful)
    }
}
