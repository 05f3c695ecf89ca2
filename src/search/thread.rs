//! One thread of a search: what it knows for itself.

use super::evaluation_cache::EvaluationCache;
use super::ordering::Ordering;
use super::parallel::Team;
use super::parameters::{DEFAULTS, Parameters};
use super::score::{MAX_PLY, Score};
use crate::board::Square;
use crate::eval::Chances;
use crate::eval::learned::Accumulators;
use crate::position::{History, Key, Move, MoveList, Position};
use crate::rules::Word;
use crate::tables::Prober;

/// Nodes between two looks at the clock: a fraction of a millisecond.
const NODES_PER_CHECK: u64 = 1024;

/// Marks the positions of exhaustive searches in the table.
const EXHAUSTIVE: Key = 0x5851_f42d_4c95_7f2d;

/// An entry of the stack of a search: everything that belongs to one ply.
pub(super) struct Ply<W: Word> {
    /// The square where the move that is being searched comes to rest.
    pub(super) to: Option<Square>,
    /// The principal variation from here.
    pub(super) line: Vec<Move<W>>,
    /// Code of a move that is excluded by a singular search, or 0.
    pub(super) excluded: u16,
    /// True if a shallow search of ProbCut is under way.
    pub(super) in_probcut: bool,
    /// The legal moves and their ordering values, as long as no loop over them has them.
    pub(super) moves: MoveList<W>,
    pub(super) values: Vec<i32>,
}

impl<W: Word> Ply<W> {
    fn new() -> Self {
        // Most searches come to few of the plies that there is a place for.
        let (moves, values, line) = (MoveList::default(), Vec::new(), Vec::new());
        Self { to: None, line, excluded: 0, in_probcut: false, moves, values }
    }
}

/// A search under way, as one thread sees it.
pub struct Search<'a, W: Word> {
    pub(super) team: &'a Team<'a, W>,
    /// Its number in the team; the first one, 0, watches the limits and gives the answer, the others help.
    pub(super) number: usize,
    pub(super) ordering: Ordering<W>,
    pub(super) parameters: &'a Parameters,
    /// The margin of futility pruning in this game, if there is any.
    pub(super) futility_margin: Option<i32>,
    /// The chances by the evaluation of the root, from which its values come.
    pub(super) chances: Option<Chances>,
    /// By ply.
    pub(super) stack: Vec<Ply<W>>,
    /// The sums of the first layer of the network, which follow the positions that are evaluated.
    accumulators: Accumulators<W>,
    /// The last static evaluations, by position.
    evaluations: EvaluationCache,
    /// Keys of the positions that can occur again, from the game and from the way to the current node.
    pub(super) keys: Vec<Key>,
    /// Mixed into the table's keys, so that the scores of another evaluation are not found; and so that an exhaustive search for
    /// a win finds neither those of a selective search nor its own from another game.
    salt: Key,
    /// True if every line must be searched to its full depth.
    pub(super) exhaustive: bool,
    /// Of `keys`, those that the game brought to the root.
    pub(super) known_keys: usize,
    pub(super) nodes: u64,
    /// Asks the endgame tables, if there are any.
    pub(super) endgames: Option<Prober<'a, W>>,
    pub(super) table_hits: u64,
    /// The keys of the positions after the moves of a node, while they are looked up.
    pub(super) child_keys: Vec<Key>,
    /// The position at the root.
    pub(super) root: Position<W>,
    pub(super) selective_depth: usize,
    next_check: u64,
    /// The depth of the current iteration.
    pub(super) depth: u8,
    /// The greatest depth that was reported.
    pub(super) deepest_report: u8,
    /// True if the search has come to its end.
    pub(super) stopped: bool,
}

impl<'a, W: Word> Search<'a, W> {
    /// The thread `number` of `team`, before it searches the current position of `game`.
    pub(super) fn new(team: &'a Team<'a, W>, number: usize, game: &History<W>) -> Self {
        let mut keys = game.repeatable_keys();
        // The last one is the root itself, which the search adds.
        keys.pop();
        let exhaustive = team.limits.win_in.is_some();
        // Whether a position is drawn by repetition or by count depends on how the game came to the root.
        let countdown = Key::from(game.position().plies_to_draw().unwrap_or(u16::MAX));
        let mix = |salt: Key, key: &Key| (salt.rotate_left(5) ^ key).wrapping_mul(EXHAUSTIVE);
        let known_keys = keys.len();
        let salt_of_proofs = if exhaustive { keys.iter().fold(EXHAUSTIVE ^ countdown, mix) } else { 0 };
        let parameters = team.limits.parameters.as_deref().unwrap_or(&DEFAULTS);
        Self {
            team,
            number,
            ordering: Ordering::new(),
            parameters,
            futility_margin: parameters.futility_margin_by(game.position().spec()),
            chances: team.tools.evaluation.chances(game.position()),
            stack: (0..=MAX_PLY + 1).map(|_| Ply::new()).collect(),
            accumulators: Accumulators::default(),
            evaluations: EvaluationCache::new(),
            keys,
            salt: team.tools.evaluation.salt() ^ salt_of_proofs,
            exhaustive,
            known_keys,
            nodes: 0,
            endgames: team.tools.endgames.map(Prober::new),
            table_hits: 0,
            child_keys: Vec::new(),
            root: game.position().undrawn(),
            selective_depth: 0,
            next_check: 0,
            depth: 0,
            deepest_report: 0,
            stopped: false,
        }
    }

    /// The key under which the table keeps `position`.
    #[inline(always)]
    pub(super) fn table_key(&self, position: &Position<W>) -> Key {
        position.search_key() ^ self.salt
    }

    /// Returns the static evaluation of `position`.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, position: &Position<W>) -> Score {
        let Self { team, accumulators, evaluations, .. } = self;
        evaluations.get_or_insert_with(position.key(), || Self::compute(team, accumulators, position))
    }

    /// Returns the static evaluation of a position that is not in the cache. Not inlined: there are many places that evaluate, and two of
    /// five know the answer already.
    #[inline(never)]
    fn compute(team: &Team<'a, W>, accumulators: &mut Accumulators<W>, position: &Position<W>) -> Score {
        Score::evaluation(team.tools.evaluation.evaluate_with(accumulators, position))
    }

    /// Returns whether the search has to end now. The first iteration is always finished, so that there is a move to play.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_check && self.depth > 1 {
            self.check_limits();
        }
        self.stopped
    }

    /// Ends the search if a limit has been reached, or it was asked to end.
    #[cold]
    pub(super) fn check_limits(&mut self) {
        self.tell_nodes();
        self.stopped |= if self.number > 0 { self.team.is_closed() } else { self.team.is_over() };
        let nodes_left = self.team.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.team.nodes()));
        self.next_check = self.nodes + NODES_PER_CHECK.min(nodes_left);
    }

    /// Tells the team how many positions this thread has searched.
    pub(super) fn tell_nodes(&self) {
        self.team.tell_nodes(self.number, self.nodes, self.table_hits);
    }
}
