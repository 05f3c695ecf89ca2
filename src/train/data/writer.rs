//! Writing files of games.

use super::frame::{LARGEST, append, largest_game, pack};
use super::{DataError, DataFile, Header, TrainingGame};
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

/// Bytes of games, unpacked, that make a frame.
const FRAME: usize = 1 << 18;

/// Writes games to a file. What has not been flushed is lost when the writer is dropped.
#[derive(Debug)]
pub struct DataWriter {
    file: File,
    header: Header,
    /// Games that are not in the file yet.
    pending: Vec<u8>,
}

impl DataWriter {
    /// Begins a file, which must not exist.
    ///
    /// # Errors
    /// When it exists or cannot be written, or when the header has too long texts.
    pub fn create(path: &Path, header: Header) -> Result<Self, DataError> {
        let bytes = header.to_bytes()?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(&bytes)?;
        Ok(Self { file, header, pending: Vec::new() })
    }

    /// Goes on with a file that an interrupted program has left: what is not whole at its end is cut off. The games in it are
    /// given to `seen`, one by one.
    ///
    /// # Errors
    /// When it cannot be read or written, is damaged, or has games of another kind or another plan.
    pub fn resume(path: &Path, header: Header, mut seen: impl FnMut(&TrainingGame)) -> Result<Self, DataError> {
        let mut reader = DataFile::open(path)?;
        reader.header().check_game(&header)?;
        if reader.header().plan != header.plan {
            return Err(DataError::OtherPlan(reader.header().plan.clone()));
        }
        for game in &mut reader {
            seen(&game?);
        }
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.set_len(reader.whole_length())?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self { file, header, pending: Vec::new() })
    }

    /// Adds a game; it reaches the file with some others, or with [`DataWriter::flush`].
    ///
    /// # Errors
    /// When the game does not fit the board or the file, or the file cannot be written.
    pub fn write(&mut self, game: &TrainingGame) -> Result<(), DataError> {
        if game.positions.len() > u16::MAX.into() {
            return Err(DataError::Unfit("it has too many positions"));
        }
        if !game.positions.iter().all(|position| position.fits(self.header.shape)) {
            return Err(DataError::Unfit("it has pieces where the board has no squares, or two on one"));
        }
        append(&mut self.pending, self.header.shape, game);
        if self.pending.len() >= FRAME { self.flush() } else { Ok(()) }
    }

    /// Brings all games to the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn flush(&mut self) -> Result<(), DataError> {
        const { assert!(FRAME + largest_game(u16::MAX as usize) < LARGEST as usize) };
        if !self.pending.is_empty() {
            self.file.write_all(&pack(&self.pending))?;
            self.pending.clear();
        }
        Ok(())
    }
}
