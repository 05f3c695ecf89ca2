//! What the file formats of endgame tables share: the beginning of the header, the directory of compressed blocks, and
//! unfinished files.
#![deny(clippy::indexing_slicing)]

mod cache;
mod directory;
mod unfinished;

pub(super) use cache::BlockCache;
pub(super) use directory::{Directory, PackedBlocks, in_order, write_parts};
pub(super) use unfinished::UNFINISHED;
pub use unfinished::remove_unfinished;

use super::{Counts, Material, SideMaterial, Slice};
use crate::checksummed_file::{ChecksumError, Reader, short_string};
use crate::rules::{Identity, Variant};
use std::io;
use std::path::{Path, PathBuf};

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
    /// The file is for a different variant. The string is the name of that variant.
    #[error("the tables are for variant {0:?}")]
    OtherVariant(String),
    /// The file was built under a different version of the variant's rules.
    #[error("the tables were built under a different version of the rules: build them again")]
    OtherRules,
    /// The slice in the file does not match the file name. The string is the name of that slice.
    #[error("the file contains {0}, which does not match its name")]
    OtherSlice(String),
}

/// Returns the path of the file in `folder` for `slice` of `variant`, with this extension.
pub(super) fn path_of(folder: &Path, variant: Variant, slice: Slice, extension: &str) -> PathBuf {
    folder.join(format!("{}-{slice}.{extension}", variant.name()))
}

pub(super) fn check_identity(found: &Identity, variant: Variant) -> Result<(), FileError> {
    found.check(&Identity::for_variant(variant), FileError::OtherVariant, FileError::OtherRules)
}

/// Checks that a file with this identity and this slice contains `slice` of `variant`.
pub(super) fn check_contents(
    identity: &Identity,
    found: Slice,
    variant: Variant,
    slice: Slice,
) -> Result<(), FileError> {
    check_identity(identity, variant)?;
    if found == slice { Ok(()) } else { Err(FileError::OtherSlice(found.to_string())) }
}

/// Serialises the beginning of the header, from the variant to the number of tables.
pub(super) fn start_of_header(identity: &Identity, slice: Slice) -> Vec<u8> {
    let Material { own, other } = slice.material();
    let mut body = short_string(&identity.variant);
    body.extend(identity.rules.to_le_bytes());
    body.extend([own.men, own.kings, other.men, other.kings, slice.materials().count() as u8]);
    body
}

/// Parses what [`start_of_header`] wrote.
pub(super) fn parse_start_of_header(bytes: &mut Reader<'_>) -> Option<(Identity, Slice)> {
    let variant = bytes.short_string()?.to_owned();
    let rules = u32::from_le_bytes(bytes.number()?);
    let [men, kings, other_men, other_kings, count] = bytes.number()?;
    let material = Material { own: SideMaterial::new(men, kings)?, other: SideMaterial::new(other_men, other_kings)? };
    let slice = Slice::containing(material);
    let is_right = slice.material() == material && slice.materials().count() == usize::from(count);
    is_right.then_some((Identity { variant, rules }, slice))
}

pub(super) fn write_counts(counts: &Counts, body: &mut Vec<u8>) {
    let numbers = [counts.wins, counts.draws, counts.losses];
    body.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    let (plies, number) = counts.longest_win.unwrap_or((NO_WIN, 0));
    body.push(plies);
    body.extend(number.to_le_bytes());
    body.extend([counts.longest_stay, counts.longest_on_main_road]);
}

/// Parses what [`write_counts`] wrote.
pub(super) fn parse_counts(bytes: &mut Reader<'_>) -> Option<Counts> {
    let mut number = || bytes.number().map(u64::from_le_bytes);
    let (wins, draws, losses) = (number()?, number()?, number()?);
    let ([plies], number) = (bytes.number()?, u64::from_le_bytes(bytes.number()?));
    let longest_win = (plies != NO_WIN).then_some((plies, number));
    let [longest_stay, longest_on_main_road] = bytes.number()?;
    let longest_run = longest_stay;
    Some(Counts { wins, draws, losses, longest_win, longest_stay, longest_run, longest_on_main_road })
}
