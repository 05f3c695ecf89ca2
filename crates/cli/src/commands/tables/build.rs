//! `soffio tables build`: builds table files.

use super::folder::{TableArguments, TableFolder, memory_limit};
use super::pack::write_results;
use crate::progress::{TablesProgress, or_cores, print_line, stop_on_signal};
use crate::values::integer;
use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use soffio::position::with_width;
use soffio::rules::Word;
use soffio::stop::Stop;
use soffio::tables::distances::{path_of, write};
use soffio::tables::file::{FileError, remove_unfinished};
use soffio::tables::wld::MemoryOrder;
use soffio::tables::{AnyTables, Slice, SolveError, Solver, Tables};
use soffio_support::with_path::WithPath;
use soffio_support::words::{counted, size};
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;
use std::time::Instant;

const INTERRUPTED: &str = "interrupted: run the same command to build the missing slices";

#[derive(Debug, Args)]
pub struct BuildArguments {
    #[command(flatten)]
    tables: TableArguments,
    /// Memory limit for tables in MiB [default: available memory]
    #[arg(long, value_name = "MIB", value_parser = integer::<u64>(0..=u64::MAX))]
    memory: Option<u64>,
    /// Build WLD files, which contain wins, losses and draws but no distances; this takes less time, memory and space
    #[arg(long)]
    wld: bool,
    /// List the slices in build order instead of building them: layer, name, positions, bytes of memory, and whether
    /// the file exists; slices in the same layer can be built in parallel
    #[arg(long)]
    list: bool,
}

pub(super) fn build(arguments: &BuildArguments) -> Result<bool> {
    let (slices, folder) = (arguments.tables.slices()?, arguments.tables.folder());
    let contents = if arguments.wld { Contents::Results } else { Contents::Distances };
    with_width!(AnyTables::new(folder.variant), tables => {
        if arguments.list {
            list(contents, folder, &slices, &tables)
        } else {
            build_files(arguments, contents, folder, &slices, tables)
        }
    })?;
    Ok(true)
}

/// What the new files contain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contents {
    Distances,
    Results,
}

impl Contents {
    fn is_built(self, folder: TableFolder<'_>, slice: Slice) -> bool {
        match self {
            Self::Distances => folder.usable(slice).is_some(),
            Self::Results => folder.usable_results(slice).is_some(),
        }
    }

    /// Returns whether there is a file whose blocks are all valid.
    fn is_complete(self, folder: TableFolder<'_>, slice: Slice) -> bool {
        match self {
            Self::Distances => folder.open_verified(slice).is_some(),
            Self::Results => folder.open_verified_results(slice).is_some(),
        }
    }

    /// Returns the memory in bytes that is needed to build `slice`: for its own positions, and for the slices that its
    /// moves lead to. Files of results are read in place.
    fn memory<W: Word>(self, tables: &Tables<W>, slice: Slice) -> (u64, u64) {
        let needed = || slice.leads_to(tables.rules().spec()).into_iter().map(|needed| tables.size(needed));
        match self {
            Self::Distances => (tables.work(slice), needed().fold(0, u64::saturating_add)),
            Self::Results => (tables.memory_for_results(slice), 0),
        }
    }
}

fn list<W: Word>(contents: Contents, folder: TableFolder<'_>, slices: &[Slice], tables: &Tables<W>) -> Result<()> {
    let mut output = io::stdout().lock();
    let (mut layer, mut last) = (0, None);
    for &slice in slices {
        let material = slice.material();
        let place = Some((material.pieces(), material.men()));
        if place != last {
            (layer, last) = (layer + 1, place);
        }
        let state = if contents.is_built(folder, slice) { "built" } else { "missing" };
        let (size, (own, others)) = (tables.size(slice), contents.memory(tables, slice));
        let memory = own.saturating_add(others);
        writeln!(output, "{layer} {slice} {size} {memory} {state}")?;
    }
    Ok(())
}

fn build_files<W: Word>(
    arguments: &BuildArguments,
    contents: Contents,
    folder: TableFolder<'_>,
    slices: &[Slice],
    tables: Tables<W>,
) -> Result<()> {
    let stop = stop_on_signal()?;
    let mut missing = Vec::new();
    for &slice in slices {
        ensure!(!stop.is_stopped(), INTERRUPTED);
        if !contents.is_complete(folder, slice) {
            missing.push(slice);
        }
    }
    let available = memory_limit(arguments.memory);
    check_memory(contents, &tables, &missing, available)?;
    let made = fs::create_dir_all(folder.path).and_then(|()| remove_unfinished(folder.path));
    made.with_path(folder.path)?;
    if arguments.tables.slice.is_some() {
        check_needed(contents, folder, &missing)?;
    }
    let solver_work = missing.iter().map(|&slice| tables.work(slice)).fold(0, u64::saturating_add);
    let progress = TablesProgress::new(solver_work);
    let threads = or_cores(arguments.tables.threads);
    let mut builder = Builder { contents, folder, tables, threads, available, stop: &stop, progress: &progress };
    let built = progress.during(|| builder.build_all(&missing))?;
    let all = slices.len();
    let before = all - missing.len();
    Ok(writeln!(io::stdout(), "{}: {built} built, {before} already built", counted(all, "slice"))?)
}

fn check_memory<W: Word>(contents: Contents, tables: &Tables<W>, missing: &[Slice], available: u64) -> Result<()> {
    let need = |slice: &Slice| {
        let (own, others) = contents.memory(tables, *slice);
        (own.saturating_add(others), own, others)
    };
    let Some(&largest) = missing.iter().max_by_key(|slice| need(slice)) else { return Ok(()) };
    let positions: u64 = missing.iter().map(|&slice| tables.size(slice)).fold(0, u64::saturating_add);
    let (all, own, others) = need(&largest);
    let figures = match others {
        0 => format!("{} of memory for {largest}", size(all)),
        others => format!(
            "{} of memory: {} for {largest}, {} for the slices it depends on",
            size(all),
            size(own),
            size(others)
        ),
    };
    let remedy = if contents == Contents::Distances { "use --wld or fewer pieces" } else { "use fewer pieces" };
    ensure!(all <= available, "requires {figures}; {} available: {remedy}", size(available));
    let (slices, positions) = (counted(missing.len(), "slice"), counted(positions, "position"));
    print_line(&format!("building {slices} with {positions}; requires {figures}"));
    Ok(())
}

/// Checks that valid files exist for all slices that can be reached by a move from one of the slices in `missing`.
fn check_needed(contents: Contents, folder: TableFolder<'_>, missing: &[Slice]) -> Result<()> {
    for &slice in missing {
        let mut needed = slice.leads_to(folder.variant.spec());
        // Results can be computed from either kind of file.
        let is_complete = |needed| {
            contents.is_complete(folder, needed)
                || (contents == Contents::Results && folder.open_verified(needed).is_some())
        };
        needed.retain(|&needed| !is_complete(needed));
        folder.ensure_needed(slice, &needed)?;
    }
    Ok(())
}

struct Builder<'a, W: Word> {
    contents: Contents,
    folder: TableFolder<'a>,
    tables: Tables<W>,
    threads: NonZeroUsize,
    /// Memory limit in bytes.
    available: u64,
    stop: &'a Stop,
    progress: &'a TablesProgress,
}

impl<W: Word> Builder<'_, W> {
    /// Builds `slices` and returns how many of them could be built.
    fn build_all(&mut self, slices: &[Slice]) -> Result<usize> {
        let spec = self.folder.variant.spec();
        let mut failed: Vec<Slice> = Vec::new();
        for (number, &slice) in (1..).zip(slices) {
            self.progress.part(format!("slice {number} of {}, {slice}", slices.len()));
            let needed = slice.leads_to(spec);
            let reason = match needed.iter().find(|needed| failed.contains(needed)) {
                Some(needed) => format!("it depends on {needed}, which was skipped"),
                None => match self.build(slice, &needed)? {
                    None => continue,
                    Some(reason) => reason,
                },
            };
            self.progress.progress.print_line(&format!("{slice} skipped: {reason}"));
            self.progress.done.fetch_add(self.tables.work(slice), Ordering::Relaxed);
            failed.push(slice);
        }
        Ok(slices.len() - failed.len())
    }

    /// Builds `slice`, whose moves lead to the slices in `needed`. Returns the reason if the slice cannot be built, or
    /// `None` if it was built.
    fn build(&mut self, slice: Slice, needed: &[Slice]) -> Result<Option<String>> {
        let began = Instant::now();
        let bytes = match self.contents {
            Contents::Distances => match self.build_distances(slice, needed)? {
                Ok(bytes) => bytes,
                Err(reason) => return Ok(Some(reason)),
            },
            Contents::Results => self.build_results(slice, needed)?,
        };
        let (size, seconds) = (self.tables.size(slice), began.elapsed().as_secs_f64());
        let line = format!("{slice} {}, {bytes} bytes, {seconds:.2} s", counted(size, "position"));
        self.progress.progress.with_lines(|| writeln!(io::stdout(), "{line}"))?;
        Ok(None)
    }

    fn solve<T>(&self, solve: impl FnOnce(&Solver<'_, W>) -> Result<T, SolveError>) -> Result<T, SolveError> {
        let (tables, threads, done) = (&self.tables, self.threads, &self.progress.done);
        solve(&Solver { tables, threads, is_stopped: &|| self.stop.is_stopped(), done })
    }

    /// Builds `slice` with distances and writes its file. Returns the size of the file, or the reason why the slice
    /// cannot be built.
    fn build_distances(&mut self, slice: Slice, needed: &[Slice]) -> Result<Result<u64, String>> {
        let missing =
            needed.iter().filter(|&&needed| !self.tables.contains(needed)).map(|&needed| self.tables.size(needed));
        let more = missing.sum::<u64>() + self.tables.work(slice);
        if self.tables.bytes_in_memory() + more > self.available {
            self.tables.retain(|held| needed.contains(&held));
        }
        self.folder.load(needed, &mut self.tables)?;
        let table = match self.solve(|solver| solver.solve(slice)) {
            Ok(table) => table,
            Err(error @ SolveError::TooLong(_)) => return Ok(Err(error.to_string())),
            Err(SolveError::Stopped) => bail!(INTERRUPTED),
            Err(error) => return Err(error.into()),
        };
        let (folder, variant) = (self.folder.path, self.folder.variant);
        let path = path_of(folder, variant, slice);
        write(folder, variant, &table, self.threads, self.stop).map_err(|error| match error {
            FileError::Io(error) if error.kind() == io::ErrorKind::Interrupted => anyhow!(INTERRUPTED),
            error => anyhow!("{}: {error}", path.display()),
        })?;
        self.tables.add(table);
        Ok(Ok(fs::metadata(&path)?.len()))
    }

    /// Builds `slice` without distances and writes its file. Returns the size of the file.
    fn build_results(&mut self, slice: Slice, needed: &[Slice]) -> Result<u64> {
        for &needed in needed {
            if self.tables.counts(needed.material()).is_some() {
                continue;
            }
            if let Some(file) = self.folder.usable_results(needed) {
                self.tables.add_results(file);
            } else if let Some(file) = self.folder.usable(needed) {
                self.tables.add_file(file);
            }
        }
        let spare = self.available.saturating_sub(self.tables.memory_for_results(slice));
        self.tables.unpack_only(needed, spare / 2, MemoryOrder::File);
        let results = match self.solve(|solver| solver.solve_results(slice)) {
            Ok(results) => results,
            Err(SolveError::Stopped) => bail!(INTERRUPTED),
            Err(error) => return Err(error.into()),
        };
        let file = write_results(self.folder, &results, self.threads, self.stop)?;
        let file = file.ok_or_else(|| anyhow!(INTERRUPTED))?;
        let bytes = file.size() as u64;
        self.tables.add_results(file);
        Ok(bytes)
    }
}
