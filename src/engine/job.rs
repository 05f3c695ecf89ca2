//! What the engine can be asked to do, and how it is done.

use super::bench::{BenchSettings, bench};
use super::endgames::Endgames;
use super::eval_file::EvalFile;
use super::{Event, Strength, Style};
use crate::clock::Stopwatch;
use crate::eval::Evaluation;
use crate::game::with_history;
use crate::game::{Game, Move};
use crate::plain::{PlainStyle, plain_search};
use crate::position::CaptureOrder;
use crate::search::{
    CurrentMove, Limits, Observer, Report, SearchResult, Signal, Tools, TranspositionTable, Value, quiesce, search,
};
use crossbeam_channel::Sender;
use std::sync::Arc;

/// A count of move sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftRequest {
    /// Length of the sequences.
    pub depth: u8,
    /// How captures are counted.
    pub order: CaptureOrder,
    /// Whether to count by first move.
    pub by_move: bool,
}

/// A search of the present position of a game.
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
    /// Started when the search was asked for.
    pub(super) watch: Stopwatch,
}

/// A job, where its events go, and the signal that ends it.
pub(super) struct Job {
    pub(super) task: Task,
    pub(super) signal: Arc<Signal>,
    pub(super) events: Sender<Event>,
}

/// The kinds of job.
pub(super) enum Task {
    /// Find the best move.
    Search(Box<SearchJob>),
    /// Count move sequences.
    Perft(Game, PerftRequest, Stopwatch),
    /// Search the fixed positions of all variants.
    Bench,
}

impl SearchJob {
    /// Searches, and tells `observer` how it goes.
    pub(super) fn run(&self, signal: &Signal, observer: &mut dyn Observer) -> SearchResult {
        let Self { game, limits, table, style, strength, eval_file, endgames, watch } = self;
        let ply = game.undoable() as u64;
        // The plain players prove no wins.
        let player = style.player.filter(|_| limits.win_in.is_none());
        with_history!(game.history(), history => {
            let rules = history.position().rules();
            let evaluation = style.evaluation_at(rules, (*strength, ply), eval_file.as_ref());
            match player {
                Some(player) => {
                    let plain = style.plain_at((*strength, ply), rules.spec());
                    let style = PlainStyle { player, seed: strength.seed_at(ply), evaluation: plain };
                    plain_search(history, limits, style, (table.as_ref(), &evaluation), signal, watch.clone(), observer)
                }
                None => {
                    let known = endgames.for_search(game, limits, signal.stop_flag());
                    let tools = Tools { table, evaluation: &evaluation, endgames: known.of_width() };
                    search(history, limits, tools, signal, watch.clone(), observer)
                }
            }
        })
    }

    /// A legal move to answer with if the search breaks off: one of those that it is restricted to.
    fn fallback(&self) -> Option<Move> {
        self.limits.root_moves.first().copied().or_else(|| self.game.legal_moves().first().copied())
    }
}

impl Job {
    /// A legal move to answer with if the job breaks off.
    pub(super) fn fallback(&self) -> Option<Move> {
        match &self.task {
            Task::Search(job) => job.fallback(),
            Task::Perft(..) | Task::Bench => None,
        }
    }

    /// Does the job and returns its last event; the others are sent meanwhile.
    pub(super) fn run(self) -> Event {
        let Self { task, signal, events } = self;
        let mut send = Send(&events);
        match task {
            Task::Search(job) => {
                let outcome = job.run(&signal, &mut send);
                if outcome.has_no_win
                    && let Some(moves) = job.limits.win_in
                {
                    send.event(Event::NoWin { moves });
                }
                Event::BestMove { best: outcome.best, reply: outcome.reply }
            }
            Task::Perft(game, request, watch) => count(&game, request, &signal, &watch),
            Task::Bench => {
                let finished =
                    bench(&BenchSettings::default(), &signal, &mut |result| send.event(Event::BenchVariant(result)));
                Event::BenchDone { finished }
            }
        }
    }
}

/// Forwards the reports of a search as events.
struct Send<'a>(&'a Sender<Event>);

impl Send<'_> {
    fn event(&self, event: Event) {
        // If the receiver is gone, the conversation is ending, and the event is no loss.
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
}

fn count(game: &Game, request: PerftRequest, signal: &Signal, watch: &Stopwatch) -> Event {
    let PerftRequest { depth, order, by_move } = request;
    let stop = signal.stop_flag();
    let counts = if by_move { game.divide(depth, order, stop) } else { Ok(Vec::new()) };
    let count = match &counts {
        Ok(counts) if by_move => Ok(counts.iter().map(|(_, count)| count).sum()),
        Ok(_) => game.perft(depth, order, stop),
        Err(stopped) => Err(*stopped),
    };
    Event::Perft { depth, count, by_move: counts.unwrap_or_default(), time: watch.elapsed() }
}

/// The evaluation of the present position of `game` for the side to move, and its terms in 1/100 man. With a capture
/// pending there are no terms, and the value is the one after all captures.
pub(super) fn evaluation(
    game: &Game,
    style: Style,
    strength: Strength,
    eval_file: Option<&EvalFile>,
) -> (Vec<(&'static str, i32)>, Value) {
    let ply = game.undoable() as u64;
    with_history!(game.history(), history => {
        let position = history.position();
        let evaluation: Evaluation<_> = style.evaluation_at(position.rules(), (strength, ply), eval_file);
        let is_quiet = !position.can_capture(position.side()) && position.has_move();
        let terms = if is_quiet { evaluation.terms(position) } else { Vec::new() };
        (terms, quiesce(history, &evaluation).value())
    })
}
