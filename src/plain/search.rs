//! The search of the plain players: minimax and alpha-beta.

use super::{Plain, PlainPlayer, PlainStyle};
use crate::eval::Evaluator;
use crate::position::{Key, Move, MoveList, Position};
use crate::rules::{Color, Word};
use crate::search::{Bound, Entry, RootMove, Score, Team};
use std::cmp::Reverse;

/// Nodes between two looks at the clock.
const NODES_PER_CHECK: u64 = 1024;

/// Marks the positions of plain searches in the table.
const PLAIN: Key = 0x2545_f491_4f6c_dd1d;

/// A plain search under way.
pub(super) struct PlainSearch<'a, W: Word> {
    pub(super) team: &'a Team<'a, W>,
    pub(super) player: PlainPlayer,
    plain: Option<Plain>,
    /// The side for which the search is made: some evaluations see the two sides differently.
    own: Color,
    /// Mixed into the table's keys.
    salt: Key,
    moves: Vec<MoveList<W>>,
    /// The principal variation from each ply on.
    lines: Vec<Vec<Move<W>>>,
    /// How much each move of a side has cut off, by side and code; empty for players that do not order moves.
    cuts: Vec<u64>,
    nodes: u64,
    next_check: u64,
    /// True if the iteration is finished whatever the limits say.
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

    /// Makes room for a search of so many plies, and forgets the lines of one that was stopped.
    fn make_room(&mut self, depth: u8) {
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
        match &self.plain {
            Some(plain) => self.seen_by(position.side(), plain.of_pieces(position.pieces(), self.own)),
            None => Score::evaluation(self.team.tools.evaluation.evaluate(position)),
        }
    }

    /// The score for `side` of what is worth `value` to the side for which the search is made.
    #[inline(always)]
    fn seen_by(&self, side: Color, value: i32) -> Score {
        Score::evaluation(if side == self.own { value } else { -value })
    }

    /// The score of the leaf after `mv` in `position` for the side to move there.
    #[inline(always)]
    fn leaf_after(&self, position: &Position<W>, mv: Move<W>, ply: usize) -> Score {
        // Most nodes of a tree are leaves, and most evaluations look at the pieces alone: minimax takes a seventh less time
        // without the keys and counters of whole positions.
        if let Some(plain) = &self.plain
            && position.spec().king_moves.is_none()
        {
            let pieces = position.pieces_after(mv);
            let side = position.side().opponent();
            if position.rules().has_move(&pieces, side) {
                return self.seen_by(side, plain.of_pieces(&pieces, self.own));
            }
        }
        self.leaf(&position.play(mv), ply)
    }

    /// The bonus for `mv` itself in `position`, in 1/100 man, beside what it leads to.
    #[inline]
    fn gain(&self, position: &Position<W>, mv: Move<W>) -> i32 {
        match &self.plain {
            // Only the own moves are rewarded.
            Some(plain) if plain.counts_moves() && position.side() == self.own => plain.of_move(position, mv),
            _ => 0,
        }
    }

    /// The score of a node whose move `mv` leads to one that is worth `score`, both for the side that moves.
    #[inline]
    fn with_gain(&self, score: Score, position: &Position<W>, mv: Move<W>) -> Score {
        let gain = self.gain(position, mv);
        if gain == 0 { score } else { score.shifted(gain) }
    }

    /// The inverse of [`PlainSearch::with_gain`] for a bound of the window.
    #[inline]
    fn without_gain(&self, bound: Score, position: &Position<W>, mv: Move<W>) -> Score {
        let gain = self.gain(position, mv);
        if gain == 0 { bound } else { bound.shifted(-gain) }
    }

    /// How much `mv` of `side` has cut off, where that is counted.
    fn cuts_of(&mut self, side: Color, mv: Move<W>) -> Option<&mut u64> {
        self.cuts.get_mut(((side as usize) << u16::BITS) + usize::from(mv.code()))
    }

    /// Counts a node, and looks at the limits from time to time. Whether the search has to end.
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
        self.stopped |= self.team.is_over();
        let nodes_left = self.team.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes));
        self.next_check = self.nodes + NODES_PER_CHECK.min(nodes_left);
    }

    fn report_nodes(&self) {
        self.team.tell_nodes(0, self.nodes, 0);
    }

    /// Makes `mv` and the line after it the line of `ply`.
    fn extend_line(&mut self, ply: usize, mv: Move<W>) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(mv);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// Searches `moves` to `depth` plies, and puts the best of them first: of equal ones that which came first. After a
    /// stop it is the best of those that were searched. Returns whether any was.
    pub(super) fn visit_root(&mut self, position: &Position<W>, moves: &mut [RootMove<W>], depth: u8) -> bool {
        self.make_room(depth);
        let mut best = None;
        for (index, root) in moves.iter_mut().enumerate() {
            if self.count_node() {
                break;
            }
            let mv = root.mv;
            let least = best.map_or(-Score::INFINITE, |(_, score)| score);
            let score = self.visit_child(position, mv, (least, Score::INFINITE), depth, 0);
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

    /// The score of `mv` in `position` for the side that plays it, searched to `depth` plies from `position`.
    fn visit_child(
        &mut self,
        position: &Position<W>,
        mv: Move<W>,
        (alpha, beta): (Score, Score),
        depth: u8,
        ply: usize,
    ) -> Score {
        let score = if depth == 1 {
            -self.leaf_after(position, mv, ply + 1)
        } else {
            let (alpha, beta) = match self.player {
                // Every line is looked at.
                PlainPlayer::Minimax => (-Score::INFINITE, Score::INFINITE),
                _ => (self.without_gain(alpha, position, mv), self.without_gain(beta, position, mv)),
            };
            -self.visit(&position.play(mv), (-beta, -alpha), depth - 1, ply + 1)
        };
        self.with_gain(score, position, mv)
    }

    /// The best that can be reached from `position`, within a window: a score at or below `alpha` is an upper bound, one at or above
    /// `beta` a lower bound.
    fn visit(&mut self, position: &Position<W>, (mut alpha, beta): (Score, Score), depth: u8, ply: usize) -> Score {
        self.lines[ply].clear();
        let key = (self.player == PlainPlayer::Memory).then(|| position.search_key() ^ self.salt);
        let entry = key.and_then(|key| self.team.tools.table.probe(key));
        // Only what was searched exactly as deep is worth the same.
        if let Some(entry) = entry.filter(|entry| entry.depth == depth)
            && let Some(score) = usable(&entry, (alpha, beta), ply)
        {
            return score;
        }
        let mut moves = std::mem::take(&mut self.moves[ply]);
        position.moves(&mut moves);
        if self.player.orders_moves() {
            self.order(position, &mut moves, entry.map_or(0, |entry| entry.code));
        }
        let lower = alpha;
        let mut best = if moves.is_empty() { Score::without_move(position, ply) } else { -Score::INFINITE };
        let mut best_code = 0;
        for &mv in moves.iter() {
            if self.count_node() {
                break;
            }
            let score = self.visit_child(position, mv, (alpha, beta), depth, ply);
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
            self.remember(key, (best, best_code), (lower, beta), depth, ply);
        }
        best
    }

    /// Puts the move with `table_code` first, then captures of many pieces, then what has cut most elsewhere.
    fn order(&mut self, position: &Position<W>, moves: &mut [Move<W>], table_code: u16) {
        let side = position.side();
        moves.sort_by_cached_key(|mv| {
            let cuts = self.cuts_of(side, *mv).copied();
            Reverse((mv.code() == table_code, mv.captured.count(), cuts))
        });
    }

    fn remember(&self, key: Key, (score, code): (Score, u16), (alpha, beta): (Score, Score), depth: u8, ply: usize) {
        let bound = match score {
            score if score >= beta => Bound::Lower,
            score if score <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        self.team.tools.table.store(key, Entry { code, score: score.at_position(ply), depth, bound });
    }
}

/// The score of `entry`, if it decides a node with this window.
fn usable(entry: &Entry, (alpha, beta): (Score, Score), ply: usize) -> Option<Score> {
    let score = Score::at_root(entry.score, ply);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    decides.then_some(score)
}
