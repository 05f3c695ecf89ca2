//! Computes how long a lone king can stay on the main road.

use super::index::Cursor;
use super::{Index, Prober, SideMaterial, TableOutcome, Tables};
use crate::position::{MoveList, Pieces};
use crate::rules::{Color, Word};
use std::collections::HashMap;

const STOP_CHECK_INTERVAL: u64 = 1 << 12;

/// Returns the maximum number of plies for which a lone king can stay on the main road while the other side wins as
/// quickly as possible. Returns 0 if no draw rule counts these plies.
///
/// If `is_stopped` returns true, the result covers only some of the positions.
pub(super) fn longest_on_main_road<W: Word>(tables: &Tables<W>, index: &Index<W>, is_stopped: &dyn Fn() -> bool) -> u8 {
    if !may_be_limited(tables, index) {
        return 0;
    }
    let mut main_road = MainRoad { tables, prober: Prober::new(tables), known: HashMap::new() };
    let mut cursor = Cursor::new(index);
    let numbers = (0..index.size()).take_while(|number| number % STOP_CHECK_INTERVAL != 0 || !is_stopped());
    let positions = numbers.filter_map(|number| cursor.pieces(number));
    positions.filter_map(|pieces| main_road.plies(&pieces)).max().unwrap_or(0)
}

/// Returns whether a draw rule counts the plies of a lone king on the main road in the positions of `index`.
pub(super) fn may_be_limited<W: Word>(tables: &Tables<W>, index: &Index<W>) -> bool {
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
    /// The results so far, for positions with White to move.
    known: HashMap<Pieces<W>, u8>,
}

impl<W: Word> MainRoad<'_, W> {
    /// Returns how many plies the lone king can stay on the main road, with White to move. Returns `None` if the lone
    /// king is not on the main road, the position is drawn, or a table is missing.
    fn plies(&mut self, pieces: &Pieces<W>) -> Option<u8> {
        let rules = self.tables.rules();
        rules.main_road_limit(pieces)?;
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
