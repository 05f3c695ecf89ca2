//! A board as a type: what the generic move generators are compiled for.

use super::{Bits, Corner, Direction, Shape};

/// A board as a type, with the integer that holds a set of its squares. A board and its mirror image are one.
pub trait Geometry: Copy + 'static {
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

    /// Whether this is the board of `shape`, or its mirror image.
    fn is_laid_out_as(shape: Shape) -> bool {
        let unmirrored = |shape: Shape| if shape.corner == Corner::Right { Corner::Left } else { shape.corner };
        (shape.width, shape.height, unmirrored(shape)) == (Self::SHAPE.width, Self::SHAPE.height, Self::SHAPE.corner)
    }
}

macro_rules! boards {
    ($($(#[$doc:meta])+ $name:ident: $bits:ty = $shape:expr;)+) => {
        $($(#[$doc])+
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Geometry for $name {
            type Bits = $bits;
            const SHAPE: Shape = $shape;
        })+
    };
}

boards! {
    /// [`Shape::BOARD8`].
    Board8: u64 = Shape::BOARD8;
    /// [`Shape::BOARD8_EVERY`].
    Board8Every: u64 = Shape::BOARD8_EVERY;
    /// [`Shape::BOARD10X8`].
    Board10x8: u64 = Shape::BOARD10X8;
    /// [`Shape::BOARD10`].
    Board10: u64 = Shape::BOARD10;
    /// [`Shape::BOARD12`].
    Board12: u128 = Shape::BOARD12;
}
