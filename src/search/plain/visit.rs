//! The recursions.

use super::PlainPlayer;
use super::node::PlainSearch;
use crate::position::{Key, Move, Position};
use crate::rules::Word;
use crate::search::root_move::RootMove;
use crate::search::table::Entry;
use crate::search::{Bound, Score};
use std::cmp::Reverse;

impl<W: Word> PlainSearch<'_, W> {
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
        self.tell_nodes();
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
        } else if self.player == PlainPlayer::Minimax {
            -self.minimax(&position.play(mv), depth - 1, ply + 1)
        } else {
            let (alpha, beta) = (self.without_gain(alpha, position, mv), self.without_gain(beta, position, mv));
            -self.alpha_beta(&position.play(mv), (-beta, -alpha), depth - 1, ply + 1)
        };
        self.with_gain(score, position, mv)
    }

    /// The best that can be reached from `position`; every line is looked at.
    fn minimax(&mut self, position: &Position<W>, depth: u8, ply: usize) -> Score {
        let mut moves = std::mem::take(&mut self.moves[ply]);
        position.moves(&mut moves);
        self.lines[ply].clear();
        let mut best = if moves.is_empty() { Score::without_move(position, ply) } else { -Score::INFINITE };
        if depth == 1 {
            best = best.max(self.best_leaf(position, &moves, ply));
        } else {
            for &mv in moves.iter() {
                if self.count_node() {
                    break;
                }
                let score = -self.minimax(&position.play(mv), depth - 1, ply + 1);
                let score = self.with_gain(score, position, mv);
                if score > best {
                    best = score;
                    self.extend_line(ply, mv);
                }
            }
        }
        self.moves[ply] = moves;
        best
    }

    /// The best of `moves` when the positions after them are leaves.
    fn best_leaf(&mut self, position: &Position<W>, moves: &[Move<W>], ply: usize) -> Score {
        let (mut best, mut best_move) = (-Score::INFINITE, None);
        for &mv in moves {
            if self.count_node() {
                break;
            }
            let score = self.with_gain(-self.leaf_after(position, mv, ply + 1), position, mv);
            if score > best {
                (best, best_move) = (score, Some(mv));
            }
        }
        if let Some(mv) = best_move {
            self.extend_line(ply, mv);
        }
        best
    }

    /// The same within a window: a score at or below `alpha` is an upper bound, one at or above `beta` a lower bound.
    fn alpha_beta(
        &mut self,
        position: &Position<W>,
        (mut alpha, beta): (Score, Score),
        depth: u8,
        ply: usize,
    ) -> Score {
        self.lines[ply].clear();
        let key = position.search_key() ^ self.salt;
        let entry = if self.player == PlainPlayer::Memory { self.team.table.probe(key) } else { None };
        // Only what was searched exactly as deep is worth the same.
        if let Some(entry) = entry.filter(|entry| entry.depth == depth)
            && let Some(score) = usable(&entry, (alpha, beta), ply)
        {
            return score;
        }
        let mut moves = std::mem::take(&mut self.moves[ply]);
        position.moves(&mut moves);
        if self.player.orders() {
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
        if self.player == PlainPlayer::Memory && !self.stopped {
            self.remember(key, (best, best_code), (lower, beta), depth, ply);
        }
        best
    }

    /// Puts the move with `hash_code` first, then captures of many pieces, then what has cut most elsewhere.
    fn order(&mut self, position: &Position<W>, moves: &mut [Move<W>], hash_code: u16) {
        let side = position.side();
        moves.sort_by_cached_key(|mv| {
            let cuts = self.cuts_of(side, *mv).copied();
            Reverse((mv.code() == hash_code, mv.captured.count(), cuts))
        });
    }

    fn remember(&self, key: Key, (score, code): (Score, u16), (alpha, beta): (Score, Score), depth: u8, ply: usize) {
        let bound = match score {
            score if score >= beta => Bound::Lower,
            score if score <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        self.team.table.store(key, Entry { code, score: score.at_position(ply), depth, bound });
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
