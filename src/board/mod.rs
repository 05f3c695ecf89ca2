//! The boards: shapes, squares, directions and bit sets.
//!
//! Nothing here knows a rule of any game. A [`Shape`] describes a board at run time, a [`Geometry`] is the same board
//! as a type, so that the move generators of each variant are compiled for it.

mod bits;
mod direction;
mod geometry;
mod shape;
mod square;

pub use bits::{Bits, Squares};
pub use direction::Direction;
pub use geometry::{Board8, Board8Mirrored, Board10, Geometry};
pub use shape::{Corner, Shape};
pub use square::{MAX_SQUARES, Number, Square};
