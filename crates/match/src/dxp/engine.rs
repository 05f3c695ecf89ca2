//! The engine as a player of DXP games: its position and its search.

use super::DxpSettings;
use crate::dxp::{check_variant, unusual_start};
use anyhow::{Error, Result, anyhow, ensure};
use crossbeam_channel::{Receiver, unbounded};
use soffio::engine::{Clock, Event, Limits, Setting, SquareStyle, Status};
use soffio::notation::{FenRecord, MoveRecord, Placement, full_path};
use soffio::rules::{Color, Variant};
use soffio::session::{EngineSession, Session};
use std::time::{Duration, Instant};

/// Time per move if no limit was agreed.
const MOVE_TIME: Duration = Duration::from_secs(1);

pub(super) struct DxpEngine {
    pub(super) name: String,
    pub(super) variant: Variant,
    move_time: Option<Duration>,
    session: EngineSession,
    pub(super) events: Receiver<Event>,
    usual: FenRecord,
    /// Initial position of the current game.
    start: FenRecord,
    /// Full paths of the moves that have been played since the initial position.
    pub(super) moves: Vec<String>,
}

impl DxpEngine {
    pub(super) fn new(settings: &DxpSettings) -> Result<Self> {
        let DxpSettings { variant, move_time, .. } = *settings;
        check_variant(variant)?;
        let (sender, events) = unbounded();
        let mut session = EngineSession::new(sender);
        for setting in [
            Setting::Hash(settings.hash),
            Setting::Threads(settings.threads),
            Setting::Variant(variant),
            Setting::Squares(SquareStyle::Hub),
        ] {
            session.apply(setting).map_err(Error::msg)?;
        }
        let name = settings.name.clone();
        let usual = session.game.fen();
        Ok(Self { name, variant, move_time, session, events, start: usual.clone(), usual, moves: Vec::new() })
    }

    /// Returns the initial position, or `None` if it is the normal start position.
    pub(super) fn start(&self) -> Option<&FenRecord> {
        Some(&self.start).filter(|&start| *start != self.usual)
    }

    pub(super) fn begin(&mut self, start: Option<&FenRecord>) -> Result<()> {
        self.session.clear_hash();
        self.session.game.set_position(start, &[])?;
        ensure!(matches!(self.status(), Status::Playing { .. }), "the game has already ended in the start position");
        self.start = self.session.game.fen();
        self.moves.clear();
        Ok(())
    }

    pub(super) fn placement(&self) -> Result<Option<Placement>> {
        Ok(unusual_start(&self.session.game.fen(), self.variant.spec())?)
    }

    pub(super) fn side(&self) -> Color {
        if self.moves.len().is_multiple_of(2) { self.start.side } else { self.start.side.opponent() }
    }

    pub(super) fn status(&self) -> Status {
        self.session.game.status()
    }

    pub(super) fn moves_made(&self, side: Color) -> u16 {
        let extra = usize::from(side == self.start.side);
        u16::try_from((self.moves.len() + extra) / 2).unwrap_or(u16::MAX)
    }

    /// Returns the number of plies played since the position before `side` made its move `number`, or `None` if the
    /// game has not reached that move.
    pub(super) fn plies_since(&self, number: u16, side: Color) -> Option<usize> {
        let ply = 2 * usize::from(number.checked_sub(1)?) + usize::from(side != self.start.side);
        self.moves.len().checked_sub(ply)
    }

    pub(super) fn play(&mut self, record: &MoveRecord) -> Result<()> {
        let sequence = self.session.game.play_record(record).map_err(|error| anyhow!("move {record}: {error}"))?;
        self.moves.push(full_path(self.variant.spec(), &sequence));
        Ok(())
    }

    pub(super) fn take_back(&mut self, count: usize) -> Result<()> {
        self.session.game.undo(count)?;
        self.moves.truncate(self.moves.len().saturating_sub(count));
        Ok(())
    }

    /// Starts a search. `left` is the time on the clock, or `None` if there is no clock. This time must last for
    /// `to_go` moves or, if `to_go` is `None`, for the rest of the game. The search time counts from `since`.
    pub(super) fn think(&mut self, left: Option<Duration>, to_go: Option<u32>, since: Instant) -> Result<()> {
        let clock = left.map(|remaining| Clock { remaining, increment: Duration::ZERO, moves_to_go: to_go });
        let move_time = self.move_time.or(clock.is_none().then_some(MOVE_TIME));
        let limits = Limits { move_time, clock, ..self.session.engine().limits() };
        Ok(self.session.search(limits, since.into())?)
    }

    pub(super) fn is_thinking(&self) -> bool {
        self.session.job().is_some()
    }

    pub(super) fn take_answer(&mut self, event: Event) -> Option<Result<MoveRecord>> {
        if !event.is_last() {
            return None;
        }
        self.session.end_job();
        let (best, failure) = match event {
            Event::BestMove { best, .. } => (best, "the search found no move".to_owned()),
            Event::Failed { message, fallback } => {
                log::error!("the search failed: {message}");
                (fallback, message)
            }
            _ => return None,
        };
        let text = best.map(|mv| self.session.game.text(mv)).ok_or_else(|| anyhow!(failure));
        Some(text.and_then(|text| text.parse().map_err(|error| anyhow!("move {text}: {error}"))))
    }

    pub(super) fn stop_thinking(&mut self) {
        if self.is_thinking() {
            self.session.stop();
            while self.events.recv().is_ok_and(|event| !event.is_last()) {}
            self.session.end_job();
        }
    }
}
