//! The key of a position and the order of its moves: both depend on square numbers only, so that other programs can
//! compute them.

use crate::board::Bits;
use crate::game::{Game, Move};
use crate::position::with_width;
use crate::rules::Color;
use smallvec::SmallVec;

/// Returns the 64-bit FNV-1a hash (Fowler, Noll, Vo 1991).
pub fn fnv(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Returns the FNV-1a hash of the current position of `game` as written in the Hub protocol.
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

/// Returns the moves of the current position in the order that book records index: by origin, destination, then
/// captured squares, all ascending by square number.
///
/// The history is ignored, so where consecutive king moves are limited the list can contain moves that are not legal.
pub fn ordered_moves(game: &Game) -> Vec<Move> {
    let mut moves = game.restarted().legal_moves();
    let spec = game.spec();
    let number = |square| spec.number(square).get();
    moves.sort_by_cached_key(|mv| {
        let mut taken: SmallVec<[u8; 16]> = mv.captured.squares().map(number).collect();
        taken.sort_unstable();
        // Two capture paths over the same pieces can differ in whether a man is crowned in passing.
        (number(mv.from), number(mv.to), taken, mv.crowned_in_passing)
    });
    moves
}
