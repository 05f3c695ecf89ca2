//! A folder for the endgame tables that searches solve. All engines of the process share it with other processes, so a
//! table is solved only once on a computer.
//!
//! A search takes a table from the folder only if it would otherwise solve that table. The result of a search therefore
//! does not depend on the folder.

use super::distances::{SliceFile, path_of, write};
use super::file::{FileError, remove_unfinished};
use super::{Slice, SliceTable, Tables};
use crate::pool::lower_priority;
use crate::rules::{Variant, Word};
use crate::stop::Stop;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;

/// Writes a table to the folder.
type WriteTask = Box<dyn FnOnce(&Path) -> Result<(), FileError> + Send>;

struct SolvedTables {
    folder: PathBuf,
    writer: Sender<WriteTask>,
}

static SOLVED: OnceLock<SolvedTables> = OnceLock::new();

/// Keeps the endgame tables that the searches of this process solve in `folder`, and uses the tables that are already
/// there. The folder is created when the first table is written. Only the first call has an effect.
///
/// A thread with low priority writes the files, so that no search waits for them. Tables that have not been written
/// when the process ends are lost.
pub fn keep_solved_tables(folder: PathBuf) {
    let (writer, tasks) = unbounded();
    let place = folder.clone();
    if SOLVED.set(SolvedTables { folder, writer }).is_ok() {
        let started = thread::Builder::new().name("solved tables".to_owned()).spawn(move || write_all(&place, &tasks));
        if let Err(error) = started {
            log::warn!("cannot cache solved endgame tables: cannot start a thread: {error}");
        }
    }
}

fn write_all(folder: &Path, tasks: &Receiver<WriteTask>) {
    lower_priority();
    let mut is_prepared = false;
    for task in tasks {
        let prepare = || fs::create_dir_all(folder).and_then(|()| remove_unfinished(folder)).map_err(FileError::Io);
        let prepared = if is_prepared { Ok(()) } else { prepare() };
        match prepared.and_then(|()| task(folder)) {
            Ok(()) => is_prepared = true,
            Err(error) => {
                log::info!("{}: cannot cache solved endgame tables: {error}", folder.display());
                return;
            }
        }
    }
}

/// Returns whether there is a file for `slice`. It may be damaged.
pub(crate) fn has_file(variant: Variant, slice: Slice) -> bool {
    SOLVED.get().is_some_and(|solved| path_of(&solved.folder, variant, slice).exists())
}

/// Reads the table of `slice`, or returns `None` if there is no valid file.
pub(crate) fn read<W: Word>(tables: &Tables<W>, slice: Slice) -> Option<SliceTable<W>> {
    let variant = tables.rules().variant();
    let path = path_of(&SOLVED.get()?.folder, variant, slice);
    if !path.exists() {
        return None;
    }
    let table =
        SliceFile::open_for(&path, variant, slice).and_then(|file| file.load(|material| tables.index(material)));
    match &table {
        Ok(_) => log::debug!("{}: read", path.display()),
        Err(error) => log::warn!("{}: {error}; the table is solved again", path.display()),
    }
    table.ok()
}

/// Writes a solved table in the background.
pub(crate) fn write_in_background<W: Word>(variant: Variant, table: &SliceTable<W>) {
    let Some(solved) = SOLVED.get() else { return };
    let table = table.clone();
    let task = move |folder: &Path| write(folder, variant, &table, NonZeroUsize::MIN, &Stop::new());
    // After an error, nothing receives the tasks.
    drop(solved.writer.send(Box::new(task)));
}
