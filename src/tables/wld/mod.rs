//! Endgame tables that contain only whether a position is won, lost or drawn.
//!
//! A file contains the same slice as a file with [`distances`](super::distances), in about a fifteenth of the space.
//! To look up a position, a reader decompresses only the block that contains it. Positions with a compulsory capture
//! have an arbitrary value, because their values follow from the captures.
//!
//! A file consists of a header, a directory, and groups of blocks. All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | `SOFFTWLD` |
//! | 2 | format version, which is 2 |
//! | 4 | length in bytes of the part of the header that follows, without its CRC-32 |
//! | 1 + n | length of the variant's name, and the name |
//! | 4 | CRC-32 of the rules as text |
//! | 1, 1, 1, 1 | men and kings of the side to move and of its opponent, in the material that names the slice |
//! | 1 | number of tables, which is the number of materials of the slice |
//! | 4 x 8 | for each table: number of sets of squares of White's and Black's men, and of White's and Black's kings, |
//! | 4 x 1 | the order of these sets from the most to the least significant in the number of a position, |
//! | 8, 8, 8 | numbers of won, drawn and lost positions in which the side to move has no capture, |
//! | 1 | number of plies of the longest win, or 255 if there is no win or it is unknown, |
//! | 8 | number of the first position with the longest win, |
//! | 1 | plies of the longest win or loss, or an upper bound for the plies in the slice (255: larger or unknown), |
//! | 1 | maximum number of plies of a lone king's stay on the main road (0: not counted, 255: unknown), |
//! | 1 | upper bound for the plies up to the next capture or advance of a man (255: larger), |
//! | 2 | number of pairs of symbols, |
//! | n x 3 | the pairs, as two symbols of 12 bits each; the first symbol is in the low bits, |
//! | m | lengths in bits of the Huffman codes of the symbols, 4 bits each; the first length is in the low bits |
//! | 4 | CRC-32 of everything before it |
//!
//! The directory contains 8 bytes for each group of each table: the length in bytes and the CRC-32 of the group. The
//! directory is followed by its own CRC-32, and then by the groups without gaps.
//!
//! A group contains 32 blocks of 2048 positions; the last group and the last block of a table may be shorter. If a
//! group consists of a single byte, all its positions have this value: 0 for a draw, 1 for a win and 2 for a loss. Any
//! other group begins with the lengths of its blocks in bits. A length is stored with 7 bits in each byte, the lowest
//! bits first; the high bit is set in every byte except the last. The blocks follow without gaps, as bits, from the
//! most to the least significant bit of each byte.
//!
//! A block is a sequence of canonical Huffman codes of symbols. The symbols 0, 1 and 2 are values of a position. Any
//! other symbol stands for a pair of symbols: symbol 3 for the first pair, symbol 4 for the second, and so on.
#![deny(clippy::indexing_slicing)]

mod bits;
mod code;
mod header;
mod huffman;
mod order;
mod pairs;
mod reader;
mod values;
mod verify;
mod writer;

pub use header::{WldHeader, WldTable};
pub(super) use reader::{EXTENSION, ResultSource, WldCache};
pub use reader::{WldFile, open_all, path_of};
pub(super) use values::{ARBITRARY, VALUES_PER_WORD, Values};
pub use values::{MaterialResults, SliceResults};
pub use writer::write;

/// Number of positions in a block.
const BLOCK: usize = 2048;

/// Number of blocks in a group.
const IN_GROUP: usize = 32;

/// The result of a position for the side to move, without the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wld {
    /// Neither side can win.
    Draw,
    /// The side to move wins.
    Win,
    /// The side to move loses.
    Loss,
}

impl Wld {
    /// Returns the result that has this number in a file, or `None` if the number is invalid.
    #[inline]
    const fn from_number(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Draw),
            1 => Some(Self::Win),
            2 => Some(Self::Loss),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
