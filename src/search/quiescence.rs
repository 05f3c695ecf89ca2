//! Quiescence search, which resolves all captures before a position is evaluated.

use super::score::{MAX_PLY, Score};
use super::thread::Search;
use crate::position::Position;
use crate::rules::Word;

impl<W: Word> Search<'_, W> {
    /// Searches all captures of both sides and evaluates quiet positions. `can_capture` states whether the side to move
    /// can capture.
    ///
    /// If captures are compulsory, there is no stand-pat score. If they are not, a side can decline to capture, so the
    /// static evaluation is a lower bound.
    pub(super) fn quiescence(
        &mut self,
        position: &Position<W>,
        can_capture: bool,
        (mut alpha, beta): (Score, Score),
        ply: usize,
    ) -> Score {
        self.selective_depth = self.selective_depth.max(ply);
        if !can_capture {
            if !position.has_move() {
                return Score::without_move(position, ply);
            }
            return if position.draw_by_count().is_some() {
                let score = self.evaluate(position);
                self.drawn(score)
            } else {
                self.leaf_score(position, ply)
            };
        }
        if ply >= MAX_PLY || self.must_stop() {
            return self.evaluate(position);
        }
        let mut best = -Score::INFINITE;
        let mut moves = std::mem::take(&mut self.stack[ply].moves);
        position.captures(&mut moves);
        let settled = if moves.is_empty() {
            // The promotion of a man ended the game before the capture could be played.
            Some(Score::without_move(position, ply))
        } else if position.draw_by_count().is_some() {
            Some(self.score_after_draw((alpha, beta), |search, (alpha, beta)| {
                search.quiescence(&position.with_fresh_counts(), can_capture, (alpha, beta), ply)
            }))
        } else if position.rules().compulsory() {
            None
        } else {
            best = self.evaluate(position);
            alpha = alpha.max(best);
            (best >= beta).then_some(best)
        };
        if let Some(score) = settled {
            self.stack[ply].moves = moves;
            return score;
        }
        for &mv in moves.iter() {
            let child = self.make(position, mv, ply);
            let can_capture = child.can_capture(child.side());
            let score = -self.quiescence(&child, can_capture, (-beta, -alpha), ply + 1);
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.stack[ply].moves = moves;
        best
    }
}
