//! A board as a type: what the generic move generators are compiled for.

use super::{Bits, Corner, Direction, Shape};

/// A board as a type, with the integer that holds a set of its squares.
pub trait Geometry: Copy + std::fmt::Debug + PartialEq + Eq + Send + Sync + 'static {
    /// A set of squares of this board.
    type Bits: Bits;
    /// The same board as a value.
    const SHAPE: Shape;

    /// All playable squares.
    #[inline(always)]
    fn all() -> Self::Bits {
        Self::Bits::from_mask(const { Self::SHAPE.mask() })
    }

    /// The playable squares of `row`, counted from 0 at the top.
    #[inline(always)]
    fn row(row: u8) -> Self::Bits {
        Self::Bits::from_mask(Self::SHAPE.row_mask(row))
    }

    /// Every square of the set moved one step in `direction`; steps over the edge leave [`Geometry::all`].
    #[inline(always)]
    fn step(squares: Self::Bits, direction: Direction) -> Self::Bits {
        let squares = match direction {
            Direction::Left => squares & !Self::Bits::from_mask(const { Self::SHAPE.end_of_rows(Direction::Left) }),
            Direction::Right => squares & !Self::Bits::from_mask(const { Self::SHAPE.end_of_rows(Direction::Right) }),
            _ if direction.is_diagonal() && matches!(Self::SHAPE.corner, Corner::Both) => {
                // Without ghosts a diagonal step could wrap around the edge like one along the row.
                let side = if direction.columns() < 0 { Direction::Left } else { Direction::Right };
                squares & !Self::Bits::from_mask(Self::SHAPE.end_of_rows(side))
            }
            _ => squares,
        };
        let shift = Self::SHAPE.shift(direction);
        if shift > 0 { squares << shift as u32 } else { squares >> shift.unsigned_abs() as u32 }
    }
}

/// The 8x8 board with a dark corner at the left: English, Russian, Brazilian draughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board8;

impl Geometry for Board8 {
    type Bits = u64;
    const SHAPE: Shape = Shape { width: 8, height: 8, corner: Corner::Left };
}

/// The 8x8 board with a dark corner at the right: Italian draughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board8Mirrored;

impl Geometry for Board8Mirrored {
    type Bits = u64;
    const SHAPE: Shape = Shape { width: 8, height: 8, corner: Corner::Right };
}

/// The 8x8 board on all squares: Turkish draughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board8Every;

impl Geometry for Board8Every {
    type Bits = u64;
    const SHAPE: Shape = Shape { width: 8, height: 8, corner: Corner::Both };
}

/// The board of ten columns and eight rows: Spantsiretti.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board10x8;

impl Geometry for Board10x8 {
    type Bits = u64;
    const SHAPE: Shape = Shape { width: 10, height: 8, corner: Corner::Left };
}

/// The 12x12 board: Canadian draughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board12;

impl Geometry for Board12 {
    type Bits = u128;
    const SHAPE: Shape = Shape { width: 12, height: 12, corner: Corner::Left };
}

/// The 12x12 board with a dark corner at the right: Sri Lankan draughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board12Mirrored;

impl Geometry for Board12Mirrored {
    type Bits = u128;
    const SHAPE: Shape = Shape { width: 12, height: 12, corner: Corner::Right };
}

/// The 10x10 board: international draughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board10;

impl Geometry for Board10 {
    type Bits = u64;
    const SHAPE: Shape = Shape { width: 10, height: 10, corner: Corner::Left };
}
