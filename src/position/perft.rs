//! Perft: counts the move sequences of a given length, to test and measure a move generator.

use super::generator::Side;
use super::{Move, MoveList, Pieces, Position};
use crate::rules::{Family, RuleSet, Word};

/// Returns `true` when a count should stop.
pub type IsStopped<'a> = &'a dyn Fn() -> bool;

/// How captures of the same pieces by different routes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureOrder {
    /// As one move, as in play.
    Merged,
    /// As different moves.
    Counted,
}

/// Minimum depth of a subtree that polls the stop signal: every few milliseconds.
const STOP_CHECK_DEPTH: u8 = 4;

/// Returned when a count was stopped, with the number of sequences counted so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("perft stopped after {0} sequences")]
pub struct Stopped(pub u64);

/// Counts the sequences of `depth` legal moves from `position`. Draw rules do not end sequences.
pub fn perft<W: Word>(
    position: &Position<W>,
    depth: u8,
    order: CaptureOrder,
    is_stopped: IsStopped<'_>,
) -> Result<u64, Stopped> {
    count_from(position, depth, order, (&mut lists(depth), is_stopped))
}

/// Returns the legal moves of `position`, each with the number of sequences of `depth` moves (at least 1) that start
/// with it.
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

/// Counts with the rule family and the side to move as constants; `OTHER` is always `!WHITE`.
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
