//! Textbook players and evaluations for teaching and comparison, independent of the engine's own search and evaluation.
//!
//! | player | technique |
//! | --- | --- |
//! | [`PlainPlayer::Random`] | plays a random legal move |
//! | [`PlainPlayer::Minimax`] | visits every node, as perft does |
//! | [`PlainPlayer::AlphaBeta`] | finds the same value and move with alpha-beta pruning |
//! | [`PlainPlayer::Ordered`] | finds the same value with move ordering |
//! | [`PlainPlayer::Memory`] | finds the same value with a transposition table |
//!
//! The players search to a fixed depth without quiescence search. For them, a game ends only when a side has no move,
//! because they ignore repetitions and move counters.
#![allow(clippy::indexing_slicing, reason = "plies and squares index arrays of fixed size")]
#![allow(missing_docs, reason = "internal; docs/players.md describes the players")]

mod evaluation;
mod points;
mod search;

pub use evaluation::{Plain, PlainKind};

use crate::clock::Stopwatch;
use crate::position::History;
use crate::rules::Word;
use crate::search::{Bound, IterationStats, Limits, Observer, Report, RootMove, SearchResult, Signal, Team, Tools};
use search::PlainSearch;
use strum::{IntoStaticStr, VariantArray};

const MAX_DEPTH: u8 = 64;

#[derive(Clone, Copy, Debug, IntoStaticStr, PartialEq, Eq, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum PlainPlayer {
    Random,
    Minimax,
    AlphaBeta,
    Ordered,
    Memory,
}

impl PlainPlayer {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn name(self) -> &'static str {
        self.into()
    }

    const fn orders_moves(self) -> bool {
        matches!(self, Self::Ordered | Self::Memory)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct PlainStyle {
    pub player: PlainPlayer,
    pub seed: u64,
    /// The plain evaluation to use, or `None` for the evaluation of the full search.
    pub evaluation: Option<Plain>,
}

/// Searches the current position of `game` with the player that `style` selects.
///
/// If the depth is the only limit, the position is searched to this depth directly. If such a search is stopped, it
/// returns the best move found so far or, if no move has been searched, the best move at depth 1. With other limits,
/// the search uses iterative deepening. Infinite and pondering searches wait for `signal`, as in the full search.
pub fn plain_search<W: Word>(
    game: &History<W>,
    limits: &Limits,
    style: PlainStyle,
    tools: Tools<'_, W>,
    signal: &Signal,
    watch: Stopwatch,
    observer: &mut dyn Observer,
) -> SearchResult {
    let position = game.position();
    let mut moves = RootMove::allowed(position, limits);
    let team = Team::new(limits, moves.len(), tools, signal, watch);
    if style.player == PlainPlayer::Random {
        choose_randomly(&mut moves, style.seed);
    } else if !moves.is_empty() {
        tools.table.new_search();
        deepen(&mut PlainSearch::new(&team, style, position), game, &mut moves, observer);
    }
    team.wait_for_signal();
    SearchResult::from_best(moves.first(), position, &team)
}

fn choose_randomly<W: Word>(moves: &mut [RootMove<W>], seed: u64) {
    if !moves.is_empty() {
        let index = fastrand::Rng::with_seed(seed).usize(..moves.len());
        moves.swap(0, index);
    }
}

fn deepen<W: Word>(
    search: &mut PlainSearch<'_, W>,
    game: &History<W>,
    moves: &mut [RootMove<W>],
    observer: &mut dyn Observer,
) {
    let (team, player) = (search.team, search.player);
    let limits = team.limits;
    let by_handicap = limits.handicap.map(|handicap| handicap.depth);
    let deepest = [limits.depth, by_handicap].into_iter().flatten().min();
    let chances = team.tools.evaluation.chances(game.position());
    let is_alone = team.budget.is_none() && limits.nodes.is_none();
    let last = deepest.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    let first = if is_alone && deepest.is_some() { last } else { 1 };
    let mut stats = IterationStats::new(limits.analysis);
    let report = |depth: u8, best: &RootMove<W>, bound| Report {
        depth,
        selective_depth: u16::from(depth),
        rank: 0,
        value: best.score.value(chances),
        bound,
        nodes: team.nodes(),
        table_hits: 0,
        hashfull: if player == PlainPlayer::Memory { team.tools.table.hashfull() } else { 0 },
        time: team.elapsed(),
        line: best.line.iter().map(|mv| mv.widened()).collect(),
    };
    for depth in first..=last {
        // Depth 1 is always completed, so that there is a move to play.
        search.must_finish = depth == 1;
        let is_new = search.visit_root(game.position(), moves, depth);
        if search.stopped && depth == first && !is_new {
            (search.stopped, search.must_finish) = (false, true);
            search.visit_root(game.position(), moves, 1);
            moves.first().into_iter().for_each(|best| observer.report(report(1, best, Bound::Exact)));
            return;
        }
        let Some(best) = moves.first() else { return };
        if search.stopped {
            if is_new {
                observer.report(report(depth, best, Bound::Lower));
            }
            return;
        }
        observer.report(report(depth, best, Bound::Exact));
        stats.iteration(best.mv.code(), best.score, None);
        if let (Some(budget), Some(elapsed)) = (team.budget, team.counted_time())
            && elapsed >= budget.target(&stats)
            && !limits.infinite
        {
            return;
        }
    }
}
