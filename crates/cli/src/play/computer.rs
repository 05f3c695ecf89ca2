//! The engine as the player of a side.

use super::player::EnginePlayer;
use super::{GameChoice, PlayError, Record};
use crossbeam_channel::Sender;
use soffio::engine::{Clock, Event, Limits, Setting};
use soffio::rules::Color;
use soffio::session::{EngineSession, Session};
use std::time::Instant;

/// An engine with options and a table of its own, so that two of them can play against each other.
pub(super) struct Computer {
    session: EngineSession,
    player: EnginePlayer,
}

impl Computer {
    /// An engine that plays as `player` says; what it finds goes to `events`.
    ///
    /// # Errors
    /// When the system does not have the memory or the threads for it.
    pub(super) fn new(player: EnginePlayer, choice: GameChoice, events: Sender<Event>) -> Result<Self, PlayError> {
        let mut session = EngineSession::new(events);
        let of_game = [Setting::Variant(choice.variant), Setting::ForcedCapture(choice.forced_capture)];
        for setting in of_game.into_iter().chain(player.settings.iter().cloned()) {
            session.apply(setting).map_err(PlayError::Resources)?;
        }
        Ok(Self { session, player })
    }

    /// Begins to think about the present position of `record`; `clocks` are those of White and Black, if they have any.
    ///
    /// # Errors
    /// When the engine cannot start the search.
    pub(super) fn think(&mut self, record: &Record, clocks: Option<[Clock; 2]>, now: Instant) -> Result<(), PlayError> {
        let moves: Vec<_> = record.played().iter().map(|ply| ply.record.clone()).collect();
        self.session.game_mut().set_position(record.start(), &moves)?;
        let clock = clocks.map(|[white, black]| if record.side() == Color::White { white } else { black });
        let limits = Limits { clock, ..self.session.engine().limits() };
        self.session
            .search(self.player.limits.limit(limits), now.into())
            .map_err(|error| PlayError::Resources(error.to_string()))
    }

    /// Stops the search, so that it answers at once.
    pub(super) fn stop(&mut self) {
        self.session.stop();
    }

    /// Takes note that its answer has come.
    pub(super) fn end(&mut self) {
        self.session.end_job();
    }
}
