//! The source of the tables that are counted or probed: files, or solving in memory.

use super::tables_command::say;
use super::tables_folder::{Folder, mib, room};
use soffio::game::with_history;
use soffio::notation::WrittenGame;
use soffio::position::Position;
use soffio::rules::Word;
use soffio::tables::{Prober, Slice, SolveError, Solver, Tables, best_line};
use std::any::Any;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;

/// Takes the files of `slices` into `tables`, mapped. Returns those that have none that can be used.
pub(super) fn map<W: Word>(folder: Folder<'_>, slices: &[Slice], tables: &mut Tables<W>) -> Vec<Slice> {
    let mut missing = Vec::new();
    for &slice in slices {
        match folder.usable(slice) {
            Some(file) => tables.add_file(file),
            None => missing.push(slice),
        }
    }
    missing
}

/// Solves those of `slices`, in their order, that are not there yet.
///
/// # Errors
/// When memory does not suffice, or the threads could not do their work.
pub(super) fn solve<W: Word>(slices: &[Slice], tables: &mut Tables<W>, threads: NonZeroUsize) -> io::Result<()> {
    let missing: Vec<_> = slices.iter().copied().filter(|&slice| !tables.has(slice)).collect();
    let largest = missing.iter().map(|&slice| tables.size(slice)).max().unwrap_or(0);
    // While one is solved it takes as much again.
    let need = missing.iter().map(|&slice| tables.size(slice)).fold(largest, u64::saturating_add);
    let room = room(None);
    if need > room {
        return Err(io::Error::other(format!("this takes {} of memory; there are {}", mib(need), mib(room))));
    }
    for slice in missing {
        let solver = Solver { tables: &*tables, threads, is_stopped: &|| false, done: &AtomicU64::new(0) };
        match solver.solve(slice) {
            Ok(table) => tables.add(table),
            Err(error @ SolveError::Pool(_)) => return Err(io::Error::other(error)),
            Err(error) => say(&format!("{slice} is left out: {error}")),
        }
    }
    Ok(())
}

/// The position of `game`, if its board is of this width.
pub(super) fn position_of<W: Word>(game: &WrittenGame) -> Option<Position<W>> {
    with_history!(game.game().history(), history => (history.position() as &dyn Any).downcast_ref().copied())
}

/// The moves of best play from `position`, the present one of `game`.
pub(super) fn line_of<W: Word>(prober: &mut Prober<'_, W>, game: &WrittenGame, position: &Position<W>) -> Vec<String> {
    let moves: Vec<_> = best_line(prober, position).iter().map(|mv| mv.widened()).collect();
    game.line_text(&moves)
}
