//! Boards: their shapes, squares, directions and bitboards. This module does not depend on the rules of any game.
#![allow(clippy::indexing_slicing, reason = "directions index tables of their number")]

mod bits;
mod direction;
mod shape;
mod square;

pub use bits::{Bits, Squares};
pub(crate) use direction::each_direction;
pub use direction::{Direction, Lines};
pub use shape::{Corner, Shape};
pub use square::{MAX_SQUARES, Number, Square, SquareName};
