//! Perft: the number of move sequences of a given length, the measure of a move generator.

use super::generator::Side;
use super::{Move, MoveList, Pieces, Position};
use crate::rules::{Family, RuleSet, Word};

/// Tells whether a count is to end.
pub type IsStopped<'a> = &'a dyn Fn() -> bool;

/// How captures that take the same pieces in another order are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureOrder {
    /// As one move, as they are in play.
    Merged,
    /// As different moves.
    Counted,
}

/// Subtrees of at least this depth ask whether to stop before they begin: every few milliseconds.
const STOP_CHECK_DEPTH: u8 = 4;

/// The sequences that were counted before the count was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("perft stopped after {0} sequences")]
pub struct Stopped(pub u64);

/// Number of sequences of `depth` legal moves from `position`; draw rules do not end them.
///
/// # Errors
/// When `is_stopped` said so before the end.
pub fn perft<W: Word>(
    position: &Position<W>,
    depth: u8,
    order: CaptureOrder,
    is_stopped: IsStopped<'_>,
) -> Result<u64, Stopped> {
    count_from(position, depth, order, (&mut lists(depth), is_stopped))
}

/// The legal moves of `position`, each with the number of sequences of `depth` moves, 1 or more, that begin with it.
///
/// # Errors
/// When `is_stopped` said so before the end.
pub fn divide<W: Word>(
    position: &Position<W>,
    depth: u8,
    order: CaptureOrder,
    is_stopped: IsStopped<'_>,
) -> Result<Vec<(Move<W>, u64)>, Stopped> {
    let mut lists = lists(depth);
    let mut moves = MoveList::new();
    position.rules().moves(position.pieces(), position.side(), order, &mut moves);
    let mut total = 0;
    let mut of_move = |&mv: &Move<W>| {
        let count = count_from(&position.play(mv), depth.saturating_sub(1), order, (&mut lists, is_stopped));
        let (Ok(counted) | Err(Stopped(counted))) = count;
        total += counted;
        count.map(|count| (mv, count)).map_err(|_| Stopped(total))
    };
    moves.iter().map(&mut of_move).collect()
}

/// One list of moves for each level of the tree.
fn lists<W: Word>(depth: u8) -> Vec<MoveList<W>> {
    vec![MoveList::new(); usize::from(depth) + 1]
}

fn count_from<W: Word>(
    position: &Position<W>,
    depth: u8,
    order: CaptureOrder,
    tools: (&mut [MoveList<W>], IsStopped<'_>),
) -> Result<u64, Stopped> {
    position.rules().count_sequences(position.pieces(), position.side(), (depth, order), tools)
}

/// Counts with the family of rules and the side to move as constants; `OTHER` is always `!WHITE`.
pub(super) fn count<F: Family, const WHITE: bool, const OTHER: bool>(
    pieces: &Pieces<F::Word>,
    spec: &'static RuleSet,
    (depth, order): (u8, CaptureOrder),
    (lists, is_stopped): (&mut [MoveList<F::Word>], IsStopped<'_>),
) -> Result<u64, Stopped> {
    let Some((list, rest)) = lists.split_first_mut() else { return Ok(1) };
    let side = Side::<F, WHITE> { pieces, spec };
    if depth == 0 {
        return Ok(1);
    }
    if depth == 1 {
        return Ok(side.count_moves(order, list));
    }
    if depth >= STOP_CHECK_DEPTH && is_stopped() {
        return Err(Stopped(0));
    }
    if depth == 2 {
        let mut total = 0;
        side.visit_moves(order, list, |mv| {
            let after = side.play(mv);
            total += Side::<F, OTHER> { pieces: &after, spec }.count_moves(order, &mut rest[0]);
        });
        return Ok(total);
    }
    side.moves(order, list);
    let mut total = 0;
    for &mv in list.iter() {
        match count::<F, OTHER, WHITE>(&side.play(mv), spec, (depth - 1, order), (&mut *rest, is_stopped)) {
            Ok(count) => total += count,
            Err(Stopped(count)) => return Err(Stopped(total + count)),
        }
    }
    Ok(total)
}
