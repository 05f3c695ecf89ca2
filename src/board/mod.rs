//! The boards: shapes, squares, directions and bit sets.
//!
//! Nothing here knows a rule of any game. A [`Shape`] describes a board at run time, a [`Geometry`] is the same board
//! as a type, so that the move generators of each variant are compiled for it.

mod bits;
mod direction;
mod extract;
mod shape;
mod square;

pub use bits::{Bits, Squares};
pub(crate) use direction::each_direction;
pub use direction::{Direction, Lines};
pub use extract::Extractor;
pub use shape::{Corner, Geometry, Lattice, Shape};
pub use square::{MAX_SQUARES, Number, Square, SquareName};
