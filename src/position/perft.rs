//! Perft: the number of move sequences of a given length, the measure of a move generator.

use super::{Move, MoveList, Pieces, Position};
use crate::rules::{Color, Rules};
use std::sync::atomic::{AtomicBool, Ordering};

/// How captures that take the same pieces in another order are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureOrder {
    /// As one move, as they are in play.
    Merged,
    /// As different moves.
    Counted,
}

/// Subtrees of at least this depth look at the stop flag before they begin.
const STOP_CHECK_DEPTH: u8 = 5;

/// The counting, with one list of moves for each level of the tree.
struct Counter<'a, R: Rules> {
    lists: Vec<MoveList<R>>,
    stop: &'a AtomicBool,
}

/// Number of sequences of `depth` legal moves from `position`; draw rules do not end them. `None` when `stop` was set
/// before the end.
pub fn perft<R: Rules>(position: &Position<R>, depth: u8, order: CaptureOrder, stop: &AtomicBool) -> Option<u64> {
    Counter::new(depth, stop).count_side(position.pieces(), position.side(), depth, order)
}

/// The legal moves of `position`, each with the number of sequences of `depth` moves, 1 or more, that begin with it.
/// `None` when `stop` was set before the end.
pub fn divide<R: Rules>(
    position: &Position<R>,
    depth: u8,
    order: CaptureOrder,
    stop: &AtomicBool,
) -> Option<Vec<(Move<R>, u64)>> {
    let mut counter = Counter::new(depth, stop);
    let mut moves = MoveList::new();
    match position.side() {
        Color::White => position.pieces().moves::<true>(order, &mut moves),
        Color::Black => position.pieces().moves::<false>(order, &mut moves),
    }
    moves
        .iter()
        .map(|&mv| {
            let after = position.play(mv);
            let count = counter.count_side(after.pieces(), after.side(), depth.saturating_sub(1), order)?;
            Some((mv, count))
        })
        .collect()
}

impl<'a, R: Rules> Counter<'a, R> {
    fn new(depth: u8, stop: &'a AtomicBool) -> Self {
        Self { lists: vec![MoveList::new(); usize::from(depth) + 1], stop }
    }

    fn count_side(&mut self, pieces: &Pieces<R>, side: Color, depth: u8, order: CaptureOrder) -> Option<u64> {
        let lists = &mut self.lists[..];
        match side {
            Color::White => count::<R, true, false>(pieces, depth, order, lists, self.stop),
            Color::Black => count::<R, false, true>(pieces, depth, order, lists, self.stop),
        }
    }
}

/// Counts with the side to move as a constant; `OTHER` is always `!WHITE`.
fn count<R: Rules, const WHITE: bool, const OTHER: bool>(
    pieces: &Pieces<R>,
    depth: u8,
    order: CaptureOrder,
    lists: &mut [MoveList<R>],
    stop: &AtomicBool,
) -> Option<u64> {
    let Some((list, rest)) = lists.split_first_mut() else { return Some(1) };
    if depth == 0 {
        return Some(1);
    }
    if depth == 1 {
        return Some(pieces.count_moves::<WHITE>(order, list));
    }
    if depth >= STOP_CHECK_DEPTH && stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth == 2 {
        let mut total = 0;
        pieces.visit_moves::<WHITE>(order, list, |mv| {
            total += pieces.play::<WHITE>(mv).count_moves::<OTHER>(order, &mut rest[0]);
        });
        return Some(total);
    }
    pieces.moves::<WHITE>(order, list);
    let mut total = 0;
    for &mv in list.iter() {
        total += count::<R, OTHER, WHITE>(&pieces.play::<WHITE>(mv), depth - 1, order, rest, stop)?;
    }
    Some(total)
}
