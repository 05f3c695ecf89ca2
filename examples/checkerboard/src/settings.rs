//! What CheckerBoard can set, and where it is kept from one start of the program to the next.

use super::game_type::GameType;
use std::num::NonZeroUsize;

/// The settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Threads of a search.
    pub threads: NonZeroUsize,
    /// Whether the status shows the scores of all moves.
    pub all_scores: bool,
    /// Whether wins are looked for in every move, as problems need it.
    pub solves: bool,
}

/// Where settings are kept.
pub trait Store: Send + Sync {
    /// The settings that were kept last, those missing as in `defaults`.
    fn load(&self, defaults: Settings) -> Settings;

    /// Keeps `settings`.
    fn save(&self, settings: Settings);
}

/// Keeps nothing: every start begins with the defaults.
pub struct Forgetful;

impl Store for Forgetful {
    fn load(&self, defaults: Settings) -> Settings {
        defaults
    }

    fn save(&self, _: Settings) {}
}

/// The part of the registry that belongs to the user, where CheckerBoard keeps its own settings.
#[cfg(windows)]
pub struct Registry {
    /// The key.
    path: String,
}

#[cfg(windows)]
mod registry {
    use super::{GameType, NonZeroUsize, Registry, Settings, Store};
    use windows_registry::CURRENT_USER;

    const HASH: &str = "HashSize";
    const THREADS: &str = "SearchThreads";
    const ALL_SCORES: &str = "AllScores";
    const SOLVES: &str = "Solve";

    impl Registry {
        /// The key of the engine of `game`.
        pub fn of(game: GameType) -> Self {
            Self { path: format!(r"Software\Soffio\CheckerBoard\{game}") }
        }
    }

    impl Store for Registry {
        fn load(&self, defaults: Settings) -> Settings {
            let Ok(key) = CURRENT_USER.open(&self.path) else { return defaults };
            let number = |name| key.get_u32(name).ok();
            let size = |name| number(name).and_then(|value| usize::try_from(value).ok()).and_then(NonZeroUsize::new);
            Settings {
                hash: size(HASH).map_or(defaults.hash, NonZeroUsize::get),
                threads: size(THREADS).unwrap_or(defaults.threads),
                all_scores: number(ALL_SCORES).map_or(defaults.all_scores, |value| value != 0),
                solves: number(SOLVES).map_or(defaults.solves, |value| value != 0),
            }
        }

        fn save(&self, settings: Settings) {
            let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
            let written = CURRENT_USER.create(&self.path).and_then(|key| {
                key.set_u32(HASH, number(settings.hash))?;
                key.set_u32(THREADS, number(settings.threads.get()))?;
                key.set_u32(ALL_SCORES, settings.all_scores.into())?;
                key.set_u32(SOLVES, settings.solves.into())
            });
            if let Err(error) = written {
                log::warn!("settings cannot be kept: {error}");
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
