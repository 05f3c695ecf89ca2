//! The free memory of the system, which only the program that links the engine can ask for.

use std::sync::OnceLock;

static AVAILABLE: OnceLock<fn() -> Option<usize>> = OnceLock::new();

/// Has [`available_memory`] ask `source`, the first one that is handed in.
pub fn set_available_memory(source: fn() -> Option<usize>) {
    let _ = AVAILABLE.set(source);
}

/// Bytes that the system could hand out now without taking them from others, where that can be found out.
pub fn available_memory() -> Option<usize> {
    AVAILABLE.get()?()
}
