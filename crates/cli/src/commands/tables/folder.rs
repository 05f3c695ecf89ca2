//! Provides the tables for commands: lists the slices of a variant, opens files in a folder, and loads slices or solves
//! them in memory.

use crate::progress::{TablesProgress, print_line};
use crate::values::{any_variant, integer};
use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use clap::builder::TypedValueParser;
use soffio::notation::WrittenGame;
use soffio::position::{Position, with_width};
use soffio::rules::{Objective, Variant, Word};
use soffio::system::available_memory;
use soffio::tables::distances::{SliceFile, path_of};
use soffio::tables::file::FileError;
use soffio::tables::wld::{self, WldFile};
use soffio::tables::{Material, Prober, Slice, SolveError, Solver, Tables, best_line};
use soffio_support::words::{counted, size};
use std::any::Any;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

pub(super) const FOLDER: &str = "tables";

pub(super) const MAX_PIECES: u8 = 2 * Material::MAX_PIECES_PER_SIDE;

pub(super) fn piece_count() -> impl TypedValueParser<Value = u8> {
    integer::<u8>(2..=MAX_PIECES.into())
}

/// The arguments of the commands that build or verify tables.
#[derive(Debug, Args)]
pub struct TableArguments {
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
    pub(super) threads: Option<NonZeroUsize>,
    /// Only this slice, named by the men and kings of each side, such as 1m1k-0m2k; the slices that it depends on must
    /// exist
    #[arg(long, value_name = "SLICE")]
    pub(super) slice: Option<Material>,
}

impl TableArguments {
    pub(super) fn folder(&self) -> TableFolder<'_> {
        TableFolder { path: &self.dir, variant: self.variant }
    }

    pub(super) fn slices(&self) -> Result<Vec<Slice>> {
        match self.slice {
            None => slices(self.variant, self.pieces.unwrap_or(2)),
            Some(material) => slice_of(self.variant, material).map(|slice| vec![slice]),
        }
    }
}

/// Returns the reason why some slices of `variant` are skipped, or `None` if the rules of the variant permit all
/// slices.
pub(super) fn reason_for_missing_slices(variant: Variant) -> Option<&'static str> {
    let spec = variant.spec();
    if spec.objective == Objective::FirstKing {
        Some("the first king ends the game, so there are no positions with kings")
    } else if spec.king_moves.is_some() {
        Some("a side with men may not move a king more than three times in a row, and tables do not count such moves")
    } else {
        None
    }
}

/// Returns the slices of `variant` with up to `pieces` pieces. Reports on standard error how many slices are skipped
/// and why. Fails if no slices remain.
pub(super) fn slices(variant: Variant, pieces: u8) -> Result<Vec<Slice>> {
    let left_out = Slice::unsolvable(variant.spec(), pieces);
    if let (false, Some(reason)) = (left_out.is_empty(), reason_for_missing_slices(variant)) {
        print_line(&format!("{variant}: {} skipped: {reason}", counted(left_out.len(), "slice")));
    }
    let slices = Slice::all(variant.spec(), pieces);
    ensure!(!slices.is_empty(), "{variant} has no tables with {pieces} pieces");
    Ok(slices)
}

/// Returns the slice that contains `material`. Fails if tables of `variant` cannot have it.
fn slice_of(variant: Variant, material: Material) -> Result<Slice> {
    let slice = Slice::containing(material);
    if !Slice::all(variant.spec(), material.pieces()).contains(&slice) {
        let reason = reason_for_missing_slices(variant).unwrap_or("a side has more pieces than in the start position");
        bail!("{variant} has no slice {slice}: {reason}");
    }
    Ok(slice)
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TableFolder<'a> {
    pub(super) path: &'a Path,
    pub(super) variant: Variant,
}

impl TableFolder<'_> {
    pub(super) fn open(self, slice: Slice) -> Result<Option<SliceFile>, FileError> {
        existing(SliceFile::open_for(&path_of(self.path, self.variant, slice), self.variant, slice))
    }

    /// Opens the file with the results of `slice`, without checking its blocks. Returns `None` if the file does not
    /// exist.
    pub(super) fn open_results(self, slice: Slice) -> Result<Option<WldFile>, FileError> {
        existing(WldFile::open_for(&wld::path_of(self.path, self.variant, slice), self.variant, slice))
    }

    /// Opens the file of `slice` without checking its blocks. Returns `None` if the file does not exist. If the file
    /// cannot be used, reports why and returns `None`.
    pub(super) fn usable(self, slice: Slice) -> Option<SliceFile> {
        self.accepted(slice, self.open(slice)).flatten()
    }

    /// Opens the file of `slice` and checks all of it. Returns `None` if the file does not exist. If the file is
    /// faulty, reports the fault and returns `None`.
    pub(super) fn open_verified(self, slice: Slice) -> Option<SliceFile> {
        let file = self.usable(slice)?;
        self.accepted(slice, file.check()).map(|()| file)
    }

    /// Like [`Self::usable`], but for the file with the results of `slice`.
    pub(super) fn usable_results(self, slice: Slice) -> Option<WldFile> {
        reported(&wld::path_of(self.path, self.variant, slice), self.open_results(slice)).flatten()
    }

    /// Like [`Self::open_verified`], but for the file with the results of `slice`.
    pub(super) fn open_verified_results(self, slice: Slice) -> Option<WldFile> {
        let file = self.usable_results(slice)?;
        reported(&wld::path_of(self.path, self.variant, slice), file.check()).map(|()| file)
    }

    fn accepted<T>(self, slice: Slice, result: Result<T, FileError>) -> Option<T> {
        reported(&path_of(self.path, self.variant, slice), result)
    }

    /// Fails if any of the slices in `missing`, which the moves of `slice` lead to, have no file.
    pub(super) fn ensure_needed(self, slice: Slice, missing: &[Slice]) -> Result<()> {
        let (place, names) = (self.path.display(), missing.iter().map(Slice::to_string).collect::<Vec<_>>().join(", "));
        ensure!(missing.is_empty(), "{slice} depends on slices missing from {place}; build them first: {names}");
        Ok(())
    }

    pub(super) fn load<W: Word>(self, slices: &[Slice], tables: &mut Tables<W>) -> Result<()> {
        for &slice in slices {
            if tables.contains(slice) {
                continue;
            }
            let path = path_of(self.path, self.variant, slice);
            let failed = |error: FileError| anyhow!("{}: {error}", path.display());
            let missing = || anyhow!("{}: file not found", path.display());
            let file = self.open(slice).map_err(failed)?.ok_or_else(missing)?;
            let table = file.load(|material| tables.index(material)).map_err(failed)?;
            tables.add(table);
        }
        Ok(())
    }
}

fn reported<T>(path: &Path, result: Result<T, FileError>) -> Option<T> {
    result.inspect_err(|error| print_line(&format!("{}: {error}", path.display()))).ok()
}

/// Converts the error for a file that was not found to `None`.
fn existing<T>(opened: Result<T, FileError>) -> Result<Option<T>, FileError> {
    match opened {
        Err(FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        opened => opened.map(Some),
    }
}

/// Returns the memory limit for tables in bytes: the smaller of `allowed`, a limit in MiB, and the available memory. If
/// `allowed` is `None`, only the available memory limits the tables.
pub(super) fn memory_limit(allowed: Option<u64>) -> u64 {
    let free = available_memory().map_or(u64::MAX, |bytes| bytes as u64);
    allowed.map_or(free, |mib| free.min(mib.saturating_mul(1 << 20)))
}

/// Memory-maps the files of `slices`. Files with distances take precedence over files with results. Returns the slices
/// that have no usable file.
pub(super) fn map<W: Word>(folder: TableFolder<'_>, slices: &[Slice], tables: &mut Tables<W>) -> Vec<Slice> {
    let mut missing = Vec::new();
    for &slice in slices {
        if let Some(file) = folder.usable(slice) {
            tables.add_file(file);
        } else if let Some(file) = folder.usable_results(slice) {
            tables.add_results(file);
        } else {
            missing.push(slice);
        }
    }
    missing
}

pub(super) fn solve<W: Word>(slices: &[Slice], tables: &mut Tables<W>, threads: NonZeroUsize) -> Result<()> {
    let missing: Vec<_> = slices.iter().copied().filter(|&slice| !tables.contains(slice)).collect();
    let largest = missing.iter().map(|&slice| tables.size(slice)).max().unwrap_or(0);
    // While a slice is being solved, it takes up twice its size in memory.
    let need = missing.iter().map(|&slice| tables.size(slice)).fold(largest, u64::saturating_add);
    let available = memory_limit(None);
    ensure!(need <= available, "requires {} of memory; {} available", size(need), size(available));
    let progress = TablesProgress::new(missing.iter().map(|&slice| tables.work(slice)).fold(0, u64::saturating_add));
    let mut solve_all = || {
        for &slice in &missing {
            progress.part(format!("solving {slice}"));
            let solver = Solver { tables: &*tables, threads, is_stopped: &|| false, done: &progress.done };
            match solver.solve(slice) {
                Ok(table) => tables.add(table),
                Err(error @ SolveError::Pool(_)) => return Err(error.into()),
                Err(error) => progress.progress.print_line(&format!("{slice} skipped: {error}")),
            }
        }
        Ok(())
    };
    // A probe solves its tables at once, so only long work needs a thread that shows the progress.
    if need < MAX_BYTES_WITHOUT_PROGRESS { solve_all() } else { progress.during(solve_all) }
}

/// Memory requirement in bytes below which slices are solved without showing the progress.
const MAX_BYTES_WITHOUT_PROGRESS: u64 = 1 << 24;

/// Adds `slices` to `tables`. The slices are memory-mapped from the folder or, if no folder is given, solved in memory.
/// Reports slices without a usable file, and returns whether all slices are present.
pub(super) fn load_tables<W: Word>(
    folder: Option<&Path>,
    variant: Variant,
    slices: &[Slice],
    tables: &mut Tables<W>,
    threads: NonZeroUsize,
) -> Result<bool> {
    let Some(path) = folder else {
        solve(slices, tables, threads)?;
        return Ok(true);
    };
    let missing = map(TableFolder { path, variant }, slices, tables);
    if !missing.is_empty() {
        let names: Vec<_> = missing.iter().map(Slice::to_string).collect();
        print_line(&format!("missing files: {}", names.join(", ")));
    }
    Ok(missing.is_empty())
}

/// Fails if a probe has found a damaged block in a file in `folder`. The results of the probes are then incomplete.
pub(super) fn ensure_readable<W: Word>(folder: Option<&Path>, tables: &Tables<W>) -> Result<()> {
    let damaged = folder.map(|folder| tables.damaged_files(folder)).unwrap_or_default();
    let names: Vec<_> = damaged.iter().map(|path| path.display().to_string()).collect();
    ensure!(names.is_empty(), "{}: damaged; use `soffio tables verify` to check all files", names.join(", "));
    Ok(())
}

/// Returns the current position of `game`, or `None` if the bitboards of the game do not have the type `W`.
pub(super) fn position_of<W: Word>(game: &WrittenGame) -> Option<Position<W>> {
    with_width!(game.game().history(), history => (history.position() as &dyn Any).downcast_ref().copied())
}

/// Returns the moves of the best line from `position`, which must be the current position of `game`.
pub(super) fn best_line_of<W: Word>(
    prober: &mut Prober<'_, W>,
    game: &WrittenGame,
    position: &Position<W>,
) -> Vec<String> {
    let moves: Vec<_> = best_line(prober, position).iter().map(|mv| mv.widened()).collect();
    game.line_text(&moves)
}
