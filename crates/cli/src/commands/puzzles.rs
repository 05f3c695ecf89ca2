//! `soffio puzzles`: generates puzzles from games.

use crate::input::{EncodingArguments, ensure_not_output, is_standard_input, open};
use crate::progress::{Progress, print_line, stop_on_signal};
use crate::values::{integer, variant};
use anyhow::{Result, bail};
use clap::Args;
use parking_lot::Mutex;
use soffio::notation::pdn::decode;
use soffio::rules::Variant;
use soffio::shard::Shard;
use soffio_batch::batch::{
    AnswerSettings, AnsweredRequests, BatchEngineSettings, BatchState, FinishedAnswer, InputForm, ParallelRun,
};
use soffio_batch::puzzles::{Collection, Miner, PuzzleFormat, RawSource, SourceForm, SourceInput};
use soffio_board::{GameTree, Host, page};
use soffio_support::with_path::{WithPath, about};
use soffio_support::words::counted;
use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct PuzzlesArguments {
    /// PDN games, games from `soffio selfplay`, records from `soffio batch`, or puzzles to convert to another format; -
    /// for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Variant for games and records that do not name one
    #[arg(long, value_parser = variant)]
    variant: Option<Variant>,
    #[command(flatten)]
    encoding: EncodingArguments,
    /// Maximum number of nodes to search when proving a move (at least 1000)
    #[arg(long, default_value_t = 20_000, value_parser = integer::<u64>(1_000..=u64::MAX))]
    nodes: u64,
    /// Transposition table size in MiB (1 to 65536)
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = integer::<usize>(1..=65_536))]
    hash: usize,
    /// Folder with endgame tables to use in the search (see `soffio tables build`)
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Number of engines (at least 1), each with one thread
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN, value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: NonZeroUsize,
    /// Write the puzzles of each finished game to FILE; if FILE exists, resume and skip the games that it contains
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Search only shard K/N of the games; the shards 1/N to N/N together cover all games
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    shard: Shard,
    #[command(flatten)]
    form: FormArguments,
}

/// The output format of the puzzles.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct FormArguments {
    /// Print JSON lines (the default)
    #[arg(long)]
    json: bool,
    /// Print PDN records with the FEN and the solution
    #[arg(long)]
    pdn: bool,
    /// Print puzzles in the import format of the lidraughts server
    #[arg(long)]
    lidraughts: bool,
    /// Print an HTML page for solving the puzzles
    #[arg(long)]
    html: bool,
}

impl FormArguments {
    fn format(&self) -> PuzzleFormat {
        match self {
            Self { pdn: true, .. } => PuzzleFormat::Pdn,
            Self { lidraughts: true, .. } => PuzzleFormat::Lidraughts,
            _ => PuzzleFormat::Json,
        }
    }
}

/// Generates the puzzles. Returns whether all games and puzzles could be read.
pub fn mine_puzzles(arguments: &PuzzlesArguments) -> Result<bool> {
    let (mut collection, mut mined, mut is_whole) = (Collection::default(), Vec::new(), true);
    if let Some(kept) = &arguments.resume {
        arguments.files.iter().try_for_each(|path| ensure_not_output(path, Some(kept)))?;
    }
    for path in &arguments.files {
        let source = SourceInput::new(open(path)?).with_path(path)?;
        if source.form == SourceForm::Puzzles {
            is_whole &= add_puzzles(&mut collection, path, source.input)?;
        } else {
            mined.push((path, source));
        }
    }
    if !mined.is_empty() {
        is_whole &= mine(arguments, mined, &mut collection)?;
    }
    let mut output = BufWriter::new(io::stdout().lock());
    if arguments.form.html {
        let title = arguments.files.first().map(|path| name_of(path)).unwrap_or_default();
        let trees: Vec<_> = collection.records().filter_map(|record| GameTree::puzzle(&record).ok()).collect();
        output.write_all(page(&title, &trees, Host::None).as_bytes())?;
    } else {
        collection.write(arguments.form.format(), &mut output)?;
    }
    output.flush()?;
    let Collection { puzzles, duplicates, unfit, .. } = &collection;
    let unfit = if *unfit > 0 { format!(", {unfit} of them not supported by this format") } else { String::new() };
    let same = if *duplicates > 0 {
        format!(", {} skipped (equal after mirroring or swapping colours)", counted(*duplicates, "duplicate"))
    } else {
        String::new()
    };
    print_line(&(counted(puzzles.len(), "puzzle") + &unfit + &same));
    Ok(is_whole)
}

/// Returns the prefix for the IDs of the games in the file `path`.
fn name_of(path: &Path) -> String {
    if is_standard_input(path) {
        "stdin".to_owned()
    } else {
        path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// Adds the puzzles in a file to `collection`, and reports lines that are not puzzles.
pub(super) fn add_file(collection: &mut Collection, path: &Path) -> Result<()> {
    add_puzzles(collection, path, open(path)?).map(drop)
}

/// Adds puzzles like [`add_file`]. Returns whether all lines are puzzles. If no line is a puzzle, the error describes
/// the first line.
fn add_puzzles(collection: &mut Collection, path: &Path, mut input: impl Read) -> Result<bool> {
    let (mut bytes, mut faults, mut has_puzzle) = (Vec::new(), Vec::new(), false);
    input.read_to_end(&mut bytes).with_path(path)?;
    let text = decode(&bytes).text;
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        match collection.add_line(line) {
            Ok(()) => has_puzzle = true,
            Err(error) => faults.push(format!("line {number}: {error}")),
        }
    }
    if let Some(fault) = faults.first().filter(|_| !has_puzzle) {
        bail!("{}: no puzzles found; {fault}", path.display());
    }
    faults.iter().for_each(|fault| print_line(&format!("{}: {fault}", path.display())));
    Ok(faults.is_empty())
}

fn mine(
    arguments: &PuzzlesArguments,
    files: Vec<(&PathBuf, SourceInput)>,
    collection: &mut Collection,
) -> Result<bool> {
    let (hash, tables) = (arguments.hash, arguments.tables.clone());
    let settings = BatchEngineSettings { hash, tables, ..BatchEngineSettings::default() };
    let games_of = |(path, input): (&PathBuf, _)| {
        let form = InputForm::games(path, arguments.encoding.encoding)?;
        let path = path.clone();
        let games = RawSource::all_of(name_of(&path), input, arguments.variant, form).with_path(&path)?;
        anyhow::Ok(games.map(move |game| game.map_err(|error| about(&path, &error))))
    };
    let sources = files.into_iter().map(games_of).collect::<Result<Vec<_>>>()?;
    let shard = arguments.shard;
    let sources = sources
        .into_iter()
        .flatten()
        .zip(0..)
        .filter(move |(_, number)| shard.contains(*number))
        .map(|(source, _)| source);
    let (done, mut file) = arguments.resume.as_deref().map(AnsweredRequests::open).transpose()?.unzip();
    let engines = settings.engines(arguments.threads)?;
    let miners: Vec<_> = engines.into_iter().map(|engine| Miner::new(engine, arguments.nodes)).collect();
    let stop = stop_on_signal()?;
    let (progress, done) = (Progress::new(), Mutex::new(done.unwrap_or_default()));
    let answer = |miner: &mut Miner, source: &RawSource| {
        let source = source.read(arguments.variant);
        let mut known = done.lock();
        if let Some(fault) = &source.fault
            && known.failures(&source.id, &source.hash).contains(fault)
        {
            progress.print_line(&format!("{}: {fault}", source.id));
            return Ok(Some(FinishedAnswer { errors: 1, ..FinishedAnswer::default() }));
        }
        let settings = || Ok(AnswerSettings::for_variant(source.variant()));
        if known.take(&source.id, &source.hash, settings)?.is_some() {
            return Ok(Some(FinishedAnswer::default()));
        }
        drop(known);
        let Some(mined) = miner.mine(source, &stop) else { return Ok(None) };
        if let Some(error) = &mined.error {
            progress.print_line(&format!("{}: {error}", mined.id));
        }
        let text = serde_json::to_string(&mined).unwrap_or_default() + "\n";
        Ok(Some(FinishedAnswer {
            lines: Some(text),
            records: mined.puzzles.len() as u64,
            errors: u64::from(mined.error.is_some()),
        }))
    };
    // Lines that are not written to a file are collected here.
    let mut kept = Vec::new();
    let output: &mut (dyn Write + Send) = match &mut file {
        Some(file) => file,
        None => &mut kept,
    };
    let mut report = |state: BatchState| {
        let BatchState { requests, before, records, .. } = state;
        progress.show((requests + before, 0), || {
            let (games, puzzles) = (counted(requests, "game"), counted(records, "puzzle"));
            let before = if before > 0 { format!(" ({before} more from an earlier run)") } else { String::new() };
            format!("{games}{before}, {puzzles}")
        });
    };
    let side_by_side = ParallelRun { is_ordered: true, stop: &stop, output, report: &mut report };
    let BatchState { errors, .. } = side_by_side.run(sources, miners, &answer, BatchState::default())?;
    let text = match &arguments.resume {
        Some(path) => fs::read_to_string(path).with_path(path)?,
        None => String::from_utf8_lossy(&kept).into_owned(),
    };
    let before = collection.puzzles.len();
    for line in text.lines() {
        if let Err(error) = collection.add_line(line) {
            progress.print_line(&error);
        }
    }
    let others = collection.puzzles.iter().skip(before).filter(|puzzle| puzzle.nodes != arguments.nodes).count();
    if let (Some(path), 1..) = (&arguments.resume, others) {
        let (path, others) = (path.display(), counted(others, "puzzle"));
        progress.print_line(&format!("{path}: kept {others} that an earlier run found with a different --nodes limit"));
    }
    Ok(errors == 0 && !stop.is_stopped())
}
