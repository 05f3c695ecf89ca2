//! Reads, writes and summarises game files.

use super::format::{FRAME_START, FrameStart, MAX_FRAME_BYTES, append, largest_game, pack, read_up_to, unpack};
use super::{DataError, DataHeader, TrainingGame};
use soffio::lock::open_exclusive;
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Uncompressed size in bytes of the games that fill a frame.
const FRAME: usize = 1 << 18;

/// The message about a file whose last frame is incomplete.
pub const TRUNCATED: &str = "the end of the file is missing because writing was interrupted";

/// Iterates over the games in a file. The iteration ends at the first error or at an incomplete last frame.
#[derive(Debug)]
pub struct DataReader<R> {
    input: R,
    pub header: DataHeader,
    /// Offset of the end of the last complete frame that has been read.
    pub whole_length: u64,
    /// Remaining games of the current frame, in reverse order.
    games: Vec<TrainingGame>,
    /// Whether the last frame is incomplete because the writer was killed. Valid only after the last game has been
    /// read.
    pub is_truncated: bool,
    is_over: bool,
}

pub type DataFile = DataReader<BufReader<File>>;

impl DataFile {
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Self::new(BufReader::new(File::open(path)?))
    }
}

impl<R: Read> DataReader<R> {
    pub fn new(mut input: R) -> Result<Self, DataError> {
        let (header, whole) = DataHeader::read(&mut input)?;
        Ok(Self { input, header, whole_length: whole, games: Vec::new(), is_truncated: false, is_over: false })
    }

    fn read_frame(&mut self) -> Result<bool, DataError> {
        let bytes = read_up_to(&mut self.input, FRAME_START)?;
        let Ok(start) = bytes.as_slice().try_into() else {
            self.is_truncated = !bytes.is_empty();
            return Ok(false);
        };
        let at = self.whole_length;
        let damaged = |what| DataError::Damaged { at, what };
        let start = FrameStart::parse(start).map_err(damaged)?;
        let packed = read_up_to(&mut self.input, start.packed as usize)?;
        self.is_truncated = packed.len() < start.packed as usize;
        if self.is_truncated {
            return Ok(false);
        }
        self.games = unpack(self.header.shape, start, &packed).map_err(damaged)?;
        self.games.reverse();
        self.whole_length += (FRAME_START + packed.len()) as u64;
        Ok(true)
    }
}

impl<R: Read> Iterator for DataReader<R> {
    type Item = Result<TrainingGame, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.games.is_empty() && !self.is_over {
            match self.read_frame() {
                Ok(is_frame) => self.is_over = !is_frame,
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
        self.games.pop().map(Ok)
    }
}

/// Writes games to a file. Games that have not been flushed are lost when the writer is dropped.
#[derive(Debug)]
pub struct DataWriter {
    file: File,
    header: DataHeader,
    pending: Vec<u8>,
}

impl DataWriter {
    pub fn create(path: &Path, header: DataHeader) -> Result<Self, DataError> {
        let begun = Self::new(open_exclusive(path, OpenOptions::new().write(true).create_new(true))?, header);
        // A file with a partial header could not be resumed.
        begun.inspect_err(|_| drop(fs::remove_file(path)))
    }

    pub fn new(mut file: File, header: DataHeader) -> Result<Self, DataError> {
        file.write_all(&header.to_bytes())?;
        Ok(Self { file, header, pending: Vec::new() })
    }

    /// Resumes an interrupted file. Truncates an incomplete last frame, and calls `seen` for each complete game.
    pub fn resume(path: &Path, header: DataHeader, mut seen: impl FnMut(&TrainingGame)) -> Result<Self, DataError> {
        let mut file = open_exclusive(path, OpenOptions::new().read(true).write(true))?;
        let mut reader = DataReader::new(BufReader::new(&file))?;
        reader.header.check_game(&header)?;
        if reader.header.plan != header.plan {
            return Err(DataError::OtherPlan(reader.header.plan.clone()));
        }
        for game in &mut reader {
            seen(&game?);
        }
        let whole = reader.whole_length;
        file.set_len(whole)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self { file, header, pending: Vec::new() })
    }

    pub fn write(&mut self, game: &TrainingGame) -> Result<(), DataError> {
        if game.positions.len() > u16::MAX.into() {
            return Err(DataError::Unfit("too many positions"));
        }
        if !game.positions.iter().all(|position| position.fits(self.header.shape)) {
            return Err(DataError::Unfit("pieces off the board, or two on the same square"));
        }
        append(&mut self.pending, self.header.shape, game);
        if self.pending.len() >= FRAME { self.flush() } else { Ok(()) }
    }

    pub fn flush(&mut self) -> Result<(), DataError> {
        const { assert!(FRAME + largest_game(u16::MAX as usize) < MAX_FRAME_BYTES as usize) };
        if !self.pending.is_empty() {
            self.file.write_all(&pack(&self.pending))?;
            self.pending.clear();
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
pub struct DataSummary {
    pub games: u64,
    pub duplicate_games: u64,
    /// Numbers of games that White lost, drew and won.
    pub outcomes: [u64; 3],
    pub positions: u64,
    pub quiet: u64,
    pub duplicates: u64,
    seen: HashSet<u64>,
    seen_games: HashSet<u64>,
}

impl DataSummary {
    pub fn add(&mut self, game: &TrainingGame) {
        self.games += 1;
        self.outcomes[game.outcome as usize] += 1;
        self.positions += game.positions.len() as u64;
        self.quiet += game.positions.iter().filter(|position| position.quiet).count() as u64;
        let seen = &mut self.seen;
        let known = game.positions.iter().filter(|position| !seen.insert(position.fingerprint())).count();
        self.duplicates += known as u64;
        self.duplicate_games += u64::from(!self.seen_games.insert(game.fingerprint()));
    }
}
