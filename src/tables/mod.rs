//! Endgame tables, which contain the results of all positions with few pieces under perfect play.
//!
//! Positions are stored with White to move; a position with Black to move is turned around. A [`Slice`] consists of a
//! [`Material`] and its turned counterpart. A [`Solver`] needs the tables of the slices with fewer pieces, or with the
//! same number of pieces but fewer men.
//!
//! A [`TableValue`] ignores the draw rules that count moves and repetitions. Probing [takes move counters into
//! account](Prober::verdict). Positions with a compulsory capture are not stored, because their values follow from the
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
