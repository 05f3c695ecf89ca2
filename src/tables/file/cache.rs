//! Caches of decompressed blocks.

use crate::memory::advise_huge_pages;

/// Size of a cache in bytes. The operating system allocates the memory lazily. With 1 MiB, searches near six-piece
/// tables took up to 50 % longer.
const CACHE: usize = 1 << 24;

/// Identifies a block by the address of its file, the number of its table and the number of the block.
pub(in crate::tables) type BlockId = (usize, usize, usize);

/// A direct-mapped cache of decompressed blocks, which have at most `BYTES` bytes.
#[derive(Debug, Default)]
pub(in crate::tables) struct BlockCache<const BYTES: usize> {
    slots: Vec<Option<BlockId>>,
    bytes: Vec<u8>,
}

impl<const BYTES: usize> BlockCache<BYTES> {
    /// Number of blocks, which is a power of two.
    const SLOTS: usize = 1 << (CACHE / BYTES).ilog2();

    /// Returns the byte at offset `at` of a block. If the block is not cached, `unpack` decompresses it; it returns
    /// false if the block is damaged.
    #[inline]
    pub(in crate::tables) fn block_byte(
        &mut self,
        id: BlockId,
        at: usize,
        unpack: impl FnOnce(&mut [u8]) -> bool,
    ) -> Option<u8> {
        let slot = Self::slot_of(id);
        if self.slots.get(slot).copied().flatten() != Some(id) {
            self.read(id, slot, unpack)?;
        }
        self.bytes.get(slot * BYTES + at).copied()
    }

    pub(in crate::tables) fn is_used(&self) -> bool {
        !self.slots.is_empty()
    }

    #[cold]
    fn read(&mut self, id: BlockId, slot: usize, unpack: impl FnOnce(&mut [u8]) -> bool) -> Option<()> {
        if self.slots.is_empty() {
            self.slots = vec![None; Self::SLOTS];
            self.bytes = vec![0; Self::SLOTS * BYTES];
            advise_huge_pages(&self.bytes);
        }
        let start = slot * BYTES;
        let (known, bytes) = (self.slots.get_mut(slot)?, self.bytes.get_mut(start..start + BYTES)?);
        *known = None;
        if !unpack(bytes) {
            return None;
        }
        *known = Some(id);
        Some(())
    }

    fn slot_of((file, table, block): BlockId) -> usize {
        let mixed = ((file / 64 + table * 31 + block) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (u64::BITS - Self::SLOTS.trailing_zeros())) as usize
    }
}
