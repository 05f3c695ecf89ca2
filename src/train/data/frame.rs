//! Some games together, packed.

use super::input::Bytes;
use super::{GameOutcome, PositionRecord, TrainingGame};
use crate::board::Shape;

/// Bytes before the packed games.
pub(super) const FRAME_START: usize = 16;

/// A frame has no more bytes than this, packed or unpacked.
pub(super) const LARGEST: u32 = 1 << 24;

/// How hard to try to make the file small, from 0 to 10.
const COMPRESSION: u8 = 6;

/// Marks of a position.
const WHITE_TO_MOVE: u8 = 1;
const QUIET: u8 = 2;
const SCORED: u8 = 4;

/// The start of a frame.
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
            return Err("the start of a frame has a wrong checksum");
        }
        if packed > LARGEST || unpacked > LARGEST {
            return Err("a frame is too large");
        }
        Ok(Self { packed, unpacked, checksum })
    }
}

/// Whether the sets of squares of a board need 16 bytes.
fn is_wide(shape: Shape) -> bool {
    shape.mask() > u128::from(u64::MAX)
}

/// The most bytes of a game with so many positions.
pub(super) const fn largest_game(positions: usize) -> usize {
    11 + positions * (5 + 3 * 16)
}

/// Adds a game, which must fit on the board, to the bytes of a frame.
pub(super) fn append(bytes: &mut Vec<u8>, shape: Shape, game: &TrainingGame) {
    bytes.extend(game.number.to_le_bytes());
    bytes.push(game.outcome as u8);
    bytes.extend((game.positions.len() as u16).to_le_bytes());
    let mut before = [0; 3];
    for position in &game.positions {
        let mut marks = 0;
        for (mark, is_set) in
            [(WHITE_TO_MOVE, position.white_to_move), (QUIET, position.quiet), (SCORED, position.score.is_some())]
        {
            marks |= if is_set { mark } else { 0 };
        }
        bytes.push(marks);
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

/// The frame of the games of [`append`].
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

/// The games of a frame.
pub(super) fn unpack(shape: Shape, start: FrameStart, packed: &[u8]) -> Result<Vec<TrainingGame>, &'static str> {
    if crc32fast::hash(packed) != start.checksum {
        return Err("a frame has a wrong checksum");
    }
    let bytes = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, start.unpacked as usize)
        .map_err(|_| "a frame cannot be unpacked")?;
    if bytes.len() != start.unpacked as usize {
        return Err("a frame is shorter than it says");
    }
    let mut rest = Bytes(&bytes);
    let mut games = Vec::new();
    while !rest.0.is_empty() {
        games.push(game(&mut rest, shape).ok_or("a game contradicts itself")?);
    }
    Ok(games)
}

fn game(bytes: &mut Bytes<'_>, shape: Shape) -> Option<TrainingGame> {
    let number = u64::from_le_bytes(bytes.take()?);
    let [outcome] = bytes.take()?;
    let outcome = GameOutcome::from_byte(outcome)?;
    let count = u16::from_le_bytes(bytes.take()?);
    let mut positions = Vec::new();
    let mut sets = [0; 3];
    for _ in 0..count {
        let [marks] = bytes.take()?;
        let ply = u16::from_le_bytes(bytes.take()?);
        let score = i16::from_le_bytes(bytes.take()?);
        for set in &mut sets {
            *set ^= match is_wide(shape) {
                true => u128::from_le_bytes(bytes.take()?),
                false => u64::from_le_bytes(bytes.take()?).into(),
            };
        }
        let [white, black, kings] = sets;
        let position = PositionRecord {
            white,
            black,
            kings,
            white_to_move: marks & WHITE_TO_MOVE != 0,
            quiet: marks & QUIET != 0,
            ply,
            score: (marks & SCORED != 0).then_some(score),
        };
        positions.push(position.fits(shape).then_some(position)?);
    }
    Some(TrainingGame { number, outcome, positions })
}
