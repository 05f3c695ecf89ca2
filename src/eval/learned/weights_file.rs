//! The file in which weights are kept.
//!
//! The content of a file with a checksum:
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 1 + n | length of the variant's name, and the name |
//! | 4 | CRC-32 of the rules as text |
//! | 2 | number of inputs |
//! | 2 + n | length of a note on where the weights come from, and the note |
//! | n | the weights as a zlib stream, whose length tells the units that are used and the output buckets: the lower bytes of those of 2 bytes, then their upper bytes, then those of 4 |
//!
//! The weights of 2 bytes are those of the first layer, input by input, its biases, and those of the second layer, bucket by bucket; those
//! of 4 bytes are, bucket by bucket, the biases of the second layer, the weights of its units, and the last bias. One of 2 bytes is written
//! as twice its size, less 1 if it is negative. So nearly all upper bytes are 0, and the stream has three quarters of the length that it
//! would have with the weights as they are. Files of before have half of the units, one bucket for all positions, or both.

use super::network::Size;
use super::{GameKind, Learned, Weights};
use crate::checksummed_file::{ChecksumError, Format, Reader, beginning, note};
use crate::rules::{Identity, Variant};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

const FORMAT: Format = Format { magic: b"SOFFEVAL", version: 3, name: "file of weights" };

/// How hard to try to make the file small, from 0 to 10.
const COMPRESSION: u8 = 10;

/// Why a file with weights is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// It is not such a file, or not whole.
    #[error(transparent)]
    File(#[from] ChecksumError),
    /// The content contradicts itself.
    #[error("the file contradicts itself: {0}")]
    Content(&'static str),
    /// It was made for another variant, whose name this is.
    #[error("the weights are for the variant {0:?}")]
    Variant(String),
    /// It was made for other rules of the variant.
    #[error("the weights are for other rules of this variant")]
    Rules,
    /// The inputs are not those of the board.
    #[error("the weights do not fit on the board")]
    Board,
    /// A sum of the network could overflow.
    #[error("the weights are so large that sums could overflow")]
    Sums,
}

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

impl WeightsFile {
    /// The bytes of the file. Of a name or note that is too long the beginning is kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        let variant = beginning(&self.identity.variant, u8::MAX.into());
        let mut content = vec![variant.len() as u8];
        content.extend(variant.as_bytes());
        content.extend(self.identity.rules.to_le_bytes());
        content.extend((self.weights.first.len() as u16).to_le_bytes());
        content.extend(note(&self.note));
        let planes = in_planes(&self.weights.to_bytes(), self.weights.size().long_bytes());
        content.extend(miniz_oxide::deflate::compress_to_vec_zlib(&planes, COMPRESSION));
        FORMAT.seal(&content)
    }

    /// The content of a file.
    ///
    /// # Errors
    /// When the bytes are no whole file of this version.
    pub fn parse(bytes: &[u8]) -> Result<Self, WeightsError> {
        content(Reader::new(FORMAT.open(bytes)?))
    }

    /// The evaluation of a game by the weights of a file that must be for it.
    ///
    /// # Errors
    /// As [`WeightsFile::parse`], or when it is for another game or board, or its weights are too large.
    pub fn parse_for(bytes: &[u8], identity: &Identity, kind: GameKind) -> Result<Learned, WeightsError> {
        let file = Self::parse(bytes)?;
        if file.identity.variant != identity.variant {
            return Err(WeightsError::Variant(file.identity.variant));
        }
        if file.identity.rules != identity.rules {
            return Err(WeightsError::Rules);
        }
        Learned::new(kind, file.weights)
    }
}

/// The bytes of weights, of which so many belong to those of 4 bytes, in the order of the file.
fn in_planes(weights: &[u8], long: usize) -> Vec<u8> {
    let (short, long) = weights.split_at(weights.len().saturating_sub(long));
    let folded = |bytes: &[u8; 2]| {
        let weight = i16::from_le_bytes(*bytes);
        (weight << 1 ^ weight >> 15).to_le_bytes()
    };
    let short: Vec<_> = short.as_chunks().0.iter().map(folded).collect();
    let plane = |place: usize| short.iter().map(move |bytes| bytes[place]);
    plane(0).chain(plane(1)).chain(long.iter().copied()).collect()
}

/// The inverse of [`in_planes`].
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
    let (identity, inputs, note) = head(&mut rest).ok_or(WeightsError::Content("it has no whole head"))?;
    let inputs = usize::from(inputs);
    let weights = rest.packed(&Size::ALL.map(|size| size.bytes(inputs))).and_then(|planes| {
        let size = Size::ALL.into_iter().find(|size| size.bytes(inputs) == planes.len())?;
        Weights::from_bytes(inputs, size, &from_planes(&planes, size.long_bytes()))
    });
    let weights = weights.ok_or(WeightsError::Content("its weights are damaged, or not as many as its inputs need"))?;
    Ok(WeightsFile { identity, note, weights })
}

fn head(rest: &mut Reader<'_>) -> Option<(Identity, u16, String)> {
    let [length] = rest.number()?;
    let variant = rest.text(length.into())?.to_owned();
    let rules = u32::from_le_bytes(rest.number()?);
    let inputs = u16::from_le_bytes(rest.number()?);
    let note = rest.note()?.to_owned();
    Some((Identity { variant, rules }, inputs, note))
}

/// The largest file of weights that is read, in bytes: more than one with the most inputs that a file can have.
const LARGEST: u64 = 1 << 25;

/// Why a file of weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalFileError {
    /// It cannot be read; with the error message of the system.
    #[error("{path}: {error}", path = shown(.0), error = .1)]
    Io(PathBuf, String),
    /// It is not a file of weights for the variant.
    #[error("{path}: {error}", path = shown(.0), error = .1)]
    Refused(PathBuf, WeightsError),
}

/// The whole path, however long: the part that tells files apart is at its end.
fn shown(path: &Path) -> String {
    path.to_string_lossy().replace(char::is_control, "?")
}

/// Reads the file at `path` by `parse`.
fn read<T>(path: &Path, parse: impl FnOnce(&[u8]) -> Result<T, WeightsError>) -> Result<T, EvalFileError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes));
    read.map_err(|error| EvalFileError::Io(path.to_owned(), error.to_string()))?;
    parse(&bytes).map_err(|error| EvalFileError::Refused(path.to_owned(), error))
}

/// The weights in the file at `path`, whatever game they are for.
///
/// # Errors
/// When it cannot be read or is damaged.
pub fn read_weights(path: &Path) -> Result<WeightsFile, EvalFileError> {
    read(path, WeightsFile::parse)
}

/// The evaluation of `variant` by the weights in the file at `path`.
///
/// # Errors
/// When it cannot be read, is damaged, or is for another game.
pub fn read_eval_file(path: &Path, variant: Variant) -> Result<Learned, EvalFileError> {
    read(path, |bytes| WeightsFile::parse_for(bytes, &Identity::of(variant), GameKind::of(variant.spec())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::eval::learned::{ACCUMULATOR_LIMIT, FIRST_UNITS, Inputs, OUTPUT_BUCKETS, SECOND_UNITS};

    fn kind() -> GameKind {
        GameKind { shape: Shape::BOARD8, lone_king_holds: false, men: 12 }
    }

    fn sample() -> WeightsFile {
        let weights = Weights::random(Inputs::new(Shape::BOARD8).count(), &mut fastrand::Rng::with_seed(1)).narrow();
        WeightsFile {
            identity: Identity::new("english", "short kings"),
            note: "generation 3 of 2 \u{e9}l\u{e8}ves".into(),
            weights,
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let file = sample();
        assert_eq!(WeightsFile::parse(&file.to_bytes()), Ok(file.clone()));
        let learned = WeightsFile::parse_for(&file.to_bytes(), &file.identity, kind()).unwrap();
        assert_eq!(learned.salt(), file.weights.salt());
        let wide = Weights::random(file.weights.first.len(), &mut fastrand::Rng::with_seed(2));
        let wide = WeightsFile { weights: wide, ..file };
        assert_eq!(WeightsFile::parse(&wide.to_bytes()), Ok(wide));
    }

    #[test]
    fn a_network_with_one_bucket_has_it_for_all_positions() {
        let mut weights = Weights::random(128, &mut fastrand::Rng::with_seed(5));
        weights.buckets = [(); OUTPUT_BUCKETS].map(|()| weights.buckets[0].clone());
        let bytes = weights.to_bytes();
        let (of_row, of_long) = (2 * FIRST_UNITS, 4 * (2 * SECOND_UNITS + 1));
        let short = (128 + 1 + SECOND_UNITS) * of_row;
        let long = bytes.len() - OUTPUT_BUCKETS * of_long;
        let one = [&bytes[..short], &bytes[long..long + of_long]].concat();
        let size = Size::ALL.into_iter().find(|size| size.bytes(128) == one.len()).unwrap();
        assert_eq!(Weights::from_bytes(128, size, &one), Some(weights));
        assert_eq!(Weights::from_bytes(128, size, &one[1..]), None);
    }

    #[test]
    fn every_weight_has_its_place_in_the_planes() {
        let all: Vec<u8> = (i16::MIN..=i16::MAX).flat_map(i16::to_le_bytes).chain(0..68).collect();
        let planes = in_planes(&all, 68);
        assert!(planes.len() == all.len() && from_planes(&planes, 68) == all);
        let few = [[0, 0], [1, 0], [255, 255], [0, 2]].concat();
        assert_eq!(in_planes(&[&few, &[9; 5][..]].concat(), 5), [&[0, 2, 1, 0, 0, 0, 0, 4], &[9; 5][..]].concat());
    }

    #[test]
    fn files_that_contradict_themselves_are_refused() {
        let sample = sample();
        let file_bytes = sample.to_bytes();
        let good = FORMAT.open(&file_bytes).unwrap();
        let (mut refused, mut missed) = (0, 0);
        // Every byte of the head, and of the weights one of five: each takes a whole file to be unpacked.
        for place in (0..200).chain((200..good.len()).step_by(5)) {
            for value in [0, 255] {
                let mut content = good.to_vec();
                content[place] = value;
                match WeightsFile::parse(&FORMAT.seal(&content)) {
                    Err(_) => refused += 1,
                    // Name, rules and note can be others, and then they are those of the file.
                    Ok(file) => {
                        missed += usize::from(file.weights != sample.weights);
                        assert!(WeightsFile::parse(&file.to_bytes()) == Ok(file), "byte {place} as {value}");
                    }
                }
            }
        }
        // The checksum of the stream, Adler-32, misses a few damages; that of the file, which was made anew here, stands before it.
        assert!(1000 * missed < refused, "{missed} were missed, {refused} refused");
    }

    #[test]
    fn there_are_as_many_weights_as_the_inputs_need() {
        let file = sample();
        let count = file.weights.first.len() as u16;
        let file_bytes = file.to_bytes();
        let good = FORMAT.open(&file_bytes).unwrap();
        // The number of inputs stands after the name and the rules.
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
            assert_eq!(
                error,
                "the file contradicts itself: its weights are damaged, or not as many as its inputs need"
            );
        }
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
        let wide = GameKind { shape: crate::board::Shape::BOARD10X8, ..kind() };
        assert_eq!(parse(&file.identity, wide), "the weights do not fit on the board");
        let mut large = file.clone();
        large.weights.first_bias[5] = ACCUMULATOR_LIMIT;
        let error = WeightsFile::parse_for(&large.to_bytes(), &file.identity, kind()).unwrap_err().to_string();
        assert_eq!(error, "the weights are so large that sums could overflow");
        let error = |bytes: &[u8]| WeightsFile::parse(bytes).unwrap_err().to_string();
        assert_eq!(error(b"GIF89a"), "this is no file of weights");
        let mut damaged = bytes.clone();
        damaged[60] ^= 1;
        assert_eq!(error(&damaged), "the file is damaged: its checksum is wrong");
    }
}
