//! Reading files of games.

use super::frame::{FRAME_START, FrameStart, unpack};
use super::input::fill;
use super::{DataError, Header, TrainingGame};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// The games of a file, one after the other. They end at the first error, or at a last frame that is not whole.
#[derive(Debug)]
pub struct DataReader<R> {
    input: R,
    header: Header,
    /// Where the whole frames read so far end.
    whole: u64,
    /// Games of the frame that was read last, the first one at the end.
    games: Vec<TrainingGame>,
    is_cut: bool,
    is_over: bool,
}

/// The games of a file on disk.
pub type DataFile = DataReader<BufReader<File>>;

impl DataFile {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read or is no file of games.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Self::new(BufReader::new(File::open(path)?))
    }
}

impl<R: Read> DataReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When it cannot be read or is no file of games.
    pub fn new(mut input: R) -> Result<Self, DataError> {
        let (header, whole) = Header::read(&mut input)?;
        Ok(Self { input, header, whole, games: Vec::new(), is_cut: false, is_over: false })
    }

    /// What the file says of its games.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the file ends in the middle of a frame, as when the program that wrote it was killed. Known after the last game.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Bytes of the file up to the end of the last whole frame. Known after the last game.
    pub fn whole_length(&self) -> u64 {
        self.whole
    }

    /// Reads the next frame; false at the end of the file.
    fn read_frame(&mut self) -> Result<bool, DataError> {
        let mut bytes = [0; FRAME_START];
        let filled = fill(&mut self.input, &mut bytes)?;
        self.is_cut = 0 < filled && filled < FRAME_START;
        if filled < FRAME_START {
            return Ok(false);
        }
        let at = self.whole;
        let damaged = |what| DataError::Damaged { at, what };
        let start = FrameStart::parse(&bytes).map_err(damaged)?;
        let mut packed = vec![0; start.packed as usize];
        self.is_cut = fill(&mut self.input, &mut packed)? < packed.len();
        if self.is_cut {
            return Ok(false);
        }
        self.games = unpack(self.header.shape, start, &packed).map_err(damaged)?;
        self.games.reverse();
        self.whole += (FRAME_START + packed.len()) as u64;
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
