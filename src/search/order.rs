//! Move ordering by history and continuation history.

use crate::board::Square;
use crate::position::{Move, Position};
use crate::rules::{Color, Word};
use std::marker::PhantomData;

const HASH_MOVE: i32 = 1 << 24;
const CAPTURE: i32 = 1 << 20;
const PER_PIECE: i32 = 1 << 10;

/// Histories stay within this bound.
const MAX_HISTORY: i32 = 1 << 14;

/// Kinds of steps that continuation histories tell apart.
const DIRECTIONS: usize = 4;

/// The history of each quiet move: how often it caused a cutoff.
pub(super) struct Ordering<W: Word> {
    history: Vec<i16>,
    /// Continuation history: the same for each kind and destination of the move before.
    continuation: Vec<i16>,
    word: PhantomData<W>,
}

impl<W: Word> Ordering<W> {
    /// One more than the highest index of a square that a set can hold.
    const STRIDE: usize = 8 * size_of::<W>();

    pub(super) fn new() -> Self {
        let histories = 2 * Self::STRIDE * Self::STRIDE;
        Self { history: vec![0; histories], continuation: vec![0; histories * DIRECTIONS], word: PhantomData }
    }

    #[inline(always)]
    fn index(side: Color, from: Square, to: Square) -> usize {
        (side as usize * Self::STRIDE + from.index()) * Self::STRIDE + to.index()
    }

    /// The index of `mv` in the continuation history of a move to `before`.
    #[inline(always)]
    fn continuation_index(side: Color, before: Square, mv: Move<W>) -> usize {
        let (from, to) = (mv.from.index(), mv.to.index());
        // Not the direction itself, but a number that tells the steps of a man apart.
        let direction = usize::from(to > from) * 2 + to.abs_diff(from) % 2;
        Self::index(side, before, mv.from) * DIRECTIONS + direction
    }

    /// How promising `mv` is; the highest value is tried first.
    #[inline(always)]
    pub(super) fn value(
        &self,
        position: &Position<W>,
        mv: Move<W>,
        (hash_code, previous): (u16, Option<Move<W>>),
    ) -> i32 {
        if mv.code() == hash_code {
            return HASH_MOVE;
        }
        if mv.is_capture() {
            let kings = (mv.captured & position.pieces().kings).count() as i32;
            return CAPTURE + (mv.captured.count() as i32 * 2 + kings) * PER_PIECE;
        }
        let side = position.side();
        let continuation =
            previous.map_or(0, |previous| self.continuation[Self::continuation_index(side, previous.to, mv)]);
        i32::from(self.history[Self::index(side, mv.from, mv.to)]) + i32::from(continuation)
    }

    /// Rewards `best`, a quiet move that caused a cutoff after `previous`, and punishes the moves `tried` before it.
    pub(super) fn reward(
        &mut self,
        side: Color,
        best: Move<W>,
        (tried, previous): (&[Move<W>], Option<Move<W>>),
        depth: i32,
    ) {
        let bonus = (depth * depth).min(400);
        let others = tried.iter().map(|&mv| (mv, -bonus));
        for (mv, bonus) in [(best, bonus)].into_iter().chain(others) {
            adjust(&mut self.history[Self::index(side, mv.from, mv.to)], bonus);
            if let Some(previous) = previous {
                adjust(&mut self.continuation[Self::continuation_index(side, previous.to, mv)], bonus);
            }
        }
    }
}

/// Moves a history value towards its bound by a share of the remaining distance (history gravity).
fn adjust(history: &mut i16, bonus: i32) {
    let value = i32::from(*history);
    *history = (value + 32 * bonus - value * bonus.abs() * 32 / MAX_HISTORY) as i16;
}
