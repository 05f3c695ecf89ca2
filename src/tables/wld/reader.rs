//! Reads memory-mapped win/loss/draw files.

use super::code::{Code, UNPACKED};
use super::header::{WldHeader, WldTable};
use super::order::SetOrder;
use super::{BLOCK, BLOCKS_PER_GROUP, Wld};
use crate::files::map;
use crate::memory;
use crate::position::Pieces;
use crate::rules::{Variant, Word};
use crate::tables::file::{self, BlockCache, Directory, FileError};
use crate::tables::{Counts, Index, Material, Slice};
use memmap2::Mmap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The extension of win/loss/draw files.
pub(in crate::tables) const EXTENSION: &str = "wld";

/// Returns the path of the win/loss/draw file in `folder` for `slice` of `variant`.
pub fn path_of(folder: &Path, variant: Variant, slice: Slice) -> PathBuf {
    file::path_of(folder, variant, slice, EXTENSION)
}

/// A memory-mapped win/loss/draw file. Each group of blocks is verified when it is read for the first time.
#[derive(Debug)]
pub struct WldFile {
    header: WldHeader,
    bytes: Mmap,
    directory: Directory,
    codes: Vec<Code>,
    /// Whether each group of each table has been verified.
    verified: Vec<Vec<AtomicBool>>,
    is_damaged: AtomicBool,
}

impl WldFile {
    /// Opens and validates the file at `path`. Its blocks are not read yet.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let bytes = map(path)?;
        let (header, codes, end) = WldHeader::parse(&bytes)?;
        let groups: Option<Vec<_>> = header.tables.iter().map(|table| table.groups()).collect();
        let groups = groups.ok_or(FileError::Header)?;
        let directory = Directory::parse(&bytes, end, &groups)?;
        let verified = groups.iter().map(|&count| (0..count).map(|_| AtomicBool::new(false)).collect()).collect();
        Ok(Self { header, bytes, directory, codes, verified, is_damaged: AtomicBool::new(false) })
    }

    /// Opens the file at `path`, which must contain `slice` of `variant`. Fails if the file contains anything else.
    pub fn open_for(path: &Path, variant: Variant, slice: Slice) -> Result<Self, FileError> {
        let file = Self::open(path)?;
        file::check_contents(&file.header.identity, file.header.slice, variant, slice)?;
        Ok(file)
    }

    /// Returns the header of the file.
    pub fn header(&self) -> &WldHeader {
        &self.header
    }

    pub(in crate::tables) fn into_header(self) -> WldHeader {
        self.header
    }

    /// Returns the size of the file in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Decompresses a block into `values`, four values in each byte, with the first value in the lowest bits. Fails if
    /// the block is missing or damaged.
    pub(super) fn unpack(&self, table: usize, block: usize, values: &mut [u8; UNPACKED]) -> Result<(), FileError> {
        self.try_unpack(table, block, values).ok_or(FileError::Block { table, block })
    }

    fn try_unpack(&self, table: usize, block: usize, values: &mut [u8]) -> Option<()> {
        let (group, in_group) = (block / BLOCKS_PER_GROUP, block % BLOCKS_PER_GROUP);
        let is_verified = self.verified.get(table)?.get(group)?;
        let packed = if is_verified.load(Relaxed) {
            self.directory.packed(&self.bytes, table, group)?
        } else {
            self.directory.verified(&self.bytes, table, group).inspect(|_| is_verified.store(true, Relaxed))?
        };
        let left = usize::try_from(self.header.tables.get(table)?.size()).ok()?.checked_sub(block * BLOCK)?;
        if let &[value] = packed {
            Wld::from_number(value)?;
            values.fill(value * 0b0101_0101);
            return Some(());
        }
        let blocks_left = (left.div_ceil(BLOCK) + in_group).min(BLOCKS_PER_GROUP);
        let (start, end, bits) = ends(packed, in_group, blocks_left)?;
        self.codes.get(table)?.unpack(bits, start, end, left.min(BLOCK), values)
    }

    fn unpack_or_log(&self, table: usize, block: usize, values: &mut [u8]) -> bool {
        let is_good = self.try_unpack(table, block, values).is_some();
        if !is_good && !self.is_damaged.swap(true, Relaxed) {
            let error = FileError::Block { table, block };
            log::error!("win/loss/draw table {} {}: {error}", self.header.identity.variant, self.header.slice);
        }
        is_good
    }

    /// Returns whether a probe has found a damaged block.
    fn is_damaged(&self) -> bool {
        self.is_damaged.load(Relaxed)
    }

    /// Decompresses and verifies every block.
    pub fn check(&self) -> Result<(), FileError> {
        let mut values = [0; UNPACKED];
        for (table, properties) in self.header.tables.iter().enumerate() {
            (0..blocks(properties)).try_for_each(|block| self.unpack(table, block, &mut values))?;
        }
        Ok(())
    }

    /// Decompresses and verifies a whole table, and puts the values into `order`.
    fn unpack_table(&self, table: usize, order: &SetOrder) -> Result<Vec<u8>, FileError> {
        let properties = self.header.tables.get(table).ok_or(FileError::Header)?;
        let mut values = vec![0_u8; blocks(properties) * UNPACKED];
        memory::advise_huge_pages(&values);
        if *order == properties.order {
            let (of_blocks, _) = values.as_chunks_mut();
            of_blocks.iter_mut().zip(0..).try_for_each(|(values, block)| self.unpack(table, block, values))?;
            return Ok(values);
        }
        let mut numbers = properties.order.numbers_in(order);
        let mut unpacked = [0; UNPACKED];
        for block in 0..blocks(properties) {
            self.unpack(table, block, &mut unpacked)?;
            for byte in unpacked {
                for (shift, number) in [0, 2, 4, 6].into_iter().zip(numbers.by_ref()) {
                    if let Some(place) = values.get_mut(number as usize / 4) {
                        *place |= (byte >> shift & 3) << (2 * (number % 4));
                    }
                }
            }
        }
        Ok(values)
    }
}

fn blocks(table: &WldTable) -> usize {
    table.size().div_ceil(BLOCK as u64) as usize
}

/// Returns the offsets of the first bit of a block and of the bit after its last bit, and the bytes to which they
/// refer. The group has `blocks` blocks.
fn ends(group: &[u8], block: usize, blocks: usize) -> Option<(usize, usize, &[u8])> {
    let mut bytes = group.iter();
    let (mut start, mut end, mut all) = (0, 0, 0_usize);
    for number in 0..blocks {
        let (mut length, mut shift) = (0, 0);
        loop {
            let byte = *bytes.next()?;
            length |= usize::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        if number == block {
            (start, end) = (all, all.checked_add(length)?);
        }
        all = all.checked_add(length)?;
    }
    let bits = bytes.as_slice();
    (bits.len() == all.div_ceil(8)).then_some((start, end, bits))
}

/// Opens all files in `folder` for slices of `variant` with at most `pieces` pieces. Unusable files are logged and
/// skipped.
pub fn open_all(folder: &Path, variant: Variant, pieces: u8) -> Vec<WldFile> {
    let files = Slice::all(variant.spec(), pieces).into_iter().filter_map(|slice| {
        let path = path_of(folder, variant, slice);
        let refused = |error| log::warn!("{:?}: {error}", path.display());
        path.exists().then(|| WldFile::open_for(&path, variant, slice).map_err(refused).ok()).flatten()
    });
    files.collect()
}

/// A cache of decompressed blocks. Each thread needs its own cache. The files must stay open as long as the cache is
/// used, because it identifies a file by its address.
#[derive(Debug, Default)]
pub(in crate::tables) struct WldCache {
    blocks: BlockCache<UNPACKED>,
}

impl WldCache {
    pub(in crate::tables) fn is_used(&self) -> bool {
        self.blocks.is_used()
    }

    #[inline]
    fn value_at(&mut self, file: &Arc<WldFile>, table: usize, number: usize) -> Option<u8> {
        let (block, at) = (number / BLOCK, number % BLOCK);
        let name = (Arc::as_ptr(file) as usize, table, block);
        self.blocks.block_byte(name, at / 4, |values| file.unpack_or_log(table, block, values))
    }
}

/// The results of one material in a file.
#[derive(Clone, Debug)]
pub(in crate::tables) struct ResultSource<W: Word> {
    index: Index<W>,
    order: SetOrder,
    file: Arc<WldFile>,
    /// The number of the table in the file.
    table: usize,
    unpacked: Option<Unpacked>,
}

/// The values of all positions of a material, four in each byte.
#[derive(Clone, Debug)]
struct Unpacked {
    values: Arc<Vec<u8>>,
    order: SetOrder,
}

/// The order of the results of a table in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryOrder {
    /// As in the file.
    File,
    /// An order in which the moves from consecutive positions of an index lead to neighbouring positions. It takes
    /// longer to unpack, but the moves of all positions of a table are looked up faster.
    AfterMove,
}

/// The digits of [`MemoryOrder::AfterMove`]. An index varies Black's kings fastest. After a move, they are White's
/// kings, because the board is flipped.
const ORDER_AFTER_MOVE: [u8; 4] = [1, 0, 3, 2];

impl<W: Word> ResultSource<W> {
    /// Creates the source for table number `table` of `file`. Returns `None` if its set sizes do not match the index.
    pub(in crate::tables) fn new(index: Index<W>, file: &Arc<WldFile>, table: usize) -> Option<Self> {
        let properties = file.header.tables.get(table).filter(|properties| properties.sets == index.sets)?;
        Some(Self { index, order: properties.order, file: Arc::clone(file), table, unpacked: None })
    }

    pub(in crate::tables) fn material(&self) -> Material {
        self.index.material()
    }

    /// Returns the slice of the file if a probe has found a damaged block in the file.
    pub(in crate::tables) fn damaged_slice(&self) -> Option<Slice> {
        self.file.is_damaged().then_some(self.file.header.slice)
    }

    pub(in crate::tables) fn counts(&self) -> Option<Counts> {
        Some(self.file.header.tables.get(self.table)?.counts)
    }

    /// Keeps the values in memory without compression.
    pub(in crate::tables) fn unpack(&mut self, order: MemoryOrder) -> Result<(), FileError> {
        let order = match order {
            MemoryOrder::File => self.order,
            MemoryOrder::AfterMove => SetOrder::new(ORDER_AFTER_MOVE, self.index.sets).ok_or(FileError::Header)?,
        };
        if self.unpacked.as_ref().is_none_or(|unpacked| unpacked.order != order) {
            let values = self.file.unpack_table(self.table, &order)?.into();
            self.unpacked = Some(Unpacked { values, order });
        }
        Ok(())
    }

    #[cfg(test)]
    pub(in crate::tables) fn is_unpacked(&self) -> bool {
        self.unpacked.is_some()
    }

    /// Frees the memory of unpacked values.
    pub(in crate::tables) fn free(&mut self) {
        self.unpacked = None;
    }

    /// Returns the result of the position with these `pieces` and White to move. The result is arbitrary if White must
    /// capture. Returns `None` if the file is damaged.
    #[inline]
    pub(in crate::tables) fn result(&self, cache: &mut WldCache, pieces: &Pieces<W>) -> Option<Wld> {
        let sets = self.index.set_numbers(pieces);
        let (number, byte) = if let Some(unpacked) = &self.unpacked {
            let number = unpacked.order.number(sets) as usize;
            (number, *unpacked.values.get(number / 4)?)
        } else {
            let number = self.order.number(sets) as usize;
            (number, cache.value_at(&self.file, self.table, number)?)
        };
        Wld::from_number(byte >> (2 * (number % 4)) & 3)
    }
}
