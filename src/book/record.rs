use crate::search::Value;

/// A 16-bit score for the side that plays the move: centi-men (cp), or plies to a proved win or loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BookScore(i16);

impl BookScore {
    /// The score is unknown.
    pub const NONE: Self = Self(i16::MIN);
    /// A draw, or an even position.
    pub const DRAW: Self = Self(0);
    /// An immediate win. Each ply of distance costs 1.
    const WIN: i16 = 32_000;
    /// Largest score in cp; proved wins are above it.
    const MOST: i16 = 30_000;

    /// Decodes the score of a record. Codes outside the valid range decode to [`BookScore::NONE`].
    pub const fn of_code(code: i16) -> Self {
        if code < -Self::WIN || code > Self::WIN { Self::NONE } else { Self(code) }
    }

    /// Returns the encoding used in a record.
    pub const fn code(self) -> i16 {
        self.0
    }

    /// Returns the score of a side that loses in `plies`, capped at 1000.
    pub fn lost_in(plies: u16) -> Self {
        Self(plies.min(1000) as i16 - Self::WIN)
    }

    /// Returns the score of a side that wins in `plies`, capped at 1000.
    pub fn won_in(plies: u16) -> Self {
        Self(-Self::lost_in(plies).0)
    }

    /// Returns whether this is not [`BookScore::NONE`].
    pub fn is_known(self) -> bool {
        self != Self::NONE
    }

    /// Returns whether this is a proved win or loss.
    pub fn is_decided(self) -> bool {
        self.is_known() && self.0.abs() > Self::MOST
    }

    /// Returns whether this is a proved loss.
    pub fn is_lost(self) -> bool {
        self.is_decided() && self.0 < 0
    }

    /// Returns the score of a move to a position with this score: negated, with a win or loss one ply further away.
    #[must_use]
    pub fn before(self) -> Self {
        match self {
            Self::NONE => self,
            _ if self.is_decided() => Self(-self.0 + self.0.signum()),
            _ => Self(-self.0),
        }
    }

    /// Returns the inverse of [`BookScore::before`].
    #[must_use]
    pub fn after(self) -> Self {
        match self {
            Self::NONE => self,
            _ if self.is_decided() => Self((-self.0 - self.0.signum()).clamp(-Self::WIN, Self::WIN)),
            _ => Self(-self.0),
        }
    }

    /// Returns by how many cp `later` is below this score; 0 if it is not below.
    pub fn falls_to(self, later: Self) -> u32 {
        (i32::from(self.0) - i32::from(later.0)).max(0).unsigned_abs()
    }

    /// Returns the absolute difference of two scores in cp.
    pub fn difference(self, other: Self) -> u32 {
        self.falls_to(other) + other.falls_to(self)
    }

    /// Converts the score to a [`Value`], with wins and losses counted in moves; `None` if the score is unknown.
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
            Value::Cp(value) => Self(value.clamp(-Self::MOST, Self::MOST)),
            Value::Win(moves) => Self::won_in((2 * moves.min(500)).saturating_sub(1)),
            Value::Loss(moves) => Self::lost_in(2 * moves.min(500)),
        }
    }
}

/// A move in a book: a record without its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// Index of the move in [`ordered_moves`](super::ordered_moves).
    pub index: u16,
    /// Score for the side that plays the move.
    pub score: BookScore,
    /// Relative frequency with which the move is chosen; 0 for never.
    pub weight: u16,
    /// Depth in plies of the book and of the search at its leaves; 0 if unknown.
    pub depth: u8,
    /// Bit set of [`BookMove::CONTINUES`] and [`BookMove::PROVED`].
    pub flags: u8,
}

impl BookMove {
    /// Size of a record in bytes.
    pub const SIZE: usize = 16;
    /// Flag: the book has moves after this move.
    pub const CONTINUES: u8 = 1;
    /// Flag: the score is proved, as a win, as a loss, or as a draw by endgame tables.
    pub const PROVED: u8 = 2;

    pub(super) fn to_bytes(self, key: u64) -> [u8; Self::SIZE] {
        let numbers = [self.index, self.score.code() as u16, self.weight, u16::from_be_bytes([self.depth, self.flags])];
        let number = numbers.into_iter().fold(u128::from(key), |all, number| (all << 16) | u128::from(number));
        number.to_be_bytes()
    }

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
    fn scores_are_read_back() {
        for value in [Value::Cp(-12), Value::Win(1), Value::Win(40), Value::Loss(0), Value::Loss(3)] {
            assert_eq!(BookScore::from(value).value(), Some(value));
        }
        assert_eq!(BookScore::from(Value::Cp(31_000)).value(), Some(Value::Cp(30_000)));
        assert_eq!((BookScore::NONE.value(), BookScore::of_code(32_001).is_known()), (None, false));
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
            BookMove { index: 3, score: BookScore::of_code(-5), weight: 1000, depth: 12, flags: BookMove::CONTINUES };
        let bytes = mv.to_bytes(0x0102_0304_0506_0708);
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 0, 3, 0xff, 0xfb, 3, 0xe8, 12, 1]);
        assert_eq!(BookMove::of_bytes(bytes), (0x0102_0304_0506_0708, mv));
    }
}
