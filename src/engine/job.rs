//! Engine jobs (searches, perfts and benches), the events that they send, and the thread that runs them.

use super::bench::{BenchResult, BenchSettings, bench};
use super::endgames::{Endgames, Solving};
use super::style::EvalFile;
use super::{EvaluationKind, PlayerSettings, Strength};
use crate::book::{Book, Candidate, candidates, choose, first_score};
use crate::clock::{Stopwatch, TimeSource};
use crate::eval::Evaluation;
use crate::game::{Game, Move};
use crate::plain::{PlainStyle, plain_search};
use crate::pool::guarded;
use crate::position::{CaptureOrder, PartialPerft, with_width};
use crate::rules::Variant;
use crate::search::{
    CurrentMove, Limits, Observer, Report, SearchResult, Signal, Tools, TranspositionTable, Value, quiesce, search,
};
use crate::turns::Turns;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// An event of a running job. Every job ends with exactly one of the events that are marked *last*.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Progress of a search.
    Report(Report),
    /// The root move that a long search is currently examining.
    Current(CurrentMove),
    /// The search has proved that there is no win within this number of moves.
    NoWin(u16),
    /// A search for a win within this number of moves has neither found a win nor proved that there is none.
    Undecided(u16),
    /// The moves that the opening book contains for the position. One of them is then sent as the answer.
    Book {
        /// The book moves that can be played, with the best move first.
        found: Vec<Candidate>,
        /// The book move to play.
        chosen: Candidate,
    },
    /// *Last* event of a search: its answer.
    BestMove {
        /// The move to play, or `None` if there is no legal move.
        best: Option<Move>,
        /// The expected reply, on which the engine can ponder, or `None` if there is none.
        reply: Option<Move>,
    },
    /// *Last* event of a perft.
    Perft {
        /// Depth in plies.
        depth: u8,
        /// The number of sequences, or the number that had been counted when the perft was stopped.
        count: Result<u64, PartialPerft>,
        /// The number of sequences for each first move. Empty unless it was requested.
        by_move: Vec<(Move, u64)>,
        /// Elapsed time.
        time: Duration,
    },
    /// The bench result for one variant.
    BenchVariant(BenchResult),
    /// *Last* event of a bench, sent when it is finished and also when it is stopped.
    BenchDone {
        /// Whether all variants were searched.
        finished: bool,
    },
    /// *Last* event of a job that panicked because of a bug.
    Failed {
        /// The panic message.
        message: String,
        /// A legal move with which the game can continue, or `None` if there is none or the job is not a search.
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

/// The settings of a perft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftRequest {
    /// Depth in plies.
    pub depth: u8,
    /// Whether captures of the same pieces in a different order count separately.
    pub order: CaptureOrder,
    /// Whether to count the sequences separately for each first move.
    pub by_move: bool,
}

#[derive(Clone, Debug)]
pub(super) struct SearchJob {
    pub(super) game: Game,
    pub(super) limits: Limits,
    pub(super) table: Arc<TranspositionTable>,
    pub(super) style: PlayerSettings,
    pub(super) strength: Strength,
    pub(super) eval_file: Option<EvalFile>,
    pub(super) endgames: Arc<Endgames>,
    pub(super) book: Option<(Arc<Book>, u32)>,
    pub(super) solving: Solving,
    pub(super) watch: Stopwatch,
}

struct RunningJob {
    task: Task,
    signal: Arc<Signal>,
    events: Sender<Event>,
}

pub(super) enum Task {
    Search(Box<SearchJob>),
    Perft(Game, PerftRequest, Stopwatch),
    Bench(TimeSource),
}

impl Task {
    /// Returns the variants whose trained evaluation the job uses.
    fn evaluated_variants(&self) -> Vec<Variant> {
        match self {
            Self::Search(job) if job.style.evaluation == EvaluationKind::Nnue => vec![job.game.variant()],
            Self::Search(_) | Self::Perft(..) => Vec::new(),
            Self::Bench(_) => Variant::listed().collect(),
        }
    }
}

impl SearchJob {
    pub(super) fn run(&self, signal: &Signal, observer: &mut dyn Observer) -> SearchResult {
        let Self { game, limits, table, style, strength, eval_file, endgames, solving, watch, .. } = self;
        let ply = game.ply() as u64;
        let seed = strength.seed_at(ply);
        // Plain players cannot prove wins, so the full search runs instead.
        let player = style.player.filter(|_| limits.win_in.is_none());
        with_width!(game.history(), history => {
            let rules = history.position().rules();
            let evaluation = style.evaluation_at(rules, ply, seed, eval_file.as_ref());
            match player {
                Some(player) => {
                    let style = PlainStyle { player, seed, evaluation: style.plain_at(ply, seed, rules.spec()) };
                    let tools = Tools { table, evaluation: &evaluation, endgames: None };
                    plain_search(history, limits, style, tools, signal, watch.clone(), observer)
                }
                None => {
                    let known = endgames.for_search(game, limits, *solving, signal, watch);
                    let tools = Tools { table, evaluation: &evaluation, endgames: known.downcast_ref() };
                    search(history, limits, tools, signal, watch.clone(), observer)
                }
            }
        })
    }

    pub(super) fn book_move(&self) -> Option<(Vec<Candidate>, Candidate)> {
        let (book, margin) = self.book.as_ref()?;
        let found = candidates(book, &self.game);
        let seed = self.strength.seed_at(self.game.ply() as u64);
        let chosen = choose(&found, *margin, first_score(book, &self.game), seed)?;
        Some((found, chosen))
    }
}

impl RunningJob {
    /// Returns the move to answer with if a search panics. It is one of the requested root moves, if there are any.
    fn fallback(&self) -> Option<Move> {
        let Task::Search(job) = &self.task else { return None };
        job.limits.root_moves.first().copied().or_else(|| job.game.legal_moves().first().copied())
    }

    fn finish(self) {
        let (events, fallback) = (self.events.clone(), self.fallback());
        // The last event is sent after the job has dropped its transposition table, because the receiver may need the
        // memory for a new table.
        let last = guarded(|| self.run()).unwrap_or_else(|message| Event::Failed { message, fallback });
        drop(events.send(last));
    }

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

struct Send<'a>(&'a Sender<Event>);

impl Send<'_> {
    fn event(&self, event: Event) {
        // Sending fails only while the session is ending, when the event is no longer needed.
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

pub(super) fn evaluation(
    game: &Game,
    style: PlayerSettings,
    strength: Strength,
    eval_file: Option<&EvalFile>,
) -> (Vec<(&'static str, i32)>, Value) {
    let ply = game.ply() as u64;
    with_width!(game.history(), history => {
        let position = history.position();
        let evaluation: Evaluation<_> = style.evaluation_at(position.rules(), ply, strength.seed_at(ply), eval_file);
        let is_quiet = !position.can_capture(position.side()) && position.has_move();
        let mut terms = if is_quiet { evaluation.terms(position) } else { Vec::new() };
        if let Some(chances) = evaluation.chances(position) {
            terms.iter_mut().for_each(|(_, value)| *value = chances.score(*value));
        }
        (terms, quiesce(history, &evaluation))
    })
}

#[derive(Debug)]
pub(super) enum Executor {
    Thread(Option<Worker>),
    Turns(Turns),
}

impl Executor {
    pub(super) fn begin(&mut self, task: Task, events: &Sender<Event>) -> std::io::Result<Arc<Signal>> {
        let signal = Arc::new(match self {
            Self::Thread(_) => Signal::default(),
            Self::Turns(turns) => Signal::in_turns(turns.clone()),
        });
        let job = RunningJob { task, signal: Arc::clone(&signal), events: events.clone() };
        match self {
            Self::Thread(Some(worker)) => worker.send(job),
            Self::Thread(worker) => worker.insert(Worker::start()?).send(job),
            Self::Turns(turns) => turns.begin(&job.task.evaluated_variants(), Box::new(|| job.finish())),
        }
        Ok(signal)
    }
}

impl Default for Executor {
    fn default() -> Self {
        Self::Thread(None)
    }
}

#[derive(Debug)]
pub(super) struct Worker {
    jobs: Option<Sender<RunningJob>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    fn start() -> std::io::Result<Self> {
        let (jobs, inbox) = unbounded();
        let thread = std::thread::Builder::new().name("search".to_owned()).spawn(move || work(&inbox))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    fn send(&self, job: RunningJob) {
        if let Some(jobs) = &self.jobs
            && jobs.send(job).is_err()
        {
            log::error!("the search thread has exited");
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Dropping the sender ends the thread after its current job, which the owner has already stopped.
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the search thread panicked");
        }
    }
}

fn work(jobs: &Receiver<RunningJob>) {
    jobs.iter().for_each(RunningJob::finish);
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
        // On a channel without capacity, the sender waits for the receiver. The job must have dropped the table before
        // it starts waiting.
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
