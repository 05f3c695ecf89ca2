//! Moves of the fast generator as text, and back.

use super::move_text::single_step;
use super::{IllegalMove, MoveRecord, captured_mask, printed_sequence, resolve, written};
use crate::position::reference::Sequence;
use crate::position::{Move, Position};
use crate::rules::{RuleSet, Word};

/// The legal move `mv` of `position` in the notation of `spec`.
///
/// Only the path of a capture of several pieces needs the reference generator. Asking it about every move of every line that
/// a search reports would cost as much as searching thousands of positions.
pub fn move_text<W: Word>(spec: &RuleSet, position: &Position<W>, mv: Move<W>) -> String {
    let mut captured = mv.captured.squares();
    match (captured.next(), captured.next()) {
        (None, _) => single_step(spec, mv.from, mv.to, &[]),
        (Some(only), None) => single_step(spec, mv.from, mv.to, &[only]),
        _ => way_text(spec, position, mv),
    }
}

/// The legal move `mv` of `position`, by the way that is printed.
fn way_text<W: Word>(spec: &RuleSet, position: &Position<W>, mv: Move<W>) -> String {
    let is_move = |way: &Sequence| {
        way.from == mv.from
            && way.to() == mv.to
            && captured_mask(way) == mv.captured.mask()
            && way.crowned_in_passing == mv.crowned_in_passing
    };
    let way = printed_sequence(spec, &position.to_setup(1), is_move);
    // A move that is not legal has no text. Only a bug can bring one here, and the output shows it.
    way.map_or_else(|| "?".to_owned(), |way| written(spec, &way))
}

/// The legal move of `position` that `record` means. An error is in the notation of `spec`.
///
/// # Errors
/// When no legal move or more than one is meant.
pub fn legal_move<W: Word>(
    spec: &RuleSet,
    position: &Position<W>,
    record: &MoveRecord,
) -> Result<Move<W>, IllegalMove> {
    match only_move_between(spec, position, record) {
        Some(mv) => Ok(mv),
        None => Ok(fast_move(&resolve(spec, &position.to_setup(1), record)?)),
    }
}

/// The legal move that `record` means, if only one legal move joins its square of departure to its square of arrival. A
/// whole game is read again for every `position` command, and the general way of resolving a move is slow.
fn only_move_between<W: Word>(spec: &RuleSet, position: &Position<W>, record: &MoveRecord) -> Option<Move<W>> {
    let [to] = record.path.as_slice() else { return None };
    let (from, to) = (record.from.resolve(spec).ok()?, to.resolve(spec).ok()?);
    let moves = position.legal_moves();
    let mut meant = moves.iter().filter(|mv| mv.from == from && mv.to == to);
    let only = meant.next().filter(|mv| mv.is_capture() || !record.capture)?;
    meant.next().is_none().then_some(*only)
}

/// The move whose way is `sequence`.
pub fn fast_move<W: Word>(sequence: &Sequence) -> Move<W> {
    let captured = W::from_mask(captured_mask(sequence));
    let crowned_in_passing = sequence.crowned_in_passing;
    Move { captured, from: sequence.from, to: sequence.to(), crowned_in_passing }
}
