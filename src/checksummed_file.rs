//! A container format with a magic number, a version, a length and a checksum.
//!
//! All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | the magic number, which identifies the format |
//! | 2 | the version of the format |
//! | 4 | the length in bytes of the whole file |
//! | n | the content |
//! | 4 | CRC-32 of everything before it |
//!
//! If the container is only the head of a longer file, the length field gives the length of the content instead.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress as inflate};

/// Size in bytes of the start of a file: the magic number, the version and the length field.
pub const START: usize = 14;

/// Size in bytes of the checksum.
pub const CHECKSUM: usize = 4;

/// A file format that uses the container.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The magic number, which is the first eight bytes of a file.
    pub magic: &'static [u8; 8],
    /// The only supported version. To read older files as well, open them with a second format.
    pub version: u16,
    /// Name of the format in error messages, including the article, such as `a weights file`.
    pub name: &'static str,
}

/// Why a file is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChecksumError {
    /// The file does not start with the magic number of the format. The string is the name of the format.
    #[error("not {0}")]
    Other(&'static str),
    /// The version of the file is not supported.
    #[error("unsupported version {found}: the current version is {current}")]
    Version {
        /// The version of the file.
        found: u16,
        /// The version that this program writes.
        current: u16,
    },
    /// The length of the file differs from the length that it declares.
    #[error("the file should have {declared} bytes but has {found}")]
    Length {
        /// The length in bytes that the file declares.
        declared: u64,
        /// The actual length in bytes.
        found: u64,
    },
    /// The checksum does not match the contents of the file.
    #[error("the file is damaged: checksum mismatch")]
    Checksum,
}

impl Format {
    /// Wraps `content` to make a complete file. The content must be smaller than 4 GiB.
    pub fn seal(&self, content: &[u8]) -> Vec<u8> {
        self.sealed(START + content.len() + CHECKSUM, content)
    }

    /// Wraps `content` to make the head of a longer file.
    pub fn seal_head(&self, content: &[u8]) -> Vec<u8> {
        self.sealed(content.len(), content)
    }

    fn sealed(&self, length: usize, content: &[u8]) -> Vec<u8> {
        let mut bytes = self.magic.to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend(content);
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Validates a file and returns its content.
    pub fn open<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], ChecksumError> {
        let (declared, found) = (self.length(bytes)?.into(), bytes.len() as u64);
        if declared == found { self.unsealed(bytes) } else { Err(ChecksumError::Length { declared, found }) }
    }

    /// Validates the head of a file. Returns the content of the head and the offset of its end.
    pub fn open_head<'a>(&self, bytes: &'a [u8]) -> Result<(&'a [u8], usize), ChecksumError> {
        let declared = u64::from(self.length(bytes)?) + (START + CHECKSUM) as u64;
        let head = usize::try_from(declared).ok().and_then(|end| bytes.get(..end));
        let head = head.ok_or(ChecksumError::Length { declared, found: bytes.len() as u64 })?;
        Ok((self.unsealed(head)?, head.len()))
    }

    /// Returns the declared length. Returns an error if `bytes` is shorter than [`START`], or if the magic number or
    /// the version is wrong.
    pub fn length(&self, bytes: &[u8]) -> Result<u32, ChecksumError> {
        let other = || ChecksumError::Other(self.name);
        let mut start = Reader::new(bytes.strip_prefix(self.magic).ok_or_else(other)?);
        let found = start.number().map(u16::from_le_bytes).ok_or_else(other)?;
        if found != self.version {
            return Err(ChecksumError::Version { found, current: self.version });
        }
        start.number().map(u32::from_le_bytes).ok_or_else(other)
    }

    fn unsealed<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], ChecksumError> {
        let (rest, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(ChecksumError::Checksum)?;
        let is_whole = crc32fast::hash(rest) == u32::from_le_bytes(*checksum);
        rest.get(START..).filter(|_| is_whole).ok_or(ChecksumError::Checksum)
    }
}

/// A parser for the content of a file.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Creates a reader that starts at the beginning of `content`.
    pub fn new(content: &'a [u8]) -> Self {
        Self(content)
    }

    /// Returns whether all bytes have been read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads `N` bytes, or returns `None` if fewer than `N` bytes are left.
    pub fn number<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (number, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*number)
    }

    /// Reads `length` bytes as UTF-8. Returns `None` if fewer bytes are left or they are not valid UTF-8.
    pub fn text(&mut self, length: usize) -> Option<&'a str> {
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    /// Reads a string that [`short_string`] wrote. Returns `None` if the string is truncated or is not valid UTF-8.
    pub fn short_string(&mut self) -> Option<&'a str> {
        let [length] = self.number()?;
        self.text(length.into())
    }

    /// Reads a string that [`long_string`] wrote. Returns `None` if the string is truncated or is not valid UTF-8.
    pub fn long_string(&mut self) -> Option<&'a str> {
        let length = u16::from_le_bytes(self.number()?);
        self.text(length.into())
    }

    /// Decompresses the remaining bytes, which must be a zlib stream. Returns `None` if the stream is invalid, the
    /// stream does not contain `size` bytes, or other bytes follow it.
    pub fn decompress(self, size: usize) -> Option<Vec<u8>> {
        const FLAGS: u32 = TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let mut bytes = vec![0; size];
        let (status, read, written) = inflate(&mut DecompressorOxide::new(), self.0, &mut bytes, 0, FLAGS);
        (status == TINFLStatus::Done && read == self.0.len() && written == size).then_some(bytes)
    }
}

/// Serialises a string with a one-byte length prefix. A string that is too long is truncated.
pub fn short_string(text: &str) -> Vec<u8> {
    let text = truncated(text, u8::MAX.into());
    let mut bytes = vec![text.len() as u8];
    bytes.extend(text.as_bytes());
    bytes
}

/// Serialises a string with a two-byte length prefix. A string that is too long is truncated.
pub fn long_string(text: &str) -> Vec<u8> {
    let text = truncated(text, u16::MAX.into());
    let mut bytes = (text.len() as u16).to_le_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes
}

/// Returns the longest prefix of `text` that is at most `max_bytes` bytes long.
fn truncated(text: &str, max_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(max_bytes)]
}

/// Returns a copy of `bytes` with random damage.
#[cfg(test)]
pub(crate) fn damaged(bytes: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let place = random.usize(..bytes.len());
    match random.u8(..7) {
        0 => bytes[place] ^= 1 << random.u8(..8),
        1 => bytes.truncate(place),
        2 => bytes.insert(place, random.u8(..)),
        3 => drop(bytes.remove(place)),
        4 => bytes.rotate_left(place),
        5 => bytes.extend((0..random.usize(1..20)).map(|_| random.u8(..))),
        _ => bytes[place..].iter_mut().take(40).for_each(|byte| *byte = random.u8(..)),
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format { magic: b"SOFFTEST", version: 3, name: "a test file" };

    #[test]
    fn files_are_read_back_and_every_damage_is_detected() {
        let content: Vec<u8> = (0..200).collect();
        let good = FORMAT.seal(&content);
        assert_eq!(FORMAT.open(&good), Ok(&*content));
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..3000 {
            let bytes = damaged(&good, &mut random);
            assert!(bytes == good || FORMAT.open(&bytes).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn the_reason_is_reported() {
        let good = FORMAT.seal(b"content");
        let error = |bytes: &[u8]| FORMAT.open(bytes).unwrap_err().to_string();
        assert_eq!(error(b"GIF89a"), "not a test file");
        assert_eq!(error(b""), "not a test file");
        assert_eq!(error(b"SOFFTEST\x02\x00"), "unsupported version 2: the current version is 3");
        assert_eq!(error(&good[..20]), "the file should have 25 bytes but has 20");
        let mut damaged = good;
        damaged[15] ^= 1;
        assert_eq!(error(&damaged), "the file is damaged: checksum mismatch");
    }

    #[test]
    fn overlong_strings_are_cut_between_characters() {
        assert_eq!(truncated("\u{e9}l\u{e8}ve", 4), "\u{e9}l");
        let bytes = long_string(&"\u{e9}".repeat(40_000));
        assert_eq!(Reader::new(&bytes).long_string().map(str::len), Some(65_534));
        assert_eq!(Reader::new(&bytes[..99]).long_string(), None);
        let bytes = short_string(&"\u{e9}".repeat(200));
        assert_eq!((bytes.len(), Reader::new(&bytes).short_string().map(str::len)), (255, Some(254)));
        assert_eq!(Reader::new(&bytes[..99]).short_string(), None);
        assert_eq!(short_string("thai"), b"\x04thai");
    }
}
