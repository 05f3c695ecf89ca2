//! The file that `--log-file` names.

use super::output_file::about;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
    ///
    /// # Errors
    /// When it cannot be written.
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
