//! Available system memory, as reported by a function of the embedding program.

use std::sync::OnceLock;

static AVAILABLE: OnceLock<fn() -> Option<usize>> = OnceLock::new();

/// Registers the source of [`available_memory`]; only the first call has an effect.
pub fn set_available_memory(source: fn() -> Option<usize>) {
    let _ = AVAILABLE.set(source);
}

/// Returns the memory in bytes that can be allocated without swapping, or `None` if unknown.
pub fn available_memory() -> Option<usize> {
    AVAILABLE.get()?()
}
