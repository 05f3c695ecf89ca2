//! The format of files with distances: the number of plies to the win or the loss.
//! `docs/table-format.md` describes it.
#![deny(clippy::indexing_slicing)]

mod reader;

pub(super) use reader::EXTENSION;
pub use reader::{SliceFile, find, open_all, path_of};

use super::file::{
    FileError, PackedBlocks, UNFINISHED, in_order, parse_counts, parse_start_of_header, start_of_header, write_counts,
    write_parts,
};
use super::{Counts, Slice, SliceTable};
use crate::checksummed_file::{Format, Reader};
use crate::rules::{Identity, Variant, Word};
use crate::stop::Stop;
use miniz_oxide::deflate::compress_to_vec;
use std::num::NonZeroUsize;
use std::path::Path;

const FORMAT: Format = Format { magic: b"SOFFTABL", version: 2, name: "an endgame table file" };

/// Number of values in a block.
pub(super) const BLOCK: usize = 4096;

const LEVEL: u8 = 9;

const GROUP: usize = 64;

/// The header of a table file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceHeader {
    /// The variant and the rules for which the tables were built.
    pub identity: Identity,
    /// The slice that the file contains.
    pub slice: Slice,
    /// The number of indices and the result statistics of each material.
    pub tables: Vec<(u64, Counts)>,
}

impl SliceHeader {
    fn to_bytes(&self) -> Vec<u8> {
        let mut body = start_of_header(&self.identity, self.slice);
        for (size, counts) in &self.tables {
            body.extend(size.to_le_bytes());
            write_counts(counts, &mut body);
        }
        FORMAT.seal_head(&body)
    }

    fn parse(bytes: &[u8]) -> Result<(Self, usize), FileError> {
        let (body, end) = FORMAT.open_head(bytes)?;
        Ok((Self::parse_body(Reader::new(body)).ok_or(FileError::Header)?, end))
    }

    fn parse_body(mut bytes: Reader<'_>) -> Option<Self> {
        let (identity, slice) = parse_start_of_header(&mut bytes)?;
        let mut table = || Some((u64::from_le_bytes(bytes.number()?), parse_counts(&mut bytes)?));
        let tables = slice.materials().map(|_| table()).collect::<Option<_>>()?;
        bytes.is_empty().then_some(Self { identity, slice, tables })
    }
}

/// Writes `slice` of `variant` to its file in `folder`. The blocks are compressed by `threads` threads. The complete
/// file replaces an older file atomically.
pub fn write<W: Word>(
    folder: &Path,
    variant: Variant,
    slice: &SliceTable<W>,
    threads: NonZeroUsize,
    stop: &Stop,
) -> Result<(), FileError> {
    let counts = slice.tables.iter().map(|table| (table.index.size(), table.counts)).collect();
    let header = SliceHeader { identity: Identity::for_variant(variant), slice: slice.slice, tables: counts };
    let packed = pack(slice, threads, stop)?;
    write_parts(&path_of(folder, variant, slice.slice), UNFINISHED, &header.to_bytes(), &packed)
}

fn pack<W: Word>(slice: &SliceTable<W>, threads: NonZeroUsize, stop: &Stop) -> Result<Vec<PackedBlocks>, FileError> {
    let groups = slice.tables.iter().flat_map(|table| table.values.chunks(BLOCK * GROUP));
    in_order(groups, threads, stop, |group| {
        let mut packed = PackedBlocks::default();
        group.chunks(BLOCK).for_each(|block| packed.add(&compress_to_vec(block, LEVEL)));
        packed
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::with_width;
    use crate::rules::Variant;
    use crate::stop::Stop;
    use crate::tables::tests::{self, solve, table};
    use crate::tables::{AnyTables, Prober, Slice};
    use std::fs;
    use std::num::NonZeroUsize;
    use std::path::Path;
    use tempfile::tempdir;

    fn slice(name: &str) -> Slice {
        Slice::containing(name.parse().unwrap())
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
    fn foreign_and_stale_files_are_rejected_with_the_reason() {
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
        assert!(stale.contains("different version"), "{stale}");
    }

    /// Damages files of `variant` at random in `rounds` rounds. Returns the number of files that were rejected.
    fn damage(variant: Variant, pieces: u8, rounds: u32) -> u32 {
        let place = tempdir().unwrap();
        let files = written(place.path(), variant, pieces).into_iter();
        let files: Vec<_> = files.map(|slice| (slice, path_of(place.path(), variant, slice))).collect();
        with_width!(AnyTables::new(variant), tables => {
            tests::damage(&files, rounds, |path, slice| {
                let loaded = SliceFile::open_for(path, variant, slice)?.load(|material| tables.index(material))?;
                Ok(loaded.tables.into_iter().map(|table| (table.values, table.counts)).collect::<Vec<_>>())
            })
        })
    }

    #[test]
    fn a_damaged_file_is_rejected_or_unchanged() {
        let rejected = damage(Variant::English, 2, 1000);
        assert!(rejected > 990, "only {rejected} of 1000 were rejected");
    }

    #[test]
    #[ignore = "takes many minutes"]
    fn no_damage_changes_a_value() {
        for variant in [Variant::English, Variant::Russian, Variant::International, Variant::Turkish] {
            let pieces = if variant == Variant::Turkish { 2 } else { 3 };
            println!("{variant}: {} of 250000 rejected", damage(variant, pieces, 250_000));
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
}
