//! The engine of a conversation, with its game, its options and the job that is running: what the commands of every protocol
//! work on.

use super::{Flow, Output};
use crate::engine::{Engine, EngineError, Event, Limits, Options, PerftRequest, Probed, Setting};
use crate::notation::WrittenGame;
use crate::pool::guarded;
use crate::stop::Stop;
use crossbeam_channel::Sender;
use std::thread;
use std::time::{Duration, Instant};

/// The work that the engine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    /// A search that ends by itself.
    Search,
    /// A search that ends only when it is told to.
    OpenSearch,
    /// A search that becomes one of the other two when the expected move is played.
    Ponder {
        /// Whether it still ends only when it is told to.
        then_open: bool,
    },
    /// A count or a bench: the commands after it wait for its end.
    Count,
}

/// Why commands wait until the job is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The job is a count, or has been told to stop.
    Order,
    /// The client asked for it: the job is to finish even when the conversation is to end.
    Wait,
}

/// The engine of a conversation with its game and options, the job that runs, and what is to be printed.
pub struct EngineSession {
    game: WrittenGame,
    engine: Engine,
    events: Sender<Event>,
    job: Option<Job>,
    /// The stop signal of a job that the engine does not run.
    outside: Option<Stop>,
    hold: Option<Hold>,
    flow: Flow,
    outputs: Vec<Output>,
}

impl EngineSession {
    /// Default options and the start position. Events of the engine go to `events`.
    pub fn new(events: Sender<Event>) -> Self {
        let engine = Engine::new();
        Self {
            game: WrittenGame::new(engine.options().rules()),
            engine,
            events,
            job: None,
            outside: None,
            hold: None,
            flow: Flow::Continue,
            outputs: Vec::new(),
        }
    }

    pub(super) fn outputs(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.outputs)
    }

    pub(super) fn flow(&self) -> Flow {
        self.flow
    }

    /// Has `reply` printed.
    pub fn say(&mut self, reply: &impl ToString) {
        self.say_after(Duration::ZERO, reply);
    }

    /// Has `reply` printed, no sooner than `pause` after the output before it.
    pub fn say_after(&mut self, pause: Duration, reply: &impl ToString) {
        self.outputs.push(Output { text: reply.to_string(), pause });
    }

    /// The options in use.
    pub fn options(&self) -> &Options {
        self.engine.options()
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The game.
    pub fn game(&self) -> &WrittenGame {
        &self.game
    }

    /// The game, to be changed. Only while no job runs.
    pub fn game_mut(&mut self) -> &mut WrittenGame {
        &mut self.game
    }

    /// The job that runs.
    pub fn job(&self) -> Option<Job> {
        self.job
    }

    /// Why commands wait until the job is over, if they do.
    pub fn hold(&self) -> Option<Hold> {
        self.hold
    }

    /// Sets an option; another game than before begins at its start position. Only while no job runs.
    ///
    /// # Errors
    /// When the system does not have what the value needs; then nothing has changed.
    pub fn apply(&mut self, setting: Setting) -> Result<(), String> {
        let rules_before = self.options().rules();
        let is_variant = matches!(setting, Setting::Variant(_));
        self.engine.apply(setting).map_err(|error| error.to_string())?;
        if is_variant || self.options().rules() != rules_before {
            self.game = WrittenGame::new(self.options().rules());
            self.engine.forget();
        }
        let Options { squares, .. } = *self.options();
        self.game.set_notation(squares.of(self.game.variant().spec().notation));
        Ok(())
    }

    /// Makes the transposition table now, so that the first search need not.
    ///
    /// # Errors
    /// When there is not enough memory for it.
    pub fn prepare(&mut self) -> Result<(), String> {
        self.engine.prepare().map_err(|error| format!("option Hash {error}"))
    }

    /// Forgets what earlier searches found. Only while no job runs.
    pub fn forget(&mut self) {
        self.engine.forget();
    }

    /// Starts a search that was asked for at `instant`.
    ///
    /// # Errors
    /// When there is not enough memory for the table, or the system has no more threads.
    pub fn search(&mut self, limits: Limits, instant: Instant) -> Result<(), EngineError> {
        let job = match (limits.ponder, limits.infinite) {
            (true, then_open) => Job::Ponder { then_open },
            (false, true) => Job::OpenSearch,
            (false, false) => Job::Search,
        };
        self.engine.start(self.game.game(), limits, instant, &self.events)?;
        self.begin(job);
        Ok(())
    }

    /// Starts a count of move sequences.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub fn perft(&mut self, request: PerftRequest) -> Result<(), EngineError> {
        self.engine.start_perft(self.game.game(), request, &self.events)?;
        self.begin(Job::Count);
        Ok(())
    }

    /// What endgame tables say of the position and its moves, in the order in which moves are printed. Only while no job runs.
    pub fn probe(&mut self) -> Option<Probed> {
        let mut found = self.engine.probe(self.game.game())?;
        found.moves = self.game.in_printed_order(found.moves);
        Some(found)
    }

    /// Starts the bench.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub fn bench(&mut self) -> Result<(), EngineError> {
        self.engine.start_bench(&self.events)?;
        self.begin(Job::Count);
        Ok(())
    }

    /// Starts work for another game than draughts in a thread of its own. The work hands what it finds to its second argument and
    /// returns its last line; both are printed as they are. When it breaks off by a fault, `fallback` is that line.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub fn work_outside(
        &mut self,
        job: Job,
        fallback: String,
        work: impl FnOnce(&Stop, &mut dyn FnMut(String)) -> String + Send + 'static,
    ) -> Result<(), String> {
        let stop = Stop::new();
        let (ending, events) = (stop.clone(), self.events.clone());
        let thread = move || {
            // The receiver of the events may be gone.
            let send = |text, is_last| drop(events.send(Event::Outside { text, is_last }));
            let done = guarded(|| work(&ending, &mut |text| send(text, false)));
            let broken_off = |message| format!("error search broken off by a fault: {message}\n{fallback}");
            send(done.unwrap_or_else(broken_off), true);
        };
        let started = thread::Builder::new().name("outside".to_owned()).spawn(thread);
        started.map_err(|error| format!("no thread can be started: {error}"))?;
        self.outside = Some(stop);
        self.begin(job);
        Ok(())
    }

    fn begin(&mut self, job: Job) {
        self.job = Some(job);
        self.hold = (job == Job::Count).then_some(Hold::Order);
    }

    /// Ends the job; commands that are read before its answer is printed wait for that answer.
    pub fn stop(&mut self) {
        if self.job.is_some() {
            self.stop_work();
            self.hold = self.hold.or(Some(Hold::Order));
        }
    }

    fn stop_work(&self) {
        match &self.outside {
            Some(stop) => stop.stop(),
            None => self.engine.stop(),
        }
    }

    /// Ends a search that would not end by itself.
    pub fn give_up(&mut self) {
        if matches!(self.job, Some(Job::OpenSearch | Job::Ponder { .. })) {
            self.stop();
        }
    }

    /// Lets commands wait until the job is over.
    pub fn wait(&mut self) {
        if self.job.is_some() {
            self.hold = Some(Hold::Wait);
        }
    }

    /// The expected move was played at `instant`. Returns false when no search is pondering.
    pub fn ponder_hit(&mut self, instant: Instant) -> bool {
        let Some(Job::Ponder { then_open }) = self.job else { return false };
        self.engine.ponder_hit(instant);
        self.job = Some(if then_open { Job::OpenSearch } else { Job::Search });
        true
    }

    /// Ends the conversation and whatever runs.
    pub fn quit(&mut self) {
        self.stop_work();
        self.flow = Flow::Quit;
    }

    /// Ends the conversation; a search that would end by itself is given the time to do so.
    pub fn quit_when_done(&mut self) {
        self.give_up();
        self.flow = Flow::Quit;
    }

    /// The job has sent its last event.
    pub fn end_job(&mut self) {
        self.job = None;
        self.outside = None;
        self.hold = None;
    }
}
