//! How long a lone king stays on the main road.

use super::cursor::Cursor;
use super::{Index, Prober, TableOutcome, Tables};
use crate::position::{MoveList, Pieces};
use crate::rules::{Color, Word};
use std::collections::HashMap;

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
    let numbers = (0..index.len()).take_while(|number| number % ASKED_EVERY != 0 || !is_stopped());
    let positions = numbers.filter_map(|number| cursor.pieces(number));
    positions.filter_map(|pieces| main_road.plies(&pieces)).max().unwrap_or(0)
}

/// Whether the ending of the main road can be on the board with the pieces of `index`.
fn may_be_limited<W: Word>(tables: &Tables<W>, index: &Index<W>) -> bool {
    let material = index.material();
    let is_ending = |strong: u8, weak: super::SideMaterial| {
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
        let can_capture = rules.has_capture(pieces, Color::White);
        if can_capture {
            rules.captures(pieces, Color::White, &mut moves);
        }
        if !can_capture || !rules.compulsory() {
            rules.add_quiet_moves(pieces, Color::White, &mut moves);
        }
        let mut plies = 0;
        for &mv in moves.iter() {
            let after = self.tables.board.turned(&rules.pieces_after(pieces, Color::White, mv));
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
