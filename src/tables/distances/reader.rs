//! Reads memory-mapped files with distances.

use super::{BLOCK, SliceHeader};
use crate::files::map;
use crate::rules::{Variant, Word};
use crate::tables::file::{self, BlockCache, Directory, FileError};
use crate::tables::{Index, Material, MaterialTable, Slice, SliceTable};
use memmap2::Mmap;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

pub(in crate::tables) const EXTENSION: &str = "table";

/// Returns the path of the file in `folder` for `slice` of `variant`.
pub fn path_of(folder: &Path, variant: Variant, slice: Slice) -> PathBuf {
    file::path_of(folder, variant, slice, EXTENSION)
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

/// A memory-mapped file with distances. Each block is verified when it is read.
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
        file::check_contents(&file.header.identity, file.header.slice, variant, slice)?;
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
        for (table, count) in self.directory.counts().enumerate() {
            (0..count).try_for_each(|block| self.unpack(table, block, &mut values))?;
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

impl BlockCache<BLOCK> {
    #[inline]
    pub(in crate::tables) fn byte(&mut self, file: &Arc<SliceFile>, table: usize, number: u64) -> Option<u8> {
        let (block, at) = (number as usize / BLOCK, number as usize % BLOCK);
        let name = (Arc::as_ptr(file) as usize, table, block);
        self.block_byte(name, at, |bytes| file.try_unpack(table, block, bytes))
    }
}
