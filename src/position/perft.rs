//! Perft: the number of move sequences of a given length, the measure of a move generator.

use super::generator::Side;
use super::{Move, MoveList, Pieces, Position};
use crate::rules::{Family, RuleSet, Word};
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

/// Number of sequences of `depth` legal moves from `position`; draw rules do not end them. `None` when `stop` was set
/// before the end.
pub fn perft<W: Word>(position: &Position<W>, depth: u8, order: CaptureOrder, stop: &AtomicBool) -> Option<u64> {
    count_from(position, depth, order, (&mut lists(depth), stop))
}

/// The legal moves of `position`, each with the number of sequences of `depth` moves, 1 or more, that begin with it.
/// `None` when `stop` was set before the end.
pub fn divide<W: Word>(
    position: &Position<W>,
    depth: u8,
    order: CaptureOrder,
    stop: &AtomicBool,
) -> Option<Vec<(Move<W>, u64)>> {
    let mut lists = lists(depth);
    let mut moves = MoveList::new();
    position.rules().moves(position.pieces(), position.side(), order, &mut moves);
    moves
        .iter()
        .map(|&mv| {
            let count = count_from(&position.play(mv), depth.saturating_sub(1), order, (&mut lists, stop))?;
            Some((mv, count))
        })
        .collect()
}

/// One list of moves for each level of the tree.
fn lists<W: Word>(depth: u8) -> Vec<MoveList<W>> {
    vec![MoveList::new(); usize::from(depth) + 1]
}

fn count_from<W: Word>(
    position: &Position<W>,
    depth: u8,
    order: CaptureOrder,
    tools: (&mut [MoveList<W>], &AtomicBool),
) -> Option<u64> {
    position.rules().count_sequences(position.pieces(), position.side(), (depth, order), tools)
}

/// Counts with the family of rules and the side to move as constants; `OTHER` is always `!WHITE`.
pub(super) fn count<F: Family, const WHITE: bool, const OTHER: bool>(
    pieces: &Pieces<F::Word>,
    spec: &'static RuleSet,
    (depth, order): (u8, CaptureOrder),
    (lists, stop): (&mut [MoveList<F::Word>], &AtomicBool),
) -> Option<u64> {
    let Some((list, rest)) = lists.split_first_mut() else { return Some(1) };
    let side = Side::<F, WHITE> { pieces, spec };
    if depth == 0 {
        return Some(1);
    }
    if depth == 1 {
        return Some(side.count_moves(order, list));
    }
    if depth >= STOP_CHECK_DEPTH && stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth == 2 {
        let mut total = 0;
        side.visit_moves(order, list, |mv| {
            let after = side.play(mv);
            total += Side::<F, OTHER> { pieces: &after, spec }.count_moves(order, &mut rest[0]);
        });
        return Some(total);
    }
    side.moves(order, list);
    let mut total = 0;
    for &mv in list.iter() {
        total += count::<F, OTHER, WHITE>(&side.play(mv), spec, (depth - 1, order), (&mut *rest, stop))?;
    }
    Some(total)
}
