//! `soffio puzzles`: generates puzzles from games.

use super::input::{EncodingArguments, is_standard_input, open};
use super::progress::{Progress, say, stop_on_signal};
use super::values::{integer, variant};
use anyhow::Result;
use clap::Args;
use parking_lot::Mutex;
use soffio::notation::pdn::decode;
use soffio::rules::Variant;
use soffio::shard::Shard;
use soffio_batch::batch::{BatchEngineSettings, BatchState, Done, FinishedAnswer, InputForm, SideBySide};
use soffio_batch::puzzles::{Collection, Miner, PuzzleFormat, RawSource};
use soffio_support::of_file::{OfFile, about};
use soffio_support::stdio::MARK;
use soffio_support::words::counted;
use std::fs;
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct PuzzlesArguments {
    /// Game records (PDN), games of `soffio selfplay`, records of `soffio batch`; or puzzles, which are written in
    /// another form; - for standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The game of records that name none.
    #[arg(long, value_parser = variant)]
    variant: Option<Variant>,
    #[command(flatten)]
    encoding: EncodingArguments,
    /// Positions that are searched for the proof of each move.
    #[arg(long, default_value_t = 20_000, value_parser = integer::<u64>(1_000..=u64::MAX))]
    nodes: u64,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    #[arg(value_parser = integer::<usize>(1..=65_536))]
    hash: usize,
    /// Use the endgame tables in this folder, beside those of few pieces that are made in memory.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Engines side by side.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN, value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: NonZeroUsize,
    /// Keep what is done in this file, a line for each game, and go on from it if it is there.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Look only at a part of the games: the parts 1/N to N/N together are all of them.
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    shard: Shard,
    #[command(flatten)]
    form: FormArguments,
}

/// The form of the puzzles.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct FormArguments {
    /// Print them as lines of JSON, as it is done without any of these.
    #[arg(long)]
    json: bool,
    /// Print game records with FEN and solution.
    #[arg(long)]
    pdn: bool,
    /// Print what the server lidraughts imports.
    #[arg(long)]
    lidraughts: bool,
    /// Print a page of boards to solve.
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

/// Returns whether all games could be read.
pub fn mine_puzzles(arguments: &PuzzlesArguments) -> Result<bool> {
    let (mut collection, mut mined) = (Collection::default(), Vec::new());
    for path in &arguments.files {
        let mut input = open(path)?;
        if has_puzzles(&mut input).of_file(path)? {
            add_puzzles(&mut collection, path, input)?
        } else {
            mined.push((path, input))
        }
    }
    let mut is_whole = true;
    if !mined.is_empty() {
        is_whole = mine(arguments, mined, &mut collection)?;
    }
    let title = arguments.files.first().map(|path| name_of(path)).unwrap_or_default();
    let mut output = BufWriter::new(io::stdout().lock());
    collection.write(arguments.form.format(), &title, &mut output)?;
    output.flush()?;
    let Collection { puzzles, doubled, unfit, .. } = &collection;
    let unfit = if *unfit > 0 { format!(", {unfit} of them not for this form") } else { String::new() };
    let same =
        if *doubled > 0 { format!(", {doubled} more are the same up to mirror and colours") } else { String::new() };
    say(&(counted(puzzles.len(), "puzzle") + &unfit + &same));
    Ok(is_whole)
}

/// Returns the prefix of the IDs of the games of `path`.
fn name_of(path: &Path) -> String {
    if is_standard_input(path) {
        "stdin".to_owned()
    } else {
        path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}

fn has_puzzles(input: &mut dyn BufRead) -> io::Result<bool> {
    let start = input.fill_buf()?;
    let line = String::from_utf8_lossy(start.split(|&byte| byte == b'\n').next().unwrap_or_default());
    let line = line.trim_start_matches(MARK);
    Ok(line.starts_with('{') && (line.contains("\"solution\":") || line.contains("\"puzzles\":")))
}

/// Reports lines without a puzzle.
pub(super) fn add_file(collection: &mut Collection, path: &Path) -> Result<()> {
    add_puzzles(collection, path, open(path)?)
}

fn add_puzzles(collection: &mut Collection, path: &Path, mut input: impl Read) -> Result<()> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).of_file(path)?;
    let text = decode(&bytes).text;
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        if let Err(error) = collection.add_line(line) {
            say(&format!("{}: line {number}: {error}", path.display()));
        }
    }
    Ok(())
}

fn mine(
    arguments: &PuzzlesArguments,
    files: Vec<(&PathBuf, Box<dyn BufRead + Send>)>,
    collection: &mut Collection,
) -> Result<bool> {
    let settings = BatchEngineSettings {
        hash: arguments.hash,
        tables: arguments.tables.clone(),
        ..BatchEngineSettings::default()
    };
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
    let (done, mut file) = match &arguments.resume {
        Some(path) => {
            let (done, file) = Done::open(path)?;
            (done, Some(file))
        }
        None => (Done::default(), None),
    };
    let judges = settings.judges(arguments.threads)?;
    let miners: Vec<_> = judges.into_iter().map(|judge| Miner::new(judge, arguments.nodes)).collect();
    let stop = stop_on_signal()?;
    let (progress, done) = (Progress::new(), Mutex::new(done));
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
    // Receives the lines if no file keeps them.
    let mut kept = Vec::new();
    let output: &mut (dyn Write + Send) = match &mut file {
        Some(file) => file,
        None => &mut kept,
    };
    let mut report = |state: BatchState| {
        let BatchState { requests, before, records, .. } = state;
        progress.show((requests + before, 0), || {
            let (games, puzzles) = (counted(requests, "game"), counted(records, "puzzle"));
            format!("{games} and {before} before, {puzzles}")
        });
    };
    let side_by_side = SideBySide { is_ordered: true, stop: &stop, output, report: &mut report };
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
