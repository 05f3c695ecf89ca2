//! What the dialects of all protocols work on: the engine with its options and table, and the job that it is doing.

use super::{Flow, Output};
use crate::engine::{self, EngineError, Event, Handle, Options, PerftRequest, Request, Setting, Table};
use crossbeam_channel::Sender;
use std::io;
use std::sync::Arc;
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
    /// It is a count, or has been told to stop.
    Order,
    /// The one who is served said so: it is to finish, even when the conversation is to end.
    Wait,
}

/// The engine and its options, the job that runs, and what is to be printed.
pub struct Desk {
    options: Options,
    table: Arc<Table>,
    engine: Box<dyn Handle>,
    events: Sender<Event>,
    job: Option<Job>,
    hold: Option<Hold>,
    flow: Flow,
    outputs: Vec<Output>,
}

impl Desk {
    /// A desk with default options, at the start position. Events of the engine go to `events`.
    ///
    /// # Errors
    /// When there is no memory for the table, or the system has no more threads.
    pub fn new(events: Sender<Event>) -> io::Result<Self> {
        let options = Options::default();
        let table = Table::new(options.hash).map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        Ok(Self {
            options,
            table: Arc::new(table),
            engine: engine::open(options.rules(), events.clone())?,
            events,
            job: None,
            hold: None,
            flow: Flow::Continue,
            outputs: Vec::new(),
        })
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

    /// Has `reply` printed, `pause` after what comes before at the earliest.
    pub fn say_after(&mut self, pause: Duration, reply: &impl ToString) {
        self.outputs.push(Output { text: reply.to_string(), pause });
    }

    /// The options in use.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The transposition table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The engine, to be asked.
    pub fn engine(&self) -> &dyn Handle {
        self.engine.as_ref()
    }

    /// The engine, to be changed. Only while no job runs.
    pub fn engine_mut(&mut self) -> &mut dyn Handle {
        self.engine.as_mut()
    }

    /// The job that runs.
    pub fn job(&self) -> Option<Job> {
        self.job
    }

    /// Why commands wait until the job is over, if they do.
    pub fn hold(&self) -> Option<Hold> {
        self.hold
    }

    /// Sets an option. Only while no job runs.
    ///
    /// # Errors
    /// When the system does not have what the value needs; then nothing has changed.
    pub fn apply(&mut self, setting: Setting) -> Result<(), String> {
        match setting {
            Setting::Variant(variant) => return self.open("UCI_Variant", Options { variant, ..self.options }),
            Setting::ForcedCapture(forced_capture) => {
                let options = Options { forced_capture, ..self.options };
                if options.rules() != self.options.rules() {
                    return self.open("Forced Capture", options);
                }
                // Where the variant leaves no choice it is kept for one that does.
                self.options = options;
            }
            Setting::Hash(mib) => return self.set_hash(mib),
            Setting::ClearHash => self.clear_table(),
            Setting::Squares(style) => {
                self.engine.set_notation(style);
                self.options.squares = style;
            }
            Setting::Overhead(overhead) => self.options.overhead = overhead,
            Setting::Threads(threads) => self.options.threads = threads,
            Setting::Lines(lines) => self.options.lines = lines,
            Setting::Ponder(ponder) => self.options.ponder = ponder,
            Setting::Analysis(analysis) => self.options.analysis = analysis,
            Setting::Level(level) => self.options.strength.level = level,
            Setting::LimitStrength(is_limited) => self.options.strength.is_limited = is_limited,
            Setting::Rating(rating) => self.options.strength.rating = rating,
            Setting::Player(player) => self.options.style.player = player,
            Setting::Evaluation(kind) => self.options.style.evaluation = kind,
            Setting::KingsAfter(ply) => self.options.style.kings_after = ply,
            Setting::Seed(seed) => self.options.strength.seed = seed,
        }
        Ok(())
    }

    /// Sets up the start position of the rules that `options` name; `name` is the option that was changed.
    fn open(&mut self, name: &str, options: Options) -> Result<(), String> {
        let opened = engine::open(options.rules(), self.events.clone());
        self.engine = opened.map_err(|error| format!("option {name} {error}"))?;
        self.engine.set_notation(options.squares);
        self.options = options;
        self.clear_table();
        Ok(())
    }

    /// The old table goes before the new one comes: the system need not have room for both.
    fn set_hash(&mut self, mib: usize) -> Result<(), String> {
        let message = |error| format!("option Hash {error}");
        let table = |mib| Table::new(mib).map(Arc::new).map_err(message);
        self.table.check_resize(mib).map_err(message)?;
        self.table = table(1)?;
        match table(mib) {
            Ok(table) => {
                self.table = table;
                self.options.hash = mib;
                Ok(())
            }
            Err(error) => {
                match table(self.options.hash) {
                    Ok(table) => self.table = table,
                    Err(_) => self.options.hash = 1,
                }
                Err(error)
            }
        }
    }

    /// Forgets what earlier searches found. Only while no job runs.
    pub fn clear_table(&self) {
        self.table.clear();
    }

    /// A search without limits, asked for at `instant`, as the options have it.
    pub fn request(&self, instant: Instant) -> Request {
        Request {
            overhead: self.options.overhead,
            ponders: self.options.ponder,
            analysis: self.options.analysis,
            strength: self.options.strength,
            style: self.options.style,
            threads: self.options.threads,
            lines: self.options.lines,
            ..Request::new(instant)
        }
    }

    /// Starts a search.
    ///
    /// # Errors
    /// When one of the root moves is not legal, or the clock of the side to move is missing.
    pub fn search(&mut self, request: Request) -> Result<(), EngineError> {
        let job = match (request.ponder, request.infinite) {
            (true, then_open) => Job::Ponder { then_open },
            (false, true) => Job::OpenSearch,
            (false, false) => Job::Search,
        };
        self.engine.search(request, &self.table)?;
        self.begin(job);
        Ok(())
    }

    /// Starts a count of move sequences.
    pub fn perft(&mut self, request: PerftRequest) {
        self.engine.perft(request);
        self.begin(Job::Count);
    }

    /// Starts the bench.
    pub fn bench(&mut self) {
        self.engine.bench();
        self.begin(Job::Count);
    }

    fn begin(&mut self, job: Job) {
        self.job = Some(job);
        self.hold = (job == Job::Count).then_some(Hold::Order);
    }

    /// Ends the job; what is read before its answer is printed waits for it.
    pub fn stop(&mut self) {
        if self.job.is_some() {
            self.engine.stop();
            self.hold = self.hold.or(Some(Hold::Order));
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
        self.engine.stop();
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
        self.hold = None;
    }
}
