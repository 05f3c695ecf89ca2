//! `soffio tables verify`: verifies table files.

use super::folder::{TableArguments, TableFolder, map, memory_limit};
use crate::progress::{TablesProgress, or_cores, stop_on_signal};
use anyhow::{Result, ensure};
use soffio::position::with_width;
use soffio::rules::Word;
use soffio::tables::file::FileError;
use soffio::tables::wld::{self, MemoryOrder};
use soffio::tables::{AnyTables, Checker, Slice, Tables};
use soffio_support::words::counted;
use std::io::{self, Write};
use std::num::NonZeroUsize;

/// Verifies the table files and prints a line for each slice. Returns whether all slices are valid.
pub(super) fn verify(arguments: &TableArguments) -> Result<bool> {
    let (slices, folder) = (arguments.slices()?, arguments.folder());
    with_width!(AnyTables::new(folder.variant), mut tables => {
        if let (Some(_), &[slice]) = (arguments.slice, &*slices) {
            let missing = map(folder, &slice.leads_to(folder.variant.spec()), &mut tables);
            folder.ensure_needed(slice, &missing)?;
        }
        verify_files(folder, &slices, tables, or_cores(arguments.threads))
    })
}

fn verify_files<W: Word>(
    folder: TableFolder<'_>,
    slices: &[Slice],
    mut tables: Tables<W>,
    threads: NonZeroUsize,
) -> Result<bool> {
    let stop = stop_on_signal()?;
    let size: u64 = slices.iter().map(|&slice| tables.size(slice)).fold(0, u64::saturating_add);
    let available = memory_limit(None);
    let in_memory = size <= available;
    let progress = TablesProgress::new(size);
    let (mut good, mut bad) = (0, 0);
    progress.during(|| {
        for &slice in slices {
            progress.part(format!("slice {slice}"));
            let result = match add_checked(folder, slice, &mut tables, in_memory, available / 2) {
                Err(reason) => Err(reason),
                Ok(()) => {
                    let checker = Checker { tables: &tables, threads, stop: &stop, done: &progress.done };
                    let faults = checker.check(slice)?;
                    let fault = |fault| format!("{}; the first is: {fault}", counted(faults.count, "fault"));
                    faults.first.map_or(Ok(()), |first| Err(fault(first)))
                }
            };
            ensure!(!stop.is_stopped(), "interrupted: not all slices were verified");
            *(if result.is_ok() { &mut good } else { &mut bad }) += 1;
            let text = result.err().unwrap_or_else(|| "ok".to_owned());
            progress.progress.with_lines(|| writeln!(io::stdout(), "{slice} {text}"))?;
        }
        Ok(())
    })?;
    writeln!(io::stdout(), "{}: {good} valid, {bad} faulty", counted(slices.len(), "slice"))?;
    Ok(bad == 0)
}

/// Loads the file of `slice` if `in_memory` is true. Otherwise checks the file and memory-maps it. The file with
/// results is always checked, but used only if there is no file with distances. Its results, and those of the slices
/// that its moves lead to, are then unpacked, up to a total of `unpacked` bytes.
fn add_checked<W: Word>(
    folder: TableFolder<'_>,
    slice: Slice,
    tables: &mut Tables<W>,
    in_memory: bool,
    unpacked: u64,
) -> Result<(), String> {
    let refused = |error: FileError| error.to_string();
    let results = folder.open_results(slice);
    let Some(file) = folder.open(slice).map_err(refused)? else {
        let file = results.map_err(refused)?.ok_or("file not found")?;
        // Unpacking a slice also checks its file.
        let fits = tables.unpacked_size(slice) <= unpacked;
        if !fits {
            file.check().map_err(refused)?;
        }
        tables.add_results(file);
        if fits {
            tables.unpack(slice, MemoryOrder::AfterMove).map_err(refused)?;
        }
        let needed = slice.leads_to(tables.rules().spec());
        tables.unpack_only(&[&[slice], needed.as_slice()].concat(), unpacked, MemoryOrder::AfterMove);
        return Ok(());
    };
    if in_memory {
        let table = file.load(|material| tables.index(material)).map_err(refused)?;
        tables.add(table);
    } else {
        file.check().map_err(refused)?;
        tables.add_file(file);
    }
    let checked = results.and_then(|results| results.map_or(Ok(()), |file| file.check()));
    checked.map_err(|error| format!("{}: {error}", wld::path_of(folder.path, folder.variant, slice).display()))
}
