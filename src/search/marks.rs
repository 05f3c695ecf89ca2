//! Marks that the threads of a search leave for each other, without locks.

use crate::position::Key;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Slots of a table, a power of two: far more than marks that matter at a time, so that they seldom meet.
const SLOTS: usize = 1 << 16;

/// A set of keys that forgets: a mark that is pushed out by another one costs time, no more.
pub(super) struct Marks(Box<[AtomicU64]>);

impl Marks {
    /// No marks yet, for a team of `threads`; one alone needs none.
    pub(super) fn new(threads: usize) -> Self {
        Self(bytemuck::allocation::zeroed_slice_box(if threads > 1 { SLOTS } else { 0 }))
    }

    fn slot(&self, key: Key) -> Option<&AtomicU64> {
        self.0.get(key as usize & (SLOTS - 1))
    }

    /// Whether `key` is marked.
    #[inline]
    pub(super) fn contains(&self, key: Key) -> bool {
        self.slot(key).is_some_and(|slot| slot.load(Relaxed) == key)
    }

    /// Marks `key`.
    #[inline]
    pub(super) fn set(&self, key: Key) {
        if let Some(slot) = self.slot(key) {
            slot.store(key, Relaxed);
        }
    }

    /// Takes the mark of `key` away.
    #[inline]
    pub(super) fn clear(&self, key: Key) {
        if let Some(slot) = self.slot(key)
            && slot.load(Relaxed) == key
        {
            slot.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_marked_from_set_to_clear() {
        let marks = Marks::new(2);
        assert!(!marks.contains(77));
        marks.set(77);
        assert!(marks.contains(77) && !marks.contains(78) && !marks.contains(77 + SLOTS as u64));
        marks.clear(78);
        assert!(marks.contains(77));
        marks.clear(77);
        assert!(!marks.contains(77));
    }

    #[test]
    fn one_thread_alone_has_no_table() {
        let marks = Marks::new(1);
        marks.set(77);
        assert!(!marks.contains(77));
    }
}
