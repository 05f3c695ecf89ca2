//! Writing a file of endgame tables.

use super::{BLOCK, FileError, Header, path_of};
use crate::rules::{Identity, Word};
use crate::tables::{SliceTable, Tables};
use miniz_oxide::deflate::compress_to_vec;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

/// How hard the blocks are packed, of 10.
const LEVEL: u8 = 9;

/// Writes `slice` of the variant of `tables` to its file in `folder`. The file appears when it is complete.
///
/// # Errors
/// When it cannot be written.
pub fn write<W: Word>(folder: &Path, tables: &Tables<W>, slice: &SliceTable<W>) -> Result<(), FileError> {
    let variant = tables.rules().variant();
    let counts = slice.tables.iter().map(|table| (table.index.len(), table.counts)).collect();
    let header = Header { identity: Identity::of(variant), slice: slice.slice, tables: counts };
    let mut directory = Vec::new();
    let mut packed = Vec::new();
    for block in slice.tables.iter().flat_map(|table| table.values.chunks(BLOCK)) {
        let bytes = compress_to_vec(block, LEVEL);
        directory.extend((bytes.len() as u32).to_le_bytes());
        directory.extend(crc32fast::hash(&bytes).to_le_bytes());
        packed.extend(bytes);
    }
    let path = path_of(folder, variant, slice.slice);
    // Of this process alone: another one may build the same slice.
    let temporary = path.with_extension(format!("{}.part", std::process::id()));
    let write = || {
        let mut file = BufWriter::new(File::create(&temporary)?);
        file.write_all(&header.to_bytes())?;
        file.write_all(&directory)?;
        file.write_all(&crc32fast::hash(&directory).to_le_bytes())?;
        file.write_all(&packed)?;
        file.into_inner().map_err(|error| error.into_error())?.sync_all()?;
        fs::rename(&temporary, &path)
    };
    let written = write();
    if written.is_err() {
        // What is left of it is of no use; that the first error is told matters more.
        drop(fs::remove_file(&temporary));
    }
    Ok(written?)
}
