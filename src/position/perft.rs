//! Perft: counts the move sequences of a given length, to test and measure a move generator.

use super::side::Side;
use super::{CaptureOrder, MoveList, Pieces};
use crate::rules::{Family, RuleSet};

/// Returns `true` when a count should stop.
pub type IsStopped<'a> = &'a dyn Fn() -> bool;

/// Minimum depth of a subtree that polls the stop signal: every few milliseconds.
const STOP_CHECK_DEPTH: u8 = 4;

/// Returned when a count was stopped, with the number of sequences counted so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("perft stopped after {0} sequences")]
pub struct PartialPerft(pub u64);

/// Counts with the rule family and the side to move as constants; `OTHER` is always `!WHITE`.
pub(super) fn count<F: Family, const WHITE: bool, const OTHER: bool>(
    pieces: &Pieces<F::Word>,
    spec: &'static RuleSet,
    (depth, order): (u8, CaptureOrder),
    (lists, is_stopped): (&mut [MoveList<F::Word>], IsStopped<'_>),
) -> Result<u64, PartialPerft> {
    let Some((list, rest)) = lists.split_first_mut() else { return Ok(1) };
    let side = Side::<F, WHITE> { pieces, spec };
    if depth == 0 {
        return Ok(1);
    }
    if depth == 1 {
        return Ok(side.count_moves(order, list));
    }
    if depth >= STOP_CHECK_DEPTH && is_stopped() {
        return Err(PartialPerft(0));
    }
    if depth == 2 {
        let mut total = 0;
        side.visit_moves(order, list, |mv| {
            let after = side.after(mv);
            total += Side::<F, OTHER> { pieces: &after, spec }.count_moves(order, &mut rest[0]);
        });
        return Ok(total);
    }
    side.moves(order, list);
    let mut total = 0;
    for &mv in list.iter() {
        match count::<F, OTHER, WHITE>(&side.after(mv), spec, (depth - 1, order), (&mut *rest, is_stopped)) {
            Ok(count) => total += count,
            Err(PartialPerft(count)) => return Err(PartialPerft(total + count)),
        }
    }
    Ok(total)
}
