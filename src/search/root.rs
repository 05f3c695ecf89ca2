//! Starts and ends a search: collects the root moves, runs the threads, and chooses the best move or, for a handicapped
//! player, one of the best moves.

use super::parallel::{FinishOnDrop, Team};
use super::score::Score;
use super::thread::Search;
use super::{Handicap, Limits, Observer, SearchResult, Signal, Silent, Tools, TranspositionTable, Value, budget};
use crate::clock::Stopwatch;
use crate::eval::Evaluation;
use crate::position::{History, Move, Position};
use crate::rules::Word;
use std::time::Duration;

/// Number of nodes that may be searched to choose a move after a search for a win has been stopped, or has proved that
/// there is none. Searching them takes a few milliseconds.
const NODES_AFTER_WIN_SEARCH: u64 = 10_000;

/// Searches the current position of `game`. `watch` measures the time.
///
/// This function returns when a limit is reached or `signal` stops the search. An infinite or pondering search always
/// waits for the signal before it returns. When this function returns, all search threads have ended. If a move-count
/// rule has already drawn the game, the search resets the draw counters.
///
/// If a search for a win finds none, a normal search determines the move and the value, because the scores of the
/// search for a win are only upper bounds. If the search for a win runs out of time or nodes, `observer` is informed,
/// and the normal search uses the time that was reserved for it.
pub fn search<W: Word>(
    game: &History<W>,
    limits: &Limits,
    tools: Tools<'_, W>,
    signal: &Signal,
    watch: Stopwatch,
    observer: &mut dyn Observer,
) -> SearchResult {
    let Some(moves) = limits.win_in else { return run(game, limits, tools, signal, watch, observer) };
    let position = game.position().without_draw_counts();
    let time = budget(limits, RootMove::allowed(&position, limits).len()).map(|budget| budget.soft);
    let proof = Limits {
        nodes: limits.nodes.map(|nodes| nodes - nodes / 4),
        move_time: time.map(|time| time * 3 / 4),
        clock: None,
        overhead: Duration::ZERO,
        ..limits.clone()
    };
    let proof = run(game, &proof, tools, signal, watch.clone(), observer);
    if proof.best.is_none() || proof.score >= Score::win_in(position.spec(), moves) {
        return proof;
    }
    if !proof.has_no_win {
        observer.undecided(moves);
    }
    let left = limits.nodes.map(|nodes| nodes.saturating_sub(proof.nodes));
    let normal = Limits { win_in: None, infinite: false, nodes: left, ..limits.clone() };
    let result = if proof.has_no_win || signal.is_stopped() {
        let nodes = left.map_or(NODES_AFTER_WIN_SEARCH, |left| left.min(NODES_AFTER_WIN_SEARCH));
        let few = Limits { nodes: Some(nodes), ponder: false, ..normal };
        run(game, &few, tools, &Signal::default(), watch, &mut Silent)
    } else {
        run(game, &normal, tools, signal, watch, &mut Silent)
    };
    SearchResult { nodes: proof.nodes + result.nodes, has_no_win: proof.has_no_win, ..result }
}

fn run<W: Word>(
    game: &History<W>,
    limits: &Limits,
    tools: Tools<'_, W>,
    signal: &Signal,
    watch: Stopwatch,
    observer: &mut dyn Observer,
) -> SearchResult {
    let position = &game.position().without_draw_counts();
    let mut moves = RootMove::allowed(position, limits);
    let lines = limits.lines.get().max(limits.handicap.map_or(1, Handicap::lines));
    let mut has_no_win = false;
    tools.table.new_search();
    // Endgame tables are not used by a handicapped player, who must not play endings perfectly.
    let endgames = tools.endgames.filter(|_| limits.handicap.is_none());
    let team = Team::new(limits, moves.len(), Tools { endgames, ..tools }, signal, watch);
    std::thread::scope(|scope| {
        // This also stops the helper threads if the first thread panics, because the scope waits for them.
        let finish = FinishOnDrop(&team);
        if !moves.is_empty() {
            // Starting a thread takes some time, so no helpers are started if no time is left.
            for number in (1..team.size()).take_while(|_| !team.must_stop()) {
                let (team, builder) = (&team, std::thread::Builder::new().name(format!("helper {number}")));
                let help = move || {
                    let mut moves = RootMove::allowed(position, limits);
                    Search::new(team, number, game).help(position, &mut moves, lines);
                };
                if let Err(error) = builder.spawn_scoped(scope, help) {
                    log::warn!("cannot start another search thread ({number} running): {error}");
                    break;
                }
            }
            has_no_win = Search::new(&team, 0, game).deepen(position, &mut moves, lines, observer);
        }
        drop(finish);
        team.wait_for_signal();
    });
    let best = moves.get(limits.handicap.map_or(0, |handicap| handicap.choose(&moves)));
    SearchResult { has_no_win, ..SearchResult::from_best(best, position, &team) }
}

/// Returns the result of a quiescence search of the current position of `game`, from the point of view of the side to
/// move.
pub fn quiesce<W: Word>(game: &History<W>, evaluation: &Evaluation<W>) -> Value {
    let (limits, signal, table) = (Limits::default(), Signal::default(), TranspositionTable::none());
    let tools = Tools { table: &table, evaluation, endgames: None };
    let team = Team::new(&limits, 1, tools, &signal, Stopwatch::always_zero());
    let position = game.position().without_draw_counts();
    let can_capture = position.can_capture(position.side());
    let score = Search::new(&team, 0, game).quiescence(&position, can_capture, (-Score::INFINITE, Score::INFINITE), 0);
    score.value(evaluation.chances(&position))
}

#[derive(Clone, Debug)]
pub(crate) struct RootMove<W: Word> {
    pub(crate) mv: Move<W>,
    /// Score with which the move last raised alpha, or `-INFINITE` if the move never raised alpha. Until the window is
    /// wide enough, the score is only a bound.
    pub(crate) score: Score,
    /// Depth of the iteration that found this score and the line.
    pub(crate) depth: u8,
    /// The line that starts with this move. It is empty if the move never raised alpha.
    pub(crate) line: Vec<Move<W>>,
    /// Whether the current line has been reported at its current rank. Also true if there is no line to report.
    pub(crate) is_reported: bool,
    pub(crate) nodes: u64,
}

impl SearchResult {
    pub(crate) fn from_best<W: Word>(best: Option<&RootMove<W>>, position: &Position<W>, team: &Team<'_, W>) -> Self {
        let score = best.map_or_else(|| Score::without_move(position, 0), |root| root.score);
        Self {
            best: best.map(|root| root.mv.widened()),
            reply: best.and_then(|root| root.line.get(1)).map(|mv| mv.widened()),
            score,
            value: score.value(team.tools.evaluation.chances(position)),
            nodes: team.nodes(),
            has_no_win: false,
        }
    }
}

impl<W: Word> RootMove<W> {
    pub(crate) fn new(mv: Move<W>) -> Self {
        Self { mv, score: -Score::INFINITE, depth: 0, line: Vec::new(), is_reported: true, nodes: 0 }
    }

    pub(crate) fn allowed(position: &Position<W>, limits: &Limits) -> Vec<Self> {
        let is_allowed = |mv: &&Move<W>| limits.root_moves.is_empty() || limits.root_moves.contains(&mv.widened());
        position.legal_moves().iter().filter(is_allowed).map(|&mv| Self::new(mv)).collect()
    }
}

impl Handicap {
    /// Returns the index of the move to play. `moves` must be sorted with the best move first. A proven win is always
    /// played, and a move that loses is chosen only if every move loses.
    pub(super) fn choose<W: Word>(self, moves: &[RootMove<W>]) -> usize {
        let Some(best) = moves.first().map(|root| root.score) else { return 0 };
        if self.spread == 0 || best.is_decided() {
            return 0;
        }
        let is_candidate = |root: &RootMove<W>| !root.line.is_empty() && !root.score.is_decided();
        let weight = |score: Score| (-f64::from(best.drop_to(score)) / f64::from(self.spread)).exp();
        let weight_of = |root: &RootMove<W>| if is_candidate(root) { weight(root.score) } else { 0.0 };
        let weights: Vec<f64> = moves.iter().take(Self::CANDIDATES).map(weight_of).collect();
        let mut left = fastrand::Rng::with_seed(self.seed).f64() * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::parallel::testing::english_start;

    fn choices(scores: &[Score], spread: u16) -> Vec<usize> {
        let legal = english_start().legal_moves();
        let root = |(&mv, &score)| RootMove { score, line: vec![mv], ..RootMove::new(mv) };
        let moves: Vec<_> = legal.iter().zip(scores).map(root).collect();
        let mut counts = vec![0; scores.len()];
        for seed in 0..1000 {
            counts[Handicap { depth: 3, spread, seed }.choose(&moves)] += 1;
        }
        counts
    }

    #[test]
    fn worse_moves_are_picked_less_often() {
        let counts = choices(&[20, 0, -30, -400].map(Score::evaluation), 30);
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 20 && counts[3] == 0, "{counts:?}");
    }

    #[test]
    fn without_a_spread_the_best_is_played() {
        assert_eq!(choices(&[20, 20].map(Score::evaluation), 0), [1000, 0]);
    }

    #[test]
    fn a_win_is_played_and_a_loss_is_not() {
        assert_eq!(choices(&[-Score::lost_at(3), Score::evaluation(500)], 400), [1000, 0]);
        assert_eq!(choices(&[Score::evaluation(-600), Score::lost_at(2)], 400), [1000, 0]);
        // After a stop, a worse move with a new score can come before a better move with an older score.
        let counts = choices(&[Score::evaluation(20), Score::lost_at(2), Score::evaluation(10)], 400);
        assert!(counts[1] == 0 && counts[2] > 400, "{counts:?}");
    }
}
