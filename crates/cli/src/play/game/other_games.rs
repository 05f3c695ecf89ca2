//! Starting another game, saving and loading.

use super::{Game, Phase};
use crate::play::error::shown_path;
use crate::play::file::{self, Circumstances, Loaded};
use crate::play::origin::Origin;
use crate::play::{GameChoice, PlayError, Record};
use soffio::notation::FenRecord;
use std::path::PathBuf;
use std::time::Instant;

impl Game {
    /// Starts another game.
    pub(super) fn begin(
        &mut self,
        choice: GameChoice,
        start: Option<FenRecord>,
        now: Instant,
    ) -> Result<(), PlayError> {
        let record = Record::new(choice, start)?;
        self.replace(record, Phase::Ready, now);
        Ok(())
    }

    /// Replaces the game on the board. The engines are made anew for its rules.
    fn replace(&mut self, record: Record, phase: Phase, now: Instant) {
        self.stand(phase, now);
        self.clock.set_control(self.clock.control(), record.played().len());
        self.clock.present.reset(now);
        self.fallen = None;
        self.thought = None;
        self.record = record;
        self.computers = [None, None];
        self.adviser = None;
        self.origin = Origin::default();
        self.saved = None;
        self.is_unsaved = false;
    }

    pub(super) fn set_capture(&mut self, forced_capture: bool, now: Instant) -> Result<String, PlayError> {
        let choice = GameChoice { forced_capture, ..self.record.game_choice() };
        if !forced_capture && choice.rules() == choice.variant {
            return Err(PlayError::AlwaysForced(choice.variant.name()));
        }
        self.begin(choice, None, now)?;
        Ok(format!("variant {choice}"))
    }

    pub(super) fn save(&mut self, path: PathBuf, replace: bool) -> Result<String, PlayError> {
        let is_own = self.saved.as_ref() == Some(&path);
        let Self { players, fallen, origin, .. } = self;
        let game = Circumstances { players, control: self.clock.control(), fallen: *fallen, origin };
        file::save(&path, replace || is_own, &file::record_of(&self.record, &game))?;
        let told = format!("saved {}", shown_path(&path));
        self.saved = Some(path);
        self.is_unsaved = false;
        Ok(told)
    }

    pub(super) fn load(&mut self, path: PathBuf, number: usize, now: Instant) -> Result<String, PlayError> {
        let loaded = file::load(&path, number, self.record.game_choice())?;
        let Loaded { record, players, control, origin, result, games } = loaded;
        let phase = if record.played().is_empty() { Phase::Ready } else { Phase::Paused };
        let told = format!(
            "loaded game {number} of {games} from {}: {}, moves {}, result {result}",
            shown_path(&path),
            record.game_choice(),
            record.played().len()
        );
        self.replace(record, phase, now);
        for (own, loaded) in self.players.iter_mut().zip(players) {
            *own = loaded.unwrap_or_else(|| own.clone());
        }
        if control.is_some() {
            self.clock.set_control(control, 0);
        }
        self.origin = origin;
        // Saving over a file with several games would lose the others.
        self.saved = (games == 1).then_some(path);
        Ok(told)
    }
}
