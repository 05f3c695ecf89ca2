//! Files of games on disk: reading, writing and counting.

use super::format::{FRAME_START, FrameStart, LARGEST, append, fill, largest_game, pack, unpack};
use super::{DataError, Header, TrainingGame};
use soffio::lock::open_alone;
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Bytes of games, unpacked, that make a frame.
const FRAME: usize = 1 << 18;

/// The games of a file, one after the other. They end at the first error, or at a last frame that is not whole.
#[derive(Debug)]
pub struct DataReader<R> {
    input: R,
    header: Header,
    /// Where the whole frames read so far end.
    pub whole_length: u64,
    /// Games of the frame that was read last, the first one at the end.
    games: Vec<TrainingGame>,
    /// Returns whether the file ends in the middle of a frame, as when the program that wrote it was killed. Known after the last game.
    pub is_cut: bool,
    is_over: bool,
}

/// The games of a file on disk.
pub type DataFile = DataReader<BufReader<File>>;

impl DataFile {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read or is not a file of games.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Self::new(BufReader::new(File::open(path)?))
    }
}

impl<R: Read> DataReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When it cannot be read or is not a file of games.
    pub fn new(mut input: R) -> Result<Self, DataError> {
        let (header, whole) = Header::read(&mut input)?;
        Ok(Self { input, header, whole_length: whole, games: Vec::new(), is_cut: false, is_over: false })
    }

    /// The header of the file.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Reads the next frame; false at the end of the file.
    fn read_frame(&mut self) -> Result<bool, DataError> {
        let bytes = fill(&mut self.input, FRAME_START)?;
        let Ok(start) = bytes.as_slice().try_into() else {
            self.is_cut = !bytes.is_empty();
            return Ok(false);
        };
        let at = self.whole_length;
        let damaged = |what| DataError::Damaged { at, what };
        let start = FrameStart::parse(start).map_err(damaged)?;
        let packed = fill(&mut self.input, start.packed as usize)?;
        self.is_cut = packed.len() < start.packed as usize;
        if self.is_cut {
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

/// Writes games to a file. Whatever has not been flushed is lost when the writer is dropped.
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
    /// When it exists or cannot be written.
    pub fn create(path: &Path, header: Header) -> Result<Self, DataError> {
        let begun = Self::new(open_alone(path, OpenOptions::new().write(true).create_new(true))?, header);
        // A part of a header could not be resumed.
        begun.inspect_err(|_| drop(fs::remove_file(path)))
    }

    /// Begins in an empty `file`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(mut file: File, header: Header) -> Result<Self, DataError> {
        file.write_all(&header.to_bytes())?;
        Ok(Self { file, header, pending: Vec::new() })
    }

    /// Goes on with a file that an interrupted program has left: a frame that is not whole at its end is cut off. The games in it are
    /// given to `seen`, one by one.
    ///
    /// # Errors
    /// When it cannot be read or written, another process writes to it, it is damaged, or it has games of another kind or another plan.
    pub fn resume(path: &Path, header: Header, mut seen: impl FnMut(&TrainingGame)) -> Result<Self, DataError> {
        let mut file = open_alone(path, OpenOptions::new().read(true).write(true))?;
        let mut reader = DataReader::new(BufReader::new(&file))?;
        reader.header().check_game(&header)?;
        if reader.header().plan != header.plan {
            return Err(DataError::OtherPlan(reader.header().plan.clone()));
        }
        for game in &mut reader {
            seen(&game?);
        }
        let whole = reader.whole_length;
        file.set_len(whole)?;
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

/// Counts of the games of some files.
#[derive(Debug, Default)]
pub struct DataSummary {
    /// Games.
    pub games: u64,
    /// Games that are equal to one before.
    pub equal_games: u64,
    /// Games lost by White, drawn, and won by White.
    pub outcomes: [u64; 3],
    /// Positions.
    pub positions: u64,
    /// Positions in which neither side could capture.
    pub quiet: u64,
    /// Positions that have come before.
    pub duplicates: u64,
    seen: HashSet<u64>,
    seen_games: HashSet<u64>,
}

impl DataSummary {
    /// Counts a game.
    pub fn add(&mut self, game: &TrainingGame) {
        self.games += 1;
        self.outcomes[game.outcome as usize] += 1;
        self.positions += game.positions.len() as u64;
        self.quiet += game.positions.iter().filter(|position| position.quiet).count() as u64;
        let seen = &mut self.seen;
        let known = game.positions.iter().filter(|position| !seen.insert(position.fingerprint())).count();
        self.duplicates += known as u64;
        self.equal_games += u64::from(!self.seen_games.insert(game.fingerprint()));
    }
}
