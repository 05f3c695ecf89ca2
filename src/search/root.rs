//! Where a search begins and ends.

use super::root_move::RootMove;
use super::score::Score;
use super::team::Team;
use super::thread::Search;
use super::{Handicap, Limits, Observer, SearchResult, Signal, Silent, Tools, TranspositionTable, budget};
use crate::clock::Stopwatch;
use crate::eval::Evaluation;
use crate::position::History;
use crate::rules::Word;
use std::time::Duration;

/// Positions of the search that chooses a move after a proof that was stopped: a few milliseconds.
const NODES_AFTER_STOP: u64 = 10_000;

/// Searches the current position of `game`. Time counts by `watch`.
///
/// Where a move-count rule has drawn the game already, the search goes on with the counts begun again.
///
/// The answer comes when a limit is reached or `signal` stops the search; an infinite search and one that ponders
/// wait for the signal even when there is nothing more to find. The threads of the search have ended by then.
///
/// A search for a win that runs out tells so, and answers with the move that a normal search prefers, for which it has left time.
pub fn search<W: Word>(
    game: &History<W>,
    limits: &Limits,
    tools: Tools<'_, W>,
    signal: &Signal,
    watch: Stopwatch,
    observer: &mut dyn Observer,
) -> SearchResult {
    let Some(moves) = limits.win_in else { return run(game, limits, tools, signal, watch, observer) };
    let position = game.position().undrawn();
    let time = budget(limits, RootMove::allowed(&position, limits).len()).map(|budget| budget.soft);
    let proof = Limits {
        nodes: limits.nodes.map(|nodes| nodes - nodes / 4),
        move_time: time.map(|time| time * 3 / 4),
        clock: None,
        overhead: Duration::ZERO,
        ..limits.clone()
    };
    let proof = run(game, &proof, tools, signal, watch.clone(), observer);
    if proof.best.is_none() || proof.has_no_win || proof.score >= Score::win_in(position.spec(), moves) {
        return proof;
    }
    observer.undecided(moves);
    let normal = Limits { win_in: None, infinite: false, ..limits.clone() };
    let result = if signal.is_stopped() {
        let few = Limits { nodes: Some(NODES_AFTER_STOP), ponder: false, ..normal };
        run(game, &few, tools, &Signal::default(), watch, &mut Silent)
    } else {
        let left = Limits { nodes: limits.nodes.map(|nodes| nodes.saturating_sub(proof.nodes)), ..normal };
        run(game, &left, tools, signal, watch, &mut Silent)
    };
    SearchResult { nodes: proof.nodes + result.nodes, ..result }
}

fn run<W: Word>(
    game: &History<W>,
    limits: &Limits,
    tools: Tools<'_, W>,
    signal: &Signal,
    watch: Stopwatch,
    observer: &mut dyn Observer,
) -> SearchResult {
    let position = &game.position().undrawn();
    let mut moves = RootMove::allowed(position, limits);
    let lines = limits.lines.get().max(limits.handicap.map_or(1, Handicap::lines));
    let mut has_no_win = false;
    tools.table.new_search();
    // A handicapped player must not see everything in an ending; and a proof takes account of the repetitions of the game,
    // which tables know nothing of: the last of the keys is that of the root.
    let can_repeat = game.repeatable_keys().len() > 1;
    let endgames = tools.endgames.filter(|_| limits.handicap.is_none() && (limits.win_in.is_none() || !can_repeat));
    let team = Team::new(limits, moves.len(), Tools { endgames, ..tools }, signal, watch);
    std::thread::scope(|scope| {
        // Also when the first thread panics: the scope waits for the others.
        let close = CloseOnDrop(&team);
        if !moves.is_empty() {
            // A thread takes a moment to start: without time left there are no helpers.
            for number in (1..team.size()).take_while(|_| !team.is_over()) {
                let (team, builder) = (&team, std::thread::Builder::new().name(format!("helper {number}")));
                let help = move || {
                    // Also when it panics: the others would wait for it for ever.
                    let _close = CloseOnDrop(team);
                    Search::new(team, number, game).help();
                };
                if let Err(error) = builder.spawn_scoped(scope, help) {
                    log::warn!("only {number} threads search, the system has no more: {error}");
                    break;
                }
            }
            has_no_win = Search::new(&team, 0, game).deepen(position, &mut moves, lines, observer);
        }
        drop(close);
        team.wait_for_signal();
    });
    let best = moves.get(limits.handicap.map_or(0, |handicap| handicap.choose(&moves)));
    SearchResult {
        best: best.map(|root| root.mv.widened()),
        reply: best.and_then(|root| root.line.get(1)).map(|mv| mv.widened()),
        score: best.map_or_else(|| Score::without_move(position, 0), |root| root.score),
        nodes: team.nodes(),
        has_no_win,
    }
}

/// Ends the threads of a team when it goes out of scope.
pub(super) struct CloseOnDrop<'a, W: Word>(pub(super) &'a Team<'a, W>);

impl<W: Word> Drop for CloseOnDrop<'_, W> {
    fn drop(&mut self) {
        self.0.split_points.close();
    }
}

/// The value of the current position of `game` after all captures that are pending.
pub fn quiesce<W: Word>(game: &History<W>, evaluation: &Evaluation<W>) -> Score {
    let (limits, signal, table) = (Limits::default(), Signal::default(), TranspositionTable::none());
    let tools = Tools { table: &table, evaluation, endgames: None };
    let team = Team::new(&limits, 1, tools, &signal, Stopwatch::start());
    let position = game.position().undrawn();
    let can_capture = position.can_capture(position.side());
    Search::new(&team, 0, game).quiescence(&position, can_capture, (-Score::INFINITE, Score::INFINITE), 0)
}
