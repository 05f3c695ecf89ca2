//! A lockless transposition table.
//!
//! A bucket of four entries fills one cache line. Each entry consists of two words: the key XORed with the data, and
//! the data. If two threads write to an entry at the same time, the stored key does not match and the entry is ignored.

use super::Bound;
use crate::memory::{self, HUGE_PAGE, SMALL_PAGE};
use crate::position::Key;
use crate::system::available_memory;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

const ENTRY_WORDS: usize = 2;
const BUCKET_ENTRIES: usize = 4;
const BUCKET_WORDS: usize = ENTRY_WORDS * BUCKET_ENTRIES;
const WORD_BYTES: usize = size_of::<AtomicU64>();
const BUCKET_BYTES: usize = BUCKET_WORDS * WORD_BYTES;
const BYTES_PER_MIB: usize = 1 << 20;

/// Minimum size of an allocation in bytes. glibc allocates blocks of at least this size with `mmap`, so they are
/// zeroed, and they are returned to the system when they are freed. Smaller blocks come from the heap and would have to
/// be cleared explicitly.
const MIN_ALLOCATION: usize = 33 * BYTES_PER_MIB;

const MIN_BUCKETS: usize = 256;

const GENERATIONS: u8 = 64;

/// When the table chooses an entry to replace, each entry counts as this many plies shallower per generation of age.
const AGE_COST: i32 = 4;

const SAMPLE_BUCKETS: usize = 250;

/// The error returned if a table could not be allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate a table of {mib} MiB")]
pub struct AllocationError {
    /// Requested size in MiB.
    pub mib: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) code: u16,
    /// Score in which the plies to a win or a loss are counted from the stored position.
    pub(crate) score: i16,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
}

impl Entry {
    fn pack(self, generation: u8) -> u64 {
        u64::from(self.code)
            | u64::from(self.score as u16) << 16
            | u64::from(self.depth) << 32
            | u64::from(self.bound as u8) << 40
            | u64::from(generation) << 48
    }

    fn unpack(data: u64) -> Self {
        let bound = match data >> 40 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        Self { code: data as u16, score: (data >> 16) as i16, depth: (data >> 32) as u8, bound }
    }
}

/// A transposition table that several threads can share.
#[derive(Debug)]
pub struct TranspositionTable {
    words: Box<[AtomicU64]>,
    /// Index of the first word that is aligned to a huge page.
    first: usize,
    /// Number of buckets in use, which is at most `capacity`.
    buckets: usize,
    capacity: usize,
    generation: AtomicU8,
    is_used: AtomicBool,
    /// Whether [`TranspositionTable::touch`] has been called.
    is_touched: AtomicBool,
}

impl TranspositionTable {
    /// Number of entries per MiB.
    pub const ENTRIES_PER_MIB: usize = BYTES_PER_MIB / BUCKET_BYTES * BUCKET_ENTRIES;

    /// Allocates an empty table of `mib` MiB, or of 1 MiB if `mib` is 0. The system commits each page of memory when it
    /// is first used. [`TranspositionTable::touch`] commits all pages at once.
    pub fn new(mib: usize) -> Result<Self, AllocationError> {
        let error = AllocationError { mib };
        let bytes = checked_bytes(mib, 0)?;
        let buckets = bytes / BUCKET_BYTES;
        let length = bytes.max(MIN_ALLOCATION).checked_add(HUGE_PAGE).ok_or(error)? / WORD_BYTES;
        let words = bytemuck::allocation::try_zeroed_slice_box::<AtomicU64>(length).map_err(|()| error)?;
        let misaligned = words.as_ptr() as usize % HUGE_PAGE;
        let first = (HUGE_PAGE - misaligned) % HUGE_PAGE / WORD_BYTES;
        memory::advise_huge_pages(&words[first..]);
        Ok(Self { words, first, buckets, capacity: buckets, ..Self::none() })
    }

    /// Commits all pages of memory, so that no search has to wait for page faults. In a short game, page faults would
    /// cost a third of the nodes. The entries are kept.
    pub fn touch(&self) {
        if !self.is_touched.swap(true, Relaxed) {
            for word in self.all_buckets().iter().step_by(SMALL_PAGE / WORD_BYTES) {
                // This writes only where the word is 0. An addition of 0 would not be enough, because it could be
                // compiled to a plain load, which does not commit the page.
                let _ = word.compare_exchange(0, 0, Relaxed, Relaxed);
            }
        }
    }

    /// Creates a table with a single bucket, for searches that do not need a transposition table.
    pub(crate) fn none() -> Self {
        let words = (0..BUCKET_WORDS).map(|_| AtomicU64::new(0)).collect();
        let (is_used, is_touched) = Default::default();
        Self { words, first: 0, buckets: 1, capacity: 1, generation: AtomicU8::new(1), is_used, is_touched }
    }

    /// Checks that enough memory is available for a table of `mib` MiB once `freed` bytes have been returned to the
    /// system.
    pub fn check_available_memory(mib: usize, freed: usize) -> Result<(), AllocationError> {
        checked_bytes(mib, freed).map(drop)
    }

    /// Returns the allocated size in bytes.
    pub fn bytes(&self) -> usize {
        self.capacity * BUCKET_BYTES
    }

    /// Returns whether a search has started since the table was created or cleared.
    pub fn is_used(&self) -> bool {
        self.is_used.load(Relaxed)
    }

    fn all_buckets(&self) -> &[AtomicU64] {
        &self.words[self.first..][..self.buckets * BUCKET_WORDS]
    }

    /// Clears all entries but keeps the memory. No search may be running.
    pub fn clear(&self) {
        if self.is_used.swap(false, Relaxed) {
            self.all_buckets().iter().for_each(|word| word.store(0, Relaxed));
            self.generation.store(1, Relaxed);
        }
    }

    /// Clears all entries and limits the table to the size that a search of `nodes` nodes can fill. This is fast if
    /// both this search and the previous search are small.
    pub(crate) fn restart(&mut self, nodes: u64) {
        if *self.is_used.get_mut() {
            let used = self.first..self.first + self.buckets * BUCKET_WORDS;
            self.words[used].iter_mut().for_each(|word| *word.get_mut() = 0);
            *self.generation.get_mut() = 1;
            *self.is_used.get_mut() = false;
        }
        let most = self.capacity.max(1);
        self.buckets = usize::try_from(nodes).map_or(most, |buckets| buckets.clamp(MIN_BUCKETS.min(most), most));
    }

    pub(crate) fn bytes_in_use(&self) -> usize {
        self.buckets * BUCKET_BYTES
    }

    /// Starts a new generation of entries. Entries from earlier searches are the first to be replaced.
    pub(crate) fn new_search(&self) {
        self.is_used.store(true, Relaxed);
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    /// Returns an estimate of the share of the table that holds entries from the current search, in permille.
    pub fn hashfull(&self) -> u16 {
        let generation = self.generation.load(Relaxed);
        let sample = self.buckets.min(SAMPLE_BUCKETS);
        let words = &self.all_buckets()[..sample * BUCKET_WORDS];
        let used = words
            .chunks_exact(ENTRY_WORDS)
            .filter(|entry| {
                let data = entry[1].load(Relaxed);
                data != 0 && (data >> 48) as u8 == generation
            })
            .count();
        (used * 1000 / (sample * BUCKET_ENTRIES)) as u16
    }

    #[inline]
    fn bucket(&self, key: Key) -> &[AtomicU64; BUCKET_WORDS] {
        let start = self.first + scaled(key, self.buckets) * BUCKET_WORDS;
        match self.words[start..].first_chunk() {
            Some(bucket) => bucket,
            None => unreachable!("a key is mapped to one of the buckets"),
        }
    }

    #[inline(always)]
    pub(crate) fn prefetch(&self, key: Key) {
        memory::prefetch(self.bucket(key));
    }

    #[inline]
    pub(crate) fn probe(&self, key: Key) -> Option<Entry> {
        self.data(key).map(Entry::unpack)
    }

    /// Like [`Self::probe`], but ignores entries from earlier searches.
    pub(crate) fn probe_new(&self, key: Key) -> Option<Entry> {
        let generation = self.generation.load(Relaxed);
        self.data(key).filter(|data| (data >> 48) as u8 == generation).map(Entry::unpack)
    }

    #[inline]
    fn data(&self, key: Key) -> Option<u64> {
        self.bucket(key).chunks_exact(ENTRY_WORDS).find_map(|entry| {
            let data = entry[1].load(Relaxed);
            (data != 0 && entry[0].load(Relaxed) ^ data == key).then_some(data)
        })
    }

    #[inline]
    pub(crate) fn store(&self, key: Key, entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let bucket = self.bucket(key);
        let mut victim = 0;
        let mut least = i32::MAX;
        for (index, slot) in bucket.chunks_exact(ENTRY_WORDS).enumerate() {
            let data = slot[1].load(Relaxed);
            if data == 0 || slot[0].load(Relaxed) ^ data == key {
                victim = index;
                break;
            }
            let age = (GENERATIONS + generation - (data >> 48) as u8) % GENERATIONS;
            let worth = i32::from((data >> 32) as u8) - AGE_COST * i32::from(age);
            if worth < least {
                least = worth;
                victim = index;
            }
        }
        let data = entry.pack(generation);
        bucket[victim * ENTRY_WORDS].store(key ^ data, Relaxed);
        bucket[victim * ENTRY_WORDS + 1].store(data, Relaxed);
    }
}

/// Maps a key to the index of a bucket, which is the upper half of the 128-bit product of the key and the number of
/// buckets.
#[inline(always)]
fn scaled(key: Key, buckets: usize) -> usize {
    if usize::BITS == 32 {
        // On 32-bit targets, a 128-bit product would need a function call.
        let [high, low] = [key >> 32, key & u64::from(u32::MAX)].map(|half| half.wrapping_mul(buckets as u64));
        return (high.wrapping_add(low >> 32) >> 32) as usize;
    }
    ((u128::from(key) * buckets as u128) >> 64) as usize
}

/// Returns the size in bytes of a table of `mib` MiB. Returns an error if less memory is available once `freed` bytes
/// have been returned to the system. Without this check, Linux would overcommit memory and kill the program once the
/// memory is used.
fn checked_bytes(mib: usize, freed: usize) -> Result<usize, AllocationError> {
    let bytes = mib.max(1).checked_mul(BYTES_PER_MIB).ok_or(AllocationError { mib })?;
    let has_room = |available: usize| bytes <= available.saturating_add(freed);
    let is_given = bytes <= MIN_ALLOCATION || available_memory().is_none_or(has_room);
    if is_given { Ok(bytes) } else { Err(AllocationError { mib }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry = Entry { code: 0x8123, score: -31_990, depth: 17, bound: Bound::Upper };

    #[test]
    fn an_entry_is_restored_as_it_was_stored() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.probe(42), None);
        for (key, bound) in [(42, Bound::Exact), (u64::MAX, Bound::Lower), (7, Bound::Upper)] {
            let entry = Entry { bound, ..ENTRY };
            table.store(key, entry);
            assert_eq!(table.probe(key), Some(entry));
        }
        assert_eq!(table.probe(43), None);
    }

    #[test]
    fn buckets_fill_huge_pages_without_crossing_them() {
        for mib in [1, 2, 3, 7] {
            let table = TranspositionTable::new(mib).unwrap();
            assert_eq!(table.bucket(0).as_ptr() as usize % HUGE_PAGE, 0);
            assert_eq!(table.buckets, mib * BYTES_PER_MIB / BUCKET_BYTES);
            let last = table.bucket(u64::MAX).as_ptr() as usize - table.bucket(0).as_ptr() as usize;
            assert_eq!(last, (table.buckets - 1) * BUCKET_BYTES);
        }
    }

    #[cfg(target_os = "linux")]
    fn resident_kib(address: usize) -> usize {
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let holds_address = |line: &&str| {
            let ends = line.split_whitespace().next().and_then(|range| range.split_once('-'));
            let ends = ends.map(|(start, end)| (usize::from_str_radix(start, 16), usize::from_str_radix(end, 16)));
            matches!(ends, Some((Ok(start), Ok(end))) if (start..end).contains(&address))
        };
        let mut lines = maps.lines().skip_while(|line| !holds_address(line));
        let resident = lines.find_map(|line| line.strip_prefix("Rss:")).unwrap();
        resident.split_whitespace().next().unwrap().parse().unwrap()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_table_takes_its_memory_when_it_is_used_or_touched() {
        let table = TranspositionTable::new(40).unwrap();
        let kib = || resident_kib(table.bucket(0).as_ptr() as usize);
        assert!(kib() < 4 * 1024, "{} KiB", kib());
        table.store(7, ENTRY);
        table.touch();
        assert!(kib() >= 40 * 1024, "{} KiB", kib());
        assert_eq!(table.probe(7), Some(ENTRY));
    }

    #[test]
    fn old_and_shallow_entries_are_replaced_first() {
        let table = TranspositionTable::new(1).unwrap();
        for key in 0..4 {
            table.store(key, Entry { depth: 10 + key as u8, ..ENTRY });
        }
        table.store(4, Entry { depth: 1, ..ENTRY });
        assert_eq!(table.probe(0), None, "the shallowest of equal age");
        assert!(table.probe(3).is_some());
        for _ in 0..3 {
            table.new_search();
        }
        for key in 5..9 {
            table.store(key, Entry { depth: 4, ..ENTRY });
        }
        assert_eq!(table.probe(3), None, "deep but old");
    }

    #[test]
    fn a_full_table_is_reported() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.hashfull(), 0);
        for key in 0..200_000_u64 {
            table.store(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), ENTRY);
        }
        assert_eq!(table.hashfull(), 1000);
        table.new_search();
        assert_eq!(table.hashfull(), 0, "old entries do not count");
    }

    #[test]
    fn a_cleared_table_is_empty() {
        let table = TranspositionTable::new(1).unwrap();
        for _ in 0..5 {
            table.new_search();
        }
        table.store(7, ENTRY);
        table.clear();
        assert_eq!(table.probe(7), None);
        assert_eq!(table.generation.load(Relaxed), TranspositionTable::new(1).unwrap().generation.load(Relaxed));
        assert!(table.words.iter().all(|word| word.load(Relaxed) == 0));
    }

    #[test]
    fn a_restarted_table_is_empty_and_sized_for_its_search() {
        let mut table = TranspositionTable::new(1).unwrap();
        let sizes = [0, 1000, 300, u64::MAX, 5].map(|nodes| {
            table.restart(nodes);
            assert!(table.all_buckets().iter().all(|word| word.load(Relaxed) == 0), "{nodes}");
            table.new_search();
            for key in 0..10_000_u64 {
                table.store(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), ENTRY);
            }
            (table.buckets, table.bytes())
        });
        let all = BYTES_PER_MIB / BUCKET_BYTES;
        assert_eq!(sizes, [256, 1000, 300, all, 256].map(|buckets| (buckets, BYTES_PER_MIB)));
    }

    #[test]
    fn more_memory_than_available_is_an_error() {
        assert_eq!(TranspositionTable::new(usize::MAX).err(), Some(AllocationError { mib: usize::MAX }));
        assert!(TranspositionTable::new(1 << 40).is_err());
    }
}
