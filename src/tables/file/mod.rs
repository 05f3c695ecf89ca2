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

mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub(super) use reader::{BlockCache, SpareCaches};
pub use reader::{FolderError, SliceFile, check_folder, find, open_all, path_of};
pub use writer::{remove_unfinished, write};

use super::{Counts, Material, SideMaterial, Slice};
use crate::checksummed_file::{ChecksumError, Format, Reader};
use crate::rules::{Identity, Variant};
use std::io;

const FORMAT: Format = Format { magic: b"SOFFTABL", version: 2, name: "file of endgame tables" };

const BLOCK: usize = 4096;

/// The mark for no longest win.
const NO_WIN: u8 = u8::MAX;

/// Why a file of endgame tables cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as such a file does, its header is not whole, or it has another length than its directory says.
    #[error(transparent)]
    Start(#[from] ChecksumError),
    /// Its header contradicts itself, or its directory is damaged.
    #[error("the header is damaged")]
    Header,
    /// A block of a table is damaged.
    #[error("block {block} of table {table} is damaged")]
    Block {
        /// Which table, from 0.
        table: usize,
        /// Which block, from 0.
        block: usize,
    },
    /// It is for another variant, whose name this is.
    #[error("the tables are for the variant {0:?}")]
    OtherVariant(String),
    /// It was made by other rules of the same variant.
    #[error("the tables were made by other rules: build them again")]
    OtherRules,
    /// It holds another slice than its name says.
    #[error("the file holds {0}, which is not what its name says")]
    OtherSlice(String),
}

/// The header of a file, which describes its tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The variant and its rules.
    pub identity: Identity,
    /// The slice.
    pub slice: Slice,
    /// For each of its materials, how many numbers its positions have, and how many have which value.
    pub tables: Vec<(u64, Counts)>,
}

impl Header {
    /// Checks that the tables are for `variant`.
    ///
    /// # Errors
    /// When they are for another one, or by other rules.
    pub fn check_variant(&self, variant: Variant) -> Result<(), FileError> {
        let identity = Identity::of(variant);
        if self.identity.variant != identity.variant {
            Err(FileError::OtherVariant(self.identity.variant.clone()))
        } else if self.identity != identity {
            Err(FileError::OtherRules)
        } else {
            Ok(())
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let name = self.identity.variant.as_bytes();
        let Material { own, other } = self.slice.material();
        let mut body = vec![name.len() as u8];
        body.extend(name);
        body.extend(self.identity.rules.to_le_bytes());
        body.extend([own.men, own.kings, other.men, other.kings, self.tables.len() as u8]);
        for (size, counts) in &self.tables {
            let numbers = [*size, counts.wins, counts.draws, counts.losses];
            body.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            let (plies, number) = counts.longest_win.unwrap_or((NO_WIN, 0));
            body.push(plies);
            body.extend(number.to_le_bytes());
            body.extend([counts.longest_game, counts.longest_on_main_road]);
        }
        FORMAT.seal_head(&body)
    }

    /// Reads the header at the beginning of `bytes`, and tells where it ends.
    fn parse(bytes: &[u8]) -> Result<(Self, usize), FileError> {
        let (body, end) = FORMAT.open_head(bytes)?;
        Ok((Self::parse_body(Reader::new(body)).ok_or(FileError::Header)?, end))
    }

    fn parse_body(mut bytes: Reader<'_>) -> Option<Self> {
        let [length] = bytes.number()?;
        let variant = bytes.text(length.into())?.to_owned();
        let rules = u32::from_le_bytes(bytes.number()?);
        let [men, kings, other_men, other_kings, count] = bytes.number()?;
        let material =
            Material { own: SideMaterial::new(men, kings)?, other: SideMaterial::new(other_men, other_kings)? };
        let slice = Slice::of(material);
        let is_right = slice.material() == material && slice.materials().count() == usize::from(count);
        let tables = slice.materials().map(|_| counts(&mut bytes)).collect::<Option<_>>()?;
        (is_right && bytes.is_empty()).then_some(Self { identity: Identity { variant, rules }, slice, tables })
    }
}

/// Reads how many numbers a table has, and its counts.
fn counts(bytes: &mut Reader<'_>) -> Option<(u64, Counts)> {
    let mut number = || bytes.number().map(u64::from_le_bytes);
    let (size, wins, draws, losses) = (number()?, number()?, number()?, number()?);
    let ([plies], number) = (bytes.number()?, u64::from_le_bytes(bytes.number()?));
    let longest_win = (plies != NO_WIN).then_some((plies, number));
    let [longest_game, longest_on_main_road] = bytes.number()?;
    Some((size, Counts { wins, draws, losses, longest_win, longest_game, longest_on_main_road }))
}
