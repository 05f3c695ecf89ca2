//! Output files of commands, which are checked before long work begins.

use crate::with_path::about;
use soffio::files::temporary_path;
use std::cell::{Cell, RefCell};
use std::fs::{self, File, OpenOptions, TryLockError, remove_file};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// An output file that is written when the work ends, or each time there is a better result. New content is first
/// written to a file with a different name. It replaces the old content only when it is complete. A new output
/// file stays empty until then, and is removed if nothing is written.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    /// The file to replace, with symbolic links resolved, or `None` if the output is a device or a pipe.
    target: Option<PathBuf>,
    /// Whether the file was created by this `OutputFile` and is still empty.
    is_reserved: Cell<bool>,
    /// The locked file at `target`. Another output of this or another process cannot have the same path.
    lock: RefCell<Option<File>>,
}

impl OutputFile {
    /// Reserves `path`. A device, a pipe or an empty file may exist at `path`. If any other file exists, `replaces`
    /// must be true. Fails if the file cannot be written or replaced.
    pub fn new(path: &Path, replaces: bool) -> io::Result<Self> {
        Self::keep(path, replaces, "use --overwrite to replace it, or choose another name")
    }

    /// Like [`Self::new`], but if the file exists, the error ends with `remedy`, which describes how to replace it.
    pub fn keep(path: &Path, replaces: bool, remedy: &str) -> io::Result<Self> {
        let named = |error: io::Error| about(path, &error);
        let (made, file) = match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(file) => (true, file),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let found = path.metadata().map_err(named)?;
                if found.is_file() && found.len() > 0 && !replaces {
                    let problem = format!("the file exists; {remedy}");
                    return Err(named(io::Error::new(error.kind(), problem)));
                }
                (false, OpenOptions::new().append(true).open(path).map_err(named)?)
            }
            Err(error) => return Err(named(error)),
        };
        let mut output =
            Self { path: path.to_owned(), target: None, is_reserved: Cell::new(made), lock: RefCell::default() };
        if path.metadata().map_err(named)?.is_file() {
            if !lock(&file) {
                output.is_reserved.set(false);
                let problem = "the file is in use as another output; choose a different name";
                return Err(named(io::Error::new(io::ErrorKind::WouldBlock, problem)));
            }
            output.lock.replace(Some(file));
            output.target = Some(path.canonicalize().map_err(named)?);
            // A folder without write access must be reported before the work begins, not after it.
            output.begin()?;
        }
        Ok(output)
    }

    pub fn optional(path: Option<&Path>, replaces: bool) -> io::Result<Option<Self>> {
        path.map(|path| Self::new(path, replaces)).transpose()
    }

    pub fn begin(&self) -> io::Result<NewContent<'_>> {
        let named = |error: io::Error| about(&self.path, &error);
        let with_part = |target: &PathBuf| temporary_path(&target.with_added_extension("part"), "part");
        let temporary = self.target.as_ref().map(with_part);
        let file = match &temporary {
            Some(temporary) => File::create(temporary),
            None => OpenOptions::new().write(true).open(&self.path),
        };
        let file = NamedFile { path: self.path.clone(), file: file.map_err(named)? };
        Ok(NewContent { output: self, file: BufWriter::new(file), temporary })
    }

    /// Replaces the content with `bytes`. If this fails, for example because the disk is full, the old content is kept.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut writing = self.begin()?;
        writing.file.write_all(bytes)?;
        writing.finish()
    }
}

/// Locks a file until it is closed. Returns false if it is already locked. Returns true without locking it if the file
/// system cannot lock files, and on Windows, where other programs could not read a locked file.
fn lock(file: &File) -> bool {
    cfg!(windows) || !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if self.is_reserved.get()
            && let Err(error) = remove_file(&self.path)
        {
            log::debug!("{}: {error}", self.path.display());
        }
    }
}

/// New content for an [`OutputFile`]. Errors contain the name of the file. If [`NewContent::finish`] is not called, the
/// new content is discarded.
#[derive(Debug)]
pub struct NewContent<'a> {
    output: &'a OutputFile,
    pub file: BufWriter<NamedFile>,
    temporary: Option<PathBuf>,
}

impl NewContent<'_> {
    pub fn raw_file(&self) -> io::Result<File> {
        self.file.get_ref().file.try_clone().map_err(|error| about(&self.output.path, &error))
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        if let (Some(target), Some(temporary)) = (&self.output.target, &self.temporary) {
            let replace = || {
                // Some systems do not report a full disk until this point.
                self.file.get_ref().file.sync_all()?;
                fs::set_permissions(temporary, fs::metadata(target)?.permissions())?;
                let file = self.file.get_ref().file.try_clone()?;
                // The new file is locked before it takes the place of the old one. Some file systems cannot lock files.
                lock(&file);
                fs::rename(temporary, target)?;
                io::Result::Ok(file)
            };
            let file = replace().map_err(|error| about(&self.output.path, &error))?;
            self.output.lock.replace(Some(file));
            self.temporary = None;
        }
        self.output.is_reserved.set(false);
        Ok(())
    }

    /// Saves the incomplete content of interrupted work. An existing file keeps its old content: the new content then
    /// stays in a file with a different name, which is returned. Empty content is discarded.
    pub fn interrupt(mut self) -> io::Result<Option<PathBuf>> {
        self.file.flush()?;
        let length = |file: io::Result<fs::Metadata>| file.map(|file| file.len());
        let Some(temporary) = &self.temporary else { return self.finish().map(|()| None) };
        if length(fs::metadata(temporary))? == 0 {
            return Ok(None);
        }
        if length(fs::metadata(&self.output.path))? == 0 {
            return self.finish().map(|()| None);
        }
        Ok(self.temporary.take())
    }
}

impl Drop for NewContent<'_> {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary
            && let Err(error) = remove_file(temporary)
        {
            log::debug!("{}: {error}", temporary.display());
        }
    }
}

#[derive(Debug)]
pub struct NamedFile {
    pub path: PathBuf,
    pub file: File,
}

impl Write for NamedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| about(&self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| about(&self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::NamedTempFile;

    #[test]
    fn an_output_file_is_reserved_until_it_is_written_or_dropped() {
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
    fn an_existing_file_is_replaced_only_on_request() {
        let path = NamedTempFile::new().unwrap().into_temp_path();
        fs::write(&path, "something longer").unwrap();
        let error = OutputFile::new(&path, false).unwrap_err().to_string();
        assert!(error.ends_with(": the file exists; use --overwrite to replace it, or choose another name"), "{error}");
        let file = OutputFile::new(&path, true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"something longer", "the old file is kept until then");
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"something longer");
        OutputFile::new(&path, true).unwrap().write(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn two_outputs_cannot_have_the_same_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("place");
        let file = OutputFile::new(&path, false).unwrap();
        for replaces in [false, true] {
            let error = OutputFile::new(&path, replaces).unwrap_err().to_string();
            assert!(error.contains("another output"), "{error}");
        }
        assert!(path.exists(), "the place is still reserved");
        file.write(b"all").unwrap();
        let error = OutputFile::new(&path, true).unwrap_err().to_string();
        assert!(error.contains("another output"), "{error}");
        drop(file);
        OutputFile::new(&path, true).unwrap().write(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn unfinished_content_leaves_no_file_and_links_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old");
        fs::write(&path, "old").unwrap();
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let file = OutputFile::new(&path, true).unwrap();
        let mut writing = file.begin().unwrap();
        writing.file.write_all(&[b'x'; 100_000]).unwrap();
        assert_eq!(names(), 2);
        drop(writing);
        assert_eq!((fs::read(&path).unwrap(), names()), (b"old".to_vec(), 1));
        drop(file);
        #[cfg(unix)]
        {
            use std::os::unix::fs::{PermissionsExt, symlink};
            let link = folder.path().join("link");
            symlink(&path, &link).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            OutputFile::new(&link, true).unwrap().write(b"new").unwrap();
            assert!(link.is_symlink());
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
            assert_eq!((fs::read(&path).unwrap(), names()), (b"new".to_vec(), 2));
        }
    }

    #[test]
    fn interrupted_work_keeps_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let interrupted = |text: &str| {
            let file = OutputFile::new(&path, true).unwrap();
            let mut content = file.begin().unwrap();
            content.file.write_all(text.as_bytes()).unwrap();
            content.interrupt().unwrap()
        };
        let names = || fs::read_dir(folder.path()).unwrap().count();
        assert_eq!((interrupted(""), names()), (None, 0));
        assert_eq!((interrupted("old"), fs::read(&path).unwrap()), (None, b"old".to_vec()));
        assert_eq!((interrupted(""), names()), (None, 1));
        let part = interrupted("new").unwrap();
        assert_eq!((fs::read(&part).unwrap(), fs::read(&path).unwrap()), (b"new".to_vec(), b"old".to_vec()));
    }

    #[test]
    fn an_unwritable_path_is_reported() {
        let path = Path::new("/no folder/file");
        let error = OutputFile::new(path, true).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{}: ", path.display())), "{error}");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported() {
        let error = OutputFile::new(Path::new("/dev/full"), false).unwrap().write(b"x").unwrap_err();
        assert_eq!(error.to_string(), "/dev/full: No space left on device");
    }
}
