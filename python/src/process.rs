//! Guards objects whose threads belong to one process.

use crate::convert::EngineError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A value that belongs to the process in which it was created, because its threads do not survive a fork. In a child
/// process, the value cannot be used, and it is never dropped: dropping it would wait for threads that do not exist.
pub struct ProcessBound<T> {
    value: Arc<T>,
    process: u32,
}

impl<T> ProcessBound<T> {
    pub fn new(value: T) -> Self {
        Self { value: Arc::new(value), process: std::process::id() }
    }

    /// Returns the value, or `None` in a forked child process.
    pub fn own(&self) -> Option<&Arc<T>> {
        (std::process::id() == self.process).then_some(&self.value)
    }

    /// Returns the value. Fails in a forked child process.
    pub fn get(&self) -> PyResult<&Arc<T>> {
        self.own().ok_or_else(|| {
            EngineError::new_err(
                "the engine belongs to another process and its threads do not survive a fork: create one in the child",
            )
        })
    }
}

impl<T> Drop for ProcessBound<T> {
    fn drop(&mut self) {
        if self.own().is_none() {
            // The additional reference keeps the value.
            std::mem::forget(Arc::clone(&self.value));
        }
    }
}
