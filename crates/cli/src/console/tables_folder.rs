//! Files of endgame tables in their folder, and what of them is held in memory.

use super::tables_command::say;
use soffio::rules::{Variant, Word};
use soffio::system::available_memory;
use soffio::tables::file::{FileError, SliceFile, path_of};
use soffio::tables::{Slice, Tables};
use std::io;
use std::path::Path;

/// The files of one variant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folder<'a> {
    pub(super) path: &'a Path,
    pub(super) variant: Variant,
}

impl Folder<'_> {
    /// The file of `slice`, if there is one.
    pub(super) fn open(self, slice: Slice) -> Result<Option<SliceFile>, FileError> {
        match SliceFile::open_for(&path_of(self.path, self.variant, slice), self.variant, slice) {
            Ok(file) => Ok(Some(file)),
            Err(FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Says what is wrong with the file of `slice`.
    pub(super) fn refuse(self, slice: Slice, error: &FileError) {
        say(&format!("{}: {error}", path_of(self.path, self.variant, slice).display()));
    }

    /// The file of `slice`, if it can be used. Blocks are not looked at yet. What is wrong with it is said.
    pub(super) fn usable(self, slice: Slice) -> Option<SliceFile> {
        self.open(slice).unwrap_or_else(|error| {
            self.refuse(slice, &error);
            None
        })
    }

    /// The file of `slice`, if all of it is whole. What is wrong with it is said.
    pub(super) fn whole(self, slice: Slice) -> Option<SliceFile> {
        let file = self.usable(slice)?;
        match file.check() {
            Ok(()) => Some(file),
            Err(error) => {
                self.refuse(slice, &error);
                None
            }
        }
    }

    /// Takes `slices` into memory that are not there yet.
    ///
    /// # Errors
    /// When a file is missing or damaged.
    pub(super) fn load<W: Word>(self, slices: &[Slice], tables: &mut Tables<W>) -> io::Result<()> {
        for &slice in slices {
            if tables.has(slice) {
                continue;
            }
            let path = path_of(self.path, self.variant, slice);
            let failed = |error: FileError| io::Error::other(format!("{}: {error}", path.display()));
            let missing = || io::Error::other(format!("{}: there is no such file", path.display()));
            let file = self.open(slice).map_err(failed)?.ok_or_else(missing)?;
            let table = file.load(tables).map_err(failed)?;
            tables.add(table);
        }
        Ok(())
    }
}

/// Bytes that tables may take: what was allowed, in MiB, and no more than the system has free.
pub(super) fn room(allowed: Option<u64>) -> u64 {
    let free = available_memory().map_or(u64::MAX, |bytes| bytes as u64);
    allowed.map_or(free, |mib| free.min(mib.saturating_mul(1 << 20)))
}

/// `bytes` as people read them.
pub(super) fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
