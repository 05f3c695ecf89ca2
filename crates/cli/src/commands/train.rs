//! `soffio train`: trains evaluation weights on self-play games.

use crate::input::ensure_none_is_output;
use crate::plot::loss_curves;
use crate::progress::{Progress, stop_on_signal};
use crate::values::{any_variant, integer, number_in};
use anyhow::Result;
use clap::Args;
use soffio::eval::nnue::read_weights;
use soffio::rules::Variant;
use soffio::tables::Adjudicator;
use soffio_support::output_file::OutputFile;
use soffio_support::words::counted;
use soffio_training::data::TRUNCATED;
use soffio_training::{Epoch, TrainingProgress, TrainingResult, TrainingSettings, train};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

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
        let default = TrainingSettings::for_rules(self.variant.spec());
        TrainingSettings {
            rate: self.rate.unwrap_or(default.rate),
            decay: self.decay.unwrap_or(default.decay),
            epochs: self.epochs.unwrap_or(default.epochs),
            first_ply: self.first_ply.unwrap_or(default.first_ply),
            score_share: self.score_share.unwrap_or(default.score_share),
            held_out: self.held_out.map_or(default.held_out, f64::from),
            seed: self.seed.unwrap_or(default.seed),
            ..default
        }
    }
}

pub fn train_weights(arguments: &TrainArguments) -> Result<()> {
    let files = arguments.files.iter().map(PathBuf::as_path);
    ensure_none_is_output(files.clone(), [arguments.out.as_path()])?;
    let plot = arguments.plot.as_deref();
    ensure_none_is_output(files.chain(arguments.start_from.as_deref()), plot)?;
    let out = OutputFile::new(&arguments.out, arguments.overwrite)?;
    let plot = OutputFile::optional(plot, arguments.overwrite)?;
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
                bar.print_line(&format!("epoch {epoch}: loss {fit:.5}, held out {held_out:.5}"));
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
    let learned = train(arguments.variant, &arguments.files, &settings, tables.as_ref(), &note, &mut progress);
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
    writeln!(output, "a man is worth {:.3} logits, {} weights clamped", report.man_logits, report.clamped)?;
    Ok(writeln!(output, "{} bytes in {}", bytes.len(), arguments.out.display())?)
}
