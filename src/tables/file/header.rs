//! The beginning of a file of endgame tables.

use super::FileError;
use crate::rules::{Identity, Variant};
use crate::tables::{Counts, Material, SideMaterial, Slice};
use nom::bytes::complete::take;
use nom::combinator::{map_res, verify};
use nom::multi::{count, length_data};
use nom::number::complete::{le_u8, le_u16, le_u32, le_u64};
use nom::{IResult, Parser};

const MAGIC: &[u8; 8] = b"SOFFTABL";
const VERSION: u16 = 2;

/// Bytes of magic, version and length.
pub(super) const START: usize = 14;

/// Bytes of a checksum.
pub(super) const CHECKSUM: usize = 4;

/// The mark for no longest win.
const NO_WIN: u8 = u8::MAX;

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
    /// Whether the tables are for `variant`.
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

    pub(super) fn to_bytes(&self) -> Vec<u8> {
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
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(body);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the header at the beginning of `bytes`, and tells where it ends.
    pub(super) fn parse(bytes: &[u8]) -> Result<(Self, usize), FileError> {
        let start = bytes.get(..START).ok_or(FileError::NoTable)?;
        let (rest, magic) = take::<_, _, nom::error::Error<_>>(MAGIC.len())(start).map_err(|_| FileError::NoTable)?;
        if magic != MAGIC {
            return Err(FileError::NoTable);
        }
        let (_, (version, length)) = header_start(rest).map_err(|_| FileError::NoTable)?;
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let end = START.checked_add(length as usize).ok_or(FileError::Header)?;
        let body = bytes.get(START..end).ok_or(FileError::Header)?;
        let checksum = bytes.get(end..).and_then(|rest| rest.first_chunk::<CHECKSUM>()).ok_or(FileError::Header)?;
        let checked = bytes.get(..end).ok_or(FileError::Header)?;
        if crc32fast::hash(checked) != u32::from_le_bytes(*checksum) {
            return Err(FileError::Header);
        }
        match header_body(body) {
            Ok(([], header)) => Ok((header, end + CHECKSUM)),
            _ => Err(FileError::Header),
        }
    }
}

fn header_start(input: &[u8]) -> IResult<&[u8], (u16, u32)> {
    (le_u16, le_u32).parse(input)
}

fn header_body(input: &[u8]) -> IResult<&[u8], Header> {
    let name = map_res(length_data(le_u8), |name: &[u8]| String::from_utf8(name.to_vec()));
    let (input, (variant, rules, slice, tables)) = (name, le_u32, slice, le_u8).parse(input)?;
    let tables = if usize::from(tables) == slice.materials().count() { tables.into() } else { usize::MAX };
    let (input, tables) = verify(count(table, tables.min(2)), |found: &Vec<_>| found.len() == tables).parse(input)?;
    Ok((input, Header { identity: Identity { variant, rules }, slice, tables }))
}

fn slice(input: &[u8]) -> IResult<&[u8], Slice> {
    let is_possible_side = |side_material: &SideMaterial| {
        side_material
            .men
            .checked_add(side_material.kings)
            .is_some_and(|pieces| (1..=Material::MOST_OF_A_SIDE).contains(&pieces))
    };
    let side_material = || verify((le_u8, le_u8).map(|(men, kings)| SideMaterial { men, kings }), is_possible_side);
    let material = (side_material(), side_material()).map(|(own, other)| Material { own, other });
    let is_name = |material: &Material| Slice::of(*material).material() == *material;
    verify(material, is_name).map(Slice::of).parse(input)
}

fn table(input: &[u8]) -> IResult<&[u8], (u64, Counts)> {
    let longest_win = (le_u8, le_u64).map(|(plies, number)| (plies != NO_WIN).then_some((plies, number)));
    let longest = (longest_win, le_u8, le_u8);
    let counts = (le_u64, le_u64, le_u64, longest).map(
        |(wins, draws, losses, (longest_win, longest_game, longest_on_main_road))| Counts {
            wins,
            draws,
            losses,
            longest_win,
            longest_game,
            longest_on_main_road,
        },
    );
    (le_u64, counts).parse(input)
}
