//! `soffio tables verify`: verifies table files.

use super::folder::{FOLDER, TableFolder, map, memory_limit, piece_count, slice_of, slices};
use crate::progress::{TablesProgress, or_cores, stop_on_signal};
use crate::values::{any_variant, integer};
use anyhow::{Result, ensure};
use clap::Args;
use soffio::position::with_width;
use soffio::rules::{Variant, Word};
use soffio::tables::file::FileError;
use soffio::tables::wld::{self, MemoryOrder};
use soffio::tables::{AnyTables, Checker, Material, Slice, Tables};
use soffio_support::words::counted;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct VerifyArguments {
    /// Variant, as listed by `soffio variants`
    #[arg(long, value_parser = any_variant)]
    variant: Variant,
    /// Maximum number of pieces on the board, both sides together (2 to 14)
    #[arg(long, value_name = "N", value_parser = piece_count(), required_unless_present = "slice")]
    pieces: Option<u8>,
    /// Folder with the tables
    #[arg(long, value_name = "DIR", default_value = FOLDER)]
    dir: PathBuf,
    /// Number of threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: Option<NonZeroUsize>,
    /// Verify only this slice, named by the men and kings of each side, such as 1m1k-0m2k; the slices that it
    /// depends on must exist
    #[arg(long, value_name = "SLICE")]
    slice: Option<Material>,
}

/// Verifies the table files and prints a line for each slice. Returns whether all slices are valid.
pub(super) fn verify(arguments: &VerifyArguments) -> Result<bool> {
    let variant = arguments.variant;
    let folder = TableFolder { path: &arguments.dir, variant };
    let threads = or_cores(arguments.threads);
    with_width!(AnyTables::new(variant), mut tables => {
        let slices = match arguments.slice {
            None => slices(variant, arguments.pieces.unwrap_or(2))?,
            Some(material) => {
                let slice = slice_of(variant, material)?;
                let missing = map(folder, &slice.leads_to(variant.spec()), &mut tables);
                folder.ensure_needed(slice, &missing)?;
                vec![slice]
            }
        };
        verify_files(folder, &slices, tables, threads)
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
/// that its moves lead to, are then unpacked as long as they take at most `unpacked` bytes.
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
