//! Which positions the threads of a search are looking at, so that they share the work: a thread puts off a move that
//! another one is already searching, and mostly finds the answer in the transposition table when it comes back to it.
//!
//! The idea is that of Tom Kerrigan's simplified ABDADA (2017).

use crate::position::Key;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Slots of the table, a power of two: far more than positions under way, so that they seldom meet.
const SLOTS: usize = 1 << 14;

/// Positions that are being searched. A position that is pushed out by another one is searched twice, no more.
pub(super) struct Busy(Box<[AtomicU64]>);

impl Busy {
    /// A table for a team of `threads`; one alone needs none.
    pub(super) fn new(threads: usize) -> Self {
        let slots = if threads > 1 { SLOTS } else { 0 };
        Self((0..slots).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, key: Key) -> Option<&AtomicU64> {
        self.0.get(key as usize & (SLOTS - 1))
    }

    /// Whether a thread is looking at the position with `key`.
    #[inline]
    pub(super) fn contains(&self, key: Key) -> bool {
        self.slot(key).is_some_and(|slot| slot.load(Relaxed) == key)
    }

    /// Says that a thread looks at the position with `key`.
    #[inline]
    pub(super) fn begin(&self, key: Key) {
        if let Some(slot) = self.slot(key) {
            slot.store(key, Relaxed);
        }
    }

    /// Says that it no longer does.
    #[inline]
    pub(super) fn end(&self, key: Key) {
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
    fn a_position_is_busy_from_its_beginning_to_its_end() {
        let busy = Busy::new(2);
        assert!(!busy.contains(77));
        busy.begin(77);
        assert!(busy.contains(77) && !busy.contains(78) && !busy.contains(77 + SLOTS as u64));
        busy.end(78);
        assert!(busy.contains(77));
        busy.end(77);
        assert!(!busy.contains(77));
    }

    #[test]
    fn one_thread_alone_has_no_table() {
        let busy = Busy::new(1);
        busy.begin(77);
        assert!(!busy.contains(77));
    }
}
