//! Writes endgame table files.

use super::{BLOCK, FileError, Header, path_of};
use crate::checksummed_file::replace;
use crate::pool::{Pool, PoolError};
use crate::rules::{Identity, Variant, Word};
use crate::stop::Stop;
use crate::tables::SliceTable;
use miniz_oxide::deflate::compress_to_vec;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

const LEVEL: u8 = 9;

const GROUP: usize = 64;

const UNFINISHED: &str = "part";

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
    let header = Header { identity: Identity::of(variant), slice: slice.slice, tables: counts };
    let (directory, packed) = pack(slice, threads, stop)?;
    let path = path_of(folder, variant, slice.slice);
    // The name is unique to this process, because another process may build the same slice.
    let temporary = path.with_extension(format!("{}.{UNFINISHED}", std::process::id()));
    let write = || {
        let mut file = BufWriter::new(create_locked(&temporary)?);
        file.write_all(&header.to_bytes())?;
        file.write_all(&directory)?;
        file.write_all(&crc32fast::hash(&directory).to_le_bytes())?;
        packed.iter().try_for_each(|group| file.write_all(group))?;
        file.into_inner().map_err(|error| error.into_error())
    };
    Ok(replace(&path, &temporary, write)?)
}

fn pack<W: Word>(
    slice: &SliceTable<W>,
    threads: NonZeroUsize,
    stop: &Stop,
) -> Result<(Vec<u8>, Vec<Vec<u8>>), FileError> {
    let groups = slice.tables.iter().flat_map(|table| table.values.chunks(BLOCK * GROUP));
    let pack_group = |group: &[u8]| {
        let (mut directory, mut packed) = (Vec::new(), Vec::new());
        for block in group.chunks(BLOCK) {
            let bytes = compress_to_vec(block, LEVEL);
            directory.extend((bytes.len() as u32).to_le_bytes());
            directory.extend(crc32fast::hash(&bytes).to_le_bytes());
            packed.extend(bytes);
        }
        (directory, packed)
    };
    let pool = Pool { name: "pack", threads, stop };
    let done = pool.map(groups, || pack_group).map_err(|error| match error {
        PoolError::Thread(error) => error,
        error @ PoolError::Panic(_) => io::Error::other(error.to_string()),
    })?;
    if stop.is_stopped() {
        return Err(io::Error::from(io::ErrorKind::Interrupted).into());
    }
    let (directories, packed): (Vec<_>, Vec<_>) = done.into_iter().unzip();
    Ok((directories.concat(), packed))
}

/// Creates a file and locks it. The lock marks the file as being written, and is released at the latest when the
/// process ends.
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

/// Removes unfinished files from `folder` that were left behind by killed processes.
pub fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_unfinished = path.extension().is_some_and(|end| end == UNFINISHED)
            && path.file_stem().is_some_and(|stem| stem.to_string_lossy().contains("k."));
        if is_unfinished && is_left_behind(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

fn is_left_behind(path: &Path) -> bool {
    let Ok(file) = File::options().write(true).open(path) else { return false };
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => {
            let age = || file.metadata()?.modified()?.elapsed().map_err(io::Error::other);
            age().is_ok_and(|age| age >= LEFT_BEHIND)
        }
    }
}
