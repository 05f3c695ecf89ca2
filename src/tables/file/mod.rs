//! The file format of a slice.
//!
//! A file consists of a [`Header`], a directory, and blocks of values. All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | `SOFFTABL` |
//! | 2 | format version, which is 2 |
//! | 4 | length in bytes of the part of the header that follows, without its CRC-32 |
//! | 1 + n | length of the variant's name, and the name |
//! | 4 | CRC-32 of the rules as text |
//! | 1, 1, 1, 1 | numbers of men and kings of the side to move and its opponent, in the material that names the slice |
//! | 1 | number of tables, which is the number of materials of the slice |
//! | 8 | for each table: number of indices, |
//! | 8, 8, 8 | numbers of won, drawn and lost positions in which the side to move has no capture, |
//! | 1 | number of plies of the longest win, or 255 if there is no win, |
//! | 8 | number of the first position with the longest win, |
//! | 1, 1 | maximum number of plies of a game that is won or lost, and of a lone king's counted stay on the main road |
//! | 4 | CRC-32 of everything before it |
//!
//! The directory contains 8 bytes for each block of each table: the compressed length and the CRC-32 of the block. The
//! directory is followed by its own CRC-32, and then by the blocks without gaps. Each block is a deflate stream of 4096
//! [`TableValue`](super::TableValue) bytes; the last block of a table contains the remaining bytes.
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

const FORMAT: Format = Format { magic: b"SOFFTABL", version: 2, name: "an endgame table file" };

const BLOCK: usize = 4096;

const NO_WIN: u8 = u8::MAX;

/// Why an endgame table file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not start with the signature of a table file, its header is incomplete, or its length is wrong.
    #[error(transparent)]
    Start(#[from] ChecksumError),
    /// The header is inconsistent or the directory is damaged.
    #[error("the header is damaged")]
    Header,
    /// A block is damaged.
    #[error("block {block} of table {table} is damaged")]
    Block {
        /// Number of the table, counted from 0.
        table: usize,
        /// Number of the block, counted from 0.
        block: usize,
    },
    /// The file is for a different variant, which has this name.
    #[error("the tables are for variant {0:?}")]
    OtherVariant(String),
    /// The file was built for different rules of the same variant.
    #[error("the tables were built for different rules: build them again")]
    OtherRules,
    /// The slice in the file, which has this name, does not match the file name.
    #[error("the file contains {0}, which does not match its name")]
    OtherSlice(String),
}

/// The header of a table file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The variant and the rules for which the tables were built.
    pub identity: Identity,
    /// The slice that the file contains.
    pub slice: Slice,
    /// The number of indices and the result statistics of each material.
    pub tables: Vec<(u64, Counts)>,
}

impl Header {
    /// Checks that the tables are for `variant` and its current rules.
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

fn counts(bytes: &mut Reader<'_>) -> Option<(u64, Counts)> {
    let mut number = || bytes.number().map(u64::from_le_bytes);
    let (size, wins, draws, losses) = (number()?, number()?, number()?, number()?);
    let ([plies], number) = (bytes.number()?, u64::from_le_bytes(bytes.number()?));
    let longest_win = (plies != NO_WIN).then_some((plies, number));
    let [longest_game, longest_on_main_road] = bytes.number()?;
    Some((size, Counts { wins, draws, losses, longest_win, longest_game, longest_on_main_road }))
}
