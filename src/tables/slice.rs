//! A slice that is solved.

use super::{Index, Material, Slice, TableOutcome, TableValue};
use crate::position::Pieces;
use crate::rules::Word;
use std::cmp::Reverse;
use std::sync::Arc;

/// The results of the positions of a material, White to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won positions in which White has no capture.
    pub wins: u64,
    /// Drawn ones.
    pub draws: u64,
    /// Lost ones.
    pub losses: u64,
    /// The longest win in plies with the number of the first such position, if one is won; with a capture or without.
    pub longest_win: Option<(u8, u64)>,
    /// Most plies to the end of a position that is won or lost, with a capture or without.
    pub longest_game: u8,
    /// Most plies for which a lone king stays on a main road where a draw rule counts them, before it is caught or driven off.
    pub longest_on_main_road: u8,
}

/// A position that is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    /// Its number.
    pub(super) number: u64,
    /// How it ends.
    pub(super) outcome: TableOutcome,
    /// Whether White has a capture.
    pub(super) can_capture: bool,
}

impl Counts {
    /// Counts one position more.
    pub(super) fn add(&mut self, position: Counted) {
        let Counted { number, outcome, can_capture } = position;
        if let TableOutcome::Win(plies) | TableOutcome::Loss(plies) = outcome {
            self.longest_game = self.longest_game.max(plies);
        }
        if let TableOutcome::Win(plies) = outcome
            && self.longest_win.is_none_or(|(longest, _)| plies > longest)
        {
            self.longest_win = Some((plies, number));
        }
        let count = match outcome {
            TableOutcome::Win(_) => &mut self.wins,
            TableOutcome::Draw => &mut self.draws,
            TableOutcome::Loss(_) => &mut self.losses,
        };
        *count += u64::from(!can_capture);
    }

    /// Adds the counts of other positions of the same material.
    pub(super) fn merge(&mut self, others: &Self) {
        self.wins += others.wins;
        self.draws += others.draws;
        self.losses += others.losses;
        self.longest_game = self.longest_game.max(others.longest_game);
        self.longest_on_main_road = self.longest_on_main_road.max(others.longest_on_main_road);
        // The longest win, and of several the one with the lowest number.
        let rank = |(plies, number)| (plies, Reverse(number));
        self.longest_win = self.longest_win.into_iter().chain(others.longest_win).max_by_key(|&win| rank(win));
    }
}

/// The values of one material.
#[derive(Clone, Debug)]
pub struct MaterialTable<W: Word> {
    /// The numbers of the positions.
    pub index: Index<W>,
    /// The values as bytes, by number. Where no position has the number, or White can capture and must, the byte means
    /// nothing: it is that of a neighbour, which compresses best.
    pub values: Arc<[u8]>,
    /// How many positions have which value.
    pub counts: Counts,
}

impl<W: Word> MaterialTable<W> {
    /// The value of `pieces`, which are of the material and without a capture that must be played.
    #[inline]
    pub(super) fn value(&self, pieces: &Pieces<W>) -> Option<TableValue> {
        let number = usize::try_from(self.index.number(pieces)).ok()?;
        TableValue::from_byte(*self.values.get(number)?)
    }
}

/// A slice that is solved: the values of its materials.
#[derive(Clone, Debug)]
pub struct SliceTable<W: Word> {
    /// Which slice.
    pub slice: Slice,
    /// A table for each of [`Slice::materials`], in their order.
    pub tables: Vec<MaterialTable<W>>,
}

impl<W: Word> SliceTable<W> {
    /// The table of `material`, if it is one of the slice.
    pub fn of(&self, material: Material) -> Option<&MaterialTable<W>> {
        self.tables.iter().find(|table| table.index.material() == material)
    }
}
