//! Caches of unpacked blocks.

use super::distances::BLOCK;
use super::file::BlockCache;
use super::wld::WldCache;
use std::sync::{Mutex, PoisonError};

#[derive(Debug, Default)]
pub(super) struct Caches {
    pub(super) values: BlockCache<BLOCK>,
    pub(super) results: WldCache,
}

/// A pool of unused caches. Later searches reuse the caches, because they tend to probe the same endings.
#[derive(Debug, Default)]
pub(super) struct SpareCaches(Mutex<Vec<Caches>>);

impl SpareCaches {
    pub(super) fn take(&self) -> Caches {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(super) fn give_back(&self, caches: Caches) {
        if caches.values.is_used() || caches.results.is_used() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(caches);
        }
    }
}
