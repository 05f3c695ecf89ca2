//! The jobs of the engine: searches, counts and benches, the events that they send, and the thread that does them.

use super::bench::{BenchResult, BenchSettings, bench};
use super::endgames::{Endgames, Solving};
use super::style::EvalFile;
use super::{Strength, Style};
use crate::book::{Book, Candidate, candidates, choose, first_score};
use crate::clock::{Stopwatch, TimeSource};
use crate::eval::Evaluation;
use crate::game::{Game, Move};
use crate::plain::{PlainStyle, plain_search};
use crate::pool::guarded;
use crate::position::{CaptureOrder, Stopped, with_width};
use crate::search::{
    CurrentMove, Limits, Observer, Report, SearchResult, Signal, Tools, TranspositionTable, Value, quiesce, search,
};
use crate::turns::Turns;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// Something that a job has found. Every job ends with exactly one event of the kinds marked *last*.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A report of a search.
    Report(Report),
    /// The root move that a long search is searching.
    Current(CurrentMove),
    /// It is proved that there is no win in so many moves.
    NoWin(u16),
    /// A search for a win in so many moves has run out before it was decided.
    Undecided(u16),
    /// The moves of the opening book, before one of them is the answer.
    Book {
        /// The moves, the best one first.
        found: Vec<Candidate>,
        /// The answer.
        chosen: Candidate,
    },
    /// *Last* of a search: its answer.
    BestMove {
        /// The move to play, if there is a legal one.
        best: Option<Move>,
        /// The reply that is expected.
        reply: Option<Move>,
    },
    /// *Last* of a perft.
    Perft {
        /// Length of the sequences.
        depth: u8,
        /// Their number, or how many were counted before it was stopped.
        count: Result<u64, Stopped>,
        /// Their number by first move, if that was asked for.
        by_move: Vec<(Move, u64)>,
        /// Time it took.
        time: Duration,
    },
    /// The bench of one variant.
    BenchVariant(BenchResult),
    /// *Last* of a bench that was finished or stopped.
    BenchDone {
        /// False when it was stopped.
        finished: bool,
    },
    /// *Last* of a job that broke off because of a bug.
    Failed {
        /// The message of the panic.
        message: String,
        /// For a search a legal move, so that the game can go on.
        fallback: Option<Move>,
    },
}

impl Event {
    /// Returns whether this is the last event of its job.
    pub fn is_last(&self) -> bool {
        match self {
            Self::Book { .. }
            | Self::Report(_)
            | Self::Current(_)
            | Self::NoWin(_)
            | Self::Undecided(_)
            | Self::BenchVariant(_) => false,
            Self::BestMove { .. } | Self::Perft { .. } | Self::BenchDone { .. } | Self::Failed { .. } => true,
        }
    }
}

/// A count of move sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftRequest {
    /// Length of the sequences.
    pub depth: u8,
    /// How captures are counted.
    pub order: CaptureOrder,
    /// True to count by first move.
    pub by_move: bool,
}

/// A search of the current position of a game.
#[derive(Clone, Debug)]
pub(super) struct SearchJob {
    pub(super) game: Game,
    pub(super) limits: Limits,
    pub(super) table: Arc<TranspositionTable>,
    pub(super) style: Style,
    pub(super) strength: Strength,
    /// Weights that were read from a file.
    pub(super) eval_file: Option<EvalFile>,
    pub(super) endgames: Arc<Endgames>,
    /// The opening book, if this search may be answered from it, and how much worse than its best move one may be, in 1/100 man.
    pub(super) book: Option<(Arc<Book>, u32)>,
    pub(super) solving: Solving,
    /// Started when the search was asked for.
    pub(super) watch: Stopwatch,
}

/// A job, where its events go, and the signal that ends it.
struct Job {
    task: Task,
    signal: Arc<Signal>,
    events: Sender<Event>,
}

/// The kinds of job.
pub(super) enum Task {
    /// Find the best move.
    Search(Box<SearchJob>),
    /// Count move sequences.
    Perft(Game, PerftRequest, Stopwatch),
    /// Search the fixed positions of all variants.
    Bench(TimeSource),
}

impl SearchJob {
    /// Searches, and tells `observer` how it goes.
    pub(super) fn run(&self, signal: &Signal, observer: &mut dyn Observer) -> SearchResult {
        let Self { game, limits, table, style, strength, eval_file, endgames, solving, watch, .. } = self;
        let ply = game.undoable() as u64;
        // The plain players prove no wins.
        let player = style.player.filter(|_| limits.win_in.is_none());
        with_width!(game.history(), history => {
            let rules = history.position().rules();
            let evaluation = style.evaluation_at(rules, (*strength, ply), eval_file.as_ref());
            match player {
                Some(player) => {
                    let plain = style.plain_at((*strength, ply), rules.spec());
                    let style = PlainStyle { player, seed: strength.seed_at(ply), evaluation: plain };
                    plain_search(history, limits, style, (table.as_ref(), &evaluation), signal, watch.clone(), observer)
                }
                None => {
                    let known = endgames.for_search(game, limits, *solving, (signal, watch));
                    let tools = Tools { table, evaluation: &evaluation, endgames: known.of_width() };
                    search(history, limits, tools, signal, watch.clone(), observer)
                }
            }
        })
    }

    /// The moves of the opening book, and the one of them that is chosen, if it has one to play.
    pub(super) fn book_move(&self) -> Option<(Vec<Candidate>, Candidate)> {
        let (book, margin) = self.book.as_ref()?;
        let found = candidates(book, &self.game);
        let seed = self.strength.seed_at(self.game.undoable() as u64);
        let chosen = choose(&found, *margin, first_score(book, &self.game), seed)?;
        Some((found, chosen))
    }
}

impl Job {
    /// A legal move to answer with if the job breaks off: for a search one of those that it is restricted to.
    fn fallback(&self) -> Option<Move> {
        let Task::Search(job) = &self.task else { return None };
        job.limits.root_moves.first().copied().or_else(|| job.game.legal_moves().first().copied())
    }

    /// Does the job and sends its events.
    fn finish(self) {
        let (events, fallback) = (self.events.clone(), self.fallback());
        // Sent only after the job has dropped its table: the receiver may need the memory for a new one.
        let last = guarded(|| self.run()).unwrap_or_else(|message| Event::Failed { message, fallback });
        drop(events.send(last));
    }

    /// Does the job and returns its last event; the others are sent meanwhile.
    fn run(self) -> Event {
        let Self { task, signal, events } = self;
        let mut send = Send(&events);
        match task {
            Task::Search(job) => {
                if let Some((found, chosen)) = job.book_move() {
                    send.event(Event::Book { found, chosen });
                    return Event::BestMove { best: Some(chosen.mv), reply: None };
                }
                let outcome = job.run(&signal, &mut send);
                if outcome.has_no_win
                    && let Some(moves) = job.limits.win_in
                {
                    send.event(Event::NoWin(moves));
                }
                Event::BestMove { best: outcome.best, reply: outcome.reply }
            }
            Task::Perft(game, request, watch) => count(&game, request, &signal, &watch),
            Task::Bench(time) => {
                let finished = bench(&BenchSettings::default(), &time, &signal, &mut |result| {
                    send.event(Event::BenchVariant(result))
                });
                Event::BenchDone { finished }
            }
        }
    }
}

/// Forwards the reports of a search as events.
struct Send<'a>(&'a Sender<Event>);

impl Send<'_> {
    fn event(&self, event: Event) {
        // If the receiver is gone, the conversation is ending, and the event is not missed.
        drop(self.0.send(event));
    }
}

impl Observer for Send<'_> {
    fn report(&mut self, report: Report) {
        self.event(Event::Report(report));
    }

    fn current(&mut self, current: CurrentMove) {
        self.event(Event::Current(current));
    }

    fn undecided(&mut self, moves: u16) {
        self.event(Event::Undecided(moves));
    }
}

fn count(game: &Game, request: PerftRequest, signal: &Signal, watch: &Stopwatch) -> Event {
    let PerftRequest { depth, order, by_move } = request;
    let is_stopped = || signal.is_stopped();
    let counts = if by_move { game.divide(depth, order, &is_stopped) } else { Ok(Vec::new()) };
    let count = match &counts {
        Ok(counts) if by_move => Ok(counts.iter().map(|(_, count)| count).sum()),
        Ok(_) => game.perft(depth, order, &is_stopped),
        Err(stopped) => Err(*stopped),
    };
    Event::Perft { depth, count, by_move: counts.unwrap_or_default(), time: watch.elapsed() }
}

/// Does what [`Engine::evaluation`](super::Engine::evaluation) promises.
pub(super) fn evaluation(
    game: &Game,
    style: Style,
    strength: Strength,
    eval_file: Option<&EvalFile>,
) -> (Vec<(&'static str, i32)>, Value) {
    let ply = game.undoable() as u64;
    with_width!(game.history(), history => {
        let position = history.position();
        let evaluation: Evaluation<_> = style.evaluation_at(position.rules(), (strength, ply), eval_file);
        let is_quiet = !position.can_capture(position.side()) && position.has_move();
        let mut terms = if is_quiet { evaluation.terms(position) } else { Vec::new() };
        if let Some(chances) = evaluation.chances(position) {
            terms.iter_mut().for_each(|(_, value)| *value = chances.score(*value));
        }
        (terms, quiesce(history, &evaluation))
    })
}

/// Where jobs are done while their owner goes on.
#[derive(Debug)]
pub(super) enum Workplace {
    /// In a thread, which begins with the first job.
    Thread(Option<Worker>),
    /// In the one thread that there is.
    Turns(Turns),
}

impl Workplace {
    /// Has `task` done: its events go to `events`. Returns the signal that ends it. Fails when the system has no more
    /// threads.
    pub(super) fn begin(&mut self, task: Task, events: &Sender<Event>) -> std::io::Result<Arc<Signal>> {
        let signal = Arc::new(match self {
            Self::Thread(_) => Signal::default(),
            Self::Turns(turns) => Signal::in_turns(turns.clone()),
        });
        let job = Job { task, signal: Arc::clone(&signal), events: events.clone() };
        match self {
            Self::Thread(Some(worker)) => worker.send(job),
            Self::Thread(worker) => worker.insert(Worker::start()?).send(job),
            Self::Turns(turns) => turns.begin(Box::new(|| job.finish())),
        }
        Ok(signal)
    }
}

impl Default for Workplace {
    fn default() -> Self {
        Self::Thread(None)
    }
}

/// A thread that does one job after another, until it is dropped.
#[derive(Debug)]
pub(super) struct Worker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread. Fails when the system has no more threads.
    fn start() -> std::io::Result<Self> {
        let (jobs, inbox) = unbounded();
        let thread = std::thread::Builder::new().name("search".to_owned()).spawn(move || work(&inbox))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Hands a job to the thread.
    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs
            && jobs.send(job).is_err()
        {
            log::error!("the search thread is gone");
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Dropping the sender ends the thread after its job, which the owner has stopped.
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the search thread ended in a panic");
        }
    }
}

fn work(jobs: &Receiver<Job>) {
    jobs.iter().for_each(Job::finish);
}

#[cfg(test)]
mod tests {
    use crate::engine::Engine;
    use crate::game::Game;
    use crate::rules::Variant;
    use crate::search::Limits;
    use crossbeam_channel::bounded;
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    #[test]
    fn the_table_is_dropped_before_the_answer_is_sent() {
        // On a channel without capacity the sender goes on only after the receiver: it must not hold the table by then.
        let (events, inbox) = bounded(0);
        let mut engine = Engine::new();
        let game = Game::new(Variant::Italian);
        for round in 0..50 {
            let limits = Limits { depth: Some(1), ..Limits::default() };
            engine.start(&game, limits, Instant::now(), &events).unwrap();
            let event = || {
                sleep(Duration::from_millis(1));
                inbox.recv().unwrap()
            };
            while !event().is_last() {}
            assert_eq!(engine.users_of_table(), 1, "search {round}");
        }
    }
}
