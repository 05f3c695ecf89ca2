//! Files that say what they are and whether they are whole.
//!
//! All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | magic: what the file is |
//! | 2 | version of the format |
//! | 4 | length of the whole file |
//! | n | the content |
//! | 4 | CRC-32 of everything before |
//!
//! Where such a beginning is the head of a file that goes on in another way, the length is that of the content.

use memmap2::Mmap;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Bytes before the content: magic, version and length.
pub const START: usize = 14;

/// Bytes of the checksum at the end.
pub const CHECKSUM: usize = 4;

/// A kind of file.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// How the file begins.
    pub magic: &'static [u8; 8],
    /// The only version that is read and written.
    pub version: u16,
    /// Its name in messages, as `file of weights`.
    pub name: &'static str,
}

/// Why a file is not of a format, or not whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChecksumError {
    /// It does not begin as such a file does, which is called so.
    #[error("this is no {0}")]
    Other(&'static str),
    /// It has a version that this program does not know.
    #[error("version {found} is unknown, this program reads version {known}")]
    Version {
        /// The version of the file.
        found: u16,
        /// That which is known.
        known: u16,
    },
    /// It is shorter or longer than it says.
    #[error("the file should have {said} bytes and has {found}")]
    Length {
        /// Bytes that it says it has.
        said: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// The checksum is not that of the content.
    #[error("the file is damaged: its checksum is wrong")]
    Checksum,
}

impl Format {
    /// The bytes of a file with this content, which has less than 4 GiB.
    pub fn seal(&self, content: &[u8]) -> Vec<u8> {
        self.sealed(START + content.len() + CHECKSUM, content)
    }

    /// The head, with this content, of a file that goes on after it.
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

    /// The content of a file.
    ///
    /// # Errors
    /// When [`Format::seal`] does not make such bytes.
    pub fn open<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], ChecksumError> {
        let (said, found) = (self.length(bytes)?.into(), bytes.len() as u64);
        if said == found { self.unsealed(bytes) } else { Err(ChecksumError::Length { said, found }) }
    }

    /// The content of the head that a file begins with, and where it ends.
    ///
    /// # Errors
    /// When [`Format::seal_head`] does not make such a head.
    pub fn open_head<'a>(&self, bytes: &'a [u8]) -> Result<(&'a [u8], usize), ChecksumError> {
        let said = u64::from(self.length(bytes)?) + (START + CHECKSUM) as u64;
        let head = usize::try_from(said).ok().and_then(|end| bytes.get(..end));
        let head = head.ok_or(ChecksumError::Length { said, found: bytes.len() as u64 })?;
        Ok((self.unsealed(head)?, head.len()))
    }

    /// The length that is said in the first [`START`] bytes of a file.
    ///
    /// # Errors
    /// When it is none of this format, or has another version.
    pub fn length(&self, bytes: &[u8]) -> Result<u32, ChecksumError> {
        let other = || ChecksumError::Other(self.name);
        let mut start = Reader::new(bytes.strip_prefix(self.magic).ok_or_else(other)?);
        let found = start.number().map(u16::from_le_bytes).ok_or_else(other)?;
        if found != self.version {
            return Err(ChecksumError::Version { found, known: self.version });
        }
        start.number().map(u32::from_le_bytes).ok_or_else(other)
    }

    /// The content between the start and the checksum, if that is right.
    fn unsealed<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], ChecksumError> {
        let (rest, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(ChecksumError::Checksum)?;
        let is_whole = crc32fast::hash(rest) == u32::from_le_bytes(*checksum);
        rest.get(START..).filter(|_| is_whole).ok_or(ChecksumError::Checksum)
    }
}

/// Maps `file` into memory, for reading. That is `unsafe` code because to map a file has no safe form: another program can change it
/// meanwhile.
///
/// # Errors
/// When the system does not let it be read.
#[allow(unsafe_code)]
pub fn map(file: &File) -> io::Result<Mmap> {
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    // SAFETY: the bytes are only looked at one after another, and whatever they are, they are checked by a checksum when they
    // are read. Files that are mapped are written under another name and then renamed, so that a program of ours does not change
    // one that is mapped.
    unsafe { Mmap::map(file) }
}

/// Has `write` write a file under the other name `temporary`, which becomes `path` when it is complete. It replaces an older one, which
/// programs that have it open keep.
///
/// # Errors
/// When it cannot be written; then nothing is left of it.
pub fn replace(path: &Path, temporary: &Path, write: impl FnOnce() -> io::Result<File>) -> io::Result<()> {
    // The file is kept open, and so its lock if it has one.
    let written = write().and_then(|file| file.sync_all().and_then(|()| fs::rename(temporary, path)));
    // The first error is returned, whether the incomplete file can be removed or not.
    written.inspect_err(|_| drop(fs::remove_file(temporary)))
}

/// The rest of a content.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// All of `content`.
    pub fn new(content: &'a [u8]) -> Self {
        Self(content)
    }

    /// Returns whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next bytes, if there are so many.
    pub fn number<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (number, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*number)
    }

    /// The next `length` bytes as text.
    pub fn text(&mut self, length: usize) -> Option<&'a str> {
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    /// A text with its length in two bytes before it, as [`note`] writes it.
    pub fn note(&mut self) -> Option<&'a str> {
        let length = u16::from_le_bytes(self.number()?);
        self.text(length.into())
    }

    /// A zlib stream up to the end, unpacked, if that gives as many bytes as one of `sizes` and nothing is left over.
    pub fn packed(self, sizes: &[usize]) -> Option<Vec<u8>> {
        const FLAGS: u32 = TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let mut bytes = vec![0; sizes.iter().copied().max()?];
        let (status, read, written) = decompress(&mut DecompressorOxide::new(), self.0, &mut bytes, 0, FLAGS);
        bytes.truncate(written);
        (status == TINFLStatus::Done && read == self.0.len() && sizes.contains(&written)).then_some(bytes)
    }
}

/// A text with its length in two bytes before it. Of one that is too long the beginning is written.
pub fn note(text: &str) -> Vec<u8> {
    let text = beginning(text, u16::MAX.into());
    let mut bytes = (text.len() as u16).to_le_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes
}

/// As much of `text` as has no more than `most` bytes.
pub fn beginning(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format { magic: b"SOFFTEST", version: 3, name: "file of a test" };

    #[test]
    fn what_was_written_is_read_and_every_damage_is_seen() {
        let content: Vec<u8> = (0..200).collect();
        let good = FORMAT.seal(&content);
        assert_eq!(FORMAT.open(&good), Ok(&*content));
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..3000 {
            let mut bytes = good.clone();
            let place = random.usize(..bytes.len());
            match random.u8(..5) {
                0 => bytes[place] ^= 1 << random.u8(..8),
                1 => bytes.truncate(place),
                2 => bytes.insert(place, random.u8(..)),
                3 => drop(bytes.remove(place)),
                _ => bytes[place..].iter_mut().take(40).for_each(|byte| *byte = random.u8(..)),
            }
            assert!(bytes == good || FORMAT.open(&bytes).is_err(), "damage at {place}");
        }
    }

    #[test]
    fn the_reason_is_said() {
        let good = FORMAT.seal(b"content");
        let error = |bytes: &[u8]| FORMAT.open(bytes).unwrap_err().to_string();
        assert_eq!(error(b"GIF89a"), "this is no file of a test");
        assert_eq!(error(b""), "this is no file of a test");
        assert_eq!(error(b"SOFFTEST\x02\x00"), "version 2 is unknown, this program reads version 3");
        assert_eq!(error(&good[..20]), "the file should have 25 bytes and has 20");
        let mut damaged = good;
        damaged[15] ^= 1;
        assert_eq!(error(&damaged), "the file is damaged: its checksum is wrong");
    }

    #[test]
    fn texts_that_are_too_long_are_cut_between_letters() {
        assert_eq!(beginning("\u{e9}l\u{e8}ve", 4), "\u{e9}l");
        let bytes = note(&"\u{e9}".repeat(40_000));
        assert_eq!(Reader::new(&bytes).note().map(str::len), Some(65_534));
        assert_eq!(Reader::new(&bytes[..99]).note(), None);
    }
}
