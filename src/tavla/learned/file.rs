//! The file in which the weights are kept.
//!
//! All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | `SOFFTAVL` |
//! | 2 | version of the format, 1: it also stands for what the inputs are |
//! | 4 | length of the whole file |
//! | 2, 2, 2 | inputs, hidden units of the network for contact, hidden units of that for races |
//! | 2 + n | length of a note on where the weights come from, and the note |
//! | n | the weights of both networks as 32-bit floating point numbers, as a zlib stream |
//! | 4 | CRC-32 of everything before |

use super::evaluator::{CONTACT_UNITS, RACE_UNITS, Weights};
use super::inputs::INPUTS;
use super::network::Network;
use std::fmt;

const MAGIC: &[u8; 8] = b"SOFFTAVL";
const VERSION: u16 = 1;

/// Bytes before the sizes: magic, version and length.
const START: usize = 14;

/// Bytes of the checksum at the end.
const CHECKSUM: usize = 4;

/// How hard to try to make the file small, from 0 to 10.
const COMPRESSION: u8 = 9;

/// Weights with what the file says of them.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightsFile {
    /// Where they come from, in words.
    pub note: String,
    /// The weights.
    pub weights: Weights,
}

/// Why a file with weights is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// It does not begin as such a file does.
    NotWeights,
    /// It has a version that this program does not know.
    Version(u16),
    /// It is shorter or longer than it says.
    Length {
        /// Bytes that it says it has.
        said: u32,
        /// Bytes that it has.
        found: usize,
    },
    /// The checksum is not that of the content.
    Checksum,
    /// The networks have other sizes.
    Sizes,
    /// The content contradicts itself.
    Content,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWeights => f.write_str("this is no file of weights for tavla"),
            Self::Version(version) => write!(f, "version {version} is unknown, this program reads version {VERSION}"),
            Self::Length { said, found } => write!(f, "the file should have {said} bytes and has {found}"),
            Self::Checksum => f.write_str("the file is damaged: its checksum is wrong"),
            Self::Sizes => f.write_str("its networks have other sizes than those of this program"),
            Self::Content => f.write_str("the weights cannot be unpacked, or are no numbers"),
        }
    }
}

impl std::error::Error for WeightsError {}

/// Inputs and units as the file has them.
const SIZES: [u16; 3] = [INPUTS as u16, CONTACT_UNITS as u16, RACE_UNITS as u16];

impl WeightsFile {
    /// The bytes of the file. Of a note that is too long the beginning is kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        let note = &self.note[..self.note.floor_char_boundary(u16::MAX.into())];
        let Weights { contact, race } = &self.weights;
        let content: Vec<u8> = contact.weights().chain(race.weights()).flat_map(f32::to_le_bytes).collect();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(SIZES.iter().flat_map(|size| size.to_le_bytes()));
        bytes.extend((note.len() as u16).to_le_bytes());
        bytes.extend(note.as_bytes());
        bytes.extend(miniz_oxide::deflate::compress_to_vec_zlib(&content, COMPRESSION));
        let length = (bytes.len() + CHECKSUM) as u32;
        bytes[START - 4..START].copy_from_slice(&length.to_le_bytes());
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// The content of a file.
    ///
    /// # Errors
    /// When the bytes are none that [`WeightsFile::to_bytes`] makes.
    pub fn parse(bytes: &[u8]) -> Result<Self, WeightsError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(WeightsError::NotWeights)?;
        let (version, rest) = number::<2>(rest).ok_or(WeightsError::NotWeights)?;
        let version = u16::from_le_bytes(version);
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        let (said, _) = number::<4>(rest).ok_or(WeightsError::NotWeights)?;
        let said = u32::from_le_bytes(said);
        if u64::from(said) != bytes.len() as u64 {
            return Err(WeightsError::Length { said, found: bytes.len() });
        }
        let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(WeightsError::NotWeights)?;
        if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
            return Err(WeightsError::Checksum);
        }
        Self::content(content.get(START..).ok_or(WeightsError::NotWeights)?)
    }

    fn content(mut rest: &[u8]) -> Result<Self, WeightsError> {
        for size in SIZES {
            let (found, after) = number::<2>(rest).ok_or(WeightsError::Content)?;
            if u16::from_le_bytes(found) != size {
                return Err(WeightsError::Sizes);
            }
            rest = after;
        }
        let (length, rest) = number::<2>(rest).ok_or(WeightsError::Content)?;
        let (note, packed) = rest.split_at_checked(u16::from_le_bytes(length).into()).ok_or(WeightsError::Content)?;
        let note = std::str::from_utf8(note).map_err(|_| WeightsError::Content)?.to_owned();
        let of_contact = Network::<CONTACT_UNITS>::WEIGHTS;
        let size = 4 * (of_contact + Network::<RACE_UNITS>::WEIGHTS);
        let content = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, size);
        let content = content.map_err(|_| WeightsError::Content)?;
        let (numbers, _) = content.as_chunks::<4>();
        let weights: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        if content.len() != size || !weights.iter().all(|weight| weight.is_finite()) {
            return Err(WeightsError::Content);
        }
        let (contact, race) = weights.split_at_checked(of_contact).ok_or(WeightsError::Content)?;
        let networks = Network::from_weights(contact).zip(Network::from_weights(race));
        let (contact, race) = networks.ok_or(WeightsError::Content)?;
        Ok(Self { note, weights: Weights { contact, race } })
    }
}

fn number<const N: usize>(bytes: &[u8]) -> Option<([u8; N], &[u8])> {
    bytes.split_first_chunk::<N>().map(|(number, rest)| (*number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> WeightsFile {
        let weights = Weights::random(&mut fastrand::Rng::with_seed(1));
        WeightsFile { note: "1000 games, seed 1".to_owned(), weights }
    }

    #[test]
    fn what_was_written_is_read() {
        let file = sample();
        assert_eq!(WeightsFile::parse(&file.to_bytes()), Ok(file));
    }

    #[test]
    fn every_damage_is_refused() {
        let good = sample().to_bytes();
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..300 {
            let mut bytes = good.clone();
            let place = random.usize(..bytes.len());
            match random.u8(..4) {
                0 => bytes[place] ^= 1 << random.u8(..8),
                1 => bytes.truncate(place),
                2 => bytes.insert(place, random.u8(..)),
                _ => drop(bytes.remove(place)),
            }
            assert!(WeightsFile::parse(&bytes).is_err(), "damage at {place}");
        }
    }

    fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.truncate(bytes.len() - CHECKSUM);
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    #[test]
    fn the_reason_is_said() {
        let good = sample().to_bytes();
        let error = |bytes: &[u8]| WeightsFile::parse(bytes).unwrap_err().to_string();
        assert_eq!(error(b"GIF89a"), "this is no file of weights for tavla");
        assert_eq!(error(b"SOFFTAVL\x02\x00"), "version 2 is unknown, this program reads version 1");
        assert_eq!(error(&good[..99]), format!("the file should have {} bytes and has 99", good.len()));
        let mut damaged = good.clone();
        damaged[60] ^= 1;
        assert_eq!(error(&damaged), "the file is damaged: its checksum is wrong");
        let mut wide = good.clone();
        wide[START] ^= 1;
        assert_eq!(error(&sealed(wide)), "its networks have other sizes than those of this program");
        let mut note = good;
        note[START + 6] ^= 1;
        assert_eq!(error(&sealed(note)), "the weights cannot be unpacked, or are no numbers");
    }
}
