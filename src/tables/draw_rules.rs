//! The draw rules that can come before the end of a game, though they do not count yet, and how long a lone king stays on the main
//! road.

use super::index::Cursor;
use super::{Counts, Index, Material, Prober, SideMaterial, Slice, TableOutcome, Tables};
use crate::position::{MoveList, Pieces};
use crate::rules::{Color, DrawRules, Word};
use std::collections::HashMap;
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

    /// Returns whether no limit that does not count yet can draw a game from `material` that ends by best play after so many plies.
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
        let Some(pieces) = (0..index.size()).find_map(|number| cursor.pieces(number)) else { return NEVER };
        let main_road = self.rules().spec().draws.main_road.map(|ending| ending.plies);
        let exceeded = [
            self.rules().ending_limits(&pieces).of_pieces.filter(|&limit| counts.longest_game > limit),
            // The draw comes before the move after the last ply that is counted.
            main_road.filter(|&limit| counts.longest_on_main_road >= limit),
        ];
        exceeded.into_iter().flatten().min().unwrap_or(NEVER)
    }
}

/// Positions between two questions whether to stop.
const ASKED_EVERY: u64 = 1 << 12;

/// The most plies for which a lone king in a position of the material of `index` can stay on a main road where a draw rule counts
/// them, while the other side wins by one of its shortest ways; 0 if no draw rule counts there.
///
/// When `is_stopped`, only of the first positions.
pub(super) fn longest_on_main_road<W: Word>(tables: &Tables<W>, index: &Index<W>, is_stopped: &dyn Fn() -> bool) -> u8 {
    if !may_be_limited(tables, index) {
        return 0;
    }
    let mut main_road = MainRoad { tables, prober: Prober::new(tables), known: HashMap::new() };
    let mut cursor = Cursor::new(index);
    let numbers = (0..index.size()).take_while(|number| number % ASKED_EVERY != 0 || !is_stopped());
    let positions = numbers.filter_map(|number| cursor.pieces(number));
    positions.filter_map(|pieces| main_road.plies(&pieces)).max().unwrap_or(0)
}

/// Returns whether the ending of the main road can be on the board with the pieces of `index`.
fn may_be_limited<W: Word>(tables: &Tables<W>, index: &Index<W>) -> bool {
    let material = index.material();
    let is_ending = |strong: u8, weak: SideMaterial| {
        let road = tables.rules().spec().draws.main_road;
        road.is_some_and(|road| weak.men == 0 && weak.kings == 1 && (road.pieces.0..=road.pieces.1).contains(&strong))
    };
    is_ending(material.own.pieces(), material.other) || is_ending(material.other.pieces(), material.own)
}

/// The results of some positions.
struct MainRoad<'a, W: Word> {
    tables: &'a Tables<W>,
    prober: Prober<'a, W>,
    /// By the pieces, White to move.
    known: HashMap<Pieces<W>, u8>,
}

impl<W: Word> MainRoad<'_, W> {
    /// The plies for which the lone king can stay on the road from `pieces`, White to move; `None` if it is not there, or is not
    /// about to lose.
    fn plies(&mut self, pieces: &Pieces<W>) -> Option<u8> {
        let rules = self.tables.rules();
        rules.ending_limits(pieces).main_road?;
        if let Some(&plies) = self.known.get(pieces) {
            return Some(plies);
        }
        let outcome = self.outcome(pieces)?;
        if outcome == TableOutcome::Draw {
            return None;
        }
        let mut moves = MoveList::new();
        rules.fill_moves(pieces, Color::White, rules.has_capture(pieces, Color::White), &mut moves);
        let mut plies = 0;
        for &mv in moves.iter() {
            let after = self.tables.board.after(pieces, mv);
            let is_played = matches!(outcome, TableOutcome::Loss(_))
                || self.outcome(&after).map(TableOutcome::before) == Some(outcome);
            if is_played && let Some(left) = self.plies(&after) {
                plies = plies.max(left.saturating_add(1));
            }
        }
        self.known.insert(*pieces, plies);
        Some(plies)
    }

    fn outcome(&mut self, pieces: &Pieces<W>) -> Option<TableOutcome> {
        let objective = self.tables.rules().spec().objective;
        self.prober.value_of(pieces, 0).map(|value| value.outcome(objective))
    }
}
