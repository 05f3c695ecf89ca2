//! The file in which weights are kept.
//!
//! All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | `SOFFEVAL` |
//! | 2 | version of the format, 1 |
//! | 4 | length of the whole file |
//! | 1 + n | length of the variant's name, and the name |
//! | 4 | CRC-32 of the rules as text |
//! | 1, 1, 1 | the [`Layout`]: columns, rows, step |
//! | 4 | number of features |
//! | 2 + n | length of a note on where the weights come from, and the note |
//! | n | the weights for the full board, then those for the empty board, 2 bytes each, as a zlib stream |
//! | 4 | CRC-32 of everything before |

use super::{GameKind, Layout, Weights};
use crate::rules::Identity;
use std::fmt;

const MAGIC: &[u8; 8] = b"SOFFEVAL";
const VERSION: u16 = 1;

/// Bytes before the variant's name: magic, version and length.
const START: usize = 14;

/// Bytes of the checksum at the end.
const CHECKSUM: usize = 4;

/// How hard to try to make the file small, from 0 to 10.
const COMPRESSION: u8 = 10;

/// Weights with what the file says of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsFile {
    /// The game that they were made for.
    pub identity: Identity,
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
    /// The content contradicts itself.
    Content(&'static str),
    /// It was made for another variant, whose name this is.
    Variant(String),
    /// It was made for other rules of the variant.
    Rules,
    /// The patterns are not those of the board.
    Board,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWeights => f.write_str("this is no file of weights"),
            Self::Version(version) => write!(f, "version {version} is unknown, this program reads version {VERSION}"),
            Self::Length { said, found } => write!(f, "the file should have {said} bytes and has {found}"),
            Self::Checksum => f.write_str("the file is damaged: its checksum is wrong"),
            Self::Content(what) => write!(f, "the file contradicts itself: {what}"),
            Self::Variant(variant) => write!(f, "the weights are for the variant {variant:?}"),
            Self::Rules => f.write_str("the weights are for other rules of this variant"),
            Self::Board => f.write_str("the weights do not fit on the board"),
        }
    }
}

impl std::error::Error for WeightsError {}

impl WeightsFile {
    /// The bytes of the file. Of a name or note that is too long the beginning is kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        let variant = beginning(&self.identity.variant, u8::MAX.into());
        let note = beginning(&self.note, u16::MAX.into());
        let Layout { columns, rows, step } = self.weights.layout;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.push(variant.len() as u8);
        bytes.extend(variant.as_bytes());
        bytes.extend(self.identity.rules.to_le_bytes());
        bytes.extend([columns, rows, step]);
        bytes.extend((self.weights.values.len() as u32).to_le_bytes());
        bytes.extend((note.len() as u16).to_le_bytes());
        bytes.extend(note.as_bytes());
        bytes.extend(miniz_oxide::deflate::compress_to_vec_zlib(&self.weights.to_bytes(), COMPRESSION));
        let length = (bytes.len() + CHECKSUM) as u32;
        bytes[START - 4..START].copy_from_slice(&length.to_le_bytes());
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// The content of a file.
    ///
    /// # Errors
    /// When the bytes are not exactly those that [`WeightsFile::to_bytes`] makes.
    pub fn parse(bytes: &[u8]) -> Result<Self, WeightsError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(WeightsError::NotWeights)?;
        let mut head = Reader(rest);
        let version = head.number::<2>().map(u16::from_le_bytes).ok_or(WeightsError::NotWeights)?;
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        let said = head.number::<4>().map(u32::from_le_bytes).ok_or(WeightsError::NotWeights)?;
        if u64::from(said) != bytes.len() as u64 {
            return Err(WeightsError::Length { said, found: bytes.len() });
        }
        let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(WeightsError::NotWeights)?;
        if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
            return Err(WeightsError::Checksum);
        }
        Reader(content.get(START..).ok_or(WeightsError::NotWeights)?).content()
    }

    /// The content of a file that must be for this game.
    ///
    /// # Errors
    /// As [`WeightsFile::parse`], or when it is for another game.
    pub fn parse_for(bytes: &[u8], identity: &Identity, kind: GameKind) -> Result<Self, WeightsError> {
        let file = Self::parse(bytes)?;
        if file.identity.variant != identity.variant {
            return Err(WeightsError::Variant(file.identity.variant));
        }
        if file.identity.rules != identity.rules {
            return Err(WeightsError::Rules);
        }
        if super::Learned::new(kind, &file.weights).is_none() {
            return Err(WeightsError::Board);
        }
        Ok(file)
    }
}

/// As much of `text` as has no more than `most` bytes.
fn beginning(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// What is left of a file.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (number, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*number)
    }

    fn text(&mut self, length: usize) -> Option<&'a str> {
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    fn content(mut self) -> Result<WeightsFile, WeightsError> {
        let (identity, layout, count, note) = self.head().ok_or(WeightsError::Content("it has no whole head"))?;
        let size = count as usize * 4;
        let bytes = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(self.0, size)
            .map_err(|_| WeightsError::Content("the weights cannot be unpacked"))?;
        if bytes.len() != size {
            return Err(WeightsError::Content("there are fewer weights than features"));
        }
        let weights = Weights::from_bytes(layout, &bytes).ok_or(WeightsError::Content("there is half a weight"))?;
        Ok(WeightsFile { identity, note, weights })
    }

    fn head(&mut self) -> Option<(Identity, Layout, u32, String)> {
        let [length] = self.number()?;
        let variant = self.text(length.into())?.to_owned();
        let rules = u32::from_le_bytes(self.number()?);
        let [columns, rows, step] = self.number()?;
        let count = u32::from_le_bytes(self.number()?);
        let length = u16::from_le_bytes(self.number()?);
        let note = self.text(length.into())?.to_owned();
        Some((Identity { variant, rules }, Layout { columns, rows, step }, count, note))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board8, Geometry};
    use crate::eval::learned::Features;

    fn kind() -> GameKind {
        GameKind { shape: Board8::SHAPE, men: 12, lone_king_holds: false }
    }

    fn sample() -> WeightsFile {
        let mut random = fastrand::Rng::with_seed(1);
        let layout = Layout { columns: 2, rows: 2, step: 2 };
        let count = Features::new(kind(), layout).unwrap().count();
        let values = (0..count).map(|_| [random.i16(..), random.i16(-3..3)]).collect();
        WeightsFile {
            identity: Identity::new("english", "short kings"),
            note: "generation 3 of 2 \u{e9}l\u{e8}ves".into(),
            weights: Weights { layout, values },
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let file = sample();
        assert_eq!(WeightsFile::parse(&file.to_bytes()), Ok(file.clone()));
        assert_eq!(WeightsFile::parse_for(&file.to_bytes(), &file.identity, kind()), Ok(file));
    }

    #[test]
    fn every_damage_is_refused() {
        let good = sample().to_bytes();
        let mut random = fastrand::Rng::with_seed(2);
        let mut damages = 0;
        while damages < 1000 {
            let mut bytes = good.clone();
            let place = random.usize(..bytes.len());
            match random.u8(..5) {
                0 => bytes[place] ^= 1 << random.u8(..8),
                1 => bytes.truncate(place),
                2 => bytes.insert(place, random.u8(..)),
                3 => drop(bytes.remove(place)),
                _ => bytes[place..].iter_mut().take(40).for_each(|byte| *byte = random.u8(..)),
            }
            if bytes != good {
                assert!(WeightsFile::parse(&bytes).is_err(), "damage at {place}");
                damages += 1;
            }
        }
    }

    /// The bytes with a checksum that is right again.
    fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.truncate(bytes.len() - CHECKSUM);
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    #[test]
    fn files_that_contradict_themselves_are_refused() {
        let good = sample().to_bytes();
        let mut refused = 0;
        for place in START..good.len() - CHECKSUM {
            for value in [0, 255] {
                let mut bytes = good.clone();
                bytes[place] = value;
                // Whatever passes has a content, though not the one of before.
                refused += usize::from(WeightsFile::parse(&sealed(bytes)).is_err());
            }
        }
        assert!(refused > good.len() / 2, "{refused} of {}", good.len());
    }

    #[test]
    fn the_reason_is_said() {
        let file = sample();
        let bytes = file.to_bytes();
        let parse = |identity: &Identity, kind| WeightsFile::parse_for(&bytes, identity, kind).unwrap_err().to_string();
        assert_eq!(parse(&Identity::new("italian", ""), kind()), "the weights are for the variant \"english\"");
        assert_eq!(
            parse(&Identity::new("english", "flying kings"), kind()),
            "the weights are for other rules of this variant"
        );
        let wide = GameKind { shape: crate::board::Board10x8::SHAPE, ..kind() };
        assert_eq!(parse(&file.identity, wide), "the weights do not fit on the board");
        let error = |bytes: &[u8]| WeightsFile::parse(bytes).unwrap_err().to_string();
        assert_eq!(error(b"GIF89a"), "this is no file of weights");
        assert_eq!(error(b""), "this is no file of weights");
        assert_eq!(error(b"SOFFEVAL\x02\x00"), "version 2 is unknown, this program reads version 1");
        let length = bytes.len();
        assert_eq!(error(&bytes[..99]), format!("the file should have {length} bytes and has 99"));
        let mut damaged = bytes.clone();
        damaged[60] ^= 1;
        assert_eq!(error(&damaged), "the file is damaged: its checksum is wrong");
    }
}
