//! A position while its moves are searched: what stays the same meanwhile, and the picker of its moves.

use super::score::Score;
use crate::position::{Move, MoveList};
use crate::rules::Word;

/// What the search of the moves of a position begins with.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// Plies to go.
    pub(super) depth: i32,
    /// Plies to go after a move.
    pub(super) child_depth: i32,
    pub(super) beta: Score,
    pub(super) ply: usize,
    /// Code of the move that the table knows, 0 for none.
    pub(super) hash_code: u16,
    /// Plies by which that one is searched deeper, or less deeply if below 0.
    pub(super) extension: i32,
}

/// Picks the moves of a position in the order of their promise, and keeps the best of those that have been searched.
pub(super) struct MovePicker<W: Word> {
    /// In the order in which they are searched, as far as they have had their turn.
    pub(super) moves: MoveList<W>,
    /// The ordering value of each of `moves`.
    pub(super) values: Vec<i32>,
    /// Moves that have had their turn.
    begun: usize,
    pub(super) best: Score,
    /// The last move that was better than alpha, and its place in the order.
    pub(super) best_move: Option<(Move<W>, usize)>,
    alpha: Score,
}

/// A move whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn<W: Word> {
    pub(super) mv: Move<W>,
    /// Its place in the order.
    pub(super) index: usize,
    /// Its ordering value.
    pub(super) value: i32,
    /// The score that it has to exceed.
    pub(super) alpha: Score,
}

impl<W: Word> MovePicker<W> {
    /// A picker of `moves`, whose ordering values are `values`; none has been searched yet.
    #[inline]
    pub(super) fn new(moves: MoveList<W>, values: Vec<i32>, alpha: Score) -> Self {
        Self { moves, values, begun: 0, best: -Score::INFINITE, best_move: None, alpha }
    }

    /// Whether there are moves that have not had their turn.
    #[inline]
    pub(super) fn has_more(&self) -> bool {
        self.begun < self.moves.len()
    }

    /// The most promising move of those that have not had their turn.
    #[inline]
    pub(super) fn next_turn(&mut self) -> Option<Turn<W>> {
        if !self.has_more() {
            return None;
        }
        let index = self.begun;
        bring_best_forward(&mut self.moves, &mut self.values, index);
        self.begun += 1;
        Some(Turn { mv: self.moves[index], index, value: self.values[index], alpha: self.alpha })
    }

    /// Notes that the move of `turn` is worth `score`. Returns whether it is better than alpha.
    #[inline]
    pub(super) fn note(&mut self, turn: &Turn<W>, score: Score) -> bool {
        self.best = self.best.max(score);
        let is_better = score > self.alpha;
        if is_better {
            self.alpha = score;
            self.best_move = Some((turn.mv, turn.index));
        }
        is_better
    }
}

/// Plies to go after each of the legal `moves` of a position with `depth` plies to go. A forced move is no choice: it costs none.
#[inline]
pub(super) fn child_depth<W: Word>(depth: i32, moves: &[Move<W>]) -> i32 {
    if moves.len() == 1 && depth > 0 { depth } else { depth - 1 }
}

/// Swaps the move of the highest value among those from `index` on to `index`.
#[inline]
fn bring_best_forward<W: Word>(moves: &mut [Move<W>], values: &mut [i32], index: usize) {
    let mut best = index;
    for other in index + 1..values.len() {
        if values[other] > values[best] {
            best = other;
        }
    }
    moves.swap(index, best);
    values.swap(index, best);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::team::testing::english_start;

    #[test]
    fn moves_have_their_turns_in_the_order_of_their_promise() {
        let legal = english_start().legal_moves();
        let mut picker = MovePicker::new(legal.clone(), vec![3, 1, 7, 5, 0, 2, 4], Score::DRAW);
        let first = Turn { mv: legal[2], index: 0, value: 7, alpha: Score::DRAW };
        assert_eq!(picker.next_turn(), Some(first));
        assert!(picker.note(&first, Score::DRAW + 5));
        let second = Turn { mv: legal[3], index: 1, value: 5, alpha: Score::DRAW + 5 };
        assert_eq!(picker.next_turn(), Some(second));
        assert!(!picker.note(&second, Score::DRAW + 5));
        let rest: Vec<i32> = std::iter::from_fn(|| picker.next_turn()).map(|turn| turn.value).collect();
        assert_eq!(rest, [4, 3, 2, 1, 0]);
        assert!(!picker.has_more());
        assert_eq!((picker.best, picker.best_move), (Score::DRAW + 5, Some((first.mv, 0))));
    }

    #[test]
    fn what_is_no_better_than_alpha_still_has_a_score() {
        let legal = english_start().legal_moves();
        let mut picker = MovePicker::new(legal, vec![0; 7], Score::DRAW);
        for score in [Score::DRAW - 7, Score::DRAW - 9] {
            let turn = picker.next_turn().unwrap();
            assert!(!picker.note(&turn, score));
        }
        assert_eq!((picker.best, picker.best_move), (Score::DRAW - 7, None));
    }
}
