//! Endgame tables: the result of every position with few pieces under perfect play.
//!
//! Positions are stored with White to move; a position with Black to move is turned around. A [`Slice`] is a
//! [`Material`] together with its turned counterpart. Slices are solved by increasing number of pieces and men
//! ([`Solver`]).
//!
//! A [`TableValue`] ignores the draw rules that count moves and repetitions; probing [takes them into
//! account](Prober::verdict). Positions with a compulsory capture are not stored: their value follows from the
//! captures.
#![allow(clippy::indexing_slicing, reason = "positions index tables whose size was computed from them")]

mod board;
mod collection;
pub mod file;
mod index;
mod main_road;
mod material;
mod probe;
mod select;
mod solver;
#[cfg(test)]
mod tests;
mod value;
mod verify;

pub use collection::{AnyTables, Tables};
pub use index::Index;
pub use material::{Material, SideMaterial, Slice};
pub use probe::{Adjudicator, NoTables, Prober, Verdict, best_line};
pub use select::{SelectedPosition, Selection, Selector};
pub use solver::{SolveError, Solver};
pub use value::{Counts, MaterialTable, SliceTable, TableOutcome, TableValue};
pub use verify::{Checker, TableFaults};
