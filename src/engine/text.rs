//! Moves of the fast generator as text, and back.

use super::EngineError;
use crate::notation::{self, MoveRecord, move_text};
use crate::position::{Move, Position};
use crate::rules::{RuleSet, Rules};

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
    notation::legal_move(spec, position, record).map_err(|reason| EngineError::Move {
        text: record.to_string(),
        index: place.0 + 1,
        count: place.1,
        reason,
    })
}
