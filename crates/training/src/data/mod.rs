//! Reads and writes files of self-play games for training.
//!
//! A file consists of a [`DataHeader`] and compressed frames of games. Games can be added one at a time, and the file
//! can be truncated after the last complete frame if the process was killed. All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | `SOFFDATA` |
//! | 2 | version of the format, 1 |
//! | 4 | length of the header that follows |
//! | 1, 1, 1 | the board: number of columns, number of rows, playable corner square (0 left, 1 right, 2 both) |
//! | 4 | CRC-32 of the rules as text |
//! | 1 + n | length of the variant's name, and the name |
//! | 2 + n | length of the text that describes how the games were played, and the text |
//! | 4 | CRC-32 of everything before it |
//!
//! Each frame has this layout:
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 4 | length of the packed games |
//! | 4 | length of the unpacked games |
//! | 4 | CRC-32 of the packed games |
//! | 4 | CRC-32 of the preceding 12 bytes |
//! | n | the games as a zlib stream |
//!
//! A game consists of its number (8 bytes), its outcome (1 byte; 0 White lost, 1 draw, 2 White won), its number of
//! positions (2 bytes) and the positions. A position consists of flags (1 byte; 1 White to move, 2 quiet, 4 has a
//! score), the ply (2 bytes), the score (2 bytes), and the bitboards of White, Black and the kings. Each bitboard takes
//! 8 bytes, or 16 bytes on boards that need them, and is XORed with the corresponding bitboard of the previous
//! position.

mod file;
mod format;

pub use file::{DataFile, DataReader, DataSummary, DataWriter, TRUNCATED};
pub use format::DataHeader;

use soffio::board::{Bits, Shape};
use soffio::checksummed_file::ChecksumError;
use soffio::notation::FenRecord;
use soffio::position::{Piece, Setup};
use soffio::rules::{Color, RuleSet};
use std::io;

#[derive(Debug, thiserror::Error)]
pub enum DataError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Start(#[from] ChecksumError),
    #[error("the header is damaged")]
    Header,
    #[error("damaged at byte {at}: {what}")]
    Damaged {
        /// Offset at which the damaged frame begins.
        at: u64,
        what: &'static str,
    },
    #[error("the file contains {0} games, which are of a different variant or follow different rules")]
    OtherGame(String),
    #[error("the games were generated with different settings: {0}")]
    OtherPlan(String),
    #[error("a game cannot be stored: {0}")]
    Unfit(&'static str),
}

pub const CSV_HEADINGS: &str = "fen,result,score,ply,quiet";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameOutcome {
    WhiteLost,
    Draw,
    WhiteWon,
}

impl GameOutcome {
    pub const fn won_by(winner: Color) -> Self {
        match winner {
            Color::White => Self::WhiteWon,
            Color::Black => Self::WhiteLost,
        }
    }

    /// Returns the result from White's point of view: -1, 0 or 1.
    pub const fn balance(self) -> i32 {
        self as i32 - Self::Draw as i32
    }

    /// Returns the result from White's point of view: 0, 0.5 or 1.
    pub const fn points(self) -> f32 {
        self as i32 as f32 / 2.0
    }
}

/// A position in a game. The bitboards are indexed by [`soffio::board::Square`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionRecord {
    pub white: u128,
    pub black: u128,
    pub kings: u128,
    pub white_to_move: bool,
    /// Whether neither side could capture if it were its turn.
    pub quiet: bool,
    pub ply: u16,
    /// Search score in cp from the point of view of the side to move, or `None` if the position has no score.
    pub score: Option<i16>,
}

impl PositionRecord {
    pub fn fits(&self, shape: Shape) -> bool {
        let pieces = self.white | self.black;
        self.white & self.black == 0 && self.kings & !pieces == 0 && pieces & !shape.mask() == 0
    }

    pub fn setup(&self) -> Setup {
        let of = |color, set: u128| {
            set.squares().map(move |square| (square, Piece { color, king: self.kings.contains(square) }))
        };
        let pieces = of(Color::White, self.white).chain(of(Color::Black, self.black)).collect();
        let side = if self.white_to_move { Color::White } else { Color::Black };
        Setup::new(side, pieces)
    }

    pub(super) fn fingerprint(&self) -> u64 {
        let words = [self.white, self.black, self.kings].map(|set| [set as u64, (set >> 64) as u64]);
        words.as_flattened().iter().fold(1 + u64::from(self.white_to_move), combined)
    }

    fn fields(&self, spec: &RuleSet, game: &TrainingGame) -> (String, f32, String) {
        let points = game.outcome.points();
        let result = if self.white_to_move { points } else { 1.0 - points };
        let score = self.score.map(|score| score.to_string()).unwrap_or_default();
        (FenRecord::from_setup(spec, &self.setup()).to_string(), result, score)
    }

    /// Formats the position as `FEN;result;score;ply`. The result (0, 0.5 or 1) and the score (cp) are from the point
    /// of view of the side to move.
    pub fn line(&self, spec: &RuleSet, game: &TrainingGame) -> String {
        let (fen, result, score) = self.fields(spec, game);
        format!("{fen};{result};{score};{}", self.ply)
    }

    /// Formats the position as comma-separated values. The last column is 1 if the position is quiet, otherwise 0.
    pub fn csv(&self, spec: &RuleSet, game: &TrainingGame) -> String {
        let (fen, result, score) = self.fields(spec, game);
        format!("\"{fen}\",{result},{score},{},{}", self.ply, u8::from(self.quiet))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    /// Number of the game in its plan. An interrupted plan is resumed after the last number.
    pub number: u64,
    pub outcome: GameOutcome,
    pub positions: Vec<PositionRecord>,
}

impl TrainingGame {
    pub(super) fn fingerprint(&self) -> u64 {
        let positions = self.positions.iter().map(PositionRecord::fingerprint);
        positions.fold(self.outcome as u64, |hash, position| combined(hash, &position))
    }
}

fn combined(hash: u64, word: &u64) -> u64 {
    mixed(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ word)
}

/// Spreads a number over all bits with the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
pub(super) fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
