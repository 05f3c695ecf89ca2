//! Endgame tables that contain only whether a position is won, lost or drawn.
//!
//! A file contains the same slice as a file with [`distances`](super::distances), in about a fifteenth of the space.
//! To look up a position, a reader decompresses only the block that contains it. Positions with a compulsory capture
//! have an arbitrary value, because their values follow from the captures.
//! `docs/table-format.md` describes the format.
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
pub use reader::{MemoryOrder, WldFile, open_all, path_of};
pub(super) use values::{ARBITRARY, VALUES_PER_WORD, Values};
pub use values::{MaterialResults, SliceResults};
pub use writer::write;

/// Number of positions in a block.
const BLOCK: usize = 2048;

/// Number of blocks in a group.
const BLOCKS_PER_GROUP: usize = 32;

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
