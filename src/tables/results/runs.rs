//! Counts the plies between moves that reset the draw rules.
//!
//! A draw rule limits the number of plies without a capture or an advance of a man. The plies between two such moves
//! are a *run*. The rounds of the solver count all plies with the same material, which can contain several runs. Once
//! the results are known, most of them are removed: only those before a capture, a promotion or an advance of a man
//! remain. Rounds without advances then restore the others. A position that is restored in round n is at most n plies
//! before the last position of its run.

use super::bit_matrix::{BITS, BitMatrix, transpose};
use super::{Area, ByResult, Decisive, QuietMoves, ResultSolver, Tile};
use crate::rules::Word;
use crate::tables::SolveError;
use crate::tables::probe::MoveProber;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

impl<W: Word> ResultSolver<'_, W> {
    /// Returns an upper bound for the number of plies from a decided position to the last position of its run.
    pub(super) fn longest_run(&mut self) -> Result<usize, SolveError> {
        for side in &mut self.sides {
            (side.open, side.safe) = (BitMatrix::new(side.own.len(), side.other.len()), BitMatrix::new(0, 0));
        }
        self.moves = QuietMoves::OnlyAdvances;
        // In a position that is decided before the first round, the next move ends the run, or the game has ended.
        self.for_all_areas(|tools, number, area| self.begin(tools, number, area))?;
        self.for_all_areas(|_, number, area| {
            self.keep_decided(number, area);
            self.remove_won_by_advance(number, area);
            Ok(())
        })?;
        self.for_all_areas(|_, number, area| {
            self.remove_results(number, area);
            Ok(())
        })?;
        for side in &self.sides {
            for waiting in Decisive::BOTH.map(|result| side.waiting.get(result)) {
                (0..side.own.len()).for_each(|row| waiting.add(row));
            }
        }
        self.moves = QuietMoves::WithoutAdvances;
        self.solve()
    }

    fn for_all_areas(
        &self,
        task: impl Fn(&mut MoveProber<'_, W>, usize, Area) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        for (number, side) in self.sides.iter().enumerate() {
            self.solver.run(&side.areas(), |tools, &area| task(tools, number, area))?;
        }
        Ok(())
    }

    /// Removes the drawn positions of an area from the open positions.
    fn keep_decided(&self, number: usize, area: Area) {
        let ByResult { win, loss } = &self.opposite(number).after;
        self.replace_open(number, area, |open, columns| {
            let decided = |row: usize| win.row(row)[area.block].load(Relaxed) | loss.row(row)[area.block].load(Relaxed);
            let mut matrix = [0; BITS];
            matrix.iter_mut().zip(columns).for_each(|(bits, row)| *bits = decided(row));
            transpose(&mut matrix);
            open.iter_mut().zip(matrix).for_each(|(open, decided)| *open &= decided);
        });
    }

    /// Replaces the open positions of an area with the result of `change`, one square of [`BITS`] rows and one word of
    /// columns at a time. `change` receives the open positions, one word for each row, and the range of the columns.
    fn replace_open(&self, number: usize, area: Area, change: impl Fn(&mut [u64; BITS], Range<usize>)) {
        let side = &self.sides[number];
        for word in (area.first_word..).take(side.words(area)) {
            let rows = || area.rows().take_while(|&row| row < side.own.len());
            let mut open = [0; BITS];
            open.iter_mut().zip(rows()).for_each(|(bits, row)| *bits = side.open.row(row)[word].load(Relaxed));
            change(&mut open, word * BITS..side.other.len().min((word + 1) * BITS));
            rows().zip(open).for_each(|(row, bits)| side.open.row(row)[word].store(bits, Relaxed));
        }
    }

    /// Removes the positions in which an advance of a man wins from the open positions of an area.
    fn remove_won_by_advance(&self, number: usize, area: Area) {
        let side = &self.sides[number];
        let (mut tile, mut steps) = (Tile::new(side.words(area)), Vec::new());
        for bit in 0..area.rows().take_while(|&row| row < side.own.len()).count() {
            tile.visit(side, self.moves, area, bit, Decisive::Win, &mut steps);
        }
    }

    /// Removes the results of the open positions of an area.
    fn remove_results(&self, number: usize, area: Area) {
        let ByResult { win, loss } = &self.opposite(number).after;
        self.replace_open(number, area, |open, columns| {
            let mut matrix = *open;
            transpose(&mut matrix);
            for (bits, row) in matrix.into_iter().zip(columns) {
                win.remove(row, area.block, bits);
                loss.remove(row, area.block, bits);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::position::{MoveList, Pieces, with_width};
    use crate::rules::{Color, Variant, Word};
    use crate::tables::index::Cursor;
    use crate::tables::tests::{solve, solver};
    use crate::tables::{AnyTables, Counts, Material, Prober, Slice, TableOutcome, Tables};
    use std::collections::HashMap;

    /// A decided position with White to move: whether White wins, and the moves that keep the result. A move is the
    /// position that follows, or `None` if it ends the count.
    type Ending<W> = (bool, Vec<Option<Pieces<W>>>);

    /// Returns the maximum number of plies up to a move that ends the count. A winner plays for the shortest count, and
    /// a loser for the longest. `ends` takes the pieces, the origin and the destination of a move.
    fn longest<W: Word>(tables: &Tables<W>, slice: Slice, ends: impl Fn(&Pieces<W>, W, W) -> bool) -> u8 {
        let (rules, mut prober) = (tables.rules(), Prober::new(tables));
        let mut outcome = |pieces: &Pieces<W>| prober.value_of(pieces, 0).unwrap().outcome(rules.spec().objective);
        let mut endings: HashMap<Pieces<W>, Ending<W>> = HashMap::new();
        for index in slice.materials().map(|material| tables.index(material)) {
            let mut cursor = Cursor::new(&index);
            for pieces in (0..index.size()).filter_map(|number| cursor.pieces(number)) {
                let wins = match outcome(&pieces) {
                    TableOutcome::Draw => continue,
                    outcome => matches!(outcome, TableOutcome::Win(_)),
                };
                let mut moves = MoveList::new();
                rules.fill_moves(&pieces, Color::White, rules.has_capture(&pieces, Color::White), &mut moves);
                let mut kept = Vec::new();
                for mv in moves.iter() {
                    let after = tables.board.after(&pieces, *mv);
                    if !wins || matches!(outcome(&after), TableOutcome::Loss(_)) {
                        let ends = mv.is_capture() || ends(&pieces, W::from_square(mv.from), W::from_square(mv.to));
                        kept.push((!ends).then_some(after));
                    }
                }
                endings.insert(pieces, (wins, kept));
            }
        }
        let mut known: HashMap<Pieces<W>, u8> = HashMap::new();
        for plies in 1.. {
            let is_known = |next: &Option<Pieces<W>>| next.is_none_or(|next| known.contains_key(&next));
            let open = endings.iter().filter(|(pieces, _)| !known.contains_key(pieces));
            let found = open.filter(|(_, (wins, moves))| {
                if *wins { moves.is_empty() || moves.iter().any(is_known) } else { moves.iter().all(is_known) }
            });
            let found: Vec<_> = found.map(|(&pieces, _)| pieces).collect();
            if found.is_empty() {
                break;
            }
            known.extend(found.into_iter().map(|pieces| (pieces, plies)));
        }
        assert_eq!(known.len(), endings.len(), "{slice}");
        known.into_values().max().unwrap_or(1)
    }

    fn check<W: Word>(tables: &Tables<W>, slice: Slice) {
        let is_man = |pieces: &Pieces<W>, from: W| (pieces.kings & from).is_empty();
        let far = tables.rules().far_row(Color::White);
        let stay = longest(tables, slice, |pieces, from, to| is_man(pieces, from) && !(to & far).is_empty());
        let row = |square: W| tables.board.place(square.first()) / tables.board.row_length;
        let run = longest(tables, slice, |pieces, from, to| is_man(pieces, from) && row(from) != row(to));
        let found = |limit| solver(tables).solve_results_of_width(slice, limit).unwrap().tables;
        let (with_runs, without_runs) = (found(Some(0)), found(None));
        for (with_runs, without_runs) in with_runs.iter().zip(&without_runs) {
            assert!(with_runs.values == without_runs.values, "{slice}: a result was removed and not restored");
        }
        let Counts { longest_stay, longest_run, .. } = with_runs[0].counts;
        // Rounds alternate between the materials of a slice, so a result can be found one round late. A loss whose
        // moves are all advances also takes a round.
        assert!((stay..=stay + 1).contains(&longest_stay), "{slice}: {stay} plies in the slice, found {longest_stay}");
        assert!((run..=run + 2).contains(&longest_run), "{slice}: {run} plies in a run, found {longest_run}");
        assert_eq!(without_runs[0].counts.longest_run, longest_stay, "{slice}");
    }

    #[test]
    fn stays_and_runs_have_the_right_length() {
        for (variant, pieces) in [
            (Variant::English, 3),
            (Variant::CasualOptional, 2),
            (Variant::LosingEnglish, 3),
            (Variant::Russian, 3),
            (Variant::International, 2),
            (Variant::Turkish, 2),
        ] {
            with_width!(AnyTables::new(variant), mut tables => {
                solve(&mut tables, pieces);
                Slice::all(variant.spec(), pieces).into_iter().for_each(|slice| check(&tables, slice));
            });
        }
    }

    #[test]
    fn an_advance_of_a_man_ends_a_run() {
        with_width!(AnyTables::new(Variant::English), mut tables => {
            solve(&mut tables, 3);
            let slice = Slice::containing("2m0k-0m1k".parse::<Material>().unwrap());
            let counts = solver(&tables).solve_results_of_width(slice, Some(0)).unwrap().tables[0].counts;
            assert_eq!((counts.longest_stay, counts.longest_run), (19, 3));
        });
    }
}
