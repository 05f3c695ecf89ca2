//! `soffio tables verify`.

use super::progress::{TablesProgress, or_cores, stop_on_signal};
use super::tables_folder::{FOLDER, Folder, piece_count, room, slices};
use super::values::{any_variant, integer};
use anyhow::{Result, ensure};
use clap::Args;
use soffio::position::with_width;
use soffio::rules::{Variant, Word};
use soffio::tables::file::FileError;
use soffio::tables::{AnyTables, Checker, Slice, Tables};
use soffio_support::words::counted;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct VerifyArguments {
    /// The game.
    #[arg(long, value_name = "V", value_parser = any_variant)]
    variant: Variant,
    /// Most pieces on the board, of both sides together.
    #[arg(long, value_name = "N", value_parser = piece_count())]
    pieces: u8,
    /// The folder of the files.
    #[arg(long, value_name = "D", default_value = FOLDER)]
    dir: PathBuf,
    /// Threads that work; without it as many as there are cores.
    #[arg(long, value_name = "T", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: Option<NonZeroUsize>,
}

/// Prints a line for each slice. Returns whether no fault was found.
pub(super) fn verify(arguments: &VerifyArguments) -> Result<bool> {
    let variant = arguments.variant;
    let slices = slices(variant, arguments.pieces)?;
    let folder = Folder { path: &arguments.dir, variant };
    let threads = or_cores(arguments.threads);
    with_width!(AnyTables::new(variant), tables => verify_files(folder, &slices, tables, threads))
}

fn verify_files<W: Word>(
    folder: Folder<'_>,
    slices: &[Slice],
    mut tables: Tables<W>,
    threads: NonZeroUsize,
) -> Result<bool> {
    let stop = stop_on_signal()?;
    let size: u64 = slices.iter().map(|&slice| tables.size(slice)).fold(0, u64::saturating_add);
    let in_memory = size <= room(None);
    let progress = TablesProgress::new(size);
    let (mut good, mut bad) = (0, 0);
    progress.during(|| {
        for &slice in slices {
            progress.part(format!("slice {slice}"));
            let result = match take(folder, slice, &mut tables, in_memory) {
                Err(reason) => Err(reason),
                Ok(()) => {
                    let checker = Checker { tables: &tables, threads, stop: &stop, done: &progress.done };
                    let faults = checker.check(slice)?;
                    let fault = |fault| format!("{}, the first: {fault}", counted(faults.count, "fault"));
                    faults.first.map_or(Ok(()), |first| Err(fault(first)))
                }
            };
            ensure!(!stop.is_stopped(), "interrupted: not everything was checked");
            *(if result.is_ok() { &mut good } else { &mut bad }) += 1;
            let text = result.err().unwrap_or_else(|| "ok".to_owned());
            progress.progress.with_lines(|| writeln!(io::stdout(), "{slice} {text}"))?;
        }
        Ok(())
    })?;
    writeln!(io::stdout(), "{}: {good} without fault, {bad} with", counted(slices.len(), "slice"))?;
    Ok(bad == 0)
}

/// Loads the file of `slice` if memory suffices, or else checks and memory-maps it.
fn take<W: Word>(folder: Folder<'_>, slice: Slice, tables: &mut Tables<W>, in_memory: bool) -> Result<(), String> {
    let refused = |error: FileError| error.to_string();
    let file = folder.open(slice).map_err(refused)?.ok_or("there is no file")?;
    if in_memory {
        let table = file.load(|material| tables.index(material)).map_err(refused)?;
        tables.add(table);
    } else {
        file.check().map_err(refused)?;
        tables.add_file(file);
    }
    Ok(())
}
