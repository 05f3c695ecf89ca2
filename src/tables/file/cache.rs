//! The blocks that threads have read last.

use super::{BLOCK, SliceFile};
use std::sync::{Arc, Mutex, PoisonError};

/// Blocks kept: 16 MiB for each thread that reads files, of which the system gives what is used. With 256 of them searches of
/// endings near tables of six pieces took up to half as long again.
const PLACES: usize = 4096;

/// Which block: the address of its file, the table and the number in it.
type Name = (usize, usize, usize);

/// Unpacked blocks, each in the one place that its name gives it.
#[derive(Debug, Default)]
pub(in crate::tables) struct BlockCache {
    /// Empty until the first block is read.
    places: Vec<Option<Name>>,
    bytes: Vec<u8>,
}

impl BlockCache {
    /// The byte with this `number` of a table of `file`, if its block is whole.
    #[inline]
    pub(in crate::tables) fn byte(&mut self, file: &Arc<SliceFile>, table: usize, number: u64) -> Option<u8> {
        let (block, at) = (number as usize / BLOCK, number as usize % BLOCK);
        let name = (Arc::as_ptr(file) as usize, table, block);
        let place = place_of(name);
        if self.places.get(place).copied().flatten() != Some(name) {
            self.read(file, name, place)?;
        }
        self.bytes.get(place * BLOCK + at).copied()
    }

    #[cold]
    fn read(&mut self, file: &SliceFile, name: Name, place: usize) -> Option<()> {
        if self.places.is_empty() {
            self.places = vec![None; PLACES];
            self.bytes = vec![0; PLACES * BLOCK];
        }
        let start = place * BLOCK;
        let (known, bytes) = (self.places.get_mut(place)?, self.bytes.get_mut(start..start + BLOCK)?);
        *known = None;
        let (_, table, block) = name;
        if !file.try_unpack(table, block, bytes) {
            return None;
        }
        *known = Some(name);
        Some(())
    }
}

/// The caches that no thread uses at the moment, for the searches to come, which look at the same endings.
#[derive(Debug, Default)]
pub(in crate::tables) struct SpareCaches(Mutex<Vec<BlockCache>>);

impl SpareCaches {
    /// One of them, or a new one.
    pub(in crate::tables) fn take(&self) -> BlockCache {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Keeps `cache` if there is something in it.
    pub(in crate::tables) fn give_back(&self, cache: BlockCache) {
        if !cache.places.is_empty() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(cache);
        }
    }
}

/// A clone begins without any: it may go on with other files, and the address of one that is gone can be that of another.
impl Clone for SpareCaches {
    fn clone(&self) -> Self {
        Self::default()
    }
}

fn place_of((file, table, block): Name) -> usize {
    let mixed = ((file / 64 + table * 31 + block) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (u64::BITS - PLACES.trailing_zeros())) as usize
}
