//! `soffio selfplay`, `soffio data`, `soffio train` and `soffio tune`: generates self-play games, inspects their files,
//! trains evaluation weights, and tunes search parameters.

use super::input::ensure_not_output;
use super::plot::loss_curves;
use super::progress::{Progress, or_cores, say, stop_on_signal};
use super::values::{any_variant, integer, number_in};
use anyhow::{Result, anyhow, ensure};
use clap::Args;
use soffio::eval::learned::read_weights;
use soffio::rules::Variant;
use soffio::shard::Shard;
use soffio::tables::Adjudicator;
use soffio_support::of_file::OfFile;
use soffio_support::output_file::{NewContent, OutputFile};
use soffio_support::words::{counted, duration};
use soffio_training::data::{CSV_HEADINGS, DataFile, DataSummary, DataWriter, TRUNCATED, TrainingGame};
use soffio_training::self_play::{Limit, SelfPlayCounts, SelfPlayPlan, SelfPlayer, play};
use soffio_training::tune::{TuningPlan, tune};
use soffio_training::{Epoch, TrainingProgress, TrainingResult, TrainingSettings, learn};
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
pub struct SelfPlayArguments {
    /// Variant, as listed by `soffio variants`
    #[arg(long, value_parser = any_variant)]
    variant: Variant,
    /// Total number of games in all shards (1 to 1000000000)
    #[arg(long, value_name = "N", value_parser = integer::<u64>(1..=1_000_000_000))]
    games: u64,
    /// Number of nodes per move (at least 1) if --depth is not given
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = integer::<u64>(1..=u64::MAX))]
    nodes: u64,
    /// Search depth per move in plies (1 to 60), instead of --nodes
    #[arg(long, value_name = "N", conflicts_with = "nodes", value_parser = integer::<u8>(1..=60))]
    depth: Option<u8>,
    /// Random seed
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = integer::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Play only shard K/N of the games; the shards 1/N to N/N together cover all games
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    shard: Shard,
    /// Output file for the games; if it exists, the run is resumed
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of concurrent games; does not affect the output [default: number of cores]
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: Option<NonZeroUsize>,
    /// Evaluations to use (material, learned), separated by commas; each plays a share of the games against itself
    /// [default: learned if there are weights, otherwise material]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = player)]
    players: Vec<SelfPlayer>,
    /// Weights file for the `learned` evaluation [default: built-in weights]
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Folder with endgame tables for searching and for adjudicating games (see `soffio tables build`)
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Percentage of games that start with a random endgame of 4 to 12 pieces (0 to 100)
    #[arg(long, value_name = "PERCENT", default_value_t = SelfPlayPlan::DEFAULT_ENDINGS, value_parser = integer::<u8>(0..=100))]
    endings: u8,
    /// Maximum random change to the evaluation of a position, in cp (0 to 1000)
    #[arg(long, value_name = "CP", default_value_t = 10, value_parser = integer::<u16>(0..=1000))]
    noise: u16,
}

fn player(name: &str) -> Result<SelfPlayer, String> {
    let found = SelfPlayer::ALL.iter().copied().find(|player| player.name().eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        format!("expected one of {}", SelfPlayer::ALL.iter().map(|player| player.name()).collect::<Vec<_>>().join(", "))
    })
}

impl SelfPlayArguments {
    fn plan(&self) -> SelfPlayPlan {
        let has_weights = self.eval_file.is_some() || SelfPlayer::Learned.can_play(self.variant);
        let by_default = if has_weights { SelfPlayer::Learned } else { SelfPlayer::Material };
        let players = if self.players.is_empty() { vec![by_default] } else { self.players.clone() };
        SelfPlayPlan {
            variant: self.variant,
            limit: self.depth.map_or(Limit::Nodes(self.nodes), Limit::Depth),
            seed: self.seed,
            players,
            eval_file: self.eval_file.clone(),
            tables: self.tables.clone(),
            endings: self.endings,
            noise: self.noise,
        }
    }
}

/// Plays the games. Returns whether all of them were played.
pub fn play_self(arguments: &SelfPlayArguments) -> anyhow::Result<bool> {
    let stop = stop_on_signal()?;
    let (threads, started, progress) = (or_cores(arguments.threads), Instant::now(), Progress::new());
    let part = (arguments.games, arguments.shard);
    let result = play(&arguments.plan(), part, &arguments.out, threads, &stop, &mut |played| {
        progress.show((played.resumed + played.played, played.total), || {
            format!("{}, {} left", state(played, started.elapsed()), left(played, started.elapsed()))
        });
    });
    drop(progress);
    let played = result.of_file(&arguments.out)?;
    let is_whole = played.resumed + played.played >= played.total;
    writeln!(io::stdout(), "{}, {}", state(played, started.elapsed()), end(is_whole))?;
    Ok(is_whole)
}

fn end(is_whole: bool) -> &'static str {
    if is_whole { "done" } else { "interrupted: run the same command to resume" }
}

fn state(SelfPlayCounts { resumed, played, total, positions, .. }: SelfPlayCounts, time: Duration) -> String {
    let done = resumed + played;
    let rate = played as f64 / time.as_secs_f64().max(1e-3);
    let (total, positions) = (counted(total, "game"), counted(positions, "position"));
    format!("{done} of {total}, {positions}, {rate:.1} games/s")
}

fn left(SelfPlayCounts { resumed, played, total, .. }: SelfPlayCounts, time: Duration) -> String {
    let left = time.as_secs_f64() * total.saturating_sub(resumed + played) as f64 / played as f64;
    Duration::try_from_secs_f64(left).map_or("an unknown time".to_owned(), duration)
}

#[derive(Debug, Args)]
pub struct DataArguments {
    /// Print positions as FEN;result;score;ply, with result and score for the side to move
    #[arg(long, conflicts_with_all = ["csv", "split"])]
    text: bool,
    /// Print positions as comma-separated values
    #[arg(long, conflicts_with = "split")]
    csv: bool,
    /// Write every N-th game to the first file of --into, and the other games to the second file (N must be at least 2)
    #[arg(long, value_name = "N", requires = "into", value_parser = integer::<u64>(2..=u64::MAX))]
    split: Option<u64>,
    /// Output files for --split
    #[arg(long, num_args = 2, value_names = ["FIRST", "SECOND"], requires = "split")]
    into: Vec<PathBuf>,
    /// Overwrite existing output files
    #[arg(long, requires = "into")]
    overwrite: bool,
    /// Self-play game files, as written by `soffio selfplay`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Shows or splits the games. Returns whether the files are complete.
pub fn show_data(arguments: &DataArguments) -> Result<bool> {
    match (&arguments.into[..], arguments.split) {
        ([first, second], Some(split)) => split_games(arguments, split, [first, second]),
        _ if arguments.text || arguments.csv => print_positions(arguments),
        _ => count(arguments),
    }
}

/// Calls `visit` for each game in the files. Returns whether the files are complete.
fn for_each_game(files: &[PathBuf], mut visit: impl FnMut(&DataFile, &TrainingGame) -> Result<()>) -> Result<bool> {
    let (mut first, mut is_whole) = (None, true);
    for path in files {
        ensure_not_output(path, None)?;
        let mut file = DataFile::open(path).of_file(path)?;
        let header = first.get_or_insert_with(|| file.header.clone());
        file.header.check_game(header).of_file(path)?;
        while let Some(game) = file.next() {
            visit(&file, &game.of_file(path)?)?;
        }
        if file.is_truncated {
            say(&format!("{}: {TRUNCATED}", path.display()));
            is_whole = false;
        }
    }
    Ok(is_whole)
}

fn print_positions(arguments: &DataArguments) -> Result<bool> {
    let mut output = BufWriter::new(io::stdout().lock());
    if arguments.csv {
        writeln!(output, "{CSV_HEADINGS}")?;
    }
    let is_whole = for_each_game(&arguments.files, |file, game| {
        let name = &file.header.identity.variant;
        let spec = Variant::called(name).ok_or_else(|| anyhow!("unknown variant {name}"))?.spec();
        for position in &game.positions {
            let line = if arguments.csv { position.csv(spec, game) } else { position.line(spec, game) };
            writeln!(output, "{line}")?;
        }
        Ok(())
    })?;
    output.flush()?;
    Ok(is_whole)
}

fn count(arguments: &DataArguments) -> Result<bool> {
    let mut output = io::stdout().lock();
    for path in &arguments.files {
        let file = DataFile::open(path).of_file(path)?;
        writeln!(output, "{}: {}", path.display(), file.header.plan)?;
    }
    let mut summary = DataSummary::default();
    let is_whole = for_each_game(&arguments.files, |_, game| {
        summary.add(game);
        Ok(())
    })?;
    let DataSummary { games, duplicate_games, outcomes: [lost, drawn, won], positions, quiet, duplicates, .. } =
        summary;
    writeln!(
        output,
        "games {games}: white wins {won}, draws {drawn}, black wins {lost}; duplicates {duplicate_games}"
    )?;
    writeln!(output, "positions {positions}: quiet {quiet}, duplicates {duplicates}")?;
    Ok(is_whole)
}

fn split_games(arguments: &DataArguments, split: u64, paths: [&PathBuf; 2]) -> Result<bool> {
    let [first, second] = paths.map(|path| OutputFile::new(path, arguments.overwrite));
    let halves = [first?, second?];
    let writings = halves.iter().map(OutputFile::begin).collect::<io::Result<Vec<_>>>()?;
    let mut writers: Vec<(DataWriter, &PathBuf)> = Vec::new();
    let mut games = 0_u64;
    let is_whole = for_each_game(&arguments.files, |file, game| {
        if writers.is_empty() {
            for (path, writing) in paths.into_iter().zip(&writings) {
                writers.push((DataWriter::new(writing.raw_file()?, file.header.clone()).of_file(path)?, path));
            }
        }
        let place = usize::from(!games.is_multiple_of(split));
        games += 1;
        writers.get_mut(place).map_or(Ok(()), |(writer, path)| writer.write(game).of_file(path))
    })?;
    ensure!(games > 0, "no games to split");
    writers.iter_mut().try_for_each(|(writer, path)| writer.flush().of_file(path))?;
    writings.into_iter().try_for_each(NewContent::finish)?;
    let ([first, second], count) = (paths.map(|path| path.display()), games.div_ceil(split));
    writeln!(io::stdout(), "{} in {first}, {} in {second}", counted(count, "game"), games - count)?;
    Ok(is_whole)
}

#[derive(Debug, Args)]
pub struct TrainArguments {
    /// Variant, as listed by `soffio variants`
    #[arg(long, value_parser = any_variant)]
    variant: Variant,
    /// Output file for the weights
    #[arg(long, value_name = "WEIGHTS")]
    out: PathBuf,
    /// Peak learning rate (above 0) [default: 0.0015]
    #[arg(long, value_name = "RATE", value_parser = number_in(f32::MIN_POSITIVE..=f32::MAX, "expected a number above 0"))]
    rate: Option<f32>,
    /// Weight decay, as a fraction per step at learning rate 1 [default: 0.2]
    #[arg(long, value_name = "DECAY", value_parser = number_in(0.0..=f32::MAX, "expected a number of at least 0"))]
    decay: Option<f32>,
    /// Number of epochs (1 to 1000) [default: 12]
    #[arg(long, value_name = "N", value_parser = integer::<u32>(1..=1000))]
    epochs: Option<u32>,
    /// Skip positions before this ply of a game (0 to 65535) [default: 8]
    #[arg(long, value_name = "PLY", value_parser = integer::<u16>(0..=u16::MAX.into()))]
    first_ply: Option<u16>,
    /// Share of the search score in the target, from 0 (results only) to 1 [default: 0.7]
    #[arg(long, value_name = "SHARE", value_parser = number_in(0.0..=1.0, "expected a number from 0 to 1"))]
    score_share: Option<f32>,
    /// Distance from the end of a game, in plies, at which the weight of its result has fallen to 1/e; 0 for a constant
    /// weight [default: 0]
    #[arg(long, value_name = "PLIES", value_parser = integer::<u16>(0..=u16::MAX.into()))]
    fading: Option<u16>,
    /// Share of the games to hold out for validation, from 0 to 1 [default: 0.08]
    #[arg(long, value_name = "SHARE", value_parser = number_in(0.0..=1.0, "expected a number from 0 to 1"))]
    held_out: Option<f32>,
    /// Seed for the initial weights, the order of positions and the choice of held-out games [default: 1]
    #[arg(long, value_name = "SEED", value_parser = integer::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Weights file to start from, for this variant or a different variant on the same board [default: random weights]
    #[arg(long, value_name = "WEIGHTS")]
    start_from: Option<PathBuf>,
    /// Folder with endgame tables for correcting game results
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Write an SVG plot of the training loss to FILE
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Overwrite existing output files
    #[arg(long)]
    overwrite: bool,
    /// Self-play game files, as written by `soffio selfplay`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl TrainArguments {
    fn settings(&self) -> TrainingSettings {
        let default = TrainingSettings::of(self.variant.spec());
        TrainingSettings {
            rate: self.rate.unwrap_or(default.rate),
            decay: self.decay.unwrap_or(default.decay),
            epochs: self.epochs.unwrap_or(default.epochs),
            first_ply: self.first_ply.unwrap_or(default.first_ply),
            score_share: self.score_share.unwrap_or(default.score_share),
            fading: self.fading.map_or(default.fading, f32::from),
            held_out: self.held_out.map_or(default.held_out, f64::from),
            seed: self.seed.unwrap_or(default.seed),
            ..default
        }
    }
}

pub fn train_weights(arguments: &TrainArguments) -> anyhow::Result<()> {
    let out = OutputFile::new(&arguments.out, arguments.overwrite)?;
    let plot = OutputFile::optional(arguments.plot.as_deref(), arguments.overwrite)?;
    let stop = stop_on_signal()?;
    let start = arguments.start_from.as_deref().map(read_weights).transpose()?;
    let settings = TrainingSettings { start, ..arguments.settings() };
    let tables = arguments.tables.as_deref().map(|folder| Adjudicator::open(folder, arguments.variant)).transpose()?;
    let bar = Progress::new();
    let mut progress = |progress| {
        match progress {
            TrainingProgress::Read(counts) => bar.show((0, 0), || format!("{} read", counted(counts.games, "game"))),
            TrainingProgress::Batch { epoch, done, all } => {
                bar.show((done as u64, all as u64), || format!("epoch {epoch}, batch {done}/{all}"));
            }
            TrainingProgress::Epoch(Epoch { epoch, fit, held_out }) => {
                bar.say(&format!("epoch {epoch}: loss {fit:.5}, held out {held_out:.5}"));
            }
        }
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let note = |trained: &TrainingResult| {
        let (report, plans) = (&trained.report, &trained.plans);
        let plans: Vec<String> = plans.iter().map(|(plan, games)| format!("{games} games: {plan}")).collect();
        let (positions, epoch) = (report.counts.fit, report.best.epoch);
        let before = settings.start.as_ref().map_or(String::new(), |file| format!("; initial weights: {}", file.note));
        format!("{positions} positions, {settings}, best epoch {epoch}; {}{before}", plans.join("; "))
    };
    let learned = learn(arguments.variant, &arguments.files, &settings, tables.as_ref(), &note, &mut progress);
    drop(bar);
    let (bytes, trained) = learned?;
    out.write(&bytes)?;
    if let Some(file) = plot {
        let title = format!("Training {}", arguments.variant);
        file.write(loss_curves(&title, &trained.report.epochs)?.as_bytes())?;
    }
    let mut output = io::stdout().lock();
    for path in &trained.truncated {
        writeln!(output, "{}: {TRUNCATED}", path.display())?;
    }
    let (report, counts) = (&trained.report, trained.report.counts);
    writeln!(output, "{}, {}", counted(counts.games, "game"), counted(counts.positions, "position"))?;
    if tables.is_some() {
        writeln!(output, "results corrected by endgame tables: {}", counted(counts.corrected, "position"))?;
    }
    writeln!(
        output,
        "skipped: {} not quiet, {} early, {} without a score, {} duplicates",
        counts.not_quiet, counts.early, counts.unscored, counts.duplicates
    )?;
    writeln!(output, "trained on {}, held out {}", counts.fit, counts.held_out)?;
    let start = report.epochs.first().map_or(0.0, |epoch| epoch.held_out);
    let Epoch { epoch, held_out, .. } = report.best;
    writeln!(output, "loss on held-out games: {start:.5} before, {held_out:.5} after epoch {epoch}")?;
    writeln!(output, "a man is {:.3} logits, {} weights clamped", report.man_logits, report.clamped)?;
    Ok(writeln!(output, "{} bytes in {}", bytes.len(), arguments.out.display())?)
}

#[derive(Debug, Args)]
pub struct TuneArguments {
    /// Variants to tune for, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = any_variant, default_value = "english,international,russian")]
    variants: Vec<Variant>,
    /// Number of nodes per move (at least 1)
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = integer::<u64>(1..=u64::MAX))]
    nodes: u64,
    /// Total number of iterations (1 to 1000000), which also determines the step sizes
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = integer::<u32>(1..=1_000_000))]
    iterations: u32,
    /// Number of game pairs per variant in each iteration (1 to 1000)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer::<u32>(1..=1000))]
    pairs: u32,
    /// Random seed
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = integer::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Run shard K/N; each shard is an independent run
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    shard: Shard,
    /// Number of concurrent games; does not affect the journal [default: number of cores]
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: Option<NonZeroUsize>,
    /// Journal file; if it exists, the run is resumed
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Tunes the parameters. Returns whether all iterations were completed.
pub fn tune_search(arguments: &TuneArguments) -> anyhow::Result<bool> {
    let (stop, threads, progress) = (stop_on_signal()?, or_cores(arguments.threads), Progress::new());
    let plan = TuningPlan {
        variants: arguments.variants.clone(),
        limit: Limit::Nodes(arguments.nodes),
        iterations: arguments.iterations,
        pairs: arguments.pairs,
        seed: arguments.seed,
        shard: arguments.shard,
    };
    let all = u64::from(plan.iterations);
    let found = tune(&plan, &arguments.out, threads, &stop, &mut |tuning| {
        progress.show((tuning.done.into(), all), || format!("{} of {all} iterations", tuning.done));
    });
    drop(progress);
    let tuning = found.of_file(&arguments.out)?;
    let mut output = io::stdout().lock();
    for (parameter, value) in tuning.values() {
        writeln!(output, "{:24} {:6} {value:9.2}", parameter.name, parameter.value)?;
    }
    let done = tuning.done;
    let is_whole = u64::from(done) >= all;
    writeln!(output, "{done} of {all} iterations, {}", end(is_whole))?;
    Ok(is_whole)
}
