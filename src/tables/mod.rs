//! Endgame tables, which contain the results of all positions with few pieces under perfect play.
//!
//! Positions are stored with White to move. If Black is to move, the board is rotated and the colours are swapped. A
//! [`Slice`] consists of a [`Material`] and its flipped counterpart. A [`Solver`] needs the tables of the slices with
//! fewer pieces, or with the same number of pieces but fewer men.
//!
//! A [`TableValue`] ignores the draw rules that count moves and repetitions. [`Prober::verdict`] takes move counters
//! into account, and [`RepetitionLimits`] the repetitions in a game. Positions with a compulsory capture are not
//! stored, because their values follow from the captures.
#![allow(clippy::indexing_slicing, reason = "tables are sized by the number of positions")]

mod adjudicator;
mod board;
mod caches;
mod collection;
pub mod distances;
mod draw_limits;
mod faults;
pub mod file;
mod folder;
mod index;
mod main_road;
mod material;
mod probe;
mod repetitions;
mod results;
mod select;
pub(crate) mod solved;
mod solver;
mod value;
mod verify;
pub mod wld;

pub use adjudicator::{Adjudicator, NoTables};
pub use collection::{AnyTables, Tables};
pub use faults::TableFaults;
pub use folder::{FolderError, check_folder};
pub use index::Index;
pub use material::{Material, SideMaterial, Slice};
pub use probe::{Prober, Verdict, best_line};
pub use repetitions::RepetitionLimits;
pub use select::{SelectedPosition, Selection, Selector};
pub use solved::keep_solved_tables;
pub use solver::{SolveError, Solver};
pub use value::{Counts, MaterialTable, SliceTable, TableOutcome, TableValue};
pub use verify::Checker;

#[cfg(test)]
pub(super) mod tests {
    use super::wld::SliceResults;
    use super::*;
    use crate::checksummed_file::damaged;
    use crate::position::{Piece, Position, Setup, with_width};
    use crate::rules::{Color, Variant, Word};
    use crate::stop::Stop;
    use std::fs;
    use std::num::NonZeroUsize;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::AtomicU64;
    use tempfile::tempdir;

    const FAMILIES: [(Variant, u8); 12] = [
        (Variant::English, 3),
        (Variant::Italian, 3),
        (Variant::Casual, 2),
        (Variant::CasualOptional, 2),
        (Variant::LosingEnglish, 2),
        (Variant::Russian, 2),
        (Variant::International, 2),
        (Variant::Spanish, 2),
        (Variant::Turkish, 2),
        (Variant::Frisian, 2),
        (Variant::Breakthrough, 2),
        (Variant::SriLankan, 2),
    ];

    const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

    pub(super) fn solver<W: Word>(tables: &Tables<W>) -> Solver<'_, W> {
        static DONE: AtomicU64 = AtomicU64::new(0);
        Solver { tables, threads: TWO, is_stopped: &|| false, done: &DONE }
    }

    pub(super) fn solve<W: Word>(tables: &mut Tables<W>, pieces: u8) {
        for slice in Slice::all(tables.rules().spec(), pieces) {
            let table = solver(tables).solve(slice).unwrap_or_else(|error| panic!("{slice}: {error}"));
            tables.add(table);
        }
    }

    /// Returns the tables of a slice that was solved in memory.
    pub(super) fn table<W: Word>(tables: &Tables<W>, slice: Slice) -> SliceTable<W> {
        let in_memory = |material| match tables.source(material) {
            Some(collection::TableSource::Memory(table)) => table.clone(),
            _ => panic!("{slice} is not in memory"),
        };
        SliceTable { slice, tables: slice.materials().map(in_memory).collect() }
    }

    /// Damages one of `files` at random in each of `rounds` rounds, and reads the damaged file with `read`, which must
    /// reject it or return the old content. Returns the number of files that were rejected.
    pub(super) fn damage<T: PartialEq>(
        files: &[(Slice, PathBuf)],
        rounds: u32,
        read: impl Fn(&Path, Slice) -> Result<T, file::FileError>,
    ) -> u32 {
        let good = |(slice, path): &(Slice, PathBuf)| (*slice, fs::read(path).unwrap(), read(path, *slice).unwrap());
        let good: Vec<_> = files.iter().map(good).collect();
        let (place, mut random, mut rejected) = (tempdir().unwrap(), fastrand::Rng::with_seed(20), 0);
        for round in 0..rounds {
            let (slice, bytes, expected) = &good[random.usize(..good.len())];
            // The damaged file gets a new name, because a memory-mapped file must not change.
            let path = place.path().join(round.to_string());
            fs::write(&path, damaged(bytes, &mut random)).unwrap();
            match read(&path, *slice) {
                Err(_) => rejected += 1,
                Ok(found) => assert!(found == *expected, "round {round}"),
            }
            fs::remove_file(&path).unwrap();
        }
        rejected
    }

    fn faults<W: Word>(tables: &Tables<W>, slice: Slice) -> TableFaults {
        let checker = Checker { tables, threads: TWO, stop: &Stop::new(), done: &AtomicU64::new(0) };
        checker.check(slice).unwrap()
    }

    fn flipped<W: Word>(tables: &Tables<W>, setup: &Setup) -> Setup {
        let squares = &tables.board.squares;
        let turn = |square| squares[squares.len() - 1 - tables.board.place(square)];
        let pieces = setup.pieces.iter().map(|(&square, &piece)| {
            let color = piece.color.opponent();
            (turn(square), Piece { color, ..piece })
        });
        Setup { side: setup.side.opponent(), pieces: pieces.collect(), ..setup.clone() }
    }

    #[test]
    fn tables_are_consistent() {
        for (variant, pieces) in FAMILIES {
            with_width!(AnyTables::new(variant), mut tables => {
                solve(&mut tables, pieces);
                for slice in Slice::all(variant.spec(), pieces) {
                    assert_eq!(faults(&tables, slice), TableFaults::default(), "{variant} {slice}");
                    check_positions(&tables, slice);
                }
            });
        }
    }

    #[test]
    fn results_are_the_same_without_distances() {
        for (variant, pieces) in FAMILIES {
            with_width!(AnyTables::new(variant), mut tables => {
                solve(&mut tables, pieces);
                for slice in Slice::all(variant.spec(), pieces) {
                    let alone = Solver { threads: NonZeroUsize::MIN, ..solver(&tables) };
                    let expected = SliceResults::from_table(&table(&tables, slice), TWO, &Stop::new()).unwrap();
                    let [found, same] = [solver(&tables), alone].map(|solver| solver.solve_results(slice).unwrap());
                    for ((expected, found), same) in expected.tables.iter().zip(found.tables).zip(same.tables) {
                        assert!(found.values == expected.values && same.values == found.values, "{variant} {slice}");
                        assert_eq!(same.counts, found.counts, "{variant} {slice}");
                        let results = |counts: Counts| (counts.wins, counts.draws, counts.losses);
                        assert_eq!(results(found.counts), results(expected.counts), "{variant} {slice}");
                        let on_main_road = |counts: Counts| counts.longest_on_main_road;
                        assert!(on_main_road(found.counts) >= on_main_road(expected.counts), "{variant} {slice}");
                    }
                }
            });
        }
    }

    /// Checks a sample of the positions in `slice`: numbers are converted to positions and back, flipping the board
    /// does not change the value, and best play has the length that the value gives.
    fn check_positions<W: Word>(tables: &Tables<W>, slice: Slice) {
        let mut prober = Prober::new(tables);
        let rules = tables.rules();
        for material in slice.materials() {
            let index = tables.index(material);
            let step = (index.size() / 97).max(1) as usize;
            for number in (0..index.size()).step_by(step) {
                let Some(setup) = index.setup(number) else { continue };
                let position = Position::from_setup(rules, &setup).unwrap();
                assert_eq!(index.number(position.pieces()), number, "{material}");
                assert_eq!(Material::from_pieces(position.pieces()), material);
                let value = prober.value(&position).unwrap();
                let other = Position::from_setup(rules, &flipped(tables, &setup)).unwrap();
                assert_eq!(prober.value(&other), Some(value), "{rules:?} {setup:?}");
                let line = best_line(&mut prober, &position);
                assert_eq!(line.len(), usize::from(value.plies().unwrap_or(0)), "{rules:?} {setup:?}");
                let end = line.iter().fold(position, |position, &mv| position.play(mv));
                assert!(value == TableValue::DRAW || end.is_won_by_king() || !end.has_move(), "{rules:?} {setup:?}");
            }
            assert_eq!(index.setup(index.size()), None);
        }
    }

    #[test]
    fn wrong_values_and_counts_are_detected() {
        with_width!(AnyTables::new(Variant::English), mut tables => {
            solve(&mut tables, 2);
            let slice = Slice::containing("0m1k-0m1k".parse().unwrap());
            let good = solver(&tables).solve(slice).unwrap();
            let number = (0..).find(|&number| good.tables[0].values[number] == TableValue::DRAW.byte()).unwrap();
            let mut bad = good.clone();
            let mut values = good.tables[0].values.to_vec();
            values[number] = TableValue::ending_after(3).byte();
            bad.tables[0].values = values.into();
            tables.add(bad);
            let found = faults(&tables, slice);
            assert!(found.count > 1 && found.first.as_ref().is_some_and(|fault| fault.contains("its moves give")), "{found:?}");
            let mut miscounted = good;
            miscounted.tables[0].counts.wins += 1;
            tables.add(miscounted);
            let first = format!("the counts of {slice} do not match its values");
            assert_eq!(faults(&tables, slice), TableFaults { count: 1, first: Some(first) });
        });
    }

    #[test]
    fn a_solver_can_be_stopped_and_needs_the_dependencies_of_a_slice() {
        with_width!(AnyTables::new(Variant::English), mut tables => {
            let slice = Slice::containing("1m0k-1m0k".parse().unwrap());
            assert!(matches!(solver(&tables).solve(slice), Err(SolveError::Missing(missing)) if missing == slice));
            solve(&mut tables, 2);
            let stopped = Solver { is_stopped: &|| true, ..solver(&tables) };
            assert!(matches!(stopped.solve(slice), Err(SolveError::Stopped)));
            // A solver with a single thread does not use a pool.
            let alone = Solver { threads: NonZeroUsize::MIN, ..solver(&tables) };
            let table = alone.solve(slice).unwrap();
            assert_eq!(table.tables[0].counts, tables.counts(slice.material()).unwrap());
            tables.retain(|held| held == slice);
            assert!(tables.contains(slice) && !tables.contains(Slice::containing("0m1k-0m1k".parse().unwrap())));
            assert_eq!((tables.max_pieces(), tables.bytes_in_memory()), (2, tables.size(slice)));
            tables.retain(|_| false);
            assert_eq!((tables.max_pieces(), tables.bytes_in_memory()), (0, 0));
        });
    }

    #[test]
    fn the_reported_amount_of_work_is_exact() {
        with_width!(AnyTables::new(Variant::Russian), mut tables => {
            for slice in Slice::all(Variant::Russian.spec(), 2) {
                let done = AtomicU64::new(0);
                let table = Solver { done: &done, ..solver(&tables) }.solve(slice).unwrap();
                assert_eq!(done.into_inner(), tables.work(slice), "{slice}");
                tables.add(table);
            }
        });
    }

    #[test]
    fn a_side_without_pieces_has_lost_or_loses_on_the_next_move() {
        with_width!(AnyTables::new(Variant::English), mut tables => {
            solve(&mut tables, 2);
            let rules = tables.rules();
            let spec = rules.spec();
            let king = Piece { color: Color::White, king: true };
            let square = spec.shape.all_squares().next().unwrap();
            let outcome = |side| {
                let setup = Setup { side, pieces: [(square, king)].into(), ..Setup::start(spec) };
                let position = Position::from_setup(rules, &setup).unwrap();
                Prober::new(&tables).value(&position).unwrap().outcome(spec.objective)
            };
            assert_eq!(outcome(Color::White), TableOutcome::Win(Some(1)));
            assert_eq!(outcome(Color::Black), TableOutcome::Loss(Some(0)));
        });
    }
}
