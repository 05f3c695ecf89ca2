//! Log files. If writing fails, logging stops and the program continues.

use crate::output_file::NamedFile;
use crate::with_path::about;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

/// A log file. If writing fails, for example because the disk is full, the failure is reported once on standard error
/// and the program continues without a log.
#[derive(Debug)]
pub struct LogFile(Option<NamedFile>);

impl LogFile {
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(|error| about(path, &error))?;
        Ok(Self(Some(NamedFile { path: path.to_owned(), file })))
    }

    fn attempt(&mut self, write: impl FnOnce(&mut NamedFile) -> io::Result<()>) {
        if let Some(file) = &mut self.0
            && let Err(error) = write(file)
        {
            self.0 = None;
            // If standard error is closed as well, there is nowhere to report the failure.
            drop(writeln!(io::stderr(), "soffio: {error}; logging stops here"));
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
