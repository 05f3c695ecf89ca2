//! `soffio tables pack`: writes files that contain only the results.

use super::progress::{TablesProgress, or_cores, say, stop_on_signal};
use super::tables_folder::{FOLDER, TableFolder, piece_count, room, slices};
use super::values::{any_variant, integer};
use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use soffio::position::with_width;
use soffio::rules::{Variant, Word};
use soffio::stop::Stop;
use soffio::tables::file::{FileError, remove_unfinished};
use soffio::tables::wld::{WldFile, path_of, write};
use soffio::tables::{AnyTables, Slice, Tables, check_folder};
use soffio_support::of_file::OfFile;
use soffio_support::words::{counted, size};
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

const INTERRUPTED: &str = "interrupted: run the same command to write the missing files";

/// Number of bytes of memory for each position of a slice: its distance, its result, and the compressed results.
const BYTES_PER_POSITION: u64 = 3;

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
    check_folder(from.path, Some(variant)).of_file(from.path)?;
    let to = TableFolder { path: arguments.out.as_ref().unwrap_or(&arguments.dir), variant };
    fs::create_dir_all(to.path).and_then(|()| remove_unfinished(to.path)).of_file(to.path)?;
    let is_missing = |slice: &&Slice| to.usable_results(**slice).is_none_or(|file| file.check().is_err());
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
                    progress.progress.say(&format!("{slice} skipped: no usable file with distances"));
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
    /// Writes the file of `slice` and compares it with the distances. Returns a line about it, or `None` if there is no
    /// usable file with distances.
    fn pack(&mut self, slice: Slice) -> Result<Option<String>> {
        ensure!(!self.stop.is_stopped(), INTERRUPTED);
        let positions = self.tables.size(slice);
        let (need, room) = (positions.saturating_mul(BYTES_PER_POSITION), room(None));
        ensure!(need <= room, "{slice} requires {} of memory; {} available", size(need), size(room));
        let Some(file) = self.from.usable(slice) else { return Ok(None) };
        let distances = match file.load(|material| self.tables.index(material)) {
            Ok(distances) => distances,
            Err(error) => {
                say(&format!("{slice}: {error}"));
                return Ok(None);
            }
        };
        let variant = self.to.variant;
        let path = path_of(self.to.path, variant, slice);
        let failed = |error: FileError| match error {
            FileError::Io(error) if error.kind() == io::ErrorKind::Interrupted => anyhow!(INTERRUPTED),
            error => anyhow!("{}: {error}", path.display()),
        };
        write(self.to.path, variant, &distances, self.threads, self.stop).map_err(failed)?;
        let results = WldFile::open_for(&path, variant, slice).map_err(failed)?;
        let faults = results.verify(&distances, self.threads, self.stop).map_err(failed)?;
        if let Some(first) = faults.first {
            bail!("{}: {}; the first is: {first}", path.display(), counted(faults.count, "fault"));
        }
        let bytes = results.size() as u64;
        self.bytes += bytes;
        Ok(Some(format!("{slice} {}, {bytes} bytes", counted(positions, "position"))))
    }
}
