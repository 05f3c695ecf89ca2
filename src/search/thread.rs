//! The state of a search thread.

use super::evaluation_cache::EvaluationCache;
use super::ordering::Ordering;
use super::parallel::Team;
use super::parameters::Parameters;
use super::progress::progress;
use super::score::{MAX_PLY, Score};
use super::table::Entry;
use crate::board::Square;
use crate::eval::Chances;
use crate::eval::nnue::Accumulators;
use crate::position::{History, Key, Move, MoveList, Position};
use crate::rules::{Color, Word};
use crate::tables::{Prober, RepetitionLimits, Verdict};

/// Number of nodes between two checks of the limits. Searching them takes a fraction of a millisecond.
const NODES_PER_CHECK: u64 = 1024;

/// Salt for the transposition table entries of exhaustive searches.
const EXHAUSTIVE: Key = 0x5851_f42d_4c95_7f2d;

/// Salts for the transposition table entries of searches whose evaluation measures progress towards a known win of
/// White or Black.
const PROGRESS_SALTS: [Key; 2] = [0x2545_f491_4f6c_dd1d, 0x1bd1_1bda_a9fc_1a22];

pub(super) struct Ply<W: Word> {
    pub(super) to: Option<Square>,
    pub(super) line: Vec<Move<W>>,
    /// Code of the move that a singular search excludes, or 0 if no move is excluded.
    pub(super) excluded: u16,
    pub(super) in_probcut: bool,
    /// Reusable buffers for the legal moves and their ordering values. They are empty while a move loop is using them.
    pub(super) moves: MoveList<W>,
    pub(super) values: Vec<i32>,
}

impl<W: Word> Ply<W> {
    fn new() -> Self {
        // The buffers are allocated lazily, because most searches reach only some of the plies.
        let (moves, values, line) = (MoveList::default(), Vec::new(), Vec::new());
        Self { to: None, line, excluded: 0, in_probcut: false, moves, values }
    }
}

/// The state of a running search in one of its threads.
pub struct Search<'a, W: Word> {
    pub(super) team: &'a Team<'a, W>,
    /// Index of the thread in the team. Thread 0 watches the limits and returns the result, and the other threads help
    /// it.
    pub(super) number: usize,
    pub(super) ordering: Ordering<W>,
    pub(super) parameters: Parameters,
    /// The model that converts scores to reported values. It is chosen by the number of pieces at the root.
    pub(super) chances: Option<Chances>,
    pub(super) stack: Vec<Ply<W>>,
    accumulators: Accumulators<W>,
    evaluations: EvaluationCache,
    /// Keys of the positions that can repeat, from the game and from the path to the current node.
    pub(super) keys: Vec<Key>,
    /// Salt that is mixed into the keys of the transposition table. It keeps searches with different evaluations from
    /// sharing scores. It also keeps exhaustive searches from sharing scores with selective searches and with searches
    /// of other games.
    salt: Key,
    /// Whether every line is searched to its full depth.
    pub(super) exhaustive: bool,
    /// Number of entries of `keys` that precede the root.
    pub(super) known_keys: usize,
    pub(super) nodes: u64,
    pub(super) endgames: Option<Prober<'a, W>>,
    /// The positions of the game whose next occurrence is a draw, and the table wins that they may prevent.
    drawn_if_repeated: Vec<Position<W>>,
    repetition_limits: RepetitionLimits,
    /// The winner of the root, if the endgame tables contain the root without the distance.
    pub(super) known_winner: Option<Color>,
    pub(super) table_hits: u64,
    pub(super) child_keys: Vec<Key>,
    pub(super) root: Position<W>,
    pub(super) selective_depth: usize,
    next_check: u64,
    pub(super) depth: u8,
    pub(super) deepest_report: u8,
    pub(super) stopped: bool,
}

impl<'a, W: Word> Search<'a, W> {
    pub(super) fn new(team: &'a Team<'a, W>, number: usize, game: &History<W>) -> Self {
        let mut keys = game.repeatable_keys();
        // The last key belongs to the root itself, and the search adds it later.
        keys.pop();
        let exhaustive = team.limits.win_in.is_some();
        // Draws by repetition and by a move-count rule depend on the moves played before the root.
        let countdown = Key::from(game.position().plies_to_draw().unwrap_or(u16::MAX));
        let mix = |salt: Key, key: &Key| (salt.rotate_left(5) ^ key).wrapping_mul(EXHAUSTIVE);
        let known_keys = keys.len();
        let salt_of_proofs = if exhaustive { keys.iter().fold(EXHAUSTIVE ^ countdown, mix) } else { 0 };
        let mut endgames = team.tools.endgames.map(Prober::new);
        let known_winner = endgames.as_mut().and_then(|prober| winner_without_distance(prober, game.position()));
        let salt_of_progress = known_winner.map_or(0, |winner| winner.pick(PROGRESS_SALTS));
        let parameters = Parameters::for_variant(team.limits.parameters.as_deref(), game.position().rules().variant());
        Self {
            team,
            number,
            ordering: Ordering::new(),
            parameters,
            chances: team.tools.evaluation.chances(game.position()),
            stack: (0..=MAX_PLY + 1).map(|_| Ply::new()).collect(),
            accumulators: Accumulators::default(),
            evaluations: EvaluationCache::new(),
            keys,
            salt: team.tools.evaluation.salt() ^ salt_of_proofs ^ salt_of_progress,
            exhaustive,
            known_keys,
            nodes: 0,
            endgames,
            drawn_if_repeated: game.drawn_if_repeated(),
            repetition_limits: RepetitionLimits::NONE,
            known_winner,
            table_hits: 0,
            child_keys: Vec::new(),
            root: game.position().without_draw_counts(),
            selective_depth: 0,
            next_check: 0,
            depth: 0,
            deepest_report: 0,
            stopped: false,
        }
    }

    #[inline(always)]
    pub(super) fn table_key(&self, position: &Position<W>) -> Key {
        position.search_key() ^ self.salt
    }

    /// Probes the transposition table. If a repetition may draw the game, ignores the wins and losses that earlier
    /// searches have stored, because they may lead through a position that must not occur again.
    #[inline(always)]
    pub(super) fn probe(&self, key: Key) -> Option<Entry> {
        let table = self.team.tools.table;
        let entry = table.probe(key)?;
        let is_safe = self.drawn_if_repeated.is_empty() || !Score::at_root(entry.score, 0).is_decided();
        if is_safe { Some(entry) } else { table.probe_new(key) }
    }

    #[inline(always)]
    pub(super) fn evaluate(&mut self, position: &Position<W>) -> Score {
        let Self { team, accumulators, evaluations, known_winner, .. } = self;
        evaluations.get_or_insert_with(position.key(), || Self::compute(team, accumulators, *known_winner, position))
    }

    /// Evaluates `position` without the cache. This function is not inlined, because it has many call sites and two out
    /// of five evaluations come from the cache.
    #[inline(never)]
    fn compute(
        team: &Team<'a, W>,
        accumulators: &mut Accumulators<W>,
        known_winner: Option<Color>,
        position: &Position<W>,
    ) -> Score {
        let mut evaluation = || team.tools.evaluation.evaluate_with(accumulators, position);
        Score::evaluation(match known_winner {
            Some(winner) => progress(position, winner, evaluation),
            None => evaluation(),
        })
    }

    /// Computes which table wins a draw by repetition may prevent. This is done before each iteration, because tables
    /// may finish loading during the search.
    pub(super) fn limit_repetitions(&mut self) {
        let Some(prober) = self.endgames.as_mut().filter(|_| !self.drawn_if_repeated.is_empty()) else { return };
        self.repetition_limits = RepetitionLimits::near(prober, &self.drawn_if_repeated);
    }

    /// Probes the endgame tables for a `position` that is `plies` plies from the root. This function is not inlined,
    /// because most positions have too many pieces for the tables.
    #[inline(never)]
    pub(super) fn verdict(&mut self, position: &Position<W>, plies: usize) -> Option<Verdict> {
        let verdict = self.endgames.as_mut()?.verdict(position)?;
        Some(self.repetition_limits.apply(verdict, position, plies))
    }

    /// Returns whether the search has to stop. The first iteration is always completed, so that there is a move to
    /// play.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_check && self.depth > 1 {
            self.check_limits();
        }
        self.stopped
    }

    #[cold]
    pub(super) fn check_limits(&mut self) {
        self.publish_counts();
        self.stopped |= if self.number > 0 { self.team.is_finished() } else { self.team.must_stop() };
        let nodes_left = self.team.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.team.nodes()));
        self.next_check = self.nodes + NODES_PER_CHECK.min(nodes_left);
    }

    pub(super) fn publish_counts(&self) {
        self.team.publish_counts(self.number, self.nodes, self.table_hits);
    }
}

fn winner_without_distance<W: Word>(prober: &mut Prober<'_, W>, position: &Position<W>) -> Option<Color> {
    let outcome = prober.outcome(position).filter(|outcome| outcome.has_no_distance())?;
    outcome.winner(position.side())
}
