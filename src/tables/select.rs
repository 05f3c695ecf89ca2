//! Finds remarkable positions in tables: longest wins, mutual zugzwangs, and wins that require only moves.

use super::index::Cursor;
use super::probe::MoveProber;
use super::{Material, TableOutcome, TableValue, Tables};
use crate::pool::{Pool, PoolError};
use crate::position::{Pieces, Setup};
use crate::rules::{Color, Word};
use crate::stop::Stop;
use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::AtomicU64;

/// The kind of position to find. The side to move can never capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// White is to move and wins. Longer wins rank higher.
    LongestWins,
    /// Black loses if it is Black's move, but White does not win if it is White's move. Neither side can capture, and
    /// both sides can move. Longer losses rank higher.
    MutualZugzwang,
    /// White is to move and wins. At this many consecutive turns or more, White has only one winning move, no matter
    /// which of the longest defences Black chooses. Turns with only one legal move do not count. Positions are ranked
    /// by the number of these turns, and then by the number of plies.
    OnlyMoves(NonZeroUsize),
}

/// A selected position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectedPosition {
    /// The material, with White's pieces first.
    pub material: Material,
    /// Number of the position in the index of the material, with White to move.
    pub number: u64,
    /// Number of plies to the end of the game.
    pub plies: u8,
    /// Number of consecutive only moves by White, or 0 for other kinds of position.
    pub only_moves: usize,
    /// The outcome with the other side to move, or `None` if the position is not a mutual zugzwang.
    pub passed: Option<TableOutcome>,
}

impl SelectedPosition {
    /// Returns a key that sorts the best positions first. Among equally good positions, positions with more pieces come
    /// first. Further ties are broken by the material and the number.
    fn rank(&self) -> impl Ord + use<> {
        (Reverse(self.only_moves), Reverse(self.plies), Reverse(self.material.pieces()), self.material, self.number)
    }
}

/// Searches tables for positions of one kind, on several threads.
#[derive(Debug)]
pub struct Selector<'a, W: Word> {
    /// The tables to search.
    pub tables: &'a Tables<W>,
    /// The kind of position to find.
    pub selection: Selection,
    /// Maximum number of results.
    pub max_results: usize,
    /// Number of worker threads.
    pub threads: NonZeroUsize,
    /// Signal that ends the search early, with a partial result.
    pub stop: &'a Stop,
    /// Progress counter. Its final value is the sum of the index sizes of all materials.
    pub done: &'a AtomicU64,
}

struct OnlyMove<W> {
    /// The pieces after the move, with the board flipped.
    after: Pieces<W>,
    /// Whether White had another move.
    has_choice: bool,
}

impl<W: Word> Selector<'_, W> {
    /// Returns the best positions of `materials`, with the best position first. Positions that lead to a missing table
    /// are skipped.
    pub fn select(&self, materials: impl Iterator<Item = Material>) -> Result<Vec<SelectedPosition>, PoolError> {
        let mut all = Vec::new();
        for material in materials {
            let size = self.tables.index(material).size();
            let pool = Pool { name: "select", threads: self.threads, stop: self.stop };
            let select = |tools: &mut MoveProber<'_, W>, numbers| self.part(tools, material, numbers);
            for found in self.tables.in_parts(pool, size, self.done, select)? {
                all.extend(found);
                self.keep_best(&mut all);
            }
        }
        Ok(all)
    }

    /// Returns the position that `selected` describes. Black is to move in a mutual zugzwang, otherwise White.
    pub fn setup(&self, selected: &SelectedPosition) -> Option<Setup> {
        let setup = self.tables.index(selected.material).setup(selected.number)?;
        let side = if self.selection == Selection::MutualZugzwang { Color::Black } else { Color::White };
        Some(Setup { side, ..setup })
    }

    fn keep_best(&self, selected: &mut Vec<SelectedPosition>) {
        selected.sort_by_cached_key(SelectedPosition::rank);
        selected.truncate(self.max_results);
    }

    fn part(&self, tools: &mut MoveProber<'_, W>, material: Material, numbers: Range<u64>) -> Vec<SelectedPosition> {
        let index = self.tables.index(material);
        let mut cursor = Cursor::new(&index);
        let mut selected = Vec::new();
        for number in numbers {
            let place = SelectedPosition { material, number, plies: 0, only_moves: 0, passed: None };
            if let Some(found) = cursor.pieces(number).and_then(|pieces| self.examine(tools, place, &pieces)) {
                selected.push(found);
                if selected.len() >= 2 * self.max_results {
                    self.keep_best(&mut selected);
                }
            }
        }
        self.keep_best(&mut selected);
        selected
    }

    /// Completes `place`, which describes the position `pieces`. Returns `None` if the position is not selected.
    fn examine(
        &self,
        tools: &mut MoveProber<'_, W>,
        place: SelectedPosition,
        pieces: &Pieces<W>,
    ) -> Option<SelectedPosition> {
        let (rules, board) = (self.tables.rules(), &self.tables.board);
        if rules.has_capture(pieces, Color::White) {
            return None;
        }
        let objective = rules.spec().objective;
        let outcome = |value: TableValue| value.outcome(objective);
        let value = tools.prober.value_of(pieces, 0)?;
        match (self.selection, outcome(value)) {
            (Selection::LongestWins, TableOutcome::Win(Some(plies))) => Some(SelectedPosition { plies, ..place }),
            (Selection::MutualZugzwang, passed @ (TableOutcome::Draw | TableOutcome::Loss(_))) => {
                if value == TableValue::END || rules.has_capture(pieces, Color::Black) {
                    return None;
                }
                match outcome(tools.prober.value_of(&board.flipped(pieces), 0)?) {
                    TableOutcome::Loss(Some(plies)) if plies > 0 => {
                        Some(SelectedPosition { plies, passed: Some(passed), ..place })
                    }
                    _ => None,
                }
            }
            (Selection::OnlyMoves(wanted), TableOutcome::Win(Some(plies)))
                if usize::from(plies) >= 2 * wanted.get() - 1 =>
            {
                let only_moves = self.only_moves(tools, pieces)?;
                (only_moves >= wanted.get()).then_some(SelectedPosition { plies, only_moves, ..place })
            }
            _ => None,
        }
    }

    /// Returns the number of consecutive turns at which White has only one winning move, no matter which of the longest
    /// defences Black chooses. Returns `None` if a table is missing.
    fn only_moves(&self, tools: &mut MoveProber<'_, W>, pieces: &Pieces<W>) -> Option<usize> {
        let Some(OnlyMove { after, has_choice }) = self.only_move(tools, pieces)? else { return Some(0) };
        let mut fewest: Option<usize> = None;
        for next in self.longest_defences(tools, &after)? {
            let count = self.only_moves(tools, &next)?;
            fewest = Some(fewest.map_or(count, |fewest| fewest.min(count)));
            if count == 0 {
                break;
            }
        }
        Some(usize::from(has_choice) + fewest.unwrap_or(0))
    }

    /// Returns White's only winning move. Moves with the same result count as one move. The outer `Option` is `None` if
    /// a table is missing, and the inner `Option` is `None` if there is not exactly one winning move.
    fn only_move(&self, tools: &mut MoveProber<'_, W>, pieces: &Pieces<W>) -> Option<Option<OnlyMove<W>>> {
        let all = self.after_moves(tools, pieces);
        let mut only: Option<Pieces<W>> = None;
        for after in &all {
            let value = tools.prober.value_of(after, 0)?;
            if let TableOutcome::Loss(_) = value.outcome(self.tables.rules().spec().objective)
                && only.replace(*after).is_some_and(|other| other != *after)
            {
                return Some(None);
            }
        }
        Some(only.map(|only| OnlyMove { after: only, has_choice: all.iter().any(|after| *after != only) }))
    }

    /// Returns the positions after each longest defence by Black, or `None` if a table is missing. In `pieces`, the
    /// board is flipped so that Black plays as White; in the results, it is flipped back.
    fn longest_defences(&self, tools: &mut MoveProber<'_, W>, pieces: &Pieces<W>) -> Option<Vec<Pieces<W>>> {
        let (mut most, mut longest) = (0, Vec::new());
        for after in self.after_moves(tools, pieces) {
            let plies = tools.prober.value_of(&after, 0)?.plies()?;
            if plies > most {
                longest.clear();
                most = plies;
            }
            if plies == most {
                longest.push(after);
            }
        }
        Some(longest)
    }

    fn after_moves(&self, tools: &mut MoveProber<'_, W>, pieces: &Pieces<W>) -> Vec<Pieces<W>> {
        let rules = self.tables.rules();
        let can_capture = rules.has_capture(pieces, Color::White);
        rules.fill_moves(pieces, Color::White, can_capture, &mut tools.moves);
        tools.moves.iter().map(|&mv| self.tables.board.after(pieces, mv)).collect()
    }
}
