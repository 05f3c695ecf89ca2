//! Saves a game to a file, and loads one.

use super::{Phase, PlayGame};
use crate::play::PlayTimeControl;
use crate::play::file::{self, LoadedGame};
use anyhow::Result;
use jiff::Timestamp;
use soffio::engine::Status;
use soffio::files::shown_path;
use soffio::notation::pdn::{self, DATE_FORMAT, GameRecord, GameResult, PlayedGame};
use soffio::rules::Color;
use std::path::PathBuf;
use std::time::Instant;

impl PlayGame {
    pub(super) fn save(&mut self, path: PathBuf, replace: bool) -> Result<String> {
        let own = self.saved.as_ref().filter(|saved| saved.path == path && saved.is_unchanged());
        if own.is_some() && !self.has_changed && self.unchanged().is_some() {
            return Ok(format!("{} is up to date", shown_path(&path)));
        }
        let game = self.pdn_record();
        let is_own = own.is_some_and(|own| own.is_contained_in(&game, &self.record));
        let message = format!("saved {}", shown_path(&path));
        self.saved = Some(file::save(path, replace || is_own, &game, &self.record, self.encoding)?);
        self.has_changed = false;
        Ok(message)
    }

    /// Returns the game from the file, if its moves have not changed since then.
    fn unchanged(&self) -> Option<&GameRecord> {
        let original = self.original.as_ref().filter(|_| self.ended.is_none())?;
        original.has_moves_of(&self.record).then_some(&original.game)
    }

    fn pdn_record(&self) -> GameRecord {
        if let Some(game) = self.unchanged() {
            return game.clone();
        }
        let record = &self.record;
        let rules = record.choice.rules();
        let (result, reason) = match (record.board.status(), self.ended) {
            (Status::Playing { .. }, Some(end)) => {
                let result = end.winner().map_or(GameResult::Draw, |winner| GameResult::won_by(winner, rules));
                (result, end.reason().to_owned())
            }
            (Status::Playing { .. }, None) => (GameResult::Unknown, file::UNTERMINATED.to_owned()),
            (Status::Won { winner, reason }, _) => (GameResult::won_by(winner, rules), reason.to_string()),
            (Status::Drawn(reason), _) => (GameResult::Draw, reason.to_string()),
        };
        let [white, black] = [Color::White, Color::Black].map(|color| self.player(color).to_string());
        let fen = record.start().map(ToString::to_string);
        let mut written = GameRecord::from(PlayedGame {
            event: "soffio play",
            site: "?",
            round: 1,
            date: &Timestamp::now().strftime(DATE_FORMAT).to_string(),
            players: [&white, &black],
            variant: rules,
            fen: fen.as_deref(),
            controls: [self.clock.control; 2]
                .map(|control| control.map_or(pdn::TimeControl::Unlimited, PlayTimeControl::to_record)),
            moves: record.played().iter().map(file::pdn_move).collect(),
            result,
            reason: &reason,
        });
        self.origin.add_to(&mut written);
        written
    }

    pub(super) fn load(
        &mut self,
        path: PathBuf,
        number: usize,
        encoding: Option<pdn::TextEncoding>,
        now: Instant,
    ) -> Result<String> {
        let loaded = file::load(&path, number, encoding, self.record.choice, self.guesses_variant)?;
        let LoadedGame {
            record,
            players,
            control,
            origin,
            original,
            games,
            saved,
            has_unequal_controls,
            encoding,
            is_guess,
        } = loaded;
        let phase = if record.played().is_empty() { Phase::Ready } else { Phase::Paused };
        let guessed = if is_guess { " (guessed)" } else { "" };
        let clock = if has_unequal_controls { "; no clock, because the time controls of the sides differ" } else { "" };
        let is_cut = original.game.moves.iter().any(pdn::PdnMove::is_unknown);
        let cut = if is_cut { "; the moves after the unknown move are not loaded" } else { "" };
        let message = format!(
            "loaded game {number} of {games} from {}: {}{guessed}, moves {}, {}{clock}{cut}",
            shown_path(&path),
            record.choice,
            record.played().len(),
            original.game.result_in_words(record.choice.rules())
        );
        self.replace(record, phase, now);
        for (own, loaded) in self.players.iter_mut().zip(players) {
            *own = loaded.unwrap_or_else(|| own.clone());
        }
        if control.is_some() || has_unequal_controls {
            self.clock.set_control(control, 0);
        }
        self.origin = origin;
        self.original = Some(original);
        (self.saved, self.encoding) = (saved, encoding);
        Ok(message)
    }
}
