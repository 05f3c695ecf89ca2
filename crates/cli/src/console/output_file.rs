//! Files that commands write: for the result of long work, found to be writable before the work begins, and for the log.

use std::cell::Cell;
use std::fs::{File, OpenOptions, remove_file};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is written at the end, or again each time there is something better. A new one is empty until then, and goes again if
/// nothing is ever written.
#[derive(Debug)]
pub(super) struct OutputFile {
    path: PathBuf,
    /// True if it was made here and is empty yet.
    is_kept_place: Cell<bool>,
}

impl OutputFile {
    /// Keeps the place `path`. Something that is not a file but a device or a pipe may exist, as may an empty file, and any file if this
    /// one `replaces` it. Fails when it cannot be written, or when a file exists that may not be replaced.
    pub(super) fn new(path: &Path, replaces: bool) -> io::Result<Self> {
        let named = |error: io::Error| about(path, &error);
        let is_kept_place = match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let found = path.metadata().map_err(named)?;
                if found.is_file() && found.len() > 0 && !replaces {
                    let problem = "the file exists; --overwrite replaces it, or choose another name";
                    return Err(named(io::Error::new(error.kind(), problem)));
                }
                OpenOptions::new().append(true).open(path).map_err(named)?;
                false
            }
            Err(error) => return Err(named(error)),
        };
        Ok(Self { path: path.to_owned(), is_kept_place: Cell::new(is_kept_place) })
    }

    /// The file `path`, if one is wanted.
    pub(super) fn wanted(path: Option<&Path>, replaces: bool) -> io::Result<Option<Self>> {
        path.map(|path| Self::new(path, replaces)).transpose()
    }

    /// Replaces the content of the file by `bytes`. Fails when the file cannot be written, for example because the disk
    /// is full.
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let written = self.replace(bytes);
        self.is_kept_place.set(self.is_kept_place.get() && written.is_err());
        written.map_err(|error| about(&self.path, &error))
    }

    fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).truncate(true).open(&self.path)?;
        file.write_all(bytes)?;
        // Some systems tell only now that the disk is full.
        if file.metadata()?.is_file() { file.sync_all() } else { Ok(()) }
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if self.is_kept_place.get()
            && let Err(error) = remove_file(&self.path)
        {
            log::debug!("{}: {error}", self.path.display());
        }
    }
}

/// `error` with the name of its file.
fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The end of a file, to which the log is written. When that fails, for example because the disk is full, standard error says
/// so once, and the program goes on without a log.
#[derive(Debug)]
pub struct LogFile {
    path: PathBuf,
    /// None once writing has failed.
    file: Option<File>,
}

impl LogFile {
    /// Opens the file at `path`, or makes one.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(|error| about(path, &error))?;
        Ok(Self { path: path.to_owned(), file: Some(file) })
    }

    fn attempt(&mut self, write: impl FnOnce(&mut File) -> io::Result<()>) {
        if let Some(file) = &mut self.file
            && let Err(error) = write(file)
        {
            self.file = None;
            // With standard error closed too there is nowhere to report it.
            drop(writeln!(io::stderr(), "soffio: {}; the log ends here", about(&self.path, &error)));
        }
    }
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|file| file.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(Write::flush);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::NamedTempFile;

    #[test]
    fn a_place_is_kept_until_it_is_written_and_left_clean_if_it_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("place");
        drop(OutputFile::new(&path, false).unwrap());
        assert!(!path.exists());
        let file = OutputFile::new(&path, false).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
        file.write(b"all").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"all");
    }

    #[test]
    fn what_exists_is_replaced_only_if_that_was_asked_for() {
        let path = NamedTempFile::new().unwrap().into_temp_path();
        fs::write(&path, "something longer").unwrap();
        let error = OutputFile::new(&path, false).unwrap_err().to_string();
        assert!(error.ends_with(": the file exists; --overwrite replaces it, or choose another name"), "{error}");
        let file = OutputFile::new(&path, true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"something longer", "until there is something better");
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"something longer");
        OutputFile::new(&path, true).unwrap().write(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() {
        let path = Path::new("/no folder/file");
        let error = OutputFile::new(path, true).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{}: ", path.display())), "{error}");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported() {
        let error = OutputFile::new(Path::new("/dev/full"), false).unwrap().write(b"x").unwrap_err();
        assert_eq!(error.to_string(), "/dev/full: No space left on device (os error 28)");
    }
}
