//! The binary format of game files: the header and the frames.

use super::{DataError, GameOutcome, PositionRecord, TrainingGame};
use soffio::board::{Corner, Shape};
use soffio::checksummed_file::{CHECKSUM, Format, Reader, START, long_string, short_string};
use soffio::rules::{Identity, Variant};
use std::io::{self, Read};

const FORMAT: Format = Format { magic: b"SOFFDATA", version: 1, name: "a self-play game file" };

const CORNERS: [Corner; 3] = [Corner::Left, Corner::Right, Corner::Both];

const OUTCOMES: [GameOutcome; 3] = [GameOutcome::WhiteLost, GameOutcome::Draw, GameOutcome::WhiteWon];

/// Maximum size in bytes of a header, without the magic number and the checksum.
const MAX_HEADER_BYTES: usize = 3 + 4 + 1 + 255 + 2 + 65_535;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataHeader {
    pub shape: Shape,
    pub identity: Identity,
    /// Describes how the games are played, in at most 65,535 bytes. A file can be resumed only with the same plan.
    pub plan: String,
}

impl DataHeader {
    /// Returns whether `bytes`, the beginning of a file, have the signature of a self-play game file.
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(FORMAT.magic)
    }

    pub fn check_game(&self, other: &Self) -> Result<(), DataError> {
        if (self.shape, &self.identity) == (other.shape, &other.identity) {
            Ok(())
        } else {
            Err(DataError::OtherGame(self.identity.variant.clone()))
        }
    }

    pub fn new(variant: Variant, plan: String) -> Self {
        Self { shape: variant.spec().shape, identity: Identity::for_variant(variant), plan }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let Shape { width, height, corner } = self.shape;
        let corner = CORNERS.iter().position(|&known| known == corner).unwrap_or_default();
        let mut body = vec![width, height, corner as u8];
        body.extend(self.identity.rules.to_le_bytes());
        body.extend(short_string(&self.identity.variant));
        body.extend(long_string(&self.plan));
        FORMAT.seal_head(&body)
    }

    pub(super) fn read(input: &mut impl Read) -> Result<(Self, u64), DataError> {
        let mut bytes = read_up_to(input, START)?;
        let length = FORMAT.length(&bytes)? as usize;
        if length > MAX_HEADER_BYTES {
            return Err(DataError::Header);
        }
        bytes.extend(read_up_to(input, length + CHECKSUM)?);
        let (body, end) = FORMAT.open_head(&bytes)?;
        Ok((Self::parse(Reader::new(body)).ok_or(DataError::Header)?, end as u64))
    }

    fn parse(mut bytes: Reader<'_>) -> Option<Self> {
        let [width, height, corner] = bytes.number()?;
        let shape = Shape { width, height, corner: *CORNERS.get(usize::from(corner))? };
        // At least one variant must use the board.
        if !Variant::ALL.iter().any(|variant| variant.spec().shape == shape) {
            return None;
        }
        let rules = u32::from_le_bytes(bytes.number()?);
        let variant = bytes.short_string()?.to_owned();
        let plan = bytes.long_string()?.to_owned();
        bytes.is_empty().then_some(Self { shape, identity: Identity { variant, rules }, plan })
    }
}

pub(super) fn read_up_to(input: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length);
    input.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(super) const FRAME_START: usize = 16;

/// Maximum size of a frame in bytes, both packed and unpacked.
pub(super) const MAX_FRAME_BYTES: u32 = 1 << 24;

const COMPRESSION: u8 = 6;

const WHITE_TO_MOVE: u8 = 1;
const QUIET: u8 = 2;
const SCORED: u8 = 4;

#[derive(Clone, Copy, Debug)]
pub(super) struct FrameStart {
    pub(super) packed: u32,
    unpacked: u32,
    checksum: u32,
}

impl FrameStart {
    pub(super) fn parse(bytes: &[u8; FRAME_START]) -> Result<Self, &'static str> {
        let [packed, unpacked, checksum, own] =
            [0, 4, 8, 12].map(|at| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]));
        if crc32fast::hash(&bytes[..12]) != own {
            return Err("frame header checksum mismatch");
        }
        if packed > MAX_FRAME_BYTES || unpacked > MAX_FRAME_BYTES {
            return Err("a frame is too large");
        }
        Ok(Self { packed, unpacked, checksum })
    }
}

fn is_wide(shape: Shape) -> bool {
    shape.mask() > u128::from(u64::MAX)
}

pub(super) const fn largest_game(positions: usize) -> usize {
    11 + positions * (5 + 3 * 16)
}

/// Serialises a game, which must fit the board.
pub(super) fn append(bytes: &mut Vec<u8>, shape: Shape, game: &TrainingGame) {
    bytes.extend(game.number.to_le_bytes());
    bytes.push(game.outcome as u8);
    bytes.extend((game.positions.len() as u16).to_le_bytes());
    let mut before = [0; 3];
    for position in &game.positions {
        let marks =
            [(WHITE_TO_MOVE, position.white_to_move), (QUIET, position.quiet), (SCORED, position.score.is_some())];
        bytes.push(marks.into_iter().filter(|(_, is_set)| *is_set).map(|(mark, _)| mark).sum());
        bytes.extend(position.ply.to_le_bytes());
        bytes.extend(position.score.unwrap_or(0).to_le_bytes());
        let sets = [position.white, position.black, position.kings];
        for (set, before) in sets.iter().zip(before) {
            let changed = set ^ before;
            match is_wide(shape) {
                true => bytes.extend(changed.to_le_bytes()),
                false => bytes.extend((changed as u64).to_le_bytes()),
            }
        }
        before = sets;
    }
}

pub(super) fn pack(games: &[u8]) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(games, COMPRESSION);
    let mut bytes = Vec::with_capacity(FRAME_START + packed.len());
    bytes.extend((packed.len() as u32).to_le_bytes());
    bytes.extend((games.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(&packed).to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(packed);
    bytes
}

pub(super) fn unpack(shape: Shape, start: FrameStart, packed: &[u8]) -> Result<Vec<TrainingGame>, &'static str> {
    if crc32fast::hash(packed) != start.checksum {
        return Err("frame checksum mismatch");
    }
    let bytes = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, start.unpacked as usize)
        .map_err(|_| "a frame cannot be decompressed")?;
    if bytes.len() != start.unpacked as usize {
        return Err("a frame is shorter than declared");
    }
    let mut rest = Reader::new(&bytes);
    let mut games = Vec::new();
    while !rest.is_empty() {
        games.push(game(&mut rest, shape).ok_or("a game is inconsistent")?);
    }
    Ok(games)
}

fn game(bytes: &mut Reader<'_>, shape: Shape) -> Option<TrainingGame> {
    let number = u64::from_le_bytes(bytes.number()?);
    let [outcome] = bytes.number()?;
    let outcome = *OUTCOMES.get(usize::from(outcome))?;
    let count = u16::from_le_bytes(bytes.number()?);
    let mut positions = Vec::new();
    let mut sets = [0; 3];
    for _ in 0..count {
        let [marks] = bytes.number()?;
        let ply = u16::from_le_bytes(bytes.number()?);
        let score = i16::from_le_bytes(bytes.number()?);
        for set in &mut sets {
            *set ^= match is_wide(shape) {
                true => u128::from_le_bytes(bytes.number()?),
                false => u64::from_le_bytes(bytes.number()?).into(),
            };
        }
        let [white, black, kings] = sets;
        let [white_to_move, quiet, is_scored] = [WHITE_TO_MOVE, QUIET, SCORED].map(|mark| marks & mark != 0);
        let score = is_scored.then_some(score);
        let position = PositionRecord { white, black, kings, white_to_move, quiet, ply, score };
        positions.push(position.fits(shape).then_some(position)?);
    }
    Some(TrainingGame { number, outcome, positions })
}
