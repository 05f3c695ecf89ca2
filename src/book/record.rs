//! The records of a book: the key of a position, the order of its moves, and the scores of moves. The key and the order
//! depend only on square numbers, so other programs can compute them too.

use crate::board::Bits;
use crate::game::{Game, Move};
use crate::position::with_width;
use crate::rules::Color;
use crate::search::Value;
use smallvec::SmallVec;

/// A 16-bit score for the side that plays the move. It encodes either a score in cp or the number of plies to a proved
/// win or loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BookScore(i16);

impl BookScore {
    /// An unknown score.
    pub const NONE: Self = Self(i16::MIN);
    /// The score of a draw or an even position.
    pub const DRAW: Self = Self(0);
    /// The score of an immediate win. The score of a later win is lower by 1 for each ply.
    const WIN: i16 = 32_000;
    /// The highest score in cp. The scores of proved wins are higher.
    const MAX_CP: i16 = 30_000;

    /// Decodes the score in a record. Codes outside the valid range are decoded as [`BookScore::NONE`].
    pub const fn from_code(code: i16) -> Self {
        if code < -Self::WIN || code > Self::WIN { Self::NONE } else { Self(code) }
    }

    /// Returns the code that is stored in a record.
    pub const fn code(self) -> i16 {
        self.0
    }

    /// Returns the score for a side that loses in `plies` plies. Numbers above 1000 are treated as 1000.
    pub fn lost_in(plies: u16) -> Self {
        Self(plies.min(1000) as i16 - Self::WIN)
    }

    /// Returns the score for a side that wins in `plies` plies. Numbers above 1000 are treated as 1000.
    pub fn won_in(plies: u16) -> Self {
        Self(-Self::lost_in(plies).0)
    }

    /// Returns whether the score is known (not [`BookScore::NONE`]).
    pub fn is_known(self) -> bool {
        self != Self::NONE
    }

    /// Returns whether the score is a proved win or loss.
    pub fn is_decided(self) -> bool {
        self.is_known() && self.0.abs() > Self::MAX_CP
    }

    /// Returns whether the score is a proved loss.
    pub fn is_lost(self) -> bool {
        self.is_decided() && self.0 < 0
    }

    /// Returns the score of a move that leads to a position with this score. The score is negated, and a win or loss is
    /// one ply further away.
    #[must_use]
    pub fn before(self) -> Self {
        match self {
            Self::NONE => self,
            _ if self.is_decided() => Self(-self.0 + self.0.signum()),
            _ => Self(-self.0),
        }
    }

    /// Converts a result of [`BookScore::before`] back to the original score.
    #[must_use]
    pub fn after(self) -> Self {
        match self {
            Self::NONE => self,
            _ if self.is_decided() => Self((-self.0 - self.0.signum()).clamp(-Self::WIN, Self::WIN)),
            _ => Self(-self.0),
        }
    }

    /// Returns how many cp `later` is below this score, or 0 if it is not below.
    pub fn drop_to(self, later: Self) -> u32 {
        (i32::from(self.0) - i32::from(later.0)).max(0).unsigned_abs()
    }

    /// Returns the absolute difference between two scores in cp.
    pub fn difference(self, other: Self) -> u32 {
        self.drop_to(other) + other.drop_to(self)
    }

    /// Converts the score to a [`Value`], in which wins and losses are counted in moves. Returns `None` if the score is
    /// unknown.
    pub fn value(self) -> Option<Value> {
        let moves = ((Self::WIN - self.0.saturating_abs()).max(0) as u16).div_ceil(2);
        match self {
            Self::NONE => None,
            _ if !self.is_decided() => Some(Value::Cp(self.0)),
            _ if self.0 > 0 => Some(Value::Win(moves)),
            _ => Some(Value::Loss(moves)),
        }
    }
}

impl From<Value> for BookScore {
    fn from(value: Value) -> Self {
        match value {
            Value::Cp(value) => Self(value.clamp(-Self::MAX_CP, Self::MAX_CP)),
            Value::Win(moves) => Self::won_in((2 * moves.min(500)).saturating_sub(1)),
            Value::Loss(moves) => Self::lost_in(2 * moves.min(500)),
        }
    }
}

/// A move in a book, which is a record without its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// Index of the move in the list that [`ordered_moves`](super::ordered_moves) returns.
    pub index: u16,
    /// Score from the point of view of the side that plays the move.
    pub score: BookScore,
    /// Relative frequency with which the move is chosen. A move with the weight 0 is never chosen.
    pub weight: u16,
    /// Depth in plies: the number of plies to the leaf plus the search depth at the leaf, or 0 if the depth is unknown.
    pub depth: u8,
    /// A bit set of [`BookMove::CONTINUES`] and [`BookMove::PROVED`].
    pub flags: u8,
}

impl BookMove {
    /// Size of a record in bytes.
    pub const SIZE: usize = 16;
    /// Flag: the book continues after this move.
    pub const CONTINUES: u8 = 1;
    /// Flag: the score is a proved win, a proved loss, or a draw proved by endgame tables.
    pub const PROVED: u8 = 2;

    pub(super) fn to_bytes(self, key: u64) -> [u8; Self::SIZE] {
        let numbers = [self.index, self.score.code() as u16, self.weight, u16::from_be_bytes([self.depth, self.flags])];
        let number = numbers.into_iter().fold(u128::from(key), |all, number| (all << 16) | u128::from(number));
        number.to_be_bytes()
    }

    pub(super) fn from_bytes(bytes: [u8; Self::SIZE]) -> (u64, Self) {
        let number = u128::from_be_bytes(bytes);
        let part = |place: u32| (number >> (16 * place)) as u16;
        let [depth, flags] = part(0).to_be_bytes();
        let score = BookScore::from_code(part(2) as i16);
        ((number >> 64) as u64, Self { index: part(3), score, weight: part(1), depth, flags })
    }
}

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

/// Returns the moves in the current position, in the order that book records use for their indices. The moves are
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
        // Two captures of the same pieces are different moves if only one of them crowns a man in passing.
        (number(mv.from), number(mv.to), taken, mv.crowned_in_passing)
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_back() {
        for value in [Value::Cp(-12), Value::Win(1), Value::Win(40), Value::Loss(0), Value::Loss(3)] {
            assert_eq!(BookScore::from(value).value(), Some(value));
        }
        assert_eq!(BookScore::from(Value::Cp(31_000)).value(), Some(Value::Cp(30_000)));
        assert_eq!((BookScore::NONE.value(), BookScore::from_code(32_001).is_known()), (None, false));
        for (after, before) in [
            (Value::Cp(7), Value::Cp(-7)),
            (Value::Loss(0), Value::Win(1)),
            (Value::Win(1), Value::Loss(1)),
            (Value::Loss(1), Value::Win(2)),
        ] {
            assert_eq!(BookScore::from(after).before(), before.into());
            assert_eq!(BookScore::from(before).after().before(), before.into());
        }
        assert_eq!(BookScore::NONE.before(), BookScore::NONE);
    }

    #[test]
    fn records_have_sixteen_bytes_that_sort_by_key_and_move() {
        let mv =
            BookMove { index: 3, score: BookScore::from_code(-5), weight: 1000, depth: 12, flags: BookMove::CONTINUES };
        let bytes = mv.to_bytes(0x0102_0304_0506_0708);
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 0, 3, 0xff, 0xfb, 3, 0xe8, 12, 1]);
        assert_eq!(BookMove::from_bytes(bytes), (0x0102_0304_0506_0708, mv));
    }
}
