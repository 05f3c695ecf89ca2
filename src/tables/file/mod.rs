//! The file format of a slice.
//!
//! A file consists of a [`SliceHeader`], a directory, and blocks of values. All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | `SOFFTABL` |
//! | 2 | format version, which is 2 |
//! | 4 | length in bytes of the part of the header that follows, without its CRC-32 |
//! | 1 + n | length of the variant's name, and the name |
//! | 4 | CRC-32 of the rules as text |
//! | 1, 1, 1, 1 | men and kings of the side to move and of its opponent, in the material that names the slice |
//! | 1 | number of tables, which is the number of materials of the slice |
//! | 8 | for each table: number of indices, |
//! | 8, 8, 8 | numbers of won, drawn and lost positions in which the side to move has no capture, |
//! | 1 | number of plies of the longest win, or 255 if there is no win, |
//! | 8 | number of the first position with the longest win, |
//! | 1, 1 | maximum number of plies of any win or loss, and of a lone king's stay on the main road (0 if not counted) |
//! | 4 | CRC-32 of everything before it |
//!
//! The directory contains 8 bytes for each block of each table: the compressed length and the CRC-32 of the block. The
//! directory is followed by its own CRC-32, and then by the blocks without gaps. Each block is a deflate stream of 4096
//! [`TableValue`](super::TableValue) bytes; the last block of a table contains the remaining bytes.
#![deny(clippy::indexing_slicing)]

mod cache;
mod reader;

pub(super) use cache::BlockCache;
pub(super) use reader::{Directory, EXTENSION};
pub use reader::{SliceFile, find, open_all, path_of};

use super::{Counts, Material, SideMaterial, Slice, SliceTable};
use crate::checksummed_file::{ChecksumError, Format, Reader, replace, temporary_path};
use crate::pool::{Pool, PoolError};
use crate::rules::{Identity, Variant, Word};
use crate::stop::Stop;
use miniz_oxide::deflate::compress_to_vec;
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

const FORMAT: Format = Format { magic: b"SOFFTABL", version: 2, name: "an endgame table file" };

/// Number of values in a block.
pub(super) const BLOCK: usize = 4096;

const NO_WIN: u8 = u8::MAX;

/// Why an endgame table file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not start with the signature of a table file, its header is incomplete, or its length is wrong.
    #[error(transparent)]
    Start(#[from] ChecksumError),
    /// The header is inconsistent or the directory is damaged.
    #[error("the header is damaged")]
    Header,
    /// A block is damaged.
    #[error("block {block} of table {table} is damaged")]
    Block {
        /// Number of the table, counted from 0.
        table: usize,
        /// Number of the block, counted from 0.
        block: usize,
    },
    /// The file is for a different variant. The string is the name of that variant.
    #[error("the tables are for variant {0:?}")]
    OtherVariant(String),
    /// The file was built under a different version of the variant's rules.
    #[error("the tables were built under a different version of the rules: build them again")]
    OtherRules,
    /// The slice in the file does not match the file name. The string is the name of that slice.
    #[error("the file contains {0}, which does not match its name")]
    OtherSlice(String),
}

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

pub(super) fn check_identity(found: &Identity, variant: Variant) -> Result<(), FileError> {
    found.check(&Identity::of(variant), FileError::OtherVariant, FileError::OtherRules)
}

/// Checks that a file with this identity and this slice contains `slice` of `variant`.
pub(super) fn check_contents(
    identity: &Identity,
    found: Slice,
    variant: Variant,
    slice: Slice,
) -> Result<(), FileError> {
    check_identity(identity, variant)?;
    if found == slice { Ok(()) } else { Err(FileError::OtherSlice(found.to_string())) }
}

/// Serialises the beginning of the header, from the variant to the number of tables.
pub(super) fn start_of_header(identity: &Identity, slice: Slice) -> Vec<u8> {
    let name = identity.variant.as_bytes();
    let Material { own, other } = slice.material();
    let mut body = vec![name.len() as u8];
    body.extend(name);
    body.extend(identity.rules.to_le_bytes());
    body.extend([own.men, own.kings, other.men, other.kings, slice.materials().count() as u8]);
    body
}

/// Parses what [`start_of_header`] wrote.
pub(super) fn parse_start_of_header(bytes: &mut Reader<'_>) -> Option<(Identity, Slice)> {
    let [length] = bytes.number()?;
    let variant = bytes.text(length.into())?.to_owned();
    let rules = u32::from_le_bytes(bytes.number()?);
    let [men, kings, other_men, other_kings, count] = bytes.number()?;
    let material = Material { own: SideMaterial::new(men, kings)?, other: SideMaterial::new(other_men, other_kings)? };
    let slice = Slice::of(material);
    let is_right = slice.material() == material && slice.materials().count() == usize::from(count);
    is_right.then_some((Identity { variant, rules }, slice))
}

pub(super) fn write_counts(counts: &Counts, body: &mut Vec<u8>) {
    let numbers = [counts.wins, counts.draws, counts.losses];
    body.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    let (plies, number) = counts.longest_win.unwrap_or((NO_WIN, 0));
    body.push(plies);
    body.extend(number.to_le_bytes());
    body.extend([counts.longest_stay, counts.longest_on_main_road]);
}

/// Parses what [`write_counts`] wrote.
pub(super) fn parse_counts(bytes: &mut Reader<'_>) -> Option<Counts> {
    let mut number = || bytes.number().map(u64::from_le_bytes);
    let (wins, draws, losses) = (number()?, number()?, number()?);
    let ([plies], number) = (bytes.number()?, u64::from_le_bytes(bytes.number()?));
    let longest_win = (plies != NO_WIN).then_some((plies, number));
    let [longest_stay, longest_on_main_road] = bytes.number()?;
    let longest_run = longest_stay;
    Some(Counts { wins, draws, losses, longest_win, longest_stay, longest_run, longest_on_main_road })
}

const LEVEL: u8 = 9;

const GROUP: usize = 64;

/// The extension of unfinished files.
pub(super) const UNFINISHED: &str = "part";

/// Age at which an unfinished file is considered abandoned if files cannot be locked.
const LEFT_BEHIND: Duration = Duration::from_secs(3600);

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
    let header = SliceHeader { identity: Identity::of(variant), slice: slice.slice, tables: counts };
    let packed = pack(slice, threads, stop)?;
    write_parts(&path_of(folder, variant, slice.slice), UNFINISHED, &header.to_bytes(), &packed)
}

/// Compressed blocks, with their entries in the directory.
#[derive(Default)]
pub(super) struct PackedBlocks {
    directory: Vec<u8>,
    bytes: Vec<u8>,
}

impl PackedBlocks {
    pub(super) fn add(&mut self, block: &[u8]) {
        self.directory.extend((block.len() as u32).to_le_bytes());
        self.directory.extend(crc32fast::hash(block).to_le_bytes());
        self.bytes.extend(block);
    }
}

/// Writes a complete file, which replaces an older file at `path` atomically. The name of the temporary file has the
/// extension `unfinished`.
pub(super) fn write_parts(
    path: &Path,
    unfinished: &str,
    header: &[u8],
    packed: &[PackedBlocks],
) -> Result<(), FileError> {
    let temporary = temporary_path(path, unfinished);
    let mut checksum = crc32fast::Hasher::new();
    packed.iter().for_each(|blocks| checksum.update(&blocks.directory));
    let write = || {
        let mut file = BufWriter::new(create_locked(&temporary)?);
        file.write_all(header)?;
        packed.iter().try_for_each(|blocks| file.write_all(&blocks.directory))?;
        file.write_all(&checksum.finalize().to_le_bytes())?;
        packed.iter().try_for_each(|blocks| file.write_all(&blocks.bytes))?;
        file.into_inner().map_err(|error| error.into_error())
    };
    Ok(replace(path, &temporary, write)?)
}

fn pack<W: Word>(slice: &SliceTable<W>, threads: NonZeroUsize, stop: &Stop) -> Result<Vec<PackedBlocks>, FileError> {
    let groups = slice.tables.iter().flat_map(|table| table.values.chunks(BLOCK * GROUP));
    in_order(groups, threads, stop, |group| {
        let mut packed = PackedBlocks::default();
        group.chunks(BLOCK).for_each(|block| packed.add(&compress_to_vec(block, LEVEL)));
        packed
    })
}

/// Runs `pack` for each of the `tasks` on `threads` threads, and returns the results in the order of the tasks.
pub(super) fn in_order<T, R: Send>(
    tasks: impl Iterator<Item = T> + Send,
    threads: NonZeroUsize,
    stop: &Stop,
    pack: impl Fn(T) -> R + Sync,
) -> Result<Vec<R>, FileError> {
    let pool = Pool { name: "pack", threads, stop };
    let done = pool.map(tasks, || &pack).map_err(|error| match error {
        PoolError::Thread(error) => error,
        error @ PoolError::Panic(_) => io::Error::other(error.to_string()),
    })?;
    if stop.is_stopped() { Err(io::Error::from(io::ErrorKind::Interrupted).into()) } else { Ok(done) }
}

/// Creates a file and locks it. The lock marks the file as unfinished. It is released when the file is closed, which
/// also happens when the process is killed.
fn create_locked(path: &Path) -> io::Result<File> {
    loop {
        let file = File::create(path)?;
        // Some file systems do not support locks. If `remove_unfinished` removed the file before it was locked, try
        // again.
        if file.try_lock().is_err() || path.exists() {
            return Ok(file);
        }
    }
}

/// Removes unfinished table files from `folder` that were left behind by killed processes.
pub fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_name().and_then(OsStr::to_str).is_some_and(is_unfinished) && is_left_behind(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Returns whether `name` is the name of an unfinished table file, such as `english-1m1k-0m1k.4db711eaba2c4b9a.part`.
fn is_unfinished(name: &str) -> bool {
    let mut parts = name.split('.');
    let slice = parts.next().and_then(|table| {
        let (variant, material) = table.match_indices('-').nth_back(1).map(|(at, _)| table.split_at(at))?;
        Variant::called(variant)?;
        material.get(1..)?.parse::<Material>().ok()
    });
    let is_random = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let has_random = parts.next().is_some_and(is_random);
    let end = [parts.next(), parts.next(), parts.next()];
    slice.is_some()
        && has_random
        && [[Some(UNFINISHED), None, None], [Some("wld"), Some(UNFINISHED), None]].contains(&end)
}

fn is_left_behind(path: &Path) -> bool {
    // Opening a pipe would wait for another process.
    let Some(file) = path.is_file().then(|| File::options().write(true).open(path)).and_then(Result::ok) else {
        return false;
    };
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => {
            let age = || file.metadata()?.modified()?.elapsed().map_err(io::Error::other);
            age().is_ok_and(|age| age >= LEFT_BEHIND)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::with_width;
    use crate::rules::Variant;
    use crate::stop::Stop;
    use crate::tables::tests::{solve, table};
    use crate::tables::{AnyTables, Prober, Slice};
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
        assert!(stale.contains("different version"), "{stale}");
    }

    /// Damages files of `variant` at random in `rounds` rounds, and loads each damaged file. Returns the number of
    /// files that were refused.
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
        let names =
            ["english-0m1k-0m1k.17.part", "english-0m1k-0m1k.18.part", "letter.part", "english-0m1k-0m1k.table"];
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
}
