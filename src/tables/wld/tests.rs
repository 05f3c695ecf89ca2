use super::*;
use crate::position::{Position, with_width};
use crate::rules::{Color, Variant, Word};
use crate::stop::Stop;
use crate::tables::file::FileError;
use crate::tables::tests::{self, solve, table};
use crate::tables::{AnyTables, Checker, Prober, Slice, SliceTable, TableFaults, TableValue, Tables};
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tempfile::tempdir;

const ONE: NonZeroUsize = NonZeroUsize::MIN;

const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

fn slice(name: &str) -> Slice {
    Slice::containing(name.parse().unwrap())
}

/// Solves all slices with up to `pieces` pieces and writes them to `folder`.
fn written<W: Word>(folder: &Path, variant: Variant, tables: &mut Tables<W>, pieces: u8) -> Vec<Slice> {
    solve(tables, pieces);
    let slices = Slice::all(variant.spec(), pieces);
    for &slice in &slices {
        write(folder, variant, &results(&table(tables, slice)), ONE, &Stop::new()).unwrap();
    }
    slices
}

fn results<W: Word>(table: &SliceTable<W>) -> SliceResults<W> {
    SliceResults::from_table(table, TWO, &Stop::new()).unwrap()
}

fn opened(folder: &Path, variant: Variant, slice: Slice) -> Arc<WldFile> {
    Arc::new(WldFile::open_for(&path_of(folder, variant, slice), variant, slice).unwrap())
}

/// Compares the results of all positions with the values that a prober finds.
fn compare<W: Word>(tables: &Tables<W>, file: &Arc<WldFile>) {
    let (mut prober, mut cache) = (Prober::new(tables), WldCache::default());
    let (rules, slice) = (tables.rules(), file.header().slice);
    for (number, material) in slice.materials().enumerate() {
        let index = tables.index(material);
        assert!(ResultSource::new(index.clone(), file, 2).is_none());
        let packed = ResultSource::new(index.clone(), file, number).unwrap();
        let mut unpacked = packed.clone();
        unpacked.unpack(MemoryOrder::File).unwrap();
        let mut after_move = packed.clone();
        after_move.unpack(MemoryOrder::AfterMove).unwrap();
        for index_number in 0..index.size() {
            let Some(setup) = index.setup(index_number) else { continue };
            let position = Position::from_setup(rules, &setup).unwrap();
            if rules.compulsory() && rules.has_capture(position.pieces(), Color::White) {
                continue;
            }
            let expected = prober.value(&position).unwrap().outcome(rules.spec().objective);
            for source in [&packed, &unpacked, &after_move] {
                let found = source.result(&mut cache, position.pieces());
                assert_eq!(found, Some(Wld::from_outcome(expected)), "{rules:?} {setup:?}");
            }
        }
    }
}

#[test]
fn a_file_contains_the_results_of_the_tables() {
    let variants = [
        (Variant::English, 3),
        (Variant::LosingEnglish, 2),
        (Variant::CasualOptional, 2),
        (Variant::International, 2),
        (Variant::Canadian, 2),
        (Variant::Turkish, 2),
        (Variant::Breakthrough, 2),
        (Variant::Frisian, 2),
    ];
    for (variant, pieces) in variants {
        let place = tempdir().unwrap();
        with_width!(AnyTables::new(variant), mut tables => {
            for slice in written(place.path(), variant, &mut tables, pieces) {
                let file = opened(place.path(), variant, slice);
                file.check().unwrap();
                let faults = file.verify(&results(&table(&tables, slice)), TWO, &Stop::new()).unwrap();
                assert_eq!(faults.first, None, "{variant} {slice}");
                assert_eq!(file.size() as u64, fs::metadata(path_of(place.path(), variant, slice)).unwrap().len());
                compare(&tables, &file);
            }
        });
    }
}

#[test]
fn results_follow_from_the_results_after_each_move() {
    let place = tempdir().unwrap();
    let with_faults = |tables: &Tables<u64>, slice| {
        let checker = Checker { tables, threads: TWO, stop: &Stop::new(), done: &AtomicU64::new(0) };
        checker.check(slice).unwrap()
    };
    let (solved, packed) = (AnyTables::new(Variant::Russian), AnyTables::new(Variant::Russian));
    let (AnyTables::Narrow(mut solved), AnyTables::Narrow(mut packed)) = (solved, packed) else { panic!("8x8") };
    let slices = written(place.path(), Variant::Russian, &mut solved, 3);
    for &slice in &slices {
        packed.add_results(
            WldFile::open_for(&path_of(place.path(), Variant::Russian, slice), Variant::Russian, slice).unwrap(),
        );
        assert_eq!(with_faults(&packed, slice), TableFaults::default(), "{slice}");
    }
    // A wrong result of one slice is a fault of the slices that lead to it.
    let kings = slice("0m1k-0m1k");
    let mut wrong = table(&solved, kings);
    wrong.tables[0].values = vec![TableValue::END.byte(); wrong.tables[0].values.len()].into();
    write(place.path(), Variant::Russian, &results(&wrong), ONE, &Stop::new()).unwrap();
    packed.add_results(
        WldFile::open_for(&path_of(place.path(), Variant::Russian, kings), Variant::Russian, kings).unwrap(),
    );
    let found = with_faults(&packed, slice("0m1k-1m0k"));
    assert!(found.first.is_some_and(|fault| fault.contains("its moves give")));
}

#[test]
fn several_threads_write_the_same_file() {
    let [one, two] = [ONE, TWO].map(|threads| {
        let place = tempdir().unwrap();
        with_width!(AnyTables::new(Variant::English), mut tables => {
            solve(&mut tables, 3);
            let slice = slice("1m1k-0m1k");
            write(place.path(), Variant::English, &results(&table(&tables, slice)), threads, &Stop::new()).unwrap();
            fs::read(path_of(place.path(), Variant::English, slice)).unwrap()
        })
    });
    assert_eq!(one, two);
}

#[test]
fn other_results_and_counts_are_detected() {
    let place = tempdir().unwrap();
    with_width!(AnyTables::new(Variant::English), mut tables => {
        written(place.path(), Variant::English, &mut tables, 2);
        let slice = slice("0m1k-0m1k");
        let file = opened(place.path(), Variant::English, slice);
        let good = table(&tables, slice);
        let fault = |table: SliceTable<_>| file.verify(&results(&table), ONE, &Stop::new()).unwrap().first.unwrap_or_default();
        assert_eq!(fault(good.clone()), "");
        let mut wrong = good.clone();
        wrong.tables[0].values = good.tables[0].values.iter().map(|value| if *value == 0 { 1 } else { *value }).collect();
        assert!(fault(wrong).contains("instead of"));
        let mut miscounted = good;
        miscounted.tables[0].counts.wins += 1;
        assert!(fault(miscounted).contains("the counts"));
        let other = table(&tables, Slice::containing("1m0k-0m1k".parse().unwrap()));
        assert!(matches!(file.verify(&results(&other), ONE, &Stop::new()), Err(FileError::OtherSlice(_))));
    });
}

#[test]
fn foreign_and_damaged_files_are_rejected_with_the_reason() {
    let place = tempdir().unwrap();
    let king = slice("0m1k-0m1k");
    let path = path_of(place.path(), Variant::English, king);
    let tables = AnyTables::new(Variant::English);
    with_width!(tables.clone(), mut tables => {
        written(place.path(), Variant::English, &mut tables, 2);
    });
    let bytes = fs::read(&path).unwrap();
    let refusal = |variant, slice| {
        WldFile::open_for(&path, variant, slice).map_or_else(|error| error.to_string(), |_| String::new())
    };
    assert_eq!(refusal(Variant::English, king), "");
    assert!(refusal(Variant::Russian, king).contains("for variant \"english\""));
    assert!(refusal(Variant::English, slice("1m0k-1m0k")).contains("0m1k-0m1k"));
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        fs::write(&path, bytes).unwrap();
        refusal(Variant::English, king)
    };
    assert!(with(&|bytes| bytes[7] = b'x').contains("not a win/loss/draw table file"));
    assert!(with(&|bytes| bytes[8] = 9).contains("version 9"));
    assert!(with(&|bytes| bytes[40] ^= 1).contains("checksum mismatch"));
    assert!(with(&|bytes| bytes.push(0)).contains("bytes but has"));
    // The last byte belongs to the last block, which is not read yet.
    assert_eq!(with(&|bytes| *bytes.last_mut().unwrap() ^= 1), "");
    let file = Arc::new(WldFile::open(&path).unwrap());
    assert_eq!(file.check().unwrap_err().to_string(), "block 0 of table 0 is damaged");
    with_width!(tables, tables => {
        let index = tables.index(king.material());
        let position = Position::from_setup(tables.rules(), &index.setup(7).unwrap()).unwrap();
        let mut source = ResultSource::new(index, &file, 0).unwrap();
        assert_eq!(source.result(&mut WldCache::default(), position.pieces()), None);
        assert!(source.unpack(MemoryOrder::File).is_err());
    });
}

#[test]
fn a_stopped_writer_leaves_no_file() {
    let place = tempdir().unwrap();
    with_width!(AnyTables::new(Variant::English), mut tables => {
        solve(&mut tables, 2);
        let stop = Stop::new();
        stop.stop();
        let table = results(&table(&tables, slice("0m1k-0m1k")));
        let written = write(place.path(), Variant::English, &table, ONE, &stop);
        assert!(matches!(written, Err(FileError::Io(error)) if error.kind() == std::io::ErrorKind::Interrupted));
    });
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn slices_are_unpacked_as_far_as_memory_allows() {
    let place = tempdir().unwrap();
    with_width!(AnyTables::new(Variant::English), mut tables => {
        let slices = written(place.path(), Variant::English, &mut tables, 3);
        let mut packed = AnyTables::new(Variant::English);
        with_width!(&mut packed, packed => {
            packed.add_folder(place.path(), 3);
            let of_first_two = slices[..2].iter().map(|&slice| packed.unpacked_size(slice)).sum::<u64>();
            for (wanted, bytes, expected) in
                [(&slices[..], u64::MAX, slices.len()), (&slices[..], of_first_two, 2), (&slices[1..2], u64::MAX, 1)]
            {
                packed.unpack_only(wanted, bytes, MemoryOrder::AfterMove);
                let is_unpacked = |slice: &Slice| packed.result_source(slice.material()).unwrap().is_unpacked();
                let unpacked: Vec<_> = slices.iter().copied().filter(is_unpacked).collect();
                assert_eq!(unpacked, wanted[..expected]);
                let checker = Checker { tables: packed, threads: ONE, stop: &Stop::new(), done: &AtomicU64::new(0) };
                slices.iter().for_each(|&slice| assert_eq!(checker.check(slice).unwrap(), TableFaults::default()));
            }
        });
    });
}

fn contents(file: &WldFile) -> Result<Vec<[u8; code::UNPACKED]>, FileError> {
    let tables = file.header().tables.iter().enumerate();
    let blocks = tables.flat_map(|(table, properties)| {
        (0..properties.size().div_ceil(BLOCK as u64) as usize).map(move |block| (table, block))
    });
    let unpacked = |(table, block)| {
        let mut values = [0; code::UNPACKED];
        file.unpack(table, block, &mut values).map(|()| values)
    };
    blocks.map(unpacked).collect()
}

/// Damages files of `variant` at random in `rounds` rounds. Returns the number of files that were rejected.
fn damage(variant: Variant, pieces: u8, rounds: u32) -> u32 {
    let place = tempdir().unwrap();
    let slices = with_width!(AnyTables::new(variant), mut tables => {
        written(place.path(), variant, &mut tables, pieces)
    });
    let files: Vec<_> = slices.into_iter().map(|slice| (slice, path_of(place.path(), variant, slice))).collect();
    tests::damage(&files, rounds, |path, slice| contents(&WldFile::open_for(path, variant, slice)?))
}

#[test]
fn a_damaged_file_is_rejected_or_unchanged() {
    let rejected = damage(Variant::English, 2, 2000);
    assert!(rejected > 1990, "only {rejected} of 2000 were rejected");
}

#[test]
#[ignore = "takes many minutes"]
fn a_million_damaged_files_change_no_result() {
    for variant in [Variant::English, Variant::Russian, Variant::International, Variant::Turkish] {
        let pieces = if variant == Variant::Turkish { 2 } else { 3 };
        println!("{variant}: {} of 250000 rejected", damage(variant, pieces, 250_000));
    }
}
