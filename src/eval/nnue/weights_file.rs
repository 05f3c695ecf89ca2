//! The file format for weights.
//!
//! The checksummed content consists of these fields:
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 1 + n | length of the variant's name, and the name |
//! | 4 | CRC-32 of the rules as text |
//! | 2 | number of inputs |
//! | 2 + n | length of a note on the origin of the weights, and the note |
//! | n | the weights as a zlib stream |
//!
//! The stream contains the lower bytes of all 2-byte weights, then their upper bytes, and then all 4-byte weights. The
//! 2-byte weights are the weights of the first layer, input by input, its biases, and the weights of the second layer,
//! bucket by bucket. The 4-byte weights of each bucket are the second-layer biases, the output weights and the output
//! bias. The 2-byte weights are zigzag-encoded, which makes nearly all upper bytes 0 and shortens the stream by a
//! quarter.

use super::{GameKind, Nnue, Weights, WeightsError};
use crate::checksummed_file::{Format, Reader, long_string, short_string};
use crate::files::{read_regular, shown_path};
use crate::rules::{Identity, Variant};
use std::path::Path;

const FORMAT: Format = Format { magic: b"SOFFEVAL", version: 3, name: "a weights file" };

const COMPRESSION: u8 = 10;

/// The content of a weights file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsFile {
    /// The variant and the rules for which the weights were trained.
    pub identity: Identity,
    /// Free text about the origin of the weights.
    pub note: String,
    /// The weights themselves.
    pub weights: Weights,
}

impl WeightsFile {
    /// Serialises the file. Names and notes that are too long are truncated.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut content = short_string(&self.identity.variant);
        content.extend(self.identity.rules.to_le_bytes());
        content.extend((self.weights.first.len() as u16).to_le_bytes());
        content.extend(long_string(&self.note));
        let planes = to_planes(&self.weights.to_bytes(), Weights::LONG_BYTES);
        content.extend(miniz_oxide::deflate::compress_to_vec_zlib(&planes, COMPRESSION));
        FORMAT.seal(&content)
    }

    /// Parses a weights file for any variant.
    pub fn parse(bytes: &[u8]) -> Result<Self, WeightsError> {
        content(Reader::new(FORMAT.open(bytes)?))
    }

    /// Parses a weights file, which must match `identity` and fit `kind`.
    pub fn parse_for(bytes: &[u8], identity: &Identity, kind: GameKind) -> Result<Nnue, WeightsError> {
        let file = Self::parse(bytes)?;
        file.identity.check(identity, WeightsError::Variant, WeightsError::Rules)?;
        Nnue::new(kind, file.weights)
    }
}

/// Rearranges the weights into the byte planes of the stream. The last `long` bytes of `weights` are the 4-byte
/// weights.
fn to_planes(weights: &[u8], long: usize) -> Vec<u8> {
    let (short, long) = weights.split_at(weights.len().saturating_sub(long));
    let folded = |bytes: &[u8; 2]| {
        let weight = i16::from_le_bytes(*bytes);
        (weight << 1 ^ weight >> 15).to_le_bytes()
    };
    let short: Vec<_> = short.as_chunks().0.iter().map(folded).collect();
    let plane = |place: usize| short.iter().map(move |bytes| bytes[place]);
    plane(0).chain(plane(1)).chain(long.iter().copied()).collect()
}

fn from_planes(planes: &[u8], long: usize) -> Vec<u8> {
    let (short, long) = planes.split_at(planes.len().saturating_sub(long));
    let (low, high) = short.split_at(short.len() / 2);
    let unfolded = |(low, high): (&u8, &u8)| {
        let folded = u16::from_le_bytes([*low, *high]);
        ((folded >> 1) as i16 ^ -((folded & 1) as i16)).to_le_bytes()
    };
    low.iter().zip(high).flat_map(unfolded).chain(long.iter().copied()).collect()
}

fn content(mut rest: Reader<'_>) -> Result<WeightsFile, WeightsError> {
    let (identity, inputs, note) = head(&mut rest).ok_or(WeightsError::Content("the header is incomplete"))?;
    let inputs = usize::from(inputs);
    let planes = rest.decompress(Weights::bytes(inputs));
    let weights = planes.and_then(|planes| Weights::from_bytes(inputs, &from_planes(&planes, Weights::LONG_BYTES)));
    let weights =
        weights.ok_or(WeightsError::Content("the weights are damaged or do not match the number of inputs"))?;
    Ok(WeightsFile { identity, note, weights })
}

fn head(rest: &mut Reader<'_>) -> Option<(Identity, u16, String)> {
    let variant = rest.short_string()?.to_owned();
    let rules = u32::from_le_bytes(rest.number()?);
    let inputs = u16::from_le_bytes(rest.number()?);
    let note = rest.long_string()?.to_owned();
    Some((Identity { variant, rules }, inputs, note))
}

/// Maximum number of bytes to read. No valid file is that long.
const MAX_FILE_BYTES: u64 = 1 << 25;

/// The error returned if the weights file at a path cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct EvalFileError {
    path: String,
    reason: String,
}

fn read<T>(path: &Path, parse: impl FnOnce(&[u8]) -> Result<T, WeightsError>) -> Result<T, EvalFileError> {
    let bytes = read_regular(path, MAX_FILE_BYTES).map_err(|error| error.to_string());
    let parsed = bytes.and_then(|bytes| parse(&bytes).map_err(|error| error.to_string()));
    parsed.map_err(|reason| EvalFileError { path: shown_path(path), reason })
}

/// Reads a weights file for any variant.
pub fn read_weights(path: &Path) -> Result<WeightsFile, EvalFileError> {
    read(path, WeightsFile::parse)
}

/// Reads the weights file at `path`, which must be for `variant`, and returns its evaluation.
pub fn read_eval_file(path: &Path, variant: Variant) -> Result<Nnue, EvalFileError> {
    read(path, |bytes| {
        WeightsFile::parse_for(bytes, &Identity::for_variant(variant), GameKind::for_rules(variant.spec()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::eval::nnue::{ACCUMULATOR_LIMIT, Inputs};

    fn kind() -> GameKind {
        GameKind { shape: Shape::BOARD8, lone_king_holds: false, men: 12 }
    }

    fn sample() -> WeightsFile {
        let weights = Weights::random(Inputs::new(Shape::BOARD8).count(), &mut fastrand::Rng::with_seed(1));
        WeightsFile {
            identity: Identity::new("english", "short kings"),
            note: "generation 3 of 2 \u{e9}l\u{e8}ves".into(),
            weights,
        }
    }

    #[test]
    fn a_written_file_is_read_back() {
        let file = sample();
        assert_eq!(WeightsFile::parse(&file.to_bytes()), Ok(file.clone()));
        let nnue = WeightsFile::parse_for(&file.to_bytes(), &file.identity, kind()).unwrap();
        assert_eq!(nnue.salt(), file.weights.salt());
    }

    #[test]
    fn every_weight_has_its_place_in_the_planes() {
        let all: Vec<u8> = (i16::MIN..=i16::MAX).flat_map(i16::to_le_bytes).chain(0..68).collect();
        let planes = to_planes(&all, 68);
        assert!(planes.len() == all.len() && from_planes(&planes, 68) == all);
        let few = [[0, 0], [1, 0], [255, 255], [0, 2]].concat();
        assert_eq!(to_planes(&[&few, &[9; 5][..]].concat(), 5), [&[0, 2, 1, 0, 0, 0, 0, 4], &[9; 5][..]].concat());
    }

    #[test]
    fn files_that_contradict_themselves_are_rejected() {
        let sample = sample();
        let file_bytes = sample.to_bytes();
        let good = FORMAT.open(&file_bytes).unwrap();
        let (mut refused, mut missed) = (0, 0);
        // Change every byte of the header, but only a few of the weights, because each test decompresses a file.
        for place in (0..200).chain((200..good.len()).step_by(23)) {
            for value in [0, 255] {
                let mut content = good.to_vec();
                content[place] = value;
                match WeightsFile::parse(&FORMAT.seal(&content)) {
                    Err(_) => refused += 1,
                    // A changed name, rules checksum or note is not an error here.
                    Ok(file) => {
                        missed += usize::from(file.weights != sample.weights);
                        assert!(WeightsFile::parse(&file.to_bytes()) == Ok(file), "byte {place} as {value}");
                    }
                }
            }
        }
        // The Adler-32 checksum of the stream misses some damage. The checksum of the file would detect this damage
        // first, but the test recomputes it.
        assert!(1000 * missed < refused, "{missed} were missed, {refused} rejected");
    }

    #[test]
    fn the_number_of_weights_matches_the_inputs() {
        let file = sample();
        let count = file.weights.first.len() as u16;
        let file_bytes = file.to_bytes();
        let good = FORMAT.open(&file_bytes).unwrap();
        // The number of inputs follows the name and the rules.
        let place = 1 + file.identity.variant.len() + 4;
        assert_eq!(good[place..place + 2], count.to_le_bytes());
        let with = |count: u16| {
            let mut content = good.to_vec();
            content[place..place + 2].copy_from_slice(&count.to_le_bytes());
            content
        };
        let longer = [good, &[0]].concat();
        for content in [with(count - 1), with(count + 1), with(u16::MAX), longer] {
            let error = WeightsFile::parse(&FORMAT.seal(&content)).unwrap_err().to_string();
            assert_eq!(error, "the file is inconsistent: the weights are damaged or do not match the number of inputs");
        }
    }

    #[test]
    fn the_reason_is_reported() {
        let file = sample();
        let bytes = file.to_bytes();
        let parse = |identity: &Identity, kind| WeightsFile::parse_for(&bytes, identity, kind).unwrap_err().to_string();
        assert_eq!(
            parse(&Identity::new("italian", ""), kind()),
            "the weights are for a different variant: \"english\""
        );
        assert_eq!(
            parse(&Identity::new("english", "flying kings"), kind()),
            "the weights were trained under a different version of this variant's rules"
        );
        let wide = GameKind { shape: crate::board::Shape::BOARD10X8, ..kind() };
        assert_eq!(parse(&file.identity, wide), "the weights do not match the board");
        let mut large = file.clone();
        large.weights.first_bias[5] = ACCUMULATOR_LIMIT;
        let error = WeightsFile::parse_for(&large.to_bytes(), &file.identity, kind()).unwrap_err().to_string();
        assert_eq!(error, "the weights are so large that a sum could overflow");
        let error = |bytes: &[u8]| WeightsFile::parse(bytes).unwrap_err().to_string();
        assert_eq!(error(b"GIF89a"), "not a weights file");
        let mut damaged = bytes.clone();
        damaged[60] ^= 1;
        assert_eq!(error(&damaged), "the file is damaged: checksum mismatch");
    }
}
