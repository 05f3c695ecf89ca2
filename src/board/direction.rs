//! Directions on the board, from White's point of view.

/// A direction on the printed board, with White at the bottom. If only squares of one colour are playing squares, an
/// orthogonal step leads to the next playing square in the row or column, which is two squares away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Towards Black's home row and White's left.
    UpLeft,
    /// Towards Black's home row and White's right.
    UpRight,
    /// Towards White's home row and White's left.
    DownLeft,
    /// Towards White's home row and White's right.
    DownRight,
    /// Towards Black's home row.
    Up,
    /// Towards White's home row.
    Down,
    /// Towards White's left.
    Left,
    /// Towards White's right.
    Right,
}

use Direction::{Down, DownLeft, DownRight, Left, Right, Up, UpLeft, UpRight};

/// Lines along which pieces move or capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// Diagonals only.
    Diagonal,
    /// Rows and columns only.
    Orthogonal,
    /// Diagonals, rows and columns.
    Both,
}

impl Lines {
    /// Returns whether `direction` runs along these lines.
    #[inline(always)]
    pub const fn contains(self, direction: Direction) -> bool {
        match self {
            Self::Diagonal => direction.is_diagonal(),
            Self::Orthogonal => !direction.is_diagonal(),
            Self::Both => true,
        }
    }
}

impl Direction {
    /// All eight directions.
    pub const ALL: [Self; 8] = [UpLeft, UpRight, DownLeft, DownRight, Up, Down, Left, Right];

    /// Returns whether a step in this direction changes both the row and the column.
    #[inline(always)]
    pub const fn is_diagonal(self) -> bool {
        self.rows() != 0 && self.columns() != 0
    }

    /// Returns the opposite direction.
    #[inline(always)]
    pub const fn opposite(self) -> Self {
        [DownRight, DownLeft, UpRight, UpLeft, Down, Up, Right, Left][self as usize]
    }

    /// Returns the direction with left and right exchanged.
    #[inline(always)]
    pub const fn mirrored(self) -> Self {
        [UpRight, UpLeft, DownRight, DownLeft, Up, Down, Right, Left][self as usize]
    }

    /// Returns whether this direction runs along a different line from `other`.
    #[inline(always)]
    pub const fn is_turn_from(self, other: Self) -> bool {
        self as u8 != other as u8 && self as u8 != other.opposite() as u8
    }

    /// Returns the sign of the change in row. Rows are counted downwards from the top of the printed board.
    #[inline(always)]
    pub const fn rows(self) -> i8 {
        [-1, -1, 1, 1, -1, 1, 0, 0][self as usize]
    }

    /// Returns the sign of the change in column. Columns are counted from the left of the printed board.
    #[inline(always)]
    pub const fn columns(self) -> i8 {
        [-1, 1, -1, 1, 0, 0, -1, 1][self as usize]
    }
}

/// Repeats a block for every direction, with the direction as a constant. The compiler does not reliably unroll a loop
/// over an array of directions, and the generators need constant shift distances.
macro_rules! each_direction {
    ($direction:ident => $body:block) => {
        each_direction!(@ $direction $body: UpLeft UpRight DownLeft DownRight Up Down Left Right)
    };
    (@ $direction:ident $body:block: $($name:ident)+) => {
        $({
            const $direction: $crate::board::Direction = $crate::board::Direction::$name;
            $body
        })+
    };
}

pub(crate) use each_direction;
