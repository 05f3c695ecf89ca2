//! A session of the draughts engine, independent of the protocol.

use super::{Job, Jobs, Session};
use crate::clock::Moment;
use crate::engine::{Engine, EngineError, Event, Limits, Options, PerftRequest, Probed, Setting};
use crate::notation::WrittenGame;
use crossbeam_channel::Sender;

/// A session of the engine, with its game, its options and its running job.
pub struct EngineSession {
    /// The game. It must not be changed while a job is running.
    pub game: WrittenGame,
    engine: Engine,
    events: Sender<Event>,
    jobs: Jobs,
}

impl Session for EngineSession {
    type Event = Event;

    fn new(events: Sender<Event>) -> Self {
        Self::with_engine(Engine::new(), events)
    }

    fn is_last(event: &Event) -> bool {
        event.is_last()
    }

    fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    fn jobs_mut(&mut self) -> &mut Jobs {
        &mut self.jobs
    }

    fn now(&self) -> Moment {
        self.engine.now()
    }

    fn stop_work(&mut self) {
        self.engine.stop();
    }

    fn ponder_hit_work(&mut self, instant: Moment) {
        self.engine.ponder_hit(instant);
    }
}

impl EngineSession {
    /// Creates a session of `engine` at the start position of its variant. Events from its jobs are sent to `events`.
    pub fn with_engine(engine: Engine, events: Sender<Event>) -> Self {
        Self { game: WrittenGame::new(engine.options().rules()), engine, events, jobs: Jobs::default() }
    }

    /// Returns the options in use.
    pub fn options(&self) -> &Options {
        self.engine.options()
    }

    /// Returns the engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Sets an option. A new game starts if the option is the variant or if it changes the rules. If an error is
    /// returned, neither the options nor the game have changed. No job may be running.
    pub fn apply(&mut self, setting: Setting) -> Result<(), String> {
        let rules_before = self.options().rules();
        let is_variant = matches!(setting, Setting::Variant(_));
        self.engine.apply(setting).map_err(|error| error.to_string())?;
        if is_variant || self.options().rules() != rules_before {
            self.game = WrittenGame::new(self.options().rules());
            self.engine.clear_hash();
        }
        let Options { squares, .. } = *self.options();
        self.game.set_notation(squares.apply(self.game.variant().spec().notation));
        Ok(())
    }

    /// Allocates what the first search needs. Does nothing while a job is running.
    pub fn prepare(&mut self) -> Result<(), String> {
        if self.job().is_some() {
            return Ok(());
        }
        self.engine.prepare().map_err(|error| format!("option Hash: {error}"))
    }

    /// Clears the transposition table. No job may be running.
    pub fn clear_hash(&mut self) {
        self.engine.clear_hash();
    }

    /// Starts a search that was requested at `instant`.
    pub fn search(&mut self, limits: Limits, instant: Moment) -> Result<(), EngineError> {
        let job = match (limits.ponder, limits.infinite) {
            (true, then_open) => Job::Ponder { then_open },
            (false, true) => Job::OpenSearch,
            (false, false) => Job::Search,
        };
        self.engine.start(self.game.game(), limits, instant, &self.events)?;
        self.jobs.begin(job);
        Ok(())
    }

    /// Starts a perft of the current position.
    pub fn perft(&mut self, request: PerftRequest) -> Result<(), EngineError> {
        self.engine.start_perft(self.game.game(), request, &self.events)?;
        self.jobs.begin(Job::Count);
        Ok(())
    }

    /// Probes the endgame tables for the current position and its legal moves. The moves are returned in the order in
    /// which they are printed. Returns `None` if no table contains the position. No job may be running.
    pub fn probe(&mut self) -> Option<Probed> {
        let mut found = self.engine.probe(self.game.game())?;
        found.moves = self.game.in_printed_order(found.moves);
        Some(found)
    }

    /// Starts a bench.
    pub fn bench(&mut self) -> Result<(), EngineError> {
        self.engine.start_bench(&self.events)?;
        self.jobs.begin(Job::Count);
        Ok(())
    }
}
