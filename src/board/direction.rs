//! The four diagonal directions, seen from White's side of the board.

/// A diagonal direction on the printed board, White at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards Black's home row and White's left hand.
    UpLeft,
    /// Towards Black's home row and White's right hand.
    UpRight,
    /// Towards White's home row and White's left hand.
    DownLeft,
    /// Towards White's home row and White's right hand.
    DownRight,
}

impl Direction {
    /// All four directions.
    pub const ALL: [Self; 4] = [Self::UpLeft, Self::UpRight, Self::DownLeft, Self::DownRight];

    /// The direction that leads back.
    #[inline]
    pub const fn opposite(self) -> Self {
        match self {
            Self::UpLeft => Self::DownRight,
            Self::UpRight => Self::DownLeft,
            Self::DownLeft => Self::UpRight,
            Self::DownRight => Self::UpLeft,
        }
    }

    /// The two directions at right angles to this one.
    #[inline]
    pub const fn turns(self) -> [Self; 2] {
        match self {
            Self::UpLeft | Self::DownRight => [Self::UpRight, Self::DownLeft],
            Self::UpRight | Self::DownLeft => [Self::UpLeft, Self::DownRight],
        }
    }

    /// Change of row, counted downwards from the top of the printed board.
    pub const fn rows(self) -> i8 {
        match self {
            Self::UpLeft | Self::UpRight => -1,
            Self::DownLeft | Self::DownRight => 1,
        }
    }

    /// Change of column, counted from the left of the printed board.
    pub const fn columns(self) -> i8 {
        match self {
            Self::UpLeft | Self::DownLeft => -1,
            Self::UpRight | Self::DownRight => 1,
        }
    }
}
