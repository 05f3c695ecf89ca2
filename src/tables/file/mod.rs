//! A slice in a file.
//!
//! A file is a [`Header`], a directory, and blocks of values. All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | `SOFFTABL` |
//! | 2 | version of the format, 2 |
//! | 4 | length of the header that follows |
//! | 1 + n | length of the variant's name, and the name |
//! | 4 | CRC-32 of the rules as text |
//! | 1, 1, 1, 1 | men and kings of the side to move, and of the other side, in the material that names the slice |
//! | 1 | number of tables, one for each material of the slice |
//! | 8 | for each table: how many numbers it has, |
//! | 8, 8, 8 | won, drawn and lost positions without a capture, |
//! | 1 | plies of the longest win, 255 for none, |
//! | 8 | and the number of the first such position, |
//! | 1, 1 | most plies of a game that is won or lost, and of a lone king's stay on a main road where a draw rule counts |
//! | 4 | CRC-32 of everything before |
//!
//! The directory has 8 bytes for each block of each table: the length of the packed block and its CRC-32; after it comes the
//! CRC-32 of the directory. The blocks follow without gaps: deflate streams of the bytes of [`TableValue`](super::TableValue)s of 4096
//! positions each, of the last block of a table what is left.
#![deny(clippy::indexing_slicing)]

mod cache;
mod error;
mod header;
mod map;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub(super) use cache::{BlockCache, SpareCaches};
pub use error::FileError;
pub use header::Header;
pub use reader::{SliceFile, find, open_all, path_of};
pub use writer::{remove_unfinished, write};

/// Positions in a block.
const BLOCK: usize = 4096;
