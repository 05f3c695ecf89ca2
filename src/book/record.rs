//! A move of a book, and its score.

use crate::search::Value;

/// A score in two bytes for the side that plays the move: 1/100 man, or plies to a win or a loss that is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BookScore(i16);

impl BookScore {
    /// No score is known.
    pub const NONE: Self = Self(i16::MIN);
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// A win at once. Every ply until then costs 1.
    const WIN: i16 = 32_000;
    /// The most 1/100 man; wins are beyond.
    const MOST: i16 = 30_000;

    /// The score that the two bytes of a record mean.
    pub const fn of_code(code: i16) -> Self {
        if code < -Self::WIN || code > Self::WIN { Self::NONE } else { Self(code) }
    }

    /// The two bytes of a record.
    pub const fn code(self) -> i16 {
        self.0
    }

    /// The score of a side that loses after so many plies.
    pub fn lost_in(plies: u16) -> Self {
        Self(plies.min(1000) as i16 - Self::WIN)
    }

    /// The score of a side that wins after so many plies.
    pub fn won_in(plies: u16) -> Self {
        Self(-Self::lost_in(plies).0)
    }

    /// Returns whether there is a score.
    pub fn is_known(self) -> bool {
        self != Self::NONE
    }

    /// Returns whether a win or a loss is proved.
    pub fn is_decided(self) -> bool {
        self.is_known() && self.0.abs() > Self::MOST
    }

    /// Returns whether a loss is proved.
    pub fn is_lost(self) -> bool {
        self.is_decided() && self.0 < 0
    }

    /// The score of a move that leads to a position with this score: that of the other side, and an end one ply farther away.
    #[must_use]
    pub fn before(self) -> Self {
        match self {
            Self::NONE => self,
            _ if self.is_decided() => Self(-self.0 + self.0.signum()),
            _ => Self(-self.0),
        }
    }

    /// The inverse of [`BookScore::before`].
    #[must_use]
    pub fn after(self) -> Self {
        match self {
            Self::NONE => self,
            _ if self.is_decided() => Self(-self.0 - self.0.signum()).bounded(),
            _ => Self(-self.0),
        }
    }

    fn bounded(self) -> Self {
        Self(self.0.clamp(-Self::WIN, Self::WIN))
    }

    /// By how much `later` is below this score, in 1/100 man; 0 if it is not.
    pub fn falls_to(self, later: Self) -> u32 {
        (i32::from(self.0) - i32::from(later.0)).max(0).unsigned_abs()
    }

    /// The distance of two scores, in 1/100 man.
    pub fn difference(self, other: Self) -> u32 {
        self.falls_to(other) + other.falls_to(self)
    }

    /// The score in terms of the game, if there is one.
    pub fn value(self) -> Option<Value> {
        let moves = ((Self::WIN - self.0.saturating_abs()).max(0) as u16).div_ceil(2);
        match self {
            Self::NONE => None,
            _ if !self.is_decided() => Some(Value::Centimen(self.0)),
            _ if self.0 > 0 => Some(Value::Win(moves)),
            _ => Some(Value::Loss(moves)),
        }
    }
}

impl From<Value> for BookScore {
    fn from(value: Value) -> Self {
        match value {
            Value::Centimen(value) => Self(value.clamp(-Self::MOST, Self::MOST)),
            Value::Win(moves) => Self::won_in((2 * moves.min(500)).saturating_sub(1)),
            Value::Loss(moves) => Self::lost_in(2 * moves.min(500)),
        }
    }
}

/// A move of a book: a record without its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The place of the move among [`ordered_moves`](super::ordered_moves).
    pub index: u16,
    /// The score for the side that plays it.
    pub score: BookScore,
    /// How often it is chosen, in proportion to those of the other moves; never if it is 0.
    pub weight: u16,
    /// Plies that the book and the search after it have looked ahead, 0 where that is not known.
    pub depth: u8,
    /// [`BookMove::GOES_ON`] and [`BookMove::PROVED`].
    pub flags: u8,
}

impl BookMove {
    /// Bytes of a record.
    pub const SIZE: usize = 16;
    /// The flag of a move after which the book has moves too.
    pub const GOES_ON: u8 = 1;
    /// The flag of a move whose score is proved: a win, a loss, or a draw by endgame tables.
    pub const PROVED: u8 = 2;

    /// The record of the move in the position with this `key`.
    pub(super) fn to_bytes(self, key: u64) -> [u8; Self::SIZE] {
        let numbers = [self.index, self.score.code() as u16, self.weight, u16::from_be_bytes([self.depth, self.flags])];
        let number = numbers.into_iter().fold(u128::from(key), |all, number| (all << 16) | u128::from(number));
        number.to_be_bytes()
    }

    /// The key and the move of a record.
    pub(super) fn of_bytes(bytes: [u8; Self::SIZE]) -> (u64, Self) {
        let number = u128::from_be_bytes(bytes);
        let part = |place: u32| (number >> (16 * place)) as u16;
        let [depth, flags] = part(0).to_be_bytes();
        let score = BookScore::of_code(part(2) as i16);
        ((number >> 64) as u64, Self { index: part(3), score, weight: part(1), depth, flags })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_as_they_were_written() {
        for value in [Value::Centimen(-12), Value::Win(1), Value::Win(40), Value::Loss(0), Value::Loss(3)] {
            assert_eq!(BookScore::from(value).value(), Some(value));
        }
        assert_eq!(BookScore::from(Value::Centimen(31_000)).value(), Some(Value::Centimen(30_000)));
        assert_eq!((BookScore::NONE.value(), BookScore::of_code(32_001).is_known()), (None, false));
        for (after, before) in [
            (Value::Centimen(7), Value::Centimen(-7)),
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
            BookMove { index: 3, score: BookScore::of_code(-5), weight: 1000, depth: 12, flags: BookMove::GOES_ON };
        let bytes = mv.to_bytes(0x0102_0304_0506_0708);
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 0, 3, 0xff, 0xfb, 3, 0xe8, 12, 1]);
        assert_eq!(BookMove::of_bytes(bytes), (0x0102_0304_0506_0708, mv));
    }
}
