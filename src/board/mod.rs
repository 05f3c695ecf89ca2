//! Boards: shapes, squares, directions and bitboards, independent of the rules of any game.
//!
//! A [`Shape`] describes a board at run time. A [`Geometry`] is the same board as a type, for which move generators are
//! compiled.

mod bits;
mod direction;
mod shape;
mod square;

pub use bits::{Bits, Squares};
pub(crate) use direction::each_direction;
pub use direction::{Direction, Lines};
pub use shape::{Corner, Geometry, Lattice, Shape};
pub use square::{MAX_SQUARES, Number, Square, SquareName};
