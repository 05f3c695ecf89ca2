//! Files of games that the engine played for learning.
//!
//! A file is a [`Header`], which names the game, followed by frames of some games each, so that it can be written game by game and
//! be cut at the end of the last whole frame when the program was killed. All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | `SOFFDATA` |
//! | 2 | version of the format, 1 |
//! | 4 | length of the header that follows |
//! | 1, 1, 1 | the board: columns, rows, the corner that is played on (0 left, 1 right, 2 both) |
//! | 4 | CRC-32 of the rules as text |
//! | 1 + n | length of the variant's name, and the name |
//! | 2 + n | length of the text that tells how the games were played, and the text |
//! | 4 | CRC-32 of everything before |
//!
//! Each frame:
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 4 | length of the packed games |
//! | 4 | their length when unpacked |
//! | 4 | CRC-32 of the packed games |
//! | 4 | CRC-32 of the 12 bytes before |
//! | n | the games, a zlib stream |
//!
//! Each game: its number (8 bytes), the outcome (1; 0 for White's loss, 1 for a draw, 2 for a win), the number of its positions
//! (2); each position: marks (1; 1 for White to move, 2 for quiet, 4 for having a score), ply (2), score (2), and the sets of
//! White's pieces, Black's pieces and kings, 8 bytes each or 16 on boards that need them, in which every bit is changed that was
//! set in the position before.

mod file;
mod format;

pub use file::{DataFile, DataReader, DataSummary, DataWriter};
pub use format::Header;

use soffio::board::{Bits, Shape};
use soffio::checksummed_file::ChecksumError;
use soffio::notation::FenRecord;
use soffio::position::{Piece, Setup};
use soffio::rules::{Color, RuleSet};
use std::io;

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as such a file does, or its header is not whole.
    #[error(transparent)]
    Start(#[from] ChecksumError),
    /// Its header contradicts itself.
    #[error("the header is damaged")]
    Header,
    /// It is damaged.
    #[error("damaged at byte {at}: {what}")]
    Damaged {
        /// The byte at which the damaged frame begins.
        at: u64,
        /// The fault there.
        what: &'static str,
    },
    /// Its games are of another variant, whose name this is, or by other rules.
    #[error("the games are of another variant or by other rules: {0}")]
    OtherGame(String),
    /// Its games belong to another plan, which is given as text.
    #[error("the games in it were to be played in another way: {0}")]
    OtherPlan(String),
    /// A game cannot be written, for this reason.
    #[error("a game cannot be kept: {0}")]
    Unfit(&'static str),
}

/// The first line of a file of comma-separated values.
pub const CSV_HEADINGS: &str = "fen,result,score,ply,quiet";

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameOutcome {
    /// Black won.
    WhiteLost,
    /// A draw.
    Draw,
    /// White won.
    WhiteWon,
}

impl GameOutcome {
    /// A win of this side.
    pub const fn won_by(winner: Color) -> Self {
        match winner {
            Color::White => Self::WhiteWon,
            Color::Black => Self::WhiteLost,
        }
    }

    /// White's result: -1, 0 or 1.
    pub const fn balance(self) -> i32 {
        self as i32 - Self::Draw as i32
    }

    /// White's result: 0, 1/2 or 1.
    pub const fn points(self) -> f32 {
        self as i32 as f32 / 2.0
    }
}

/// A position of a game. The sets of squares have the bits of [`soffio::board::Square`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionRecord {
    /// Men and kings of White.
    pub white: u128,
    /// Men and kings of Black.
    pub black: u128,
    /// Kings of both sides.
    pub kings: u128,
    /// True if it is White's turn.
    pub white_to_move: bool,
    /// True if neither side could capture if it had the turn.
    pub quiet: bool,
    /// Plies since the start of the game.
    pub ply: u16,
    /// The score of a search, in 1/100 man for the side to move.
    pub score: Option<i16>,
}

impl PositionRecord {
    /// Returns whether the pieces are on squares of the board, one on each, and the kings are pieces.
    pub fn fits(&self, shape: Shape) -> bool {
        let pieces = self.white | self.black;
        self.white & self.black == 0 && self.kings & !pieces == 0 && pieces & !shape.mask() == 0
    }

    /// The position square by square.
    pub fn setup(&self) -> Setup {
        let of = |color, set: u128| {
            set.squares().map(move |square| (square, Piece { color, king: self.kings.contains(square) }))
        };
        let pieces = of(Color::White, self.white).chain(of(Color::Black, self.black)).collect();
        let side = if self.white_to_move { Color::White } else { Color::Black };
        Setup::of(side, pieces)
    }

    /// A number that two positions seldom share.
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

    /// The position as `FEN;result;score;ply`, with the result of the side to move, 0, 0.5 or 1, and the score in 1/100 man for it.
    pub fn line(&self, spec: &RuleSet, game: &TrainingGame) -> String {
        let (fen, result, score) = self.fields(spec, game);
        format!("{fen};{result};{score};{}", self.ply)
    }

    /// The same as comma-separated values, with 1 for a quiet position at the end.
    pub fn csv(&self, spec: &RuleSet, game: &TrainingGame) -> String {
        let (fen, result, score) = self.fields(spec, game);
        format!("\"{fen}\",{result},{score},{},{}", self.ply, u8::from(self.quiet))
    }
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    /// The number of the game in its plan, by which a plan that was interrupted knows what has been played.
    pub number: u64,
    /// How it ended.
    pub outcome: GameOutcome,
    /// Positions in the order in which they were played; some may be left out.
    pub positions: Vec<PositionRecord>,
}

impl TrainingGame {
    /// A number that games with other positions or another outcome seldom share.
    pub(super) fn fingerprint(&self) -> u64 {
        let positions = self.positions.iter().map(PositionRecord::fingerprint);
        positions.fold(self.outcome as u64, |hash, position| combined(hash, &position))
    }
}

fn combined(hash: u64, word: &u64) -> u64 {
    mixed(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ word)
}

/// Spreads a number over all bits (the finalizer of SplitMix64, Steele, Lea and Flood 2014).
pub(super) fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
