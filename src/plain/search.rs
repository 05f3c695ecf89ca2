//! Minimax and alpha-beta search for the plain players.

use super::{Plain, PlainPlayer, PlainStyle};
use crate::eval::Evaluator;
use crate::position::{Key, Move, MoveList, Position};
use crate::rules::{Color, Word};
use crate::search::{Bound, Entry, RootMove, Score, Team};
use std::cmp::Reverse;

/// The alpha-beta window. A search must return the exact score if it lies between the two bounds.
#[derive(Clone, Copy)]
struct Window {
    alpha: Score,
    beta: Score,
}

const NODES_PER_CHECK: u64 = 1024;

/// Salt that separates the entries of plain searches from other entries in the transposition table.
const PLAIN: Key = 0x2545_f491_4f6c_dd1d;

pub(super) struct PlainSearch<'a, W: Word> {
    pub(super) team: &'a Team<'a, W>,
    pub(super) player: PlainPlayer,
    plain: Option<Plain>,
    /// The side to move at the root. All positions are evaluated from its point of view, because some evaluations are
    /// not symmetric.
    own: Color,
    salt: Key,
    moves: Vec<MoveList<W>>,
    lines: Vec<Vec<Move<W>>>,
    /// The cutoff history by side and move code. It is empty for players without move ordering.
    cuts: Vec<u64>,
    nodes: u64,
    next_check: u64,
    /// Whether the iteration must be completed despite the limits.
    pub(super) must_finish: bool,
    pub(super) stopped: bool,
}

impl<'a, W: Word> PlainSearch<'a, W> {
    pub(super) fn new(team: &'a Team<'a, W>, style: PlainStyle, root: &Position<W>) -> Self {
        let PlainStyle { player, evaluation: plain, .. } = style;
        let own = root.side();
        let salt = plain.map_or_else(|| team.tools.evaluation.salt(), |plain| Evaluator::<W>::salt(&plain));
        Self {
            team,
            player,
            plain,
            own,
            salt: salt ^ PLAIN.rotate_left(own as u32),
            moves: Vec::new(),
            lines: Vec::new(),
            cuts: if player.orders_moves() { vec![0; 2 << u16::BITS] } else { Vec::new() },
            nodes: 0,
            next_check: 0,
            must_finish: false,
            stopped: false,
        }
    }

    fn resize(&mut self, depth: u8) {
        self.moves.resize_with(usize::from(depth) + 1, MoveList::new);
        self.lines.iter_mut().for_each(Vec::clear);
        self.lines.resize_with(usize::from(depth) + 2, Vec::new);
    }

    /// Returns the score of a leaf from the point of view of the side to move.
    // This function is not inlined, because with most evaluations few leaves reach it.
    #[inline(never)]
    fn leaf(&self, position: &Position<W>, ply: usize) -> Score {
        if !position.has_move() {
            return Score::without_move(position, ply);
        }
        match &self.plain {
            Some(plain) => self.score_for(position.side(), plain.of_pieces(position.pieces(), self.own)),
            None => Score::evaluation(self.team.tools.evaluation.evaluate(position)),
        }
    }

    #[inline(always)]
    fn score_for(&self, side: Color, value: i32) -> Score {
        Score::evaluation(if side == self.own { value } else { -value })
    }

    /// Returns the score of the leaf after `mv`, from the point of view of the side to move at the leaf.
    #[inline(always)]
    fn leaf_after(&self, position: &Position<W>, mv: Move<W>, ply: usize) -> Score {
        // Most nodes are leaves, and most evaluations use only the pieces. Not computing the keys and counters of
        // leaves saves minimax one seventh of its time.
        if let Some(plain) = &self.plain
            && position.spec().king_moves.is_none()
        {
            let pieces = position.pieces_after(mv);
            let side = position.side().opponent();
            if position.rules().has_move(&pieces, side) {
                return self.score_for(side, plain.of_pieces(&pieces, self.own));
            }
        }
        self.leaf(&position.play(mv), ply)
    }

    #[inline]
    fn gain(&self, position: &Position<W>, mv: Move<W>) -> i32 {
        match &self.plain {
            Some(plain) if plain.counts_moves() && position.side() == self.own => plain.of_move(position, mv),
            _ => 0,
        }
    }

    #[inline]
    fn with_gain(&self, score: Score, position: &Position<W>, mv: Move<W>) -> Score {
        let gain = self.gain(position, mv);
        if gain == 0 { score } else { score.shifted(gain) }
    }

    #[inline]
    fn without_gain(&self, bound: Score, position: &Position<W>, mv: Move<W>) -> Score {
        let gain = self.gain(position, mv);
        if gain == 0 { bound } else { bound.shifted(-gain) }
    }

    fn cuts_of(&mut self, side: Color, mv: Move<W>) -> Option<&mut u64> {
        self.cuts.get_mut(((side as usize) << u16::BITS) + usize::from(mv.code()))
    }

    /// Counts a node and checks the limits periodically. Returns whether the search has to stop.
    #[inline]
    fn count_node(&mut self) -> bool {
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
        self.report_nodes();
        self.stopped |= self.team.must_stop();
        let nodes_left = self.team.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes));
        self.next_check = self.nodes + NODES_PER_CHECK.min(nodes_left);
    }

    fn report_nodes(&self) {
        self.team.publish_counts(0, self.nodes, 0);
    }

    fn extend_line(&mut self, ply: usize, mv: Move<W>) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(mv);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// Searches `moves` to `depth` plies and moves the best move to the front. If several moves have the best score,
    /// the first of them counts as the best move. After a stop, only the moves that have been searched are considered.
    /// Returns whether any move has been searched.
    pub(super) fn visit_root(&mut self, position: &Position<W>, moves: &mut [RootMove<W>], depth: u8) -> bool {
        self.resize(depth);
        let mut best = None;
        for (index, root) in moves.iter_mut().enumerate() {
            if self.count_node() {
                break;
            }
            let mv = root.mv;
            let least = best.map_or(-Score::INFINITE, |(_, score)| score);
            let score = self.visit_child(position, mv, Window { alpha: least, beta: Score::INFINITE }, depth, 0);
            if self.stopped {
                break;
            }
            if score > least {
                best = Some((index, score));
                self.extend_line(0, mv);
                root.score = score;
                root.line.clone_from(&self.lines[0]);
            }
        }
        if let Some((index, _)) = best {
            moves[..=index].rotate_right(1);
        }
        self.report_nodes();
        best.is_some()
    }

    fn visit_child(&mut self, position: &Position<W>, mv: Move<W>, window: Window, depth: u8, ply: usize) -> Score {
        let score = if depth == 1 {
            -self.leaf_after(position, mv, ply + 1)
        } else {
            let (alpha, beta) = match self.player {
                PlainPlayer::Minimax => (-Score::INFINITE, Score::INFINITE),
                _ => (self.without_gain(window.alpha, position, mv), self.without_gain(window.beta, position, mv)),
            };
            -self.visit(&position.play(mv), Window { alpha: -beta, beta: -alpha }, depth - 1, ply + 1)
        };
        self.with_gain(score, position, mv)
    }

    /// Searches a position. The search is fail-soft: a score at or below `window.alpha` is an upper bound, and a score
    /// at or above `window.beta` is a lower bound.
    fn visit(&mut self, position: &Position<W>, window: Window, depth: u8, ply: usize) -> Score {
        self.lines[ply].clear();
        let key = (self.player == PlainPlayer::Memory).then(|| position.search_key() ^ self.salt);
        let entry = key.and_then(|key| self.team.tools.table.probe(key));
        // Only an entry with exactly this depth has the score that the search would return.
        if let Some(entry) = entry.filter(|entry| entry.depth == depth)
            && let Some(score) = usable(&entry, window, ply)
        {
            return score;
        }
        let mut moves = std::mem::take(&mut self.moves[ply]);
        position.moves(&mut moves);
        if self.player.orders_moves() {
            self.order(position, &mut moves, entry.map_or(0, |entry| entry.code));
        }
        let Window { mut alpha, beta } = window;
        let mut best = if moves.is_empty() { Score::without_move(position, ply) } else { -Score::INFINITE };
        let mut best_code = 0;
        for &mv in moves.iter() {
            if self.count_node() {
                break;
            }
            let score = self.visit_child(position, mv, Window { alpha, beta }, depth, ply);
            if score <= best {
                continue;
            }
            best = score;
            if score > alpha {
                best_code = mv.code();
                alpha = score;
                self.extend_line(ply, mv);
            }
            if score >= beta {
                if let Some(cuts) = self.cuts_of(position.side(), mv) {
                    *cuts += u64::from(depth) * u64::from(depth);
                }
                break;
            }
        }
        self.moves[ply] = moves;
        if let Some(key) = key.filter(|_| !self.stopped) {
            let bound = match best {
                score if score >= beta => Bound::Lower,
                score if score <= window.alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            let entry = Entry { code: best_code, score: best.at_position(ply), depth, bound };
            self.team.tools.table.store(key, entry);
        }
        best
    }

    /// Sorts the moves. The move from the transposition table comes first, then captures by the number of captured
    /// pieces, then quiet moves by their cutoff history.
    fn order(&mut self, position: &Position<W>, moves: &mut [Move<W>], hash_move_code: u16) {
        let side = position.side();
        moves.sort_by_cached_key(|mv| {
            let cuts = self.cuts_of(side, *mv).copied();
            Reverse((mv.code() == hash_move_code, mv.captured.count(), cuts))
        });
    }
}

fn usable(entry: &Entry, window: Window, ply: usize) -> Option<Score> {
    let score = Score::at_root(entry.score, ply);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    decides.then_some(score)
}
