//! Exclusive write access to files, such as journals and resumable outputs.

#[cfg(not(windows))]
use std::fs::TryLockError;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
#[cfg(not(windows))]
use std::thread::sleep;
#[cfg(not(windows))]
use std::time::{Duration, Instant};

/// How long a killed process may still hold its lock: memory is freed before files are closed.
#[cfg(not(windows))]
const LEAVING: Duration = Duration::from_millis(500);
#[cfg(not(windows))]
const PAUSE: Duration = Duration::from_millis(10);

/// Opens a file for exclusive writing until it is closed; fails if another process is writing to it. Other processes
/// can still read it.
///
/// The options must not truncate the file, because that happens before locking.
#[cfg(not(windows))]
pub fn open_alone(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let (file, started) = (options.open(path)?, Instant::now());
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if started.elapsed() < LEAVING => sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(busy()),
            // Some file systems do not support locks.
            Err(TryLockError::Error(error)) => {
                log::warn!("{} cannot be locked: {error}", path.display());
                return Ok(file);
            }
        }
    }
}

/// Opens a file for exclusive writing until it is closed; fails if another process is writing to it. Other processes
/// can still read it, which a Windows lock would prevent.
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
    io::Error::new(io::ErrorKind::WouldBlock, "another process is writing to this file")
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
        assert_eq!(open().unwrap_err().to_string(), "another process is writing to this file");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "kept");
        drop(file);
        assert!(open().is_ok());
    }
}
