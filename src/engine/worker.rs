//! The search thread.

use super::bench::bench;
use super::text::line_text;
use super::{Current, Event, Info, PerftRequest, Strength, Style};
use crate::game::{Game, Move};
use crate::notation::move_text;
use crate::position::{History, divide, perft};
use crate::rules::{RuleSet, Word};
use crate::search::{CurrentMove, Limits, Observer, PlainPlayer, Report, Signal, Table, plain_search, search};
use crate::with_history;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

/// Work for the thread.
pub(super) enum Task {
    /// Find the best move.
    Search {
        limits: Box<Limits>,
        table: Arc<Table>,
        style: Style,
        strength: Strength,
        /// A plain player with what its choices depend on; none for the full search.
        plain: Option<(PlainPlayer, u64)>,
        asked_at: Instant,
    },
    /// Count move sequences.
    Perft(PerftRequest),
    /// Search the fixed positions of all variants.
    Bench,
}

/// A task, the game it is about, the rules with the notation of what is printed, and the signal that ends it.
pub(super) struct Job {
    pub(super) game: Game,
    pub(super) spec: RuleSet,
    pub(super) signal: Arc<Signal>,
    pub(super) task: Task,
}

/// A thread that does one job after the other, until it is dropped.
pub(super) struct Worker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread; what it finds goes to `events`.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub(super) fn start(events: Sender<Event>) -> std::io::Result<Self> {
        let (jobs, inbox) = unbounded();
        let thread = std::thread::Builder::new().name("search".to_owned()).spawn(move || run(&inbox, &events))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Hands a job to the thread.
    pub(super) fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs
            && jobs.send(job).is_err()
        {
            log::error!("the search thread is gone");
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Without a sender the thread ends after its job, which the owner has stopped.
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the search thread ended in a panic");
        }
    }
}

fn run(jobs: &Receiver<Job>, events: &Sender<Event>) {
    // An event that nobody receives any more is no loss: the session is ending.
    let send = |event| drop(events.send(event));
    for job in jobs {
        let fallback = fallback_move(&job);
        // Told when the job has let go of its table: what is made next may need the memory.
        let last = guarded(|| perform(job, &send)).unwrap_or_else(|message| Event::Failed { message, fallback });
        send(last);
    }
}

/// Does `work`; if it panics, the thread lives on and is told why.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_message(panic.as_ref()))
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".to_owned())
}

/// A legal move to answer with if the search breaks off: one of those it may consider.
fn fallback_move(job: &Job) -> Option<String> {
    let Task::Search { limits, .. } = &job.task else { return None };
    let mv = limits.root_moves.first().copied().or_else(|| job.game.legal_moves().first().copied())?;
    line_text(&job.spec, &job.game, &[mv]).into_iter().next()
}

/// Does `job` and returns its last event; the others are sent meanwhile.
fn perform(job: Job, send: &impl Fn(Event)) -> Event {
    let Job { game, spec, signal, task } = &job;
    match task {
        Task::Search { limits, table, style, strength, plain, asked_at } => {
            let mut observer = Teller { spec, game, send };
            let outcome = with_history!(game.history(), history => {
                let evaluation = style.evaluation_at(history.position().rules(), *strength, game.undoable() as u64);
                let tools = (table.as_ref(), &evaluation);
                match plain {
                    Some(plain) => plain_search(history, limits, *plain, tools, signal, *asked_at, &mut observer),
                    None => search(history, limits, tools, signal, *asked_at, &mut observer),
                }
            });
            if outcome.has_no_win
                && let Some(moves) = limits.win_in
            {
                send(Event::NoWin { moves });
            }
            let line: Vec<Move> = outcome.best.into_iter().chain(outcome.reply).collect();
            let mut texts = line_text(spec, game, &line).into_iter();
            Event::BestMove { best: texts.next(), reply: texts.next() }
        }
        Task::Perft(request) => count(&job, *request),
        Task::Bench => Event::BenchDone { finished: bench(signal, &mut |result| send(Event::BenchVariant(result))) },
    }
}

/// Sends on what a search tells, as text.
struct Teller<'a, F> {
    spec: &'a RuleSet,
    game: &'a Game,
    send: &'a F,
}

impl<F: Fn(Event)> Observer for Teller<'_, F> {
    fn report(&mut self, report: Report) {
        (self.send)(Event::Info(info(self.spec, self.game, report)));
    }

    fn current(&mut self, CurrentMove { depth, mv, number }: CurrentMove) {
        let text = line_text(self.spec, self.game, &[mv]).concat();
        (self.send)(Event::Current(Current { depth, text, number }));
    }
}

fn info(spec: &RuleSet, game: &Game, report: Report) -> Info {
    Info {
        depth: report.depth,
        selective_depth: report.selective_depth,
        rank: report.rank,
        value: report.score.value(),
        bound: report.bound,
        nodes: report.nodes,
        permille_used: report.permille_used,
        time: report.time,
        line: line_text(spec, game, &report.line),
    }
}

fn count(job: &Job, request: PerftRequest) -> Event {
    with_history!(job.game.history(), history => count_from(history, job, request))
}

fn count_from<W: Word>(history: &History<W>, job: &Job, request: PerftRequest) -> Event {
    let PerftRequest { depth, order, by_move } = request;
    let (position, stop) = (history.position(), job.signal.stop_flag());
    let started = Instant::now();
    let (count, by_move) = if by_move {
        let counts = divide(position, depth, order, stop);
        let text = |&(mv, count): &(_, u64)| (move_text(&job.spec, position, mv), count);
        (
            counts.as_ref().map(|counts| counts.iter().map(|(_, count)| count).sum()),
            counts.iter().flatten().map(text).collect(),
        )
    } else {
        (perft(position, depth, order, stop), Vec::new())
    };
    Event::Perft { depth, count, by_move, time: started.elapsed() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Options, Request, open};
    use crossbeam_channel::bounded;
    use std::thread::sleep;
    use std::time::Duration;

    #[test]
    fn a_panic_is_reported_and_the_thread_lives_on() {
        assert_eq!(guarded(|| panic!("number {}", 7)), Err::<(), _>("number 7".to_owned()));
        assert_eq!(guarded(|| panic!("plain")), Err::<(), _>("plain".to_owned()));
        assert_eq!(guarded(|| 3), Ok(3));
    }

    #[test]
    fn the_table_is_let_go_before_the_answer_is_told() {
        // Who sends waits for who receives, and is the later one to go on.
        let (events, inbox) = bounded(0);
        let mut engine = open(Options::default().rules(), events).unwrap();
        let table = Arc::new(Table::new(1).unwrap());
        for round in 0..50 {
            engine.search(Request { depth: Some(1), ..Request::new(Instant::now()) }, &table).unwrap();
            let event = || {
                sleep(Duration::from_millis(1));
                inbox.recv().unwrap()
            };
            while !event().is_last() {}
            assert_eq!(Arc::strong_count(&table), 1, "search {round}");
        }
    }
}
