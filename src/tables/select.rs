//! Positions that composers and authors look for in tables: the longest wins, mutual zugzwang, wins by only moves.

use super::index::Cursor;
use super::solver::Tools;
use super::{Material, TableOutcome, TableValue, Tables};
use crate::pool::{Pool, PoolError};
use crate::position::{Pieces, Setup};
use crate::rules::{Color, Word};
use crate::stop::Stop;
use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Positions that a thread looks at in one go.
const PART: u64 = 1 << 14;

/// The kind of positions that is looked for. In none of them can the side to move capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Wins of White, to move; the more plies, the better.
    LongestWins,
    /// Black, to move, loses, and White, to move, would not win: each side would be better off if it could pass. Neither can
    /// capture, and both can move. The more plies Black holds out, the better.
    MutualZugzwang,
    /// Wins of White, to move, in which one move alone wins at this many turns or more, one after the other, whichever of the longest
    /// defences is played. A turn at which White has no choice does not count. The more such turns, the better, then the more plies.
    OnlyMoves(NonZeroUsize),
}

/// A position that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selected {
    /// The material, White's first.
    pub material: Material,
    /// The number of the position among those of the material, White to move.
    pub number: u64,
    /// Plies to the end of the game.
    pub plies: u8,
    /// Turns of White, one after the other, at which one move alone wins; 0 where that was not asked.
    pub only_moves: usize,
    /// How the game would end if the other side were to move; where that was asked.
    pub passed: Option<TableOutcome>,
}

impl Selected {
    /// The best come first; of equals that of more pieces, then that of the lowest number.
    fn rank(&self) -> impl Ord + use<> {
        (Reverse(self.only_moves), Reverse(self.plies), Reverse(self.material.pieces()), self.material, self.number)
    }
}

/// Looks for positions in tables, with several threads.
#[derive(Debug)]
pub struct Selector<'a, W: Word> {
    /// The tables.
    pub tables: &'a Tables<W>,
    /// The kind of positions.
    pub selection: Selection,
    /// How many are kept.
    pub most: usize,
    /// How many threads work.
    pub threads: NonZeroUsize,
    /// Ends the work early, with what was found by then.
    pub stop: &'a Stop,
    /// Is told of numbers that are done: the sizes of the indices of all materials.
    pub done: &'a AtomicU64,
}

impl<W: Word> Selector<'_, W> {
    /// Returns the best positions of `materials`, the best first. Positions that lead to a slice without a table are left out.
    ///
    /// # Errors
    /// When the threads could not do their work.
    pub fn select(&self, materials: impl Iterator<Item = Material>) -> Result<Vec<Selected>, PoolError> {
        let mut all = Vec::new();
        for material in materials {
            let size = self.tables.index(material).size();
            let parts = (0..size.div_ceil(PART)).map(|part| part * PART..((part + 1) * PART).min(size));
            let worker = || {
                let mut tools = Tools::new(self.tables);
                move |numbers: Range<u64>| self.part(&mut tools, material, numbers)
            };
            let pool = Pool { name: "select", threads: self.threads, stop: self.stop };
            for found in pool.map(parts, worker)? {
                all.extend(found);
                self.keep_best(&mut all);
            }
        }
        Ok(all)
    }

    /// The position that was `selected`, with the side to move that its plies are meant for.
    pub fn setup(&self, selected: &Selected) -> Option<Setup> {
        let setup = self.tables.index(selected.material).setup(selected.number)?;
        let side = if self.selection == Selection::MutualZugzwang { Color::Black } else { Color::White };
        Some(Setup { side, ..setup })
    }

    fn keep_best(&self, selected: &mut Vec<Selected>) {
        selected.sort_by_cached_key(Selected::rank);
        selected.truncate(self.most);
    }

    fn part(&self, tools: &mut Tools<'_, W>, material: Material, numbers: Range<u64>) -> Vec<Selected> {
        let index = self.tables.index(material);
        let mut cursor = Cursor::new(&index);
        let length = numbers.end - numbers.start;
        let mut selected = Vec::new();
        for number in numbers {
            let found = cursor.pieces(number).and_then(|pieces| self.look(tools, &pieces));
            if let Some((plies, only_moves, passed)) = found {
                selected.push(Selected { material, number, plies, only_moves, passed });
                if selected.len() >= 2 * self.most {
                    self.keep_best(&mut selected);
                }
            }
        }
        self.keep_best(&mut selected);
        self.done.fetch_add(length, Relaxed);
        selected
    }

    /// Plies, turns with an only move, and the outcome with the other side to move, if `pieces` are such a position.
    fn look(&self, tools: &mut Tools<'_, W>, pieces: &Pieces<W>) -> Option<(u8, usize, Option<TableOutcome>)> {
        let (rules, board) = (self.tables.rules(), &self.tables.board);
        if rules.has_capture(pieces, Color::White) {
            return None;
        }
        let objective = rules.spec().objective;
        let outcome = |value: TableValue| value.outcome(objective);
        let value = tools.prober.value_of(pieces, 0)?;
        match (self.selection, outcome(value)) {
            (Selection::LongestWins, TableOutcome::Win(plies)) => Some((plies, 0, None)),
            (Selection::MutualZugzwang, passed @ (TableOutcome::Draw | TableOutcome::Loss(_))) => {
                if value == TableValue::END || rules.has_capture(pieces, Color::Black) {
                    return None;
                }
                match outcome(tools.prober.value_of(&board.turned(pieces), 0)?) {
                    TableOutcome::Loss(plies) if plies > 0 => Some((plies, 0, Some(passed))),
                    _ => None,
                }
            }
            (Selection::OnlyMoves(wanted), TableOutcome::Win(plies)) if usize::from(plies) >= 2 * wanted.get() - 1 => {
                let only_moves = self.only_moves(tools, pieces)?;
                (only_moves >= wanted.get()).then_some((plies, only_moves, None))
            }
            _ => None,
        }
    }

    /// The turns of White from `pieces` on, one after the other, at which one move alone wins, whichever of the longest defences is
    /// played. `None` if a table is missing.
    fn only_moves(&self, tools: &mut Tools<'_, W>, pieces: &Pieces<W>) -> Option<usize> {
        let Some((after, has_choice)) = self.only_move(tools, pieces)? else { return Some(0) };
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

    /// The pieces after the only move of White that wins, as Black sees them, and true if there are other moves. Captures that end in the
    /// same position are one move.
    fn only_move(&self, tools: &mut Tools<'_, W>, pieces: &Pieces<W>) -> Option<Option<(Pieces<W>, bool)>> {
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
        Some(only.map(|only| (only, all.iter().any(|after| *after != only))))
    }

    /// The outcome for White after each move of Black, whose `pieces` these are, that loses last.
    fn longest_defences(&self, tools: &mut Tools<'_, W>, pieces: &Pieces<W>) -> Option<Vec<Pieces<W>>> {
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

    /// The positions after each move of White, as Black sees them.
    fn after_moves(&self, tools: &mut Tools<'_, W>, pieces: &Pieces<W>) -> Vec<Pieces<W>> {
        let rules = self.tables.rules();
        let can_capture = rules.has_capture(pieces, Color::White);
        rules.fill_moves(pieces, Color::White, can_capture, &mut tools.moves);
        tools.moves.iter().map(|&mv| self.tables.board.after(pieces, mv)).collect()
    }
}
