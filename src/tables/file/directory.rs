//! The compressed blocks of a file, and the directory that locates them.

use super::FileError;
use super::unfinished::create_locked;
use crate::checksummed_file::{CHECKSUM, ChecksumError};
use crate::files::{replace, temporary_path};
use crate::pool::{Pool, PoolError};
use crate::stop::Stop;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::Path;

const ENTRY: usize = 8;

#[derive(Clone, Copy, Debug)]
struct Block {
    start: usize,
    length: usize,
    checksum: u32,
}

/// The locations of the compressed blocks in a file.
#[derive(Debug)]
pub(in crate::tables) struct Directory {
    blocks: Vec<Vec<Block>>,
}

impl Directory {
    /// Parses the directory at offset `start` of a file, which has `counts` blocks for each table. Fails if the
    /// directory is damaged, or if the blocks do not end at the end of the file.
    pub(in crate::tables) fn parse(bytes: &[u8], start: usize, counts: &[usize]) -> Result<Self, FileError> {
        let total = counts.iter().try_fold(0_usize, |total, &count| total.checked_add(count));
        let length = total.and_then(|total| total.checked_mul(ENTRY)).ok_or(FileError::Header)?;
        let end = start.checked_add(length).ok_or(FileError::Header)?;
        let entries = bytes.get(start..end).ok_or(FileError::Header)?;
        let checksum = bytes.get(end..).and_then(|rest| rest.first_chunk::<CHECKSUM>()).ok_or(FileError::Header)?;
        if crc32fast::hash(entries) != u32::from_le_bytes(*checksum) {
            return Err(FileError::Header);
        }
        let (entries, _) = entries.as_chunks::<ENTRY>();
        let mut entries = entries.iter();
        let mut next = end + CHECKSUM;
        let mut block = |&[l0, l1, l2, l3, c0, c1, c2, c3]: &[u8; ENTRY]| {
            let (start, length) = (next, u32::from_le_bytes([l0, l1, l2, l3]) as usize);
            next = next.saturating_add(length);
            Block { start, length, checksum: u32::from_le_bytes([c0, c1, c2, c3]) }
        };
        let blocks = counts.iter().map(|&count| entries.by_ref().take(count).map(&mut block).collect()).collect();
        let (declared, found) = (next as u64, bytes.len() as u64);
        if declared != found {
            return Err(ChecksumError::Length { declared, found }.into());
        }
        Ok(Self { blocks })
    }

    /// Returns a compressed block without verifying it, or `None` if the block is missing.
    #[inline]
    pub(in crate::tables) fn packed<'a>(&self, bytes: &'a [u8], table: usize, block: usize) -> Option<&'a [u8]> {
        let &Block { start, length, .. } = self.blocks.get(table)?.get(block)?;
        bytes.get(start..start.checked_add(length)?)
    }

    /// Returns a compressed block, or `None` if it is missing or damaged.
    pub(in crate::tables) fn verified<'a>(&self, bytes: &'a [u8], table: usize, block: usize) -> Option<&'a [u8]> {
        let checksum = self.blocks.get(table)?.get(block)?.checksum;
        self.packed(bytes, table, block).filter(|packed| crc32fast::hash(packed) == checksum)
    }

    /// Returns the number of blocks of each table.
    pub(in crate::tables) fn counts(&self) -> impl Iterator<Item = usize> {
        self.blocks.iter().map(Vec::len)
    }
}

/// Compressed blocks, with their entries in the directory.
#[derive(Default)]
pub(in crate::tables) struct PackedBlocks {
    directory: Vec<u8>,
    bytes: Vec<u8>,
}

impl PackedBlocks {
    pub(in crate::tables) fn add(&mut self, block: &[u8]) {
        self.directory.extend((block.len() as u32).to_le_bytes());
        self.directory.extend(crc32fast::hash(block).to_le_bytes());
        self.bytes.extend(block);
    }
}

/// Writes a complete file, which replaces an older file at `path` atomically. The name of the temporary file has the
/// extension `unfinished`.
pub(in crate::tables) fn write_parts(
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

/// Runs `pack` for each of the `tasks` on `threads` threads, and returns the results in the order of the tasks.
pub(in crate::tables) fn in_order<T, R: Send>(
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
