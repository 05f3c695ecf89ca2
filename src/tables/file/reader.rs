//! Reads memory-mapped table files and caches their blocks.

use super::{BLOCK, FileError, SliceHeader, check_contents};
use crate::checksummed_file::{CHECKSUM, ChecksumError, map};
use crate::rules::{Variant, Word};
use crate::tables::{Index, Material, MaterialTable, Slice, SliceTable};
use memmap2::Mmap;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

const ENTRY: usize = 8;

pub(in crate::tables) const EXTENSION: &str = "table";

/// Returns the path of the file in `folder` for `slice` of `variant`.
pub fn path_of(folder: &Path, variant: Variant, slice: Slice) -> PathBuf {
    folder.join(format!("{}-{slice}.{EXTENSION}", variant.name()))
}

/// Returns the slices of `variant` with at most `pieces` pieces that have a file in `folder`, with the paths of these
/// files. The slices are in the order of [`Slice::all`].
pub fn find(folder: &Path, variant: Variant, pieces: u8) -> Vec<(Slice, PathBuf)> {
    let slices = Slice::all(variant.spec(), pieces).into_iter();
    let with_path = slices.map(|slice| (slice, path_of(folder, variant, slice)));
    with_path.filter(|(_, path)| path.exists()).collect()
}

/// Opens all files in `folder` for slices of `variant` with at most `pieces` pieces. Unusable files are logged and
/// skipped.
pub fn open_all(folder: &Path, variant: Variant, pieces: u8) -> Vec<SliceFile> {
    let files = find(folder, variant, pieces).into_iter().filter_map(|(slice, path)| {
        let refused = |error| log::warn!("{:?}: {error}", path.display());
        SliceFile::open_for(&path, variant, slice).map_err(refused).ok()
    });
    files.collect()
}

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

/// A memory-mapped table file. Each block is verified when it is read.
#[derive(Debug)]
pub struct SliceFile {
    header: SliceHeader,
    bytes: Mmap,
    directory: Directory,
    is_damaged: AtomicBool,
}

impl SliceFile {
    /// Opens and validates the file at `path`. Its blocks are not read yet.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let bytes = map(path)?;
        let (header, end) = SliceHeader::parse(&bytes)?;
        let blocks = |&(size, _): &(u64, _)| usize::try_from(size.div_ceil(BLOCK as u64)).ok();
        let counts: Option<Vec<_>> = header.tables.iter().map(blocks).collect();
        let directory = Directory::parse(&bytes, end, &counts.ok_or(FileError::Header)?)?;
        Ok(Self { header, bytes, directory, is_damaged: AtomicBool::new(false) })
    }

    /// Opens the file at `path`, which must contain `slice` of `variant`. Fails if the file contains anything else.
    pub fn open_for(path: &Path, variant: Variant, slice: Slice) -> Result<Self, FileError> {
        let file = Self::open(path)?;
        check_contents(&file.header.identity, file.header.slice, variant, slice)?;
        Ok(file)
    }

    /// Returns the header of the file.
    pub fn header(&self) -> &SliceHeader {
        &self.header
    }

    pub(in crate::tables) fn into_header(self) -> SliceHeader {
        self.header
    }

    /// Returns the size of the file in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Decompresses a block into `values`, which must be at least as long as the block; a block has at most [`BLOCK`]
    /// bytes. Fails if the block is missing or damaged.
    pub(super) fn unpack(&self, table: usize, block: usize, values: &mut [u8]) -> Result<(), FileError> {
        let damaged = FileError::Block { table, block };
        let mut read = || {
            let packed = self.directory.verified(&self.bytes, table, block)?;
            let &(size, _) = self.header.tables.get(table)?;
            let wanted = usize::try_from(size).ok()?.checked_sub(block * BLOCK)?.min(BLOCK);
            let unpacked = decompress_slice_iter_to_slice(values, std::iter::once(packed), false, true).ok()?;
            (unpacked == wanted).then_some(())
        };
        read().ok_or(damaged)
    }

    /// Like [`Self::unpack`], but returns false instead of an error. Only the first error is logged.
    pub(in crate::tables) fn try_unpack(&self, table: usize, block: usize, values: &mut [u8]) -> bool {
        match self.unpack(table, block, values) {
            Ok(()) => true,
            Err(error) => {
                if !self.is_damaged.swap(true, Relaxed) {
                    log::error!("endgame table {} {}: {error}", self.header.identity.variant, self.header.slice);
                }
                false
            }
        }
    }

    /// Returns whether a probe has found a damaged block.
    pub(in crate::tables) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Relaxed)
    }

    /// Decompresses and verifies every block.
    pub fn check(&self) -> Result<(), FileError> {
        let mut values = [0; BLOCK];
        for (table, blocks) in self.directory.blocks.iter().enumerate() {
            (0..blocks.len()).try_for_each(|block| self.unpack(table, block, &mut values))?;
        }
        Ok(())
    }

    /// Loads the slice into memory. `index_of` must return the index of each material for the variant of the file.
    pub fn load<W: Word>(&self, index_of: impl Fn(Material) -> Index<W>) -> Result<SliceTable<W>, FileError> {
        let slice = self.header.slice;
        let materials = slice.materials().zip(&self.header.tables).enumerate();
        let load = |(table, (material, &(size, counts)))| {
            let index = index_of(material);
            if index.size() != size {
                return Err(FileError::Header);
            }
            let mut values = vec![0; size as usize];
            for (block, values) in values.chunks_mut(BLOCK).enumerate() {
                self.unpack(table, block, values)?;
            }
            Ok(MaterialTable { index, values: values.into(), counts })
        };
        Ok(SliceTable { slice, tables: materials.map(load).collect::<Result<_, FileError>>()? })
    }
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
}
