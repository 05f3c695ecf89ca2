//! Information from the operating system: the available memory, and the reasons for errors.

use std::fmt::Display;
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

/// Returns the text of an error without the operating system's error number.
///
/// ```
/// let error = std::fs::File::open("/no such folder/file").unwrap_err();
/// assert!(error.to_string().contains(" (os error "));
/// assert!(!soffio::system::reason(&error).contains("os error"));
/// ```
pub fn reason(error: impl Display) -> String {
    let text = error.to_string();
    let Some((before, rest)) = text.split_once(" (os error ") else { return text };
    let (_, after) = rest.split_once(')').unwrap_or_default();
    format!("{before}{after}")
}
