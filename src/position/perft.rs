//! Perft counts the sequences of legal moves of a given length, in order to test and measure a move generator.

use super::side::Side;
use super::{CaptureOrder, MoveList, Pieces};
use crate::rules::{Family, RuleSet};

/// Callback that returns `true` when a perft count should stop.
pub type IsStopped<'a> = &'a dyn Fn() -> bool;

/// Minimum remaining depth at which the stop signal is polled. With this depth it is polled every few milliseconds.
const STOP_CHECK_DEPTH: u8 = 4;

/// The error for a perft count that was stopped, with the number of sequences counted so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("perft stopped after {0} sequences")]
pub struct PartialPerft(pub u64);

/// Counts the sequences of legal moves. The rule family and the side to move are constants; `OTHER` is always `!WHITE`.
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
