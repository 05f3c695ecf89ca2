//! Draw rules that may start to count before the game ends, and the longest stay of a lone king on the main road.

use super::index::Cursor;
use super::{Counts, Index, Material, Prober, SideMaterial, Slice, TableOutcome, Tables};
use crate::position::{MoveList, Pieces};
use crate::rules::{Color, DrawRules, Word};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

const NEVER: u8 = u8::MAX;

/// For each material, the number of plies within which a game must end so that no draw limit can come first.
///
/// The limit of an ending matters only if some game from that ending lasts longer: with best play, each ply brings the
/// end of the game nearer.
#[derive(Debug)]
pub(super) struct DrawRuleLimits {
    /// Indexed by [`Material::number`].
    limits: Vec<AtomicU8>,
}

impl DrawRuleLimits {
    /// Computes the limits for the loaded slices. A missing slice is treated as if every limit mattered.
    pub(super) fn of<W: Word>(tables: &Tables<W>) -> Self {
        let shortest = shortest(&tables.rules().spec().draws);
        let limits = Self { limits: (0..Material::NUMBERS).map(|_| AtomicU8::new(shortest)).collect() };
        limits.update(tables);
        limits
    }

    /// Updates the limits after slices were added. Limits only grow, so a concurrent search reads at worst a shorter
    /// one.
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

    /// Returns whether no limit that does not count yet can draw a game from `material` that ends after `plies`.
    pub(super) fn allows(&self, material: Material, plies: u8) -> bool {
        material.number().and_then(|number| self.limits.get(number)).is_some_and(|limit| plies <= limit.load(Relaxed))
    }
}

fn shortest(draws: &DrawRules) -> u8 {
    let endings = draws.endings.iter().chain(&draws.main_road).map(|ending| ending.plies);
    endings.chain(draws.balances.iter().map(|balance| balance.plies)).min().unwrap_or(NEVER)
}

impl<W: Word> Tables<W> {
    /// Returns the shortest draw limit that some game in `slice` exceeds, or `None` if a table is missing.
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
            // The draw comes before the move that follows the last counted ply.
            main_road.filter(|&limit| counts.longest_on_main_road >= limit),
        ];
        exceeded.into_iter().flatten().min().unwrap_or(NEVER)
    }
}

const ASKED_EVERY: u64 = 1 << 12;

/// Returns the maximum number of plies for which a lone king can stay on the main road where a draw rule counts them,
/// while the other side plays a shortest win; 0 if no such rule applies.
///
/// Covers only part of the positions if `is_stopped` returns true.
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

fn may_be_limited<W: Word>(tables: &Tables<W>, index: &Index<W>) -> bool {
    let material = index.material();
    let is_ending = |strong: u8, weak: SideMaterial| {
        let road = tables.rules().spec().draws.main_road;
        road.is_some_and(|road| weak.men == 0 && weak.kings == 1 && (road.pieces.0..=road.pieces.1).contains(&strong))
    };
    is_ending(material.own.pieces(), material.other) || is_ending(material.other.pieces(), material.own)
}

struct MainRoad<'a, W: Word> {
    tables: &'a Tables<W>,
    prober: Prober<'a, W>,
    /// White to move.
    known: HashMap<Pieces<W>, u8>,
}

impl<W: Word> MainRoad<'_, W> {
    /// Returns how many plies the lone king can stay on the road, with White to move, or `None` if it is not on the
    /// road or not losing.
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
