//! Endgame tables: the value of every position of few pieces, by perfect play.
//!
//! A position is seen from the side to move, whose men always move up: with Black to move the board is turned. So a
//! [`Material`] names the pieces of the side to move first, and a [`Slice`] is one material with the turned one, which lead to
//! each other. Slices are solved one after another ([`Solver`]), those with fewer pieces and fewer men first, and kept in
//! memory or in files of their own ([`mod@file`]).
//!
//! A [`TableValue`] is the result and the number of plies to the end of the game, without the draw rules that count moves and
//! repetitions: these depend on the moves before, and are judged when the tables are [asked](Prober::judge). Where a side can
//! capture and must, nothing is stored: the value is the best of those after its captures.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod board;
mod collection;
mod draw_rules;
pub mod file;
mod index;
mod material;
mod probe;
mod select;
mod solver;
#[cfg(test)]
mod tests;
mod value;
mod verify;

pub use collection::{Adjudicator, AnyTables, NoTables, Tables};
pub use index::Index;
pub use material::{Material, MaterialError, SideMaterial, Slice};
pub use probe::{Prober, Verdict, best_line};
pub use select::{Selected, Selection, Selector};
pub use solver::{SolveError, Solver};
pub use value::{Counts, MaterialTable, SliceTable, TableOutcome, TableValue};
pub use verify::{Checker, TableFaults};
