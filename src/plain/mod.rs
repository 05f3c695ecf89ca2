//! Plain players and plain evaluations: what students write and describe in reports, each with one technique more than the one
//! before. They are for teaching and comparison; the engine's own search and evaluation know nothing of them.
//!
//! | player | technique |
//! | --- | --- |
//! | [`PlainPlayer::Random`] | plays any legal move |
//! | [`PlainPlayer::Minimax`] | visits every node: as many as perft counts |
//! | [`PlainPlayer::AlphaBeta`] | the same value and move, without the lines that cannot matter |
//! | [`PlainPlayer::Ordered`] | the same value; moves that were good elsewhere come first |
//! | [`PlainPlayer::Memory`] | the same value; positions that come back are looked up in the transposition table |
//!
//! They look a fixed number of plies ahead and evaluate what is there, even in the middle of an exchange, and know the end
//! of the game only as a side without a move: neither repetitions nor move counts.

mod evaluation;
mod points;
mod search;

pub use evaluation::{Plain, PlainKind};

use crate::clock::Stopwatch;
use crate::eval::Evaluation;
use crate::position::History;
use crate::rules::Word;
use crate::search::{
    Bound, IterationStats, Limits, Observer, Report, RootMove, SearchResult, Signal, Team, Tools, TranspositionTable,
};
use search::PlainSearch;
use strum::{IntoStaticStr, VariantArray};

/// The deepest search; the node counts of minimax end long before.
const MAX_DEPTH: u8 = 64;

/// The way in which a plain player finds its move.
#[derive(Clone, Copy, Debug, IntoStaticStr, PartialEq, Eq, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum PlainPlayer {
    /// Plays a random legal move.
    Random,
    /// Minimax over every line.
    Minimax,
    /// Alpha-beta in the order of the generator.
    AlphaBeta,
    /// Alpha-beta with move ordering.
    Ordered,
    /// Alpha-beta with move ordering and a transposition table.
    Memory,
}

impl PlainPlayer {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    const fn orders_moves(self) -> bool {
        matches!(self, Self::Ordered | Self::Memory)
    }
}

/// A plain player with its settings.
#[derive(Clone, Copy, Debug)]
pub struct PlainStyle {
    /// The player.
    pub player: PlainPlayer,
    /// The seed of the random player.
    pub seed: u64,
    /// The plain evaluation, which sees each side by itself and may reward moves; without one the player asks the evaluation of
    /// the full search.
    pub evaluation: Option<Plain>,
}

/// Lets the player of `style` find a move in the current position of `game`. Time counts by `watch`.
///
/// A depth that is the only limit is searched at once; after a stop the best of the moves searched so far is played, or the
/// best at depth 1. With any other limit the search deepens ply by ply until that is reached. An infinite search and one
/// that ponders wait for `signal` as the full search does.
pub fn plain_search<W: Word>(
    game: &History<W>,
    limits: &Limits,
    style: PlainStyle,
    (table, evaluation): (&TranspositionTable, &Evaluation<W>),
    signal: &Signal,
    watch: Stopwatch,
    observer: &mut dyn Observer,
) -> SearchResult {
    let position = game.position();
    let mut moves = RootMove::allowed(position, limits);
    let tools = Tools { table, evaluation, endgames: None };
    let team = Team::new(limits, moves.len(), tools, signal, watch);
    if style.player == PlainPlayer::Random {
        choose_by_chance(&mut moves, style.seed);
    } else if !moves.is_empty() {
        table.new_search();
        deepen(&mut PlainSearch::new(&team, style, position), game, &mut moves, observer);
    }
    team.wait_for_signal();
    SearchResult::of(moves.first(), position, &team)
}

/// Puts any of `moves` first, each as often as the others; which one depends on `seed` alone.
fn choose_by_chance<W: Word>(moves: &mut [RootMove<W>], seed: u64) {
    if !moves.is_empty() {
        let index = fastrand::Rng::with_seed(seed).usize(..moves.len());
        moves.swap(0, index);
    }
}

/// Searches to the depths that the limits ask for; the best move is the first of `moves` then.
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
        permille_used: if player == PlainPlayer::Memory { team.tools.table.permille_used() } else { 0 },
        time: team.elapsed(),
        line: best.line.iter().map(|mv| mv.widened()).collect(),
    };
    for depth in first..=last {
        // There is always a move to play that was looked at.
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
            && elapsed >= budget.wanted(&stats)
            && !limits.infinite
        {
            return;
        }
    }
}
