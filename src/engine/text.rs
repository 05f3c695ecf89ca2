//! Moves of the fast generator as text, and back.

use super::EngineError;
use crate::board::Bits;
use crate::notation::{MoveRecord, captured_mask, printed_sequence, resolve, written};
use crate::position::reference::Sequence;
use crate::position::{Move, Position};
use crate::rules::{BitsOf, RuleSet, Rules};

/// The legal move `mv` of `position` in the notation of `spec`.
pub(super) fn move_text<R: Rules>(spec: &RuleSet, position: &Position<R>, mv: Move<R>) -> String {
    let is_move = |way: &Sequence| {
        way.from == mv.from
            && way.to() == mv.to
            && captured_mask(way) == mv.captured.mask()
            && way.crowned_in_passing == mv.crowned_in_passing
    };
    let way = printed_sequence(spec, &position.to_setup(1), is_move);
    // A move that is not legal has no text; it can only come from a fault, and is shown as such.
    way.map_or_else(|| "?".to_owned(), |way| written(spec, &way))
}

/// The moves of a line that begins in `position`, in the notation of `spec`.
pub(super) fn line_text<R: Rules>(spec: &RuleSet, position: &Position<R>, line: &[Move<R>]) -> Vec<String> {
    let mut position = *position;
    line.iter()
        .map(|&mv| {
            let text = move_text(spec, &position, mv);
            position = position.play(mv);
            text
        })
        .collect()
}

/// The legal move of `position` that `record` means; `place` is its index, from 0, and the number of moves given. An
/// error is in the notation of `spec`.
pub(super) fn legal_move<R: Rules>(
    spec: &RuleSet,
    position: &Position<R>,
    record: &MoveRecord,
    place: (usize, usize),
) -> Result<Move<R>, EngineError> {
    let sequence = resolve(spec, &position.to_setup(1), record).map_err(|reason| EngineError::Move {
        text: record.to_string(),
        index: place.0 + 1,
        count: place.1,
        reason,
    })?;
    let captured = BitsOf::<R>::from_mask(captured_mask(&sequence));
    let crowned_in_passing = sequence.crowned_in_passing;
    Ok(Move { captured, from: sequence.from, to: sequence.to(), crowned_in_passing })
}
