//! Moves as text, and back.

use super::EngineError;
use crate::game::{Game, Move};
use crate::notation::{self, MoveRecord, move_text};
use crate::position::Position;
use crate::rules::{RuleSet, Word};
use crate::with_history;

/// The moves of a line that begins in the present position of `game`, in the notation of `spec`.
pub(super) fn line_text(spec: &RuleSet, game: &Game, line: &[Move]) -> Vec<String> {
    fn texts<W: Word>(spec: &RuleSet, mut position: Position<W>, line: &[Move]) -> Vec<String> {
        let text = |mv: &Move| {
            let mv = mv.narrowed();
            let text = move_text(spec, &position, mv);
            position = position.play(mv);
            text
        };
        line.iter().map(text).collect()
    }
    with_history!(game.history(), history => texts(spec, *history.position(), line))
}

/// The legal move of `game` that `record` means; `place` is its index, from 0, and the number of moves given. An error is in
/// the notation of `spec`.
pub(super) fn legal_move(
    spec: &RuleSet,
    game: &Game,
    record: &MoveRecord,
    place: (usize, usize),
) -> Result<Move, EngineError> {
    let meant = with_history!(game.history(), history => {
        notation::legal_move(spec, history.position(), record).map(|mv| mv.widened())
    });
    meant.map_err(|reason| EngineError::Move { text: record.to_string(), index: place.0 + 1, count: place.1, reason })
}
