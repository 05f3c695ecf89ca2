//! Move ordering by history and continuation history, and the move picker.

use super::score::Score;
use crate::board::Square;
use crate::position::{Move, MoveList, Position};
use crate::rules::{Color, Word};
use std::marker::PhantomData;

const HASH_MOVE: i32 = 1 << 24;
const CAPTURE: i32 = 1 << 20;
const PER_PIECE: i32 = 1 << 10;

const MAX_HISTORY: i32 = 1 << 14;

/// Number of step directions that the continuation history distinguishes.
const DIRECTIONS: usize = 4;

pub(super) struct Ordering<W: Word> {
    history: Vec<i16>,
    continuation: Vec<i16>,
    word: PhantomData<W>,
}

impl<W: Word> Ordering<W> {
    /// Number of bits of a bitboard. All square indices are below this number.
    const STRIDE: usize = 8 * size_of::<W>();

    pub(super) fn new() -> Self {
        let histories = 2 * Self::STRIDE * Self::STRIDE;
        Self { history: vec![0; histories], continuation: vec![0; histories * DIRECTIONS], word: PhantomData }
    }

    #[inline(always)]
    fn index(side: Color, from: Square, to: Square) -> usize {
        (side as usize * Self::STRIDE + from.index()) * Self::STRIDE + to.index()
    }

    #[inline(always)]
    fn continuation_index(side: Color, before: Square, mv: Move<W>) -> usize {
        let (from, to) = (mv.from.index(), mv.to.index());
        // This is not the actual direction, but a number that distinguishes the possible steps of a man.
        let direction = usize::from(to > from) * 2 + to.abs_diff(from) % 2;
        Self::index(side, before, mv.from) * DIRECTIONS + direction
    }

    /// Returns the ordering value of a move. The hash move has the highest value.
    #[inline(always)]
    pub(super) fn value(
        &self,
        position: &Position<W>,
        mv: Move<W>,
        (hash_move_code, previous): (u16, Option<Square>),
    ) -> i32 {
        if mv.code() == hash_move_code {
            return HASH_MOVE;
        }
        if mv.is_capture() {
            let kings = (mv.captured & position.pieces().kings).count() as i32;
            return CAPTURE + (mv.captured.count() as i32 * 2 + kings) * PER_PIECE;
        }
        let side = position.side();
        let continuation =
            previous.map_or(0, |previous| self.continuation[Self::continuation_index(side, previous, mv)]);
        i32::from(self.history[Self::index(side, mv.from, mv.to)]) + i32::from(continuation)
    }

    /// Rewards `best`, which caused a cutoff, and penalises the moves in `tried`, which were searched before it.
    pub(super) fn reward(
        &mut self,
        side: Color,
        best: Move<W>,
        (tried, previous): (&[Move<W>], Option<Square>),
        bonus: i32,
    ) {
        let others = tried.iter().map(|&mv| (mv, -bonus));
        for (mv, bonus) in [(best, bonus)].into_iter().chain(others) {
            adjust(&mut self.history[Self::index(side, mv.from, mv.to)], bonus);
            if let Some(previous) = previous {
                adjust(&mut self.continuation[Self::continuation_index(side, previous, mv)], bonus);
            }
        }
    }
}

/// Adds `bonus` to a history value with history gravity, which keeps the value within [`MAX_HISTORY`].
fn adjust(history: &mut i16, bonus: i32) {
    let value = i32::from(*history);
    *history = (value + 32 * bonus - value * bonus.abs() * 32 / MAX_HISTORY) as i16;
}

pub(super) struct MovePicker<W: Word> {
    /// The moves picked so far, in the order in which they were picked, followed by all other moves in any order.
    pub(super) moves: MoveList<W>,
    pub(super) values: Vec<i32>,
    picked: usize,
    pub(super) best: Score,
    /// The last move that raised alpha, and its index, or `None` if no move has raised alpha.
    pub(super) best_move: Option<(Move<W>, usize)>,
    alpha: Score,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PickedMove<W: Word> {
    pub(super) mv: Move<W>,
    pub(super) index: usize,
    pub(super) value: i32,
    pub(super) alpha: Score,
}

impl<W: Word> MovePicker<W> {
    #[inline]
    pub(super) fn new(moves: MoveList<W>, values: Vec<i32>, alpha: Score) -> Self {
        Self { moves, values, picked: 0, best: -Score::INFINITE, best_move: None, alpha }
    }

    #[inline]
    pub(super) fn pick(&mut self) -> Option<PickedMove<W>> {
        let index = self.picked;
        if index == self.moves.len() {
            return None;
        }
        bring_best_forward(&mut self.moves, &mut self.values, index);
        self.picked += 1;
        Some(PickedMove { mv: self.moves[index], index, value: self.values[index], alpha: self.alpha })
    }

    /// Records the score of a picked move. Returns whether the score raises alpha.
    #[inline]
    pub(super) fn update(&mut self, picked: &PickedMove<W>, score: Score) -> bool {
        self.best = self.best.max(score);
        let is_better = score > self.alpha;
        if is_better {
            self.alpha = score;
            self.best_move = Some((picked.mv, picked.index));
        }
        is_better
    }
}

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
    use crate::search::parallel::testing::english_start;

    #[test]
    fn moves_are_picked_in_order_of_value() {
        let legal = english_start().legal_moves();
        let mut picker = MovePicker::new(legal.clone(), vec![3, 1, 7, 5, 0, 2, 4], Score::DRAW);
        let first = PickedMove { mv: legal[2], index: 0, value: 7, alpha: Score::DRAW };
        assert_eq!(picker.pick(), Some(first));
        assert!(picker.update(&first, Score::DRAW + 5));
        let second = PickedMove { mv: legal[3], index: 1, value: 5, alpha: Score::DRAW + 5 };
        assert_eq!(picker.pick(), Some(second));
        assert!(!picker.update(&second, Score::DRAW + 5));
        let rest: Vec<i32> = std::iter::from_fn(|| picker.pick()).map(|picked| picked.value).collect();
        assert_eq!(rest, [4, 3, 2, 1, 0]);
        assert_eq!((picker.best, picker.best_move), (Score::DRAW + 5, Some((first.mv, 0))));
    }

    #[test]
    fn moves_below_alpha_still_have_a_score() {
        let legal = english_start().legal_moves();
        let mut picker = MovePicker::new(legal, vec![0; 7], Score::DRAW);
        for score in [Score::DRAW - 7, Score::DRAW - 9] {
            let picked = picker.pick().unwrap();
            assert!(!picker.update(&picked, score));
        }
        assert_eq!((picker.best, picker.best_move), (Score::DRAW - 7, None));
    }
}
