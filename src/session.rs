//! The state machine of one conversation in the native protocol.
//!
//! Lines and events come in, replies go out in the order in which they are to be printed. The session never waits:
//! a search runs on its own thread while the session goes on answering.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::engine::{
    self, CaptureOrder, Clock, Event, Handle, OptionSpec, Options, PerftRequest, Request, Setting, Table, Value,
};
use crate::protocol::{Bound, Command, Go, Info, Reply, Score, Start, parse};
use crossbeam_channel::Sender;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What comes from the one who is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line, without its end.
    Line(String),
    /// A line of more bytes than this was left out.
    TooLong(usize),
    /// There will be no more.
    End,
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    Continue,
    /// It is over.
    Quit,
}

/// The work that the engine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Job {
    /// A search that ends by itself.
    Search,
    /// A search that ends only when it is told to.
    OpenSearch,
    /// A search that becomes one of the other two when the expected move is played.
    Ponder {
        /// Whether it still ends only when it is told to.
        then_open: bool,
    },
    /// A count or a bench: the commands behind it wait for its end.
    Count,
}

/// Why commands wait until the job is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// It is a count, or has been told to stop: it is only a matter of order.
    Order,
    /// `wait` said so. Then even `quit` waits.
    Wait,
}

/// One conversation.
pub struct Session {
    options: Options,
    table: Arc<Table>,
    engine: Box<dyn Handle>,
    events: Sender<Event>,
    job: Option<Job>,
    /// Why commands wait until the job is over, and those that do.
    hold: Option<Hold>,
    held: VecDeque<Input>,
    /// Time and nodes of the bench so far.
    bench: (Duration, u64),
    flow: Flow,
    replies: Vec<Reply>,
}

impl Session {
    /// A session with default options, at the start position. Events of the engine go to `events`; whoever receives
    /// them hands them to [`Session::event`].
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
            held: VecDeque::new(),
            bench: (Duration::ZERO, 0),
            flow: Flow::Continue,
            replies: Vec::new(),
        })
    }

    /// Takes the replies that have come together since the last call.
    pub fn replies(&mut self) -> Vec<Reply> {
        std::mem::take(&mut self.replies)
    }

    /// Takes an input that was read at `instant`.
    pub fn input(&mut self, input: Input, instant: Instant) -> Flow {
        let command = match &input {
            Input::Line(line) => parse(line),
            Input::TooLong(_) | Input::End => Ok(None),
        };
        let is_held = match (self.hold, &command) {
            (None, _) | (_, Ok(Some(Command::Stop | Command::PonderHit | Command::IsReady))) => false,
            (Some(Hold::Order), Ok(Some(Command::Quit))) => false,
            (Some(_), _) => true,
        };
        if is_held {
            self.held.push_back(input);
            return self.flow;
        }
        match (input, command) {
            (Input::End, _) => self.end_of_input(),
            (Input::TooLong(most), _) => self.error(format!("line longer than {most} bytes, left out")),
            (Input::Line(_), Err(error)) => self.error(error),
            (Input::Line(_), Ok(None)) => {}
            (Input::Line(_), Ok(Some(command))) => self.obey(command, instant),
        }
        self.flow
    }

    /// Takes an event of the engine.
    pub fn event(&mut self, event: Event) -> Flow {
        let is_last = event.is_last();
        self.tell(event);
        if is_last {
            self.job = None;
            self.hold = None;
            // What has waited begins now: its time does not count from when it was read.
            while self.hold.is_none()
                && self.flow == Flow::Continue
                && let Some(input) = self.held.pop_front()
            {
                self.input(input, Instant::now());
            }
        }
        if self.job.is_some() { Flow::Continue } else { self.flow }
    }

    /// Whether a job runs, whose last event has to come before the conversation can be over.
    pub fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    fn reply(&mut self, reply: Reply) {
        self.replies.push(reply);
    }

    fn error(&mut self, error: impl ToString) {
        self.reply(Reply::Error(error.to_string()));
    }

    /// Ends the conversation; a search that would end by itself is given the time to do so.
    fn end_of_input(&mut self) {
        if matches!(self.job, Some(Job::OpenSearch | Job::Ponder { .. })) {
            self.engine.stop();
        }
        self.flow = Flow::Quit;
    }

    fn obey(&mut self, command: Command, instant: Instant) {
        if self.job.is_some()
            && let Some(name) = refused_while_busy(&command)
        {
            return self.error(format!("{name} a search is running, send stop first"));
        }
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.reply(Reply::ReadyOk),
            Command::UciNewGame => {
                self.clear_table();
                self.set_position(&Start::Startpos, &[]);
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::Move(moves) => {
                let result = self.engine.play(&moves);
                self.report_failure(result);
            }
            Command::Undo(count) => {
                let result = self.engine.undo(count);
                self.report_failure(result);
            }
            Command::Redo(count) => {
                let result = self.engine.redo(count);
                self.report_failure(result);
            }
            Command::Go(go) => self.go(go, instant),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(instant),
            Command::Display => self.display(),
            Command::Legal => self.reply(Reply::Legal(self.engine.legal_moves())),
            Command::Eval => {
                let (terms, value) = self.engine.evaluation(&self.table);
                self.reply(Reply::Eval { terms, value: score(value) });
            }
            Command::Status => self.reply(Reply::Status(self.engine.status())),
            Command::Perft { depth, order } => self.count(depth, order, false),
            Command::Divide { depth, order } => self.count(depth, order, true),
            Command::Bench => {
                self.bench = (Duration::ZERO, 0);
                self.engine.bench();
                self.begin(Job::Count);
            }
            Command::Wait => self.wait(),
            Command::Help => self.reply(Reply::Help),
            Command::Quit => {
                self.engine.stop();
                self.held.clear();
                self.flow = Flow::Quit;
            }
        }
    }

    fn report_failure(&mut self, result: Result<(), engine::EngineError>) {
        if let Err(error) = result {
            self.error(error);
        }
    }

    fn begin(&mut self, job: Job) {
        self.job = Some(job);
        self.hold = (job == Job::Count).then_some(Hold::Order);
    }

    fn introduce(&mut self) {
        let name = concat!("Soffio ", env!("CARGO_PKG_VERSION")).to_owned();
        self.reply(Reply::Id { name, author: "the Soffio developers".to_owned() });
        for option in OptionSpec::ALL {
            self.reply(Reply::Option(option.to_string()));
        }
        self.reply(Reply::UciOk);
    }

    fn set_position(&mut self, start: &Start, moves: &[crate::notation::MoveRecord]) {
        let fen = match start {
            Start::Startpos => None,
            Start::Fen(fen) => Some(fen),
        };
        let result = self.engine.set_position(fen, moves);
        self.report_failure(result);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match OptionSpec::read(name, value) {
            Err(error) => self.error(error),
            Ok(Setting::Variant(variant)) => self.open("UCI_Variant", Options { variant, ..self.options }),
            Ok(Setting::ForcedCapture(is_on)) => self.set_forced_capture(is_on),
            Ok(Setting::Hash(mib)) => self.set_hash(mib),
            Ok(Setting::ClearHash) => self.clear_table(),
            Ok(Setting::Squares(style)) => {
                self.engine.set_notation(style);
                self.options.squares = style;
            }
            Ok(Setting::Overhead(overhead)) => self.options.overhead = overhead,
        }
    }

    /// Sets up the start position of the rules that `options` name, and says so; `name` is the option that was changed.
    fn open(&mut self, name: &str, options: Options) {
        match engine::open(options.rules(), self.events.clone()) {
            Ok(engine) => {
                self.engine = engine;
                self.options = options;
                self.engine.set_notation(options.squares);
                self.clear_table();
                let fen = self.engine.fen();
                let forced = if options.rules() == options.variant { "" } else { " without forced captures" };
                self.reply(Reply::Text(format!("variant {}{forced}, start position {fen}", options.variant)));
            }
            Err(error) => self.error(format!("option {name} {error}")),
        }
    }

    /// Switches the duty to capture on or off. Where the variant leaves no choice it is kept for one that does.
    fn set_forced_capture(&mut self, forced_capture: bool) {
        let options = Options { forced_capture, ..self.options };
        if options.rules() != self.options.rules() {
            self.open("Forced Capture", options);
        } else {
            self.options = options;
            if !forced_capture && options.rules() == options.variant {
                self.reply(Reply::Text(format!("captures stay forced in {}", options.variant)));
            }
        }
    }

    fn set_hash(&mut self, mib: usize) {
        match Table::new(mib) {
            Ok(table) => {
                self.table = Arc::new(table);
                self.options.hash = mib;
            }
            Err(error) => self.error(format!("option Hash {error}")),
        }
    }

    /// A new table is a clear one, and costs nothing until it is used.
    fn clear_table(&mut self) {
        self.set_hash(self.options.hash);
    }

    fn go(&mut self, go: Go, instant: Instant) {
        let job = match (go.ponder, go.is_open_ended()) {
            (true, then_open) => Job::Ponder { then_open },
            (false, true) => Job::OpenSearch,
            (false, false) => Job::Search,
        };
        let clock = |time: Option<Duration>, increment: Option<Duration>| {
            time.map(|remaining| Clock {
                remaining,
                increment: increment.unwrap_or_default(),
                moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
            })
        };
        let request = Request {
            asked_at: instant,
            depth: go.depth,
            nodes: go.nodes,
            move_time: go.move_time,
            white: clock(go.white_time, go.white_increment),
            black: clock(go.black_time, go.black_increment),
            overhead: self.options.overhead,
            infinite: go.is_open_ended(),
            ponder: go.ponder,
            root_moves: go.search_moves,
        };
        match self.engine.search(request, &self.table) {
            Ok(()) => self.begin(job),
            Err(error) => self.error(error),
        }
    }

    /// Ends the job; what is read before its answer is printed waits for it.
    fn stop(&mut self) {
        if self.job.is_some() {
            self.engine.stop();
            self.hold = self.hold.or(Some(Hold::Order));
        }
    }

    fn ponder_hit(&mut self, instant: Instant) {
        if let Some(Job::Ponder { then_open }) = self.job {
            self.engine.ponder_hit(instant);
            self.job = Some(if then_open { Job::OpenSearch } else { Job::Search });
        } else {
            self.error("ponderhit no search is pondering");
        }
    }

    fn display(&mut self) {
        let reply = Reply::Board {
            drawing: self.engine.drawing(),
            side: self.engine.side(),
            status: self.engine.status(),
            fen: self.engine.fen().to_string(),
        };
        self.reply(reply);
    }

    fn count(&mut self, depth: u8, order: CaptureOrder, by_move: bool) {
        self.engine.perft(PerftRequest { depth, order, by_move });
        self.begin(Job::Count);
    }

    fn wait(&mut self) {
        match self.job {
            Some(Job::OpenSearch | Job::Ponder { .. }) => self.error("wait the search ends only when it is stopped"),
            Some(Job::Search | Job::Count) => self.hold = Some(Hold::Wait),
            None => {}
        }
    }

    /// Says in the words of the protocol what the engine has found.
    fn tell(&mut self, event: Event) {
        match event {
            Event::Info(info) => self.reply(Reply::Info(info_of(info))),
            Event::BestMove { best, reply } => self.reply(Reply::BestMove { best, ponder: reply }),
            Event::Perft { depth, count, by_move, time } => {
                for (text, count) in by_move {
                    self.reply(Reply::DivideMove { text, count });
                }
                match count {
                    Some(count) => self.reply(Reply::Perft { depth, count, time }),
                    None => self.reply(Reply::Text("perft stopped".to_owned())),
                }
            }
            Event::BenchVariant(result) => {
                self.bench.0 += result.time;
                self.bench.1 += result.nodes;
                let name = result.variant.name();
                self.reply(Reply::BenchVariant { name, nodes: result.nodes, time: result.time });
            }
            Event::BenchDone { finished: true } => self.reply(Reply::Bench { nodes: self.bench.1, time: self.bench.0 }),
            Event::BenchDone { finished: false } => self.reply(Reply::Text("bench stopped".to_owned())),
            Event::Failed { message, fallback } => {
                self.error(format!("search broken off by a fault: {message}"));
                if self.job != Some(Job::Count) {
                    self.reply(Reply::BestMove { best: fallback, ponder: None });
                }
            }
        }
    }
}

/// The name of a command that needs the engine or changes what it works on, and so has to wait for the end of a job.
fn refused_while_busy(command: &Command) -> Option<&'static str> {
    match command {
        Command::UciNewGame => Some("ucinewgame"),
        Command::SetOption { .. } => Some("setoption"),
        Command::Position { .. } => Some("position"),
        Command::Move(_) => Some("move"),
        Command::Undo(_) => Some("undo"),
        Command::Redo(_) => Some("redo"),
        Command::Go(_) => Some("go"),
        Command::Perft { .. } => Some("perft"),
        Command::Divide { .. } => Some("divide"),
        Command::Bench => Some("bench"),
        Command::Uci
        | Command::IsReady
        | Command::Stop
        | Command::PonderHit
        | Command::Display
        | Command::Legal
        | Command::Eval
        | Command::Status
        | Command::Wait
        | Command::Help
        | Command::Quit => None,
    }
}

fn score(value: Value) -> Score {
    match value {
        Value::Centimen(value) => Score::Cp(value),
        Value::Win(moves) => Score::Win(moves),
        Value::Loss(moves) => Score::Loss(moves),
    }
}

fn info_of(info: engine::Info) -> Info {
    Info {
        depth: info.depth,
        selective_depth: info.selective_depth,
        score: score(info.value),
        bound: match info.bound {
            engine::Bound::Exact => Bound::Exact,
            engine::Bound::Lower => Bound::Lower,
            engine::Bound::Upper => Bound::Upper,
        },
        nodes: info.nodes,
        permille_used: info.permille_used,
        table_hits: 0,
        time: info.time,
        line: info.line,
    }
}
