//! Exclusive write access to files such as journals and resumable output.

use crate::files::check_regular;
#[cfg(not(windows))]
use std::fs::TryLockError;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
#[cfg(not(windows))]
use std::thread::sleep;
#[cfg(not(windows))]
use std::time::{Duration, Instant};

/// Maximum time to wait for the lock of a process that has been killed. The system closes the files of such a process,
/// and thereby releases the lock, only after it has freed the memory.
#[cfg(not(windows))]
const RELEASE_TIMEOUT: Duration = Duration::from_millis(500);
#[cfg(not(windows))]
const PAUSE: Duration = Duration::from_millis(10);

/// Opens a regular file for exclusive writing. Fails if another process is writing to it; other processes can still
/// read it.
///
/// The file stays locked until it is closed. `options` must not truncate the file, because truncation would happen
/// before the file is locked.
#[cfg(not(windows))]
pub fn open_exclusive(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let (file, started) = (options.open(path)?, Instant::now());
    check_regular(&file.metadata()?)?;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if started.elapsed() < RELEASE_TIMEOUT => sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(busy()),
            // Some file systems do not support locks.
            Err(TryLockError::Error(error)) => {
                log::warn!("{} cannot be locked: {error}", path.display());
                return Ok(file);
            }
        }
    }
}

/// Opens a regular file for exclusive writing. Fails if another process is writing to it; other processes can still
/// read it.
///
/// This function restricts the share mode instead of locking the file, because a Windows lock would also prevent other
/// processes from reading it.
#[cfg(windows)]
pub fn open_exclusive(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    const SHARE_READ_AND_DELETE: u32 = 1 | 4;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    let file = options.share_mode(SHARE_READ_AND_DELETE).open(path).map_err(|error| match error.raw_os_error() {
        Some(ERROR_SHARING_VIOLATION) => busy(),
        _ => error,
    })?;
    check_regular(&file.metadata()?)?;
    Ok(file)
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
        let open = || open_exclusive(&path, OpenOptions::new().write(true));
        std::fs::write(&path, "kept").unwrap();
        let file = open().unwrap();
        assert_eq!(open().unwrap_err().to_string(), "another process is writing to this file");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "kept");
        drop(file);
        assert!(open().is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_rejected() {
        let error = open_exclusive(Path::new("/dev/zero"), OpenOptions::new().read(true)).unwrap_err();
        assert_eq!(error.to_string(), "not a regular file");
    }
}
