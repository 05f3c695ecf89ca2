//! Zobrist keys of positions. The keys are updated incrementally.

use crate::board::{MAX_SQUARES, Square};
use crate::position::{KingRun, Pieces};
use crate::rules::{Color, Word};

/// Zobrist hash of a position: its pieces, the side to move and, if the rules limit king moves, the king runs. The draw
/// counters are not included.
pub type Key = u64;

/// A random number for each kind of piece (man or king of White or Black) on each square, and one for Black to move.
static NUMBERS: [Key; 4 * MAX_SQUARES + 1] = {
    let mut state = 0x536f_6666_696f_u64;
    let mut numbers = [0; 4 * MAX_SQUARES + 1];
    let mut index = 0;
    while index < numbers.len() {
        numbers[index] = split_mix(&mut state);
        index += 1;
    }
    numbers
};

/// Returns the next number of the SplitMix64 generator (Steele, Lea, Flood 2014), which is simple enough to run at
/// compile time.
const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[inline(always)]
pub(super) fn piece_key(color: Color, king: bool, square: Square) -> Key {
    NUMBERS[(color as usize * 2 + king as usize) * MAX_SQUARES + square.index()]
}

#[inline(always)]
pub(super) fn side_key() -> Key {
    NUMBERS[4 * MAX_SQUARES]
}

#[inline(always)]
pub(super) fn run_key(color: Color, run: Option<KingRun>) -> Key {
    // The key is rotated so that it never cancels out the key of a piece.
    run.map_or(0, |run| piece_key(color, true, run.square).rotate_left(7 * u32::from(run.moves)))
}

#[inline(always)]
pub(super) fn countdown_key(plies: u16) -> Key {
    (Key::from(plies) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

pub(super) fn full_key<W: Word>(pieces: &Pieces<W>, side: Color, runs: [Option<KingRun>; 2]) -> Key {
    let mut key = if side == Color::Black { side_key() } else { 0 };
    for color in [Color::White, Color::Black] {
        for square in pieces.side(color).squares() {
            key ^= piece_key(color, pieces.kings.contains(square), square);
        }
        key ^= run_key(color, runs[color as usize]);
    }
    key
}
