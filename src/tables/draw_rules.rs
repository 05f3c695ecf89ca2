//! The draw rules that can come before the end of a game, though they do not count yet.

use super::cursor::Cursor;
use super::{Counts, Material, Slice, Tables};
use crate::rules::{DrawRules, Word};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// More plies than any limit of an ending has.
const NEVER: u8 = u8::MAX;

/// For each material, the plies within which a game must end so that no limit that begins to count on the way can draw it.
///
/// A limit of an ending does not matter where no game that comes to this ending lasts longer than it: with best play every
/// ply brings the end of the game nearer, so that it comes before the limit, wherever that began to count.
#[derive(Debug)]
pub(super) struct DrawRuleLimits {
    /// By the numbers of materials.
    limits: Vec<AtomicU8>,
}

impl DrawRuleLimits {
    /// The limits for the slices that there are. Where a slice is missing, every limit may matter.
    pub(super) fn of<W: Word>(tables: &Tables<W>) -> Self {
        let shortest = shortest(&tables.rules().spec().draws);
        let limits = Self { limits: (0..Material::NUMBERS).map(|_| AtomicU8::new(shortest)).collect() };
        limits.update(tables);
        limits
    }

    /// Takes account of the slices that were added. That only makes limits longer: a search that asks meanwhile is told of a
    /// shorter one.
    pub(super) fn update<W: Word>(&self, tables: &Tables<W>) {
        let spec = tables.rules().spec();
        let slices: Vec<_> = Slice::all(spec, tables.most_pieces())
            .into_iter()
            .map(|slice| (slice, tables.limit_of(slice).unwrap_or_else(|| shortest(&spec.draws))))
            .collect();
        for (slice, _) in &slices {
            let within = slices.iter().filter(|(later, _)| later.is_within(slice.material()));
            let limit = within.map(|&(_, limit)| limit).min().unwrap_or(NEVER);
            for number in slice.materials().filter_map(Material::number) {
                self.limits[number].store(limit, Relaxed);
            }
        }
    }

    /// Whether no limit that does not count yet can draw a game from `material` that ends by best play after so many plies.
    pub(super) fn allows(&self, material: Material, plies: u8) -> bool {
        material.number().and_then(|number| self.limits.get(number)).is_some_and(|limit| plies <= limit.load(Relaxed))
    }
}

/// The shortest limit of an ending.
fn shortest(draws: &DrawRules) -> u8 {
    let endings = draws.endings.iter().chain(&draws.main_road).map(|ending| ending.plies);
    endings.chain(draws.balances.iter().map(|balance| balance.plies)).min().unwrap_or(NEVER)
}

impl<W: Word> Tables<W> {
    /// The shortest limit that counts in `slice` and is exceeded there by some game; `None` if there is no table for it.
    fn limit_of(&self, slice: Slice) -> Option<u8> {
        let limits = slice.materials().map(|material| Some(self.limit_of_material(material, self.counts(material)?)));
        limits.min().flatten()
    }

    fn limit_of_material(&self, material: Material, counts: Counts) -> u8 {
        let index = self.index(material);
        let mut cursor = Cursor::new(&index);
        let Some(pieces) = (0..index.len()).find_map(|number| cursor.pieces(number)) else { return NEVER };
        let main_road = self.rules().spec().draws.main_road.map(|ending| ending.plies);
        let exceeded = [
            self.rules().ending_limits(&pieces).of_pieces.filter(|&limit| counts.longest_game > limit),
            // The draw comes before the move after the last ply that is counted.
            main_road.filter(|&limit| counts.longest_on_main_road >= limit),
        ];
        exceeded.into_iter().flatten().min().unwrap_or(NEVER)
    }
}
