//! `soffio tables pack`: writes files that contain only the results.

use super::folder::{FOLDER, TableFolder, memory_limit, piece_count, slices};
use crate::progress::{TablesProgress, or_cores, print_line, stop_on_signal};
use crate::values::{any_variant, integer};
use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use soffio::position::with_width;
use soffio::rules::{Variant, Word};
use soffio::stop::Stop;
use soffio::tables::file::{FileError, remove_unfinished};
use soffio::tables::wld::{SliceResults, WldFile, path_of, write};
use soffio::tables::{AnyTables, Slice, TableFaults, Tables, check_folder};
use soffio_support::with_path::WithPath;
use soffio_support::words::{counted, size};
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

const INTERRUPTED: &str = "interrupted: run the same command to write the missing files";

/// Number of bytes of memory for each position of a slice: its distance, and at most 8 bits for its result and the
/// compressed results.
const BYTES_PER_POSITION: u64 = 2;

#[derive(Debug, Args)]
pub struct PackArguments {
    /// Variant, as listed by `soffio variants`
    #[arg(long, value_parser = any_variant)]
    variant: Variant,
    /// Maximum number of pieces on the board, both sides together (2 to 14)
    #[arg(long, value_name = "N", value_parser = piece_count())]
    pieces: u8,
    /// Folder with the tables
    #[arg(long, value_name = "DIR", default_value = FOLDER)]
    dir: PathBuf,
    /// Folder for the new files; created if missing [default: the folder with the tables]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: Option<NonZeroUsize>,
}

/// Writes the missing files. Returns whether all slices have a file.
pub(super) fn pack(arguments: &PackArguments) -> Result<bool> {
    let variant = arguments.variant;
    let slices = slices(variant, arguments.pieces)?;
    with_width!(AnyTables::new(variant), tables => pack_files(arguments, &slices, &tables))
}

fn pack_files<W: Word>(arguments: &PackArguments, slices: &[Slice], tables: &Tables<W>) -> Result<bool> {
    let stop = stop_on_signal()?;
    let variant = arguments.variant;
    let from = TableFolder { path: &arguments.dir, variant };
    check_folder(from.path, Some(variant)).with_path(from.path)?;
    let to = TableFolder { path: arguments.out.as_ref().unwrap_or(&arguments.dir), variant };
    fs::create_dir_all(to.path).and_then(|()| remove_unfinished(to.path)).with_path(to.path)?;
    let is_missing = |slice: &&Slice| to.open_verified_results(**slice).is_none();
    let mut packer = Packer { from, to, tables, threads: or_cores(arguments.threads), stop: &stop, bytes: 0 };
    let missing: Vec<_> = slices.iter().filter(is_missing).copied().collect();
    let progress = TablesProgress::new(missing.iter().map(|&slice| tables.size(slice)).sum());
    let (mut written, mut skipped) = (0, 0);
    progress.during(|| {
        for &slice in &missing {
            progress.part(format!("slice {slice}"));
            match packer.pack(slice)? {
                Some(line) => {
                    written += 1;
                    progress.progress.with_lines(|| writeln!(io::stdout(), "{line}"))?;
                }
                None => {
                    skipped += 1;
                    progress.progress.print_line(&format!("{slice} skipped: no usable file with distances"));
                }
            }
            progress.done.fetch_add(tables.size(slice), Ordering::Relaxed);
        }
        anyhow::Ok(())
    })?;
    let kept = slices.len() - missing.len();
    let summary = format!("{written} written ({}), {kept} already written", size(packer.bytes));
    writeln!(io::stdout(), "{}: {summary}, {skipped} skipped", counted(slices.len(), "slice"))?;
    Ok(skipped == 0)
}

struct Packer<'a, W: Word> {
    from: TableFolder<'a>,
    to: TableFolder<'a>,
    tables: &'a Tables<W>,
    threads: NonZeroUsize,
    stop: &'a Stop,
    /// Total size of the written files.
    bytes: u64,
}

impl<W: Word> Packer<'_, W> {
    /// Writes the file of `slice` and compares it with the distances. Returns a line that describes the file, or `None`
    /// if there is no usable file with distances.
    fn pack(&mut self, slice: Slice) -> Result<Option<String>> {
        ensure!(!self.stop.is_stopped(), INTERRUPTED);
        let positions = self.tables.size(slice);
        let (need, available) = (positions.saturating_mul(BYTES_PER_POSITION), memory_limit(None));
        ensure!(need <= available, "{slice} requires {} of memory; {} available", size(need), size(available));
        let Some(file) = self.from.usable(slice) else { return Ok(None) };
        let distances = match file.load(|material| self.tables.index(material)) {
            Ok(distances) => distances,
            Err(error) => {
                print_line(&format!("{slice}: {error}"));
                return Ok(None);
            }
        };
        let results = SliceResults::from_table(&distances, self.threads, self.stop)
            .map_err(|error| anyhow!("{slice}: {error}"))?;
        drop(distances);
        let results = write_results(self.to, &results, self.threads, self.stop)?.ok_or_else(|| anyhow!(INTERRUPTED))?;
        let bytes = results.size() as u64;
        self.bytes += bytes;
        Ok(Some(format!("{slice} {}, {bytes} bytes", counted(positions, "position"))))
    }
}

/// Writes the results to a file and compares the file with them. A file that differs is removed. Returns `None` if
/// `stop` is set.
pub(super) fn write_results<W: Word>(
    folder: TableFolder<'_>,
    results: &SliceResults<W>,
    threads: NonZeroUsize,
    stop: &Stop,
) -> Result<Option<WldFile>> {
    let (variant, slice) = (folder.variant, results.slice);
    let path = path_of(folder.path, variant, slice);
    let written = || -> Result<_, FileError> {
        write(folder.path, variant, results, threads, stop)?;
        let file = WldFile::open_for(&path, variant, slice)?;
        let faults = file.verify(results, threads, stop)?;
        Ok((file, faults))
    };
    match written() {
        Ok((file, TableFaults { first: None, .. })) => Ok(Some(file)),
        Ok((_, TableFaults { count, first: Some(first) })) => {
            fs::remove_file(&path).with_path(&path)?;
            bail!("{}: {}; the first is: {first}", path.display(), counted(count, "fault"))
        }
        Err(FileError::Io(error)) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
        Err(error) => bail!("{}: {error}", path.display()),
    }
}
