//! A written move on the board, and the sequences that it can mean.

use super::move_text::{captured_mask, mask_of};
use super::{MoveRecord, SquareError};
use crate::board::Square;
use crate::position::Setup;
use crate::position::reference::{Sequence, stops};
use crate::rules::RuleSet;

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

    /// Whether one of `sequences` is meant.
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
