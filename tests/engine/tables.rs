//! Tests of endgame tables: comparison of their values with those of two other builders, and selection of positions.

mod counts;
mod recorded;
mod reference;
mod select;

use soffio::rules::{Variant, Word};
use soffio::tables::{Slice, Solver, Tables};
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;

/// Builds all slices of `variant` with at most `pieces` pieces, and adds them to `tables`.
fn solve<W: Word>(variant: Variant, tables: &mut Tables<W>, pieces: u8) {
    let threads = NonZeroUsize::new(2).expect("two");
    for slice in Slice::all(variant.spec(), pieces) {
        let solver = Solver { tables, threads, is_stopped: &|| false, done: &AtomicU64::new(0) };
        let table = solver.solve(slice).unwrap_or_else(|error| panic!("{variant} {slice}: {error}"));
        tables.add(table);
    }
}
