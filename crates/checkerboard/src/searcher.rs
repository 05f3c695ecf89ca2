//! The engine behind a library, with the settings that it has taken over.

use super::delay::Delays;
use super::game_type::GameType;
use super::settings::{Settings, TableSettings};
use soffio::engine::{Setting, SettingError};
use soffio::{Engine, Game};

/// What a search needs, and what is left of the ones before.
pub struct Searcher {
    /// The engine.
    pub engine: Engine,
    /// The settings that the engine has, which may be older than those of the instance.
    pub applied: Settings,
    /// The game up to the position that was searched last.
    pub last: Option<Game>,
    /// By how much the searches before ended too late.
    pub delays: Delays,
}

impl Searcher {
    /// A searcher of `game` with the settings that everyone has at first.
    pub fn new(game: GameType) -> Self {
        let mut engine = Engine::new();
        let variant = engine.apply(Setting::Variant(game.variant()));
        // What solves endings in memory is a thread, which has to end before each move is told: people can ask for it.
        let memory = engine.apply(Setting::TableMemory(0));
        let options = *engine.options();
        let tables =
            TableSettings { are_used: true, folder: None, pieces: options.table_pieces, memory: options.table_memory };
        let (hash, threads) = (options.hash, options.threads);
        let applied = Settings { hash, threads, all_scores: false, solves: false, tables };
        for outcome in [variant, memory, engine.prepare().map_err(SettingError::from)] {
            if let Err(error) = outcome {
                log::warn!("{error}");
            }
        }
        Self { engine, applied, last: None, delays: Delays::new() }
    }

    /// Gives the engine those of the settings `wanted` that it keeps and does not have yet.
    ///
    /// # Errors
    /// When there is not enough memory for a table, or no such folder; then the first one that fails has not changed.
    pub fn apply(&mut self, wanted: &Settings) -> Result<(), SettingError> {
        if self.applied == *wanted {
            return Ok(());
        }
        if self.applied.hash != wanted.hash {
            self.engine.apply(Setting::Hash(wanted.hash))?;
            self.applied.hash = wanted.hash;
        }
        let TableSettings { are_used, folder, pieces, memory } = &wanted.tables;
        if self.applied.tables.folder != *folder {
            self.engine.apply(Setting::TablePath(folder.clone()))?;
        }
        self.engine.apply(Setting::TablePieces(if *are_used { *pieces } else { 0 }))?;
        self.engine.apply(Setting::TableMemory(*memory))?;
        self.applied = wanted.clone();
        Ok(self.engine.prepare()?)
    }

    /// Gives the engine the settings `wanted`. What cannot be had stays as it was, here and there.
    pub fn take_over(&mut self, wanted: &mut Settings) {
        while let Err(error) = self.apply(wanted) {
            log::warn!("{error}");
            if wanted.hash == self.applied.hash {
                wanted.tables.folder.clone_from(&self.applied.tables.folder);
            }
            wanted.hash = self.applied.hash;
        }
    }
}
