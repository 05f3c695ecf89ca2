//! The file in which the weights are kept.
//!
//! The content of a checksummed file, whose version also stands for what the inputs are:
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 2, 2, 2 | inputs, hidden units of the network for contact, hidden units of that for races |
//! | 2 + n | length of a note on where the weights come from, and the note |
//! | n | the weights of both networks as 32-bit floating point numbers, as a zlib stream |

use super::features::INPUTS;
use super::network::Network;
use super::{CONTACT_UNITS, RACE_UNITS, Weights};
use soffio::checksummed_file::{ChecksumError, Format, Reader, note};

const FORMAT: Format = Format { magic: b"SOFFTAVL", version: 1, name: "file of weights for tavla" };

/// The effort to make the file small, from 0 to 10.
const COMPRESSION: u8 = 9;

/// Weights with what the file says of them.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightsFile {
    /// Their origin in words.
    pub note: String,
    /// The weights.
    pub weights: Weights,
}

/// A file with weights is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    #[error(transparent)]
    Checksum(#[from] ChecksumError),
    #[error("its networks have other sizes than those of this program")]
    Sizes,
    #[error("the weights cannot be unpacked, or are not numbers")]
    Content,
}

/// Inputs and units as the file has them.
const SIZES: [u16; 3] = [INPUTS as u16, CONTACT_UNITS as u16, RACE_UNITS as u16];

impl WeightsFile {
    /// The bytes of the file. Of a note that is too long the beginning is kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Weights { contact, race } = &self.weights;
        let weights: Vec<u8> = contact.weights().chain(race.weights()).flat_map(f32::to_le_bytes).collect();
        let mut content: Vec<u8> = SIZES.iter().flat_map(|size| size.to_le_bytes()).collect();
        content.extend(note(&self.note));
        content.extend(miniz_oxide::deflate::compress_to_vec_zlib(&weights, COMPRESSION));
        FORMAT.seal(&content)
    }

    /// The content of a file.
    ///
    /// # Errors
    /// When [`WeightsFile::to_bytes`] does not make such bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, WeightsError> {
        Self::content(Reader::new(FORMAT.open(bytes)?))
    }

    fn content(mut rest: Reader<'_>) -> Result<Self, WeightsError> {
        for size in SIZES {
            let found = rest.number().ok_or(WeightsError::Content)?;
            if u16::from_le_bytes(found) != size {
                return Err(WeightsError::Sizes);
            }
        }
        let note = rest.note().ok_or(WeightsError::Content)?.to_owned();
        let of_contact = Network::<CONTACT_UNITS>::WEIGHTS;
        let size = 4 * (of_contact + Network::<RACE_UNITS>::WEIGHTS);
        let content = rest.packed(size).ok_or(WeightsError::Content)?;
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
    fn the_file_of_the_program_says_where_it_comes_from() {
        assert!(crate::learned::embedded().note.contains("games"));
    }

    #[test]
    fn the_reason_is_said() {
        let good = sample().to_bytes();
        let error = |bytes: &[u8]| WeightsFile::parse(bytes).unwrap_err().to_string();
        assert_eq!(error(b"GIF89a"), "this is no file of weights for tavla");
        assert_eq!(error(&good[..99]), format!("the file should have {} bytes and has 99", good.len()));
        let content = FORMAT.open(&good).unwrap();
        let changed = |place: usize| {
            let mut content = content.to_vec();
            content[place] ^= 1;
            error(&FORMAT.seal(&content))
        };
        assert_eq!(changed(0), "its networks have other sizes than those of this program");
        assert_eq!(changed(6), "the weights cannot be unpacked, or are not numbers", "the length of the note");
        assert_eq!(error(&FORMAT.seal(&content[..5])), "the weights cannot be unpacked, or are not numbers");
    }
}
