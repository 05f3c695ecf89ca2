//! Computes the key of a position and the order of its moves. Both depend only on square numbers, so that other
//! programs can compute them.

use crate::board::Bits;
use crate::game::{Game, Move};
use crate::position::with_width;
use crate::rules::Color;
use smallvec::SmallVec;

/// Returns the 64-bit FNV-1a hash of `bytes` (Fowler, Noll, Vo 1991).
pub fn fnv(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Returns the key of the current position of `game`, which is the FNV-1a hash of its text in the Hub protocol.
pub fn key(game: &Game) -> u64 {
    with_width!(game.history(), history => {
        let position = history.position();
        let pieces = position.pieces();
        let letter = |square| match (pieces.white.contains(square), pieces.black.contains(square)) {
            (false, false) => b'e',
            (true, _) => if pieces.kings.contains(square) { b'W' } else { b'w' },
            (false, true) => if pieces.kings.contains(square) { b'B' } else { b'b' },
        };
        let side = if position.side() == Color::White { b'W' } else { b'B' };
        fnv(std::iter::once(side).chain(position.rules().squares().iter().copied().map(letter)))
    })
}

/// Returns the moves of the current position in the order to which the indices of book records refer. The moves are
/// sorted by origin, then by destination, and then by captured squares, all in ascending order of square numbers.
///
/// The history of the game is ignored. If the rules limit consecutive king moves, the list can therefore contain moves
/// that are not legal.
pub fn ordered_moves(game: &Game) -> Vec<Move> {
    let mut moves = game.restarted().legal_moves();
    let spec = game.spec();
    let number = |square| spec.number(square).get();
    moves.sort_by_cached_key(|mv| {
        let mut taken: SmallVec<[u8; 16]> = mv.captured.squares().map(number).collect();
        taken.sort_unstable();
        // Two capture paths over the same pieces can differ if a man is crowned in passing on only one of them.
        (number(mv.from), number(mv.to), taken, mv.crowned_in_passing)
    });
    moves
}
