//! Tests of table files: files can be read back after writing, and damaged files are rejected.

use super::*;
use crate::position::with_width;
use crate::rules::Variant;
use crate::stop::Stop;
use crate::tables::tests::solve;
use crate::tables::{AnyTables, Prober, Slice, SliceTable, Tables};
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use tempfile::tempdir;

fn slice(name: &str) -> Slice {
    Slice::of(name.parse().unwrap())
}

fn written(place: &Path, variant: Variant, pieces: u8) -> Vec<Slice> {
    with_width!(AnyTables::new(variant), mut tables => {
        solve(&mut tables, pieces);
        let slices = Slice::all(variant.spec(), pieces);
        for &slice in &slices {
            write(place, variant, &table(&tables, slice), NonZeroUsize::MIN, &Stop::new()).unwrap();
        }
        slices
    })
}

fn table<W: crate::rules::Word>(tables: &Tables<W>, slice: Slice) -> SliceTable<W> {
    use crate::tables::collection::TableSource;
    let in_memory = |material| match tables.source(material) {
        Some(TableSource::Memory(table)) => table.clone(),
        _ => panic!("{slice} is not in memory"),
    };
    SliceTable { slice, tables: slice.materials().map(in_memory).collect() }
}

#[test]
fn a_file_is_read_back() {
    for variant in [Variant::English, Variant::International, Variant::Canadian] {
        let place = tempdir().unwrap();
        let slices = written(place.path(), variant, 2);
        assert_eq!(find(place.path(), variant, 2).len(), slices.len());
        with_width!(AnyTables::new(variant), tables => {
            let (mut tables, mut mapped) = (tables.clone(), tables);
            solve(&mut tables, 2);
            for &slice in &slices {
                let path = path_of(place.path(), variant, slice);
                let file = SliceFile::open_for(&path, variant, slice).unwrap();
                file.check().unwrap();
                let (loaded, solved) = (file.load(|material| tables.index(material)).unwrap(), table(&tables, slice));
                for (loaded, solved) in loaded.tables.iter().zip(&solved.tables) {
                    assert_eq!((&loaded.values, loaded.counts), (&solved.values, solved.counts), "{variant} {slice}");
                }
                assert_eq!(file.size() as u64, fs::metadata(&path).unwrap().len());
                mapped.add_file(file);
            }
            let (mut one, mut other) = (Prober::new(&tables), Prober::new(&mapped));
            for material in slices.iter().flat_map(|slice| slice.materials()) {
                let index = tables.index(material);
                for number in (0..index.size()).step_by(7) {
                    let Some(setup) = index.setup(number) else { continue };
                    let position = crate::position::Position::from_setup(tables.rules(), &setup).unwrap();
                    assert_eq!(one.value(&position), other.value(&position), "{variant} {setup:?}");
                }
            }
        });
    }
}

#[test]
fn foreign_and_stale_files_are_refused_with_the_reason() {
    let place = tempdir().unwrap();
    written(place.path(), Variant::English, 2);
    let king = slice("0m1k-0m1k");
    let path = path_of(place.path(), Variant::English, king);
    let refusal = |path: &Path, variant, slice| {
        SliceFile::open_for(path, variant, slice).map_or_else(|error| error.to_string(), |_| String::new())
    };
    assert_eq!(refusal(&path, Variant::English, king), "");
    assert!(refusal(&path, Variant::Russian, king).contains("for variant \"english\""));
    assert!(refusal(&path, Variant::English, slice("1m0k-1m0k")).contains("0m1k-0m1k"));
    let bytes = fs::read(&path).unwrap();
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        fs::write(&path, bytes).unwrap();
        refusal(&path, Variant::English, king)
    };
    assert!(!with(&|bytes| bytes.clear()).is_empty());
    assert!(with(&|bytes| bytes[0] = b'x').contains("not an endgame table file"));
    assert!(with(&|bytes| bytes[8] = 9).contains("version 9"));
    assert!(with(&|bytes| bytes[20] ^= 1).contains("checksum mismatch"));
    assert!(with(&|bytes| bytes.push(0)).contains("bytes but has"));
    assert!(with(&|bytes| bytes.truncate(bytes.len() - 1)).contains("bytes but has"));
    // Change the checksum of the rules, and recompute the checksum of the header.
    let stale = with(&|bytes| {
        let length = u32::from_le_bytes([bytes[10], bytes[11], bytes[12], bytes[13]]) as usize;
        let rules = 15 + usize::from(bytes[14]);
        bytes[rules] ^= 1;
        let end = 14 + length;
        let sum = crc32fast::hash(&bytes[..end]);
        bytes[end..end + 4].copy_from_slice(&sum.to_le_bytes());
    });
    assert!(stale.contains("different rules"), "{stale}");
}

/// Damages files of `variant` at random in `rounds` rounds, and loads each damaged file. Returns the number of files
/// that were refused.
fn damage(variant: Variant, pieces: u8, rounds: u32) -> u32 {
    let place = tempdir().unwrap();
    let slices = written(place.path(), variant, pieces);
    let mut random = fastrand::Rng::with_seed(20);
    with_width!(AnyTables::new(variant), mut tables => {
        solve(&mut tables, pieces);
        let mut refused = 0;
        for round in 0..rounds {
            let slice = slices[random.usize(..slices.len())];
            let mut bytes = fs::read(path_of(place.path(), variant, slice)).unwrap();
            match round % 4 {
                0 => bytes.truncate(random.usize(..bytes.len())),
                1 => bytes.extend((0..random.usize(1..20)).map(|_| random.u8(..))),
                _ => for _ in 0..random.usize(1..4) {
                    let at = random.usize(..bytes.len());
                    bytes[at] ^= random.u8(1..);
                },
            }
            // The damaged file gets a new name, because a memory-mapped file must not change.
            let path = place.path().join(format!("{round}.table"));
            fs::write(&path, bytes).unwrap();
            let loaded = SliceFile::open_for(&path, variant, slice).and_then(|file| file.load(|material| tables.index(material)));
            match loaded {
                Err(_) => refused += 1,
                Ok(loaded) => for (loaded, solved) in loaded.tables.iter().zip(&table(&tables, slice).tables) {
                    assert_eq!((&loaded.values, loaded.counts), (&solved.values, solved.counts), "round {round}");
                },
            }
            fs::remove_file(&path).unwrap();
        }
        refused
    })
}

#[test]
fn a_damaged_file_is_rejected_or_unchanged() {
    let refused = damage(Variant::English, 2, 1000);
    assert!(refused > 990, "only {refused} of 1000 were refused");
}

#[test]
#[ignore = "takes many minutes"]
fn no_damage_changes_a_value() {
    for variant in [Variant::English, Variant::Russian, Variant::International, Variant::Turkish] {
        let pieces = if variant == Variant::Turkish { 2 } else { 3 };
        println!("{variant}: {} of 250000 refused", damage(variant, pieces, 250_000));
    }
}

#[test]
fn a_stopped_writer_leaves_no_file() {
    let place = tempdir().unwrap();
    with_width!(AnyTables::new(Variant::English), mut tables => {
        solve(&mut tables, 2);
        let stop = Stop::new();
        stop.stop();
        let slice = slice("0m1k-0m1k");
        let written = write(place.path(), Variant::English, &table(&tables, slice), NonZeroUsize::MIN, &stop);
        assert!(matches!(written, Err(FileError::Io(error)) if error.kind() == std::io::ErrorKind::Interrupted));
    });
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn unfinished_files_of_dead_processes_are_removed() {
    let place = tempdir().unwrap();
    let names = ["english-0m1k-0m1k.17.part", "english-0m1k-0m1k.18.part", "letter.part", "english-0m1k-0m1k.table"];
    let [left, written, other, whole] = names.map(|name| place.path().join(name));
    for path in [&left, &other, &whole] {
        fs::write(path, "x").unwrap();
    }
    let writer = fs::File::create(&written).unwrap();
    writer.try_lock().unwrap();
    remove_unfinished(place.path()).unwrap();
    assert_eq!([&left, &written, &other, &whole].map(|path| path.exists()), [false, true, true, true]);
    drop(writer);
    remove_unfinished(place.path()).unwrap();
    assert!(!written.exists());
}
