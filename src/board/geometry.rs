//! A board as a type: what the generic move generators are compiled for.

use super::{Bits, Corner, Direction, Shape};
use std::marker::PhantomData;

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
        // Where every square is played on, no ghost bits keep a diagonal step from wrapping around the edge.
        let wraps = direction.rows() == 0 || matches!(Self::SHAPE.corner, Corner::Both);
        let squares = match direction.columns() {
            -1 if wraps => squares & !Self::Bits::from_mask(const { Self::SHAPE.end_of_rows(Direction::Left) }),
            1 if wraps => squares & !Self::Bits::from_mask(const { Self::SHAPE.end_of_rows(Direction::Right) }),
            _ => squares,
        };
        let shift = Self::SHAPE.shift(direction);
        if shift > 0 { squares << shift as u32 } else { squares >> shift.unsigned_abs() as u32 }
    }
}

/// The board of `WIDTH` columns and `HEIGHT` rows whose sets of squares are a `W`: on `EVERY` square, or on those of the
/// color of the bottom left corner.
#[derive(Clone, Copy, Debug)]
pub struct Lattice<W, const WIDTH: u8, const HEIGHT: u8, const EVERY: bool>(PhantomData<W>);

impl<W: Bits, const WIDTH: u8, const HEIGHT: u8, const EVERY: bool> Geometry for Lattice<W, WIDTH, HEIGHT, EVERY> {
    type Bits = W;
    const SHAPE: Shape =
        Shape { width: WIDTH, height: HEIGHT, corner: if EVERY { Corner::Both } else { Corner::Left } };
}
