//! `soffio puzzles` generates puzzles from games; `soffio solve` verifies problems.

use super::input::{EncodingArguments, ensure_not_output, is_standard_input, open, read};
use super::progress::{Progress, say, stop_on_signal};
use super::values::{integer, variant};
use anyhow::{Result, ensure};
use clap::Args;
use parking_lot::Mutex;
use soffio::notation::pdn::{PdnReader, ReadGame, decode};
use soffio::rules::Variant;
use soffio::shard::Shard;
use soffio_analysis::annotate::AnnotateError;
use soffio_analysis::puzzle::Prover;
use soffio_batch::batch::{
    AnsweredRequests, BatchEngine, BatchEngineSettings, BatchState, FinishedAnswer, InputForm, ParallelRun,
};
use soffio_batch::puzzles::{
    Collection, DraughtsProblem, Miner, ProblemVerdict, PuzzleFormat, RawSource, SourceForm, SourceInput,
};
use soffio_match::numbered_lines;
use soffio_support::of_file::{OfFile, about};
use soffio_support::words::counted;
use std::collections::BTreeMap;
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
    /// Print an HTML page on which the puzzles can be solved
    #[arg(long)]
    html: bool,
}

impl FormArguments {
    fn format(&self) -> PuzzleFormat {
        match self {
            Self { pdn: true, .. } => PuzzleFormat::Pdn,
            Self { lidraughts: true, .. } => PuzzleFormat::Lidraughts,
            Self { html: true, .. } => PuzzleFormat::Html,
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
        let source = SourceInput::new(open(path)?).of_file(path)?;
        if source.form == SourceForm::Puzzles {
            is_whole &= add_puzzles(&mut collection, path, source.input)?;
        } else {
            mined.push((path, source));
        }
    }
    if !mined.is_empty() {
        is_whole &= mine(arguments, mined, &mut collection)?;
    }
    let title = arguments.files.first().map(|path| name_of(path)).unwrap_or_default();
    let mut output = BufWriter::new(io::stdout().lock());
    collection.write(arguments.form.format(), &title, &mut output)?;
    output.flush()?;
    let Collection { puzzles, doubled, unfit, .. } = &collection;
    let unfit = if *unfit > 0 { format!(", {unfit} of them not supported by this format") } else { String::new() };
    let same = if *doubled > 0 {
        format!(", {} skipped (equal after mirroring or swapping colours)", counted(*doubled, "duplicate"))
    } else {
        String::new()
    };
    say(&(counted(puzzles.len(), "puzzle") + &unfit + &same));
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

/// Adds puzzles like [`add_file`]. Returns whether all lines are puzzles.
fn add_puzzles(collection: &mut Collection, path: &Path, mut input: impl Read) -> Result<bool> {
    let (mut bytes, mut is_whole) = (Vec::new(), true);
    input.read_to_end(&mut bytes).of_file(path)?;
    let text = decode(&bytes).text;
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        if let Err(error) = collection.add_line(line) {
            say(&format!("{}: line {number}: {error}", path.display()));
            is_whole = false;
        }
    }
    Ok(is_whole)
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
        let games = RawSource::all_of(name_of(&path), input, arguments.variant, form).of_file(&path)?;
        anyhow::Ok(games.map(move |game| game.map_err(|error| about(&path, &error))))
    };
    let sources = files.into_iter().map(games_of).collect::<Result<Vec<_>>>()?;
    let shard = arguments.shard;
    let sources =
        sources.into_iter().flatten().zip(0..).filter(move |(_, number)| shard.has(*number)).map(|(source, _)| source);
    let (done, mut file) = arguments.resume.as_deref().map(AnsweredRequests::open).transpose()?.unzip();
    let engines = settings.engines(arguments.threads)?;
    let miners: Vec<_> = engines.into_iter().map(|engine| Miner::new(engine, arguments.nodes)).collect();
    let stop = stop_on_signal()?;
    let (progress, done) = (Progress::new(), Mutex::new(done.unwrap_or_default()));
    let answer = |miner: &mut Miner, source: &RawSource| {
        let source = source.read(arguments.variant);
        if done.lock().take(&source.id, &source.hash) {
            return Some(FinishedAnswer::default());
        }
        let mined = miner.mine(source, &stop)?;
        if let Some(error) = &mined.error {
            progress.say(&format!("{}: {error}", mined.id));
        }
        let text = serde_json::to_string(&mined).unwrap_or_default() + "\n";
        Some(FinishedAnswer {
            lines: Some(text),
            records: mined.puzzles.len() as u64,
            errors: u64::from(mined.error.is_some()),
        })
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
        Some(path) => fs::read_to_string(path).of_file(path)?,
        None => String::from_utf8_lossy(&kept).into_owned(),
    };
    for line in text.lines() {
        if let Err(error) = collection.add_line(line) {
            progress.say(&error);
        }
    }
    Ok(errors == 0 && !stop.is_stopped())
}

#[derive(Debug, Args)]
pub struct SolveArguments {
    /// File with PDN records that contain a position and a solution, or with one FEN per line; - for standard input
    file: PathBuf,
    /// Variant for problems that do not name one
    #[arg(long, value_parser = variant)]
    variant: Option<Variant>,
    #[command(flatten)]
    encoding: EncodingArguments,
    /// Maximum number of nodes to search per move (at least 1000)
    #[arg(long, default_value_t = 200_000, value_parser = integer::<u64>(1_000..=u64::MAX))]
    nodes: u64,
    /// Transposition table size in MiB (1 to 65536)
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = integer::<usize>(1..=65_536))]
    hash: usize,
    /// Folder with endgame tables to use in the search (see `soffio tables build`)
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Also check the rules of composition: no kings in the start position, no superfluous pieces, a single solution
    #[arg(long)]
    composition: bool,
    /// Print one JSON object per problem
    #[arg(long)]
    json: bool,
}

/// Verifies the problems. Returns whether all of them could be read.
pub fn solve_problems(arguments: &SolveArguments) -> Result<bool> {
    let text = arguments.encoding.decode(&read(&arguments.file)?).text;
    let (hash, tables) = (arguments.hash, arguments.tables.clone());
    let settings = BatchEngineSettings { hash, tables, ..BatchEngineSettings::default() };
    let (mut engine, stop) = (BatchEngine::new(settings)?, stop_on_signal()?);
    let (mut is_whole, mut verdicts) = (true, BTreeMap::<ProblemVerdict, u64>::new());
    let problems = problems(&text, arguments.variant);
    ensure!(!problems.is_empty(), "{}: no problems found", arguments.file.display());
    for problem in problems {
        let problem = match problem {
            Ok(problem) => problem,
            Err(error) => {
                say(&format!("{}: {error}", arguments.file.display()));
                is_whole = false;
                continue;
            }
        };
        let mut prover = Prover::new(&mut engine.analyst, &stop);
        let report = match problem.evaluate(&mut prover, arguments.nodes, arguments.composition) {
            Ok(report) => report,
            Err(AnnotateError::Stopped) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        *verdicts.entry(report.verdict).or_default() += 1;
        let line = if arguments.json { serde_json::to_string(&report)? + "\n" } else { report.text() };
        io::stdout().lock().write_all(line.as_bytes())?;
    }
    let all = counted(verdicts.values().sum::<u64>(), "problem");
    let counts: Vec<_> = verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    say(&if counts.is_empty() { all } else { format!("{all}: {}", counts.join(", ")) });
    Ok(is_whole)
}

/// Parses `text` as PDN if any line is a tag, or as one position per line otherwise.
fn problems(text: &str, variant: Option<Variant>) -> Vec<Result<DraughtsProblem, String>> {
    let is_tag = |line: &str| line.trim_start_matches(['[', ' ']).starts_with(|c: char| c.is_ascii_alphabetic());
    if !numbered_lines(text).any(|(_, line)| line.starts_with('[') && is_tag(line)) {
        let problem = |(number, line): (usize, &str)| {
            let read = DraughtsProblem::of_line(number.to_string(), line, variant);
            read.map_err(|error| format!("line {number}: {error}"))
        };
        return numbered_lines(text).map(problem).collect();
    }
    let problem = |game: ReadGame<'_>| {
        let ReadGame { number, record, .. } = game;
        let event = record.tag("Event").filter(|event| !event.is_empty());
        let id = event.map_or_else(|| number.to_string(), |event| format!("{number} {event}"));
        DraughtsProblem::of_record(id, record, variant).map_err(|error| format!("game {number}: {error}"))
    };
    PdnReader::new(text).map(problem).collect()
}
