//! From a written move to the legal move that it means.

use super::illegal_move::explain;
use super::moves::{full_path, one_way_each};
use super::{IllegalMove, MoveRecord, SquareError};
use crate::board::Square;
use crate::position::reference::{Sequence, legal_sequences, stops};
use crate::position::{Move, Position, Setup};
use crate::rules::{RuleSet, Word};

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

/// The legal move of `setup` that `record` means: by its full path, by a part of it down to the first and last square,
/// or by the squares of departure, arrival and all pieces taken, as in the Hub protocol. Where the record leaves open
/// which way a move goes, it is the one that [`printed_moves`](super::printed_moves) has.
///
/// # Errors
/// When no legal move or more than one is meant; the error says why.
pub fn resolve(spec: &RuleSet, setup: &Setup, record: &MoveRecord) -> Result<Sequence, IllegalMove> {
    let attempt = Attempt::new(spec, record)?;
    let legal = legal_sequences(spec, setup);
    let moves = one_way_each(spec, attempt.meant(&legal));
    match moves.as_slice() {
        [] => Err(explain(spec, setup, &attempt, &legal)),
        [only] => Ok(only.clone()),
        several => Err(IllegalMove::Ambiguous(several.iter().map(|way| full_path(spec, way)).collect())),
    }
}

/// The move whose way is `sequence`.
pub fn fast_move<W: Word>(sequence: &Sequence) -> Move<W> {
    let captured = W::from_mask(captured_mask(sequence));
    let crowned_in_passing = sequence.crowned_in_passing;
    Move { captured, from: sequence.from, to: sequence.to(), crowned_in_passing }
}

/// The pieces that `sequence` takes, as the mask of their squares.
pub fn captured_mask(sequence: &Sequence) -> u128 {
    mask_of(&sequence.captured)
}

fn mask_of(squares: &[Square]) -> u128 {
    squares.iter().fold(0, |mask, square| mask | 1 << square.index())
}

/// The squares of a written move.
pub(super) struct Attempt<'a> {
    pub(super) spec: &'a RuleSet,
    pub(super) from: Square,
    pub(super) path: Vec<Square>,
    pub(super) capture: bool,
}

impl<'a> Attempt<'a> {
    /// The attempt to play `record` on the board of `spec`.
    pub(super) fn new(spec: &'a RuleSet, record: &MoveRecord) -> Result<Self, SquareError> {
        let from = record.from.resolve(spec)?;
        let path = record.path.iter().map(|square| square.resolve(spec)).collect::<Result<_, _>>()?;
        Ok(Self { spec, from, path, capture: record.capture })
    }

    /// Those of `sequences` that are meant: by the full path, which is what we print; or else by the pieces taken, as
    /// in the Hub protocol; or else by some of the squares where the piece lands or may land.
    pub(super) fn meant(&self, sequences: &[Sequence]) -> Vec<Sequence> {
        self.readings(sequences).into_iter().find(|meant| !meant.is_empty()).unwrap_or_default()
    }

    /// The `sequences` that match under each way of reading, the preferred way first.
    pub(super) fn readings(&self, sequences: &[Sequence]) -> [Vec<Sequence>; 3] {
        [Self::is_full_path, Self::is_hub_form, Self::is_part_of_path].map(|reading| {
            let possible = |way: &&Sequence| self.allows(way) && reading(self, way);
            sequences.iter().filter(possible).cloned().collect()
        })
    }

    /// Returns whether one of `sequences` is meant.
    pub(super) fn means_one_of(&self, sequences: &[Sequence]) -> bool {
        !self.meant(sequences).is_empty()
    }

    /// The square where the piece is to come to rest, by the reading that `setup` suggests.
    pub(super) fn to(&self, setup: &Setup) -> Square {
        let is_prey = |square: &Square| setup.pieces.get(square).is_some_and(|piece| piece.color != setup.side);
        match self.path.as_slice() {
            [to, captured @ ..] if !captured.is_empty() && captured.iter().all(is_prey) => *to,
            [.., to] => *to,
            [] => self.from,
        }
    }

    fn allows(&self, way: &Sequence) -> bool {
        way.from == self.from && !(self.capture && way.captured.is_empty())
    }

    fn is_full_path(&self, way: &Sequence) -> bool {
        self.path == way.landings
    }

    fn is_hub_form(&self, way: &Sequence) -> bool {
        let [to, captured @ ..] = self.path.as_slice() else { return false };
        *to == way.to() && captured.len() == way.captured.len() && mask_of(captured) == captured_mask(way)
    }

    fn is_part_of_path(&self, way: &Sequence) -> bool {
        let mut stops = stops(self.spec, way).into_iter();
        self.path.last() == way.landings.last()
            && self.path.iter().all(|square| stops.any(|stops| stops.contains(square)))
    }
}
