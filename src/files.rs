//! Opens, maps and replaces files, and names them in messages.

use memmap2::Mmap;
use std::fs::{self, File, Metadata};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Returns the whole path for a message on one line. Paths often differ only at their ends.
pub fn shown_path(path: &Path) -> String {
    path.to_string_lossy().replace(char::is_control, "?")
}

/// Opens a file for reading. Fails if it is not a regular file: opening a pipe would wait until another process opens
/// it as well.
pub fn open_regular(path: &Path) -> io::Result<File> {
    check_regular(&path.metadata()?)?;
    File::open(path)
}

/// Rejects folders, devices and pipes. Reading from a device might never end.
pub(crate) fn check_regular(kind: &Metadata) -> io::Result<()> {
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if kind.is_file() { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")) }
}

/// Reads the first `max_bytes` bytes of a regular file.
pub fn read_regular(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Maps the file at `path` into memory for reading. Mapping is inherently unsafe, because another process can modify
/// the file.
#[allow(unsafe_code)]
pub fn map(path: &Path) -> io::Result<Mmap> {
    let file = open_regular(path)?;
    // SAFETY: the bytes are read one by one and verified by a checksum. This program never modifies a mapped file in
    // place: it writes a new file and renames it.
    unsafe { Mmap::map(&file) }
}

/// Writes a file atomically. The callback `write` creates the complete file at `temporary`, which is then renamed to
/// `path`. Existing handles still refer to the replaced file. If an error occurs, `temporary` is removed.
pub fn replace(path: &Path, temporary: &Path, write: impl FnOnce() -> io::Result<File>) -> io::Result<()> {
    // The file is kept open while it is renamed, so that it stays locked.
    let written = write().and_then(|file| file.sync_all().and_then(|()| fs::rename(temporary, path)));
    // If writing fails, its error is returned, even if the temporary file cannot be removed.
    written.inspect_err(|_| drop(fs::remove_file(temporary)))
}

/// Returns `path` with another extension: random digits, a dot and `extension`. Every call returns a different path,
/// because another process may write the same file. Process IDs are not unique across machines and containers.
pub fn temporary_path(path: &Path, extension: &str) -> PathBuf {
    let unique = RandomState::new().hash_one(path);
    path.with_extension(format!("{unique:x}.{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_paths_are_unique() {
        let path = Path::new("english-0m1k-0m1k.table");
        let paths = [(); 2].map(|()| temporary_path(path, "part"));
        assert_ne!(paths[0], paths[1]);
        assert!(paths.iter().all(|path| path.to_str().is_some_and(|path| path.starts_with("english-0m1k-0m1k."))));
    }
}
