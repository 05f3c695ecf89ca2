//! The available system memory, which the embedding program determines.

use std::sync::OnceLock;

static AVAILABLE: OnceLock<fn() -> Option<usize>> = OnceLock::new();

/// Registers the function that [`available_memory`] calls. Only the first registration takes effect.
pub fn set_available_memory(source: fn() -> Option<usize>) {
    let _ = AVAILABLE.set(source);
}

/// Returns the number of bytes that can be allocated without swapping, or `None` if it is unknown.
pub fn available_memory() -> Option<usize> {
    AVAILABLE.get()?()
}
