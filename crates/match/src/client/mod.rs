//! An engine in a match, independent of the protocol that it uses.

mod dxp;
mod line;

pub(super) use dxp::DxpClient;
pub(super) use line::LineClient;

use crate::answer::{EngineFault, MoveAnswer, NoAnswer};
use crate::control::SideClock;
use crate::line_protocol::SearchRequest;
use crate::machine::SchedulingDelays;
use crate::process::Process;
use crate::usage::Usage;
use crate::{EngineSpec, MoveTexts, Stop};
use soffio::notation::FenRecord;
use soffio::rules::Color;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time limit for an engine to answer after `stop`, or to exit after `quit`.
pub(super) const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Maximum time from the end of a process's output to its exit.
pub(super) const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Extra time per move, to allow for pipe latency.
    pub margin: Duration,
    /// Time limit for moves without their own time limit, and for all other answers.
    pub stall: Duration,
}

#[derive(Clone, Debug)]
pub(super) struct MatchContext {
    pub(super) timeouts: Timeouts,
    /// Cores to which the engines are pinned. If empty, the engines may use any core.
    pub(super) cores: Arc<[usize]>,
    pub(super) delays: Arc<SchedulingDelays>,
    pub(super) stop: Stop,
}

impl MatchContext {
    /// Returns the fault for a move that exceeded its time by `over`. `usage` was recorded at `requested`, the time of
    /// the request.
    pub(super) fn too_late(
        &self,
        requested: Instant,
        usage: &Usage,
        over: Duration,
        process: Option<&mut Process>,
    ) -> NoAnswer {
        let time = requested.elapsed();
        let held_up = process.map_or(Duration::ZERO, |process| {
            process.find_group();
            process.usage().scheduling_delay_since(usage, time)
        });
        EngineFault::Time { over, held_up, machine: self.delays.longest_since(requested) }.into()
    }
}

pub(crate) struct NewGame<'a> {
    pub(crate) side: Color,
    pub(crate) position: Option<&'a FenRecord>,
    pub(crate) opening_moves: usize,
}

pub(crate) struct EndedGame<'a> {
    pub(crate) moves: &'a [MoveTexts],
    pub(crate) last_took: Duration,
    pub(crate) winner: Option<Color>,
    /// Why the game ended, or `None` if it ended under the rules of the game.
    pub(crate) why: Option<String>,
}

pub(crate) trait EngineClient: Send {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), NoAnswer>;

    fn think(&mut self, request: &SearchRequest<'_>) -> Result<MoveAnswer, NoAnswer>;

    /// Starts pondering if the protocol supports it. The last of `SearchRequest::moves` is the expected reply.
    fn ponder(&mut self, _: &SearchRequest<'_>) {}

    /// Informs the engine that the game has ended. Returns whether the engine can play another game.
    fn end_game(&mut self, game: &EndedGame<'_>) -> bool;

    fn request_quit(&mut self);

    fn end(&mut self, time: Duration);
}

/// An engine that could not be restarted. It loses its game.
pub(super) struct FailedClient(pub(super) EngineFault);

impl EngineClient for FailedClient {
    fn new_game(&mut self, _: &NewGame<'_>) -> Result<(), NoAnswer> {
        Err(self.0.clone().into())
    }

    fn think(&mut self, _: &SearchRequest<'_>) -> Result<MoveAnswer, NoAnswer> {
        Err(self.0.clone().into())
    }

    fn end_game(&mut self, _: &EndedGame<'_>) -> bool {
        false
    }

    fn request_quit(&mut self) {}

    fn end(&mut self, _: Duration) {}
}

pub struct MatchPlayer {
    pub(super) spec: Arc<EngineSpec>,
    pub(super) client: Box<dyn EngineClient>,
}

impl MatchPlayer {
    pub(crate) fn clock(&self) -> Option<SideClock> {
        self.spec.control.clock.as_ref().map(SideClock::new)
    }

    /// Sends `quit` to the engines of all `players`, and kills those that are still running after [`QUIT_TIMEOUT`].
    pub(super) fn quit(players: impl IntoIterator<Item = Self>) {
        let mut clients: Vec<_> = players.into_iter().map(|player| player.client).collect();
        clients.iter_mut().for_each(|client| client.request_quit());
        let deadline = Instant::now() + QUIT_TIMEOUT;
        clients.iter_mut().for_each(|client| client.end(deadline.saturating_duration_since(Instant::now())));
    }
}
