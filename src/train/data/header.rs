//! The beginning of a file of games.

use super::DataError;
use super::input::{Bytes, fill};
use crate::board::{Corner, Shape};
use crate::rules::{Identity, Variant};
use std::io::Read;

const MAGIC: &[u8; 8] = b"SOFFDATA";
const VERSION: u16 = 1;

/// Bytes of magic, version and length.
const START: usize = 14;

/// Bytes of the checksum.
const CHECKSUM: usize = 4;

/// The longest header that is possible, without start and checksum.
const LONGEST: usize = 3 + 4 + 1 + 255 + 2 + 65_535;

/// What a file says of its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The board.
    pub shape: Shape,
    /// The variant and its rules.
    pub identity: Identity,
    /// How the games are played, as text: what has to be the same for a plan that goes on. Up to 65,535 bytes.
    pub plan: String,
}

impl Header {
    /// Whether the games are by the same rules as those of `other`.
    ///
    /// # Errors
    /// When they are not.
    pub fn check_game(&self, other: &Self) -> Result<(), DataError> {
        if (self.shape, &self.identity) == (other.shape, &other.identity) {
            Ok(())
        } else {
            Err(DataError::OtherGame(self.identity.variant.clone()))
        }
    }

    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, DataError> {
        let Shape { width, height, corner } = self.shape;
        let corner = match corner {
            Corner::Left => 0,
            Corner::Right => 1,
            Corner::Both => 2,
        };
        let name_length = u8::try_from(self.identity.variant.len()).map_err(|_| DataError::Unfit("a name too long"))?;
        let plan_length = u16::try_from(self.plan.len()).map_err(|_| DataError::Unfit("a plan too long"))?;
        let mut body = vec![width, height, corner];
        body.extend(self.identity.rules.to_le_bytes());
        body.push(name_length);
        body.extend(self.identity.variant.as_bytes());
        body.extend(plan_length.to_le_bytes());
        body.extend(self.plan.as_bytes());
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(body);
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        Ok(bytes)
    }

    /// Reads the header, and tells its length in bytes.
    pub(super) fn read(input: &mut impl Read) -> Result<(Self, u64), DataError> {
        let mut bytes = vec![0; START];
        let filled = fill(input, &mut bytes)?;
        let mut start = Bytes(&bytes[..filled]);
        if start.take::<8>().as_ref() != Some(MAGIC) {
            return Err(DataError::NotGames);
        }
        let version = start.take().map(u16::from_le_bytes).ok_or(DataError::NotGames)?;
        if version != VERSION {
            return Err(DataError::Version(version));
        }
        let length = start.take().map(u32::from_le_bytes).ok_or(DataError::NotGames)? as usize;
        if length > LONGEST {
            return Err(DataError::Header);
        }
        bytes.resize(START + length + CHECKSUM, 0);
        let filled = START + fill(input, &mut bytes[START..])?;
        let Some((content, checksum)) = bytes.split_last_chunk::<CHECKSUM>() else { return Err(DataError::Header) };
        if filled < bytes.len() || crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
            return Err(DataError::Header);
        }
        let header = Self::parse(&mut Bytes(&content[START..])).ok_or(DataError::Header)?;
        Ok((header, bytes.len() as u64))
    }

    fn parse(bytes: &mut Bytes<'_>) -> Option<Self> {
        let [width, height, corner] = bytes.take()?;
        let corner = match corner {
            0 => Corner::Left,
            1 => Corner::Right,
            2 => Corner::Both,
            _ => return None,
        };
        // A game is played on a board that some variant has.
        let shape = Shape { width, height, corner };
        if !Variant::ALL.iter().any(|variant| variant.spec().shape == shape) {
            return None;
        }
        let rules = u32::from_le_bytes(bytes.take()?);
        let [length] = bytes.take()?;
        let variant = bytes.text(length.into())?.to_owned();
        let length = u16::from_le_bytes(bytes.take()?);
        let plan = bytes.text(length.into())?.to_owned();
        bytes.0.is_empty().then_some(Self { shape, identity: Identity { variant, rules }, plan })
    }
}
