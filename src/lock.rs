//! Files that one process at a time may write: journals, and outputs that are continued.

#[cfg(not(windows))]
use std::fs::TryLockError;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
#[cfg(not(windows))]
use std::thread::sleep;
#[cfg(not(windows))]
use std::time::{Duration, Instant};

/// How long a process that was killed may still hold its lock: its memory is freed before its files are closed.
#[cfg(not(windows))]
const LEAVING: Duration = Duration::from_millis(500);
#[cfg(not(windows))]
const PAUSE: Duration = Duration::from_millis(10);

/// Opens the file at `path` with `options` for this process alone, until it is closed or the process ends. Others can still read it. The
/// options must not truncate the file: that would happen before the lock is known.
///
/// # Errors
/// When it cannot be opened, or another process writes to it.
#[cfg(not(windows))]
pub fn open_alone(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let (file, started) = (options.open(path)?, Instant::now());
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if started.elapsed() < LEAVING => sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(busy()),
            // Some file systems have no locks.
            Err(TryLockError::Error(error)) => {
                log::warn!("{} cannot be locked: {error}", path.display());
                return Ok(file);
            }
        }
    }
}

/// Opens the file at `path` with `options` for this process alone, until it is closed or the process ends. Others can still read it, which
/// a lock of this system would prevent.
///
/// # Errors
/// When it cannot be opened, or another process writes to it.
#[cfg(windows)]
pub fn open_alone(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    const SHARE_READ_AND_DELETE: u32 = 1 | 4;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    options.share_mode(SHARE_READ_AND_DELETE).open(path).map_err(|error| match error.raw_os_error() {
        Some(ERROR_SHARING_VIOLATION) => busy(),
        _ => error,
    })
}

fn busy() -> io::Error {
    io::Error::new(io::ErrorKind::WouldBlock, "another process writes to this file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_by_one_and_read_by_all() {
        let path = tempfile::NamedTempFile::new().unwrap().into_temp_path();
        let open = || open_alone(&path, OpenOptions::new().write(true));
        std::fs::write(&path, "kept").unwrap();
        let file = open().unwrap();
        assert_eq!(open().unwrap_err().to_string(), "another process writes to this file");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "kept");
        drop(file);
        assert!(open().is_ok());
    }
}
