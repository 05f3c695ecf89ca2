//! The bytes of a file, mapped into memory.
//!
//! The only `unsafe` code of this room: to map a file has no safe form, since another program can change it meanwhile.
#![allow(unsafe_code)]

use memmap2::Mmap;
use std::fs::File;
use std::io;

/// Maps `file`, for reading.
///
/// # Errors
/// When the system cannot map it.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes are only looked at one after another, and whatever they are, they are checked by a checksum when they
    // are read. Files of tables are written under another name and then renamed, so that a program of ours does not change one
    // that is mapped.
    unsafe { Mmap::map(file) }
}
