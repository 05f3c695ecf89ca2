//! Zobrist keys, updated incrementally.

use crate::board::{MAX_SQUARES, Square};
use crate::position::{KingRun, Pieces};
use crate::rules::{Color, Word};

/// Zobrist hash of the pieces, the side to move and, where the rules limit king moves, the king runs. Draw counters are
/// excluded.
pub type Key = u64;

const KINDS: usize = 4;

struct Numbers {
    pieces: [[Key; MAX_SQUARES]; KINDS],
    black_to_move: Key,
}

static NUMBERS: Numbers = Numbers::new();

impl Numbers {
    /// SplitMix64 (Steele, Lea, Flood 2014), simple enough for a constant.
    const fn new() -> Self {
        let mut state = 0x536f_6666_696f_u64;
        let mut pieces = [[0; MAX_SQUARES]; KINDS];
        let mut kind = 0;
        while kind < KINDS {
            let mut square = 0;
            while square < MAX_SQUARES {
                pieces[kind][square] = split_mix(&mut state);
                square += 1;
            }
            kind += 1;
        }
        Self { pieces, black_to_move: split_mix(&mut state) }
    }
}

const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[inline(always)]
pub(super) fn piece_key(color: Color, king: bool, square: Square) -> Key {
    NUMBERS.pieces[color as usize * 2 + king as usize][square.index()]
}

#[inline(always)]
pub(super) fn side_key() -> Key {
    NUMBERS.black_to_move
}

#[inline(always)]
pub(super) fn run_key(color: Color, run: Option<KingRun>) -> Key {
    // Rotated, so that it never cancels a piece.
    run.map_or(0, |run| piece_key(color, true, run.square).rotate_left(7 * u32::from(run.moves)))
}

#[inline(always)]
pub(super) fn countdown_key(plies: u16) -> Key {
    (Key::from(plies) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

pub(super) fn full_key<W: Word>(pieces: &Pieces<W>, side: Color, runs: [Option<KingRun>; 2]) -> Key {
    let mut key = if side == Color::Black { side_key() } else { 0 };
    for color in [Color::White, Color::Black] {
        for square in pieces.of(color).squares() {
            key ^= piece_key(color, pieces.kings.contains(square), square);
        }
        key ^= run_key(color, runs[color as usize]);
    }
    key
}
