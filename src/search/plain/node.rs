//! What a plain search keeps.

use super::PlainPlayer;
use crate::eval::Evaluation;
use crate::position::{Key, Move, MoveList, Position};
use crate::rules::{Color, Word};
use crate::search::Score;
use crate::search::team::Team;

/// Nodes between two looks at the clock.
const NODES_PER_CHECK: u64 = 1024;

/// Marks the positions of plain searches in the table.
const PLAIN: Key = 0x2545_f491_4f6c_dd1d;

/// A plain search under way.
pub(super) struct PlainSearch<'a, W: Word> {
    pub(super) team: &'a Team<'a, W>,
    pub(super) player: PlainPlayer,
    evaluation: &'a Evaluation<W>,
    /// The side for which the search is made: some evaluations see the two sides differently.
    own: Color,
    counts_moves: bool,
    /// What the table's keys are mixed with.
    pub(super) salt: Key,
    /// The moves of each ply.
    pub(super) moves: Vec<MoveList<W>>,
    /// The principal variation from each ply on.
    pub(super) lines: Vec<Vec<Move<W>>>,
    /// How much each move of a side has cut off, by side and code; empty for players that do not order moves.
    cuts: Vec<u64>,
    pub(super) nodes: u64,
    next_check: u64,
    /// Whether the iteration is finished whatever the limits say.
    pub(super) must_finish: bool,
    pub(super) stopped: bool,
}

impl<'a, W: Word> PlainSearch<'a, W> {
    pub(super) fn new(team: &'a Team<'a, W>, player: PlainPlayer, root: &Position<W>) -> Self {
        let (evaluation, own) = (team.evaluation, root.side());
        let salt = evaluation.salt() ^ PLAIN.rotate_left(own as u32);
        Self {
            team,
            player,
            evaluation,
            own,
            counts_moves: evaluation.counts_moves(),
            salt,
            moves: Vec::new(),
            lines: Vec::new(),
            cuts: if player.orders() { vec![0; 2 << u16::BITS] } else { Vec::new() },
            nodes: 0,
            next_check: 0,
            must_finish: false,
            stopped: false,
        }
    }

    /// Makes room for a search of so many plies, and forgets the lines of one that was stopped.
    pub(super) fn make_room(&mut self, depth: u8) {
        self.moves.resize_with(usize::from(depth) + 1, MoveList::new);
        self.lines.iter_mut().for_each(Vec::clear);
        self.lines.resize_with(usize::from(depth) + 2, Vec::new);
    }

    /// The score of a leaf for the side to move: that of a finished game, or the evaluation.
    // Kept out of the loop over leaves: with most evaluations hardly any of them comes here.
    #[inline(never)]
    fn leaf(&self, position: &Position<W>, ply: usize) -> Score {
        if !position.has_move() {
            return Score::without_move(position, ply);
        }
        let value = self.evaluation.of_position(position, self.own);
        Score::evaluation(if position.side() == self.own { value } else { -value })
    }

    /// The score of the leaf after `mv` in `position` for the side to move there.
    #[inline(always)]
    pub(super) fn leaf_after(&self, position: &Position<W>, mv: Move<W>, ply: usize) -> Score {
        // Most nodes of a tree are leaves, and most evaluations look at the pieces alone: minimax takes a seventh less time
        // without the keys and counters of whole positions.
        if let Evaluation::Plain(evaluation) = self.evaluation
            && position.spec().king_moves.is_none()
        {
            let pieces = position.pieces_after(mv);
            let side = position.side().opponent();
            if position.rules().has_move(&pieces, side) {
                let value = evaluation.of_pieces(&pieces, self.own);
                return Score::evaluation(if side == self.own { value } else { -value });
            }
        }
        self.leaf(&position.play(mv), ply)
    }

    /// What `mv` in `position` is worth to the side that makes it, in 1/100 man, beside what it leads to.
    #[inline]
    fn gain(&self, position: &Position<W>, mv: Move<W>) -> i32 {
        // Only the own moves are rewarded.
        if self.counts_moves && position.side() == self.own { self.evaluation.of_move(position, mv) } else { 0 }
    }

    /// The score of a node whose move `mv` leads to one that is worth `score`, both for the side that moves.
    #[inline]
    pub(super) fn with_gain(&self, score: Score, position: &Position<W>, mv: Move<W>) -> Score {
        let gain = self.gain(position, mv);
        if gain == 0 { score } else { score.shifted(gain) }
    }

    /// The inverse of [`PlainSearch::with_gain`] for a bound of the window.
    #[inline]
    pub(super) fn without_gain(&self, bound: Score, position: &Position<W>, mv: Move<W>) -> Score {
        let gain = self.gain(position, mv);
        if gain == 0 { bound } else { bound.shifted(-gain) }
    }

    /// How much `mv` of `side` has cut off, where that is counted.
    pub(super) fn cuts_of(&mut self, side: Color, mv: Move<W>) -> Option<&mut u64> {
        self.cuts.get_mut(((side as usize) << u16::BITS) + usize::from(mv.code()))
    }

    /// Counts a node, and looks at the limits from time to time. Whether the search has to end.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        if !self.stopped {
            self.nodes += 1;
            if self.nodes >= self.next_check && !self.must_finish {
                self.check_limits();
            }
        }
        self.stopped
    }

    #[cold]
    fn check_limits(&mut self) {
        self.tell_nodes();
        self.stopped |= self.team.is_over();
        let nodes_left = self.team.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes));
        self.next_check = self.nodes + NODES_PER_CHECK.min(nodes_left);
    }

    /// Tells how many positions were searched.
    pub(super) fn tell_nodes(&self) {
        self.team.tell_nodes(0, self.nodes, 0);
    }

    /// Makes `mv` and the line after it the line of `ply`.
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move<W>) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(mv);
        head[ply].extend_from_slice(&tail[0]);
    }
}
