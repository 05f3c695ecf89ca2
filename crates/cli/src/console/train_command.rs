//! `soffio train`: from files of games to a file of weights.

use super::output_file::OutputFile;
use super::plot::loss_curves;
use super::progress::{Progress, stop_on_signal};
use super::tables_command::variant;
use clap::Args;
use soffio::rules::Variant;
use soffio::train::{Epoch, Trained, TrainingProgress, TrainingSettings, learn};
use std::io::{self, Write};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;

/// Arguments of `soffio train`.
#[derive(Debug, Args)]
pub struct TrainArguments {
    /// The game.
    #[arg(long, value_name = "V", value_parser = variant)]
    variant: Variant,
    /// The file for the weights.
    #[arg(long, value_name = "WEIGHTS")]
    out: PathBuf,
    /// The rate of learning at its highest.
    #[arg(long, value_name = "RATE", value_parser = number_in(f32::MIN_POSITIVE..=f32::MAX, "this must be a number above 0"))]
    rate: Option<f32>,
    /// The part of each weight that a step of rate 1 takes away: more keeps weights smaller.
    #[arg(long, value_name = "PART", value_parser = number_in(0.0..=f32::MAX, "this must be a number from 0 on"))]
    decay: Option<f32>,
    /// How many times all positions are learned from.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: Option<u32>,
    /// Positions before this ply of a game are left out.
    #[arg(long, value_name = "PLY")]
    first_ply: Option<u16>,
    /// The share of the search score, from 0 to 1, in what is learned; the rest is the result. Without it 0.5.
    #[arg(long, value_name = "SHARE", value_parser = number_in(0.0..=1.0, "a share is a number from 0 to 1"))]
    score_share: Option<f32>,
    /// The plies before the end of a game after which its result counts for no more than a third; 0 if it always counts whole.
    #[arg(long, value_name = "PLIES")]
    fading: Option<u16>,
    /// The share of the games, from 0 to 1, that are held out.
    #[arg(long, value_name = "SHARE", value_parser = number_in(0.0..=1.0, "a share is a number from 0 to 1"))]
    held_out: Option<f32>,
    /// Seed of the weights of the beginning, the order of positions and the choice of games held out.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Draw the loss into this file, as SVG.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Replace files that exist.
    #[arg(long)]
    overwrite: bool,
    /// Files of games, as `soffio selfplay` writes them.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// A parser of numbers in `range`, whose error is `wanted`.
fn number_in(range: RangeInclusive<f32>, wanted: &'static str) -> impl Fn(&str) -> Result<f32, &'static str> + Clone {
    move |text| text.parse().ok().filter(|number| range.contains(number)).ok_or(wanted)
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

/// Learns weights and writes them. Progress goes to standard error, the losses to standard output.
///
/// # Errors
/// When the files cannot be used or have too few positions, or the weights cannot be written.
pub fn train_weights(arguments: &TrainArguments) -> anyhow::Result<()> {
    let out = OutputFile::new(&arguments.out, arguments.overwrite)?;
    let plot = OutputFile::wanted(arguments.plot.as_deref(), arguments.overwrite)?;
    let (stop, settings) = (stop_on_signal()?, arguments.settings());
    let bar = Progress::new();
    let mut progress = |progress| {
        match progress {
            TrainingProgress::Read(counts) => bar.show((0, 0), || format!("{} games read", counts.games)),
            TrainingProgress::Batch { epoch, done, all } => {
                bar.show((done as u64, all as u64), || format!("epoch {epoch}, batch {done}/{all}"));
            }
            TrainingProgress::Epoch(Epoch { epoch, fit, held_out }) => {
                bar.say(&format!("epoch {epoch}: loss {fit:.5}, held out {held_out:.5}"));
            }
        }
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let note = |trained: &Trained| {
        let (report, plans) = (&trained.report, &trained.plans);
        let plans: Vec<String> = plans.iter().map(|(plan, games)| format!("{games} games: {plan}")).collect();
        let (positions, epoch) = (report.counts.fit, report.best.epoch);
        format!("{positions} positions, {settings}, best epoch {epoch}; {}", plans.join("; "))
    };
    let learned = learn(arguments.variant, &arguments.files, &settings, note, &mut progress);
    drop(bar);
    let (bytes, trained) = learned?;
    out.write(&bytes)?;
    if let Some(file) = plot {
        let title = format!("Learning {}", arguments.variant);
        file.write(loss_curves(&title, &trained.report.epochs)?.as_bytes())?;
    }
    let mut output = io::stdout().lock();
    for path in &trained.cut {
        writeln!(output, "{} ends in the middle of a game: it was interrupted", path.display())?;
    }
    let (report, counts) = (&trained.report, trained.report.counts);
    writeln!(output, "{} games, {} positions", counts.games, counts.positions)?;
    writeln!(
        output,
        "left out: {} not quiet, {} early, {} without a score or with a large one, {} duplicates",
        counts.not_quiet, counts.early, counts.scored_out, counts.duplicates
    )?;
    writeln!(output, "learned from {}, held out {}", counts.fit, counts.held_out)?;
    let start = report.epochs.first().map_or(0.0, |epoch| epoch.held_out);
    let Epoch { epoch, held_out, .. } = report.best;
    writeln!(output, "loss on games held out: {start:.5} before, {held_out:.5} after epoch {epoch}")?;
    writeln!(output, "a man is {:.3} logits, {} weights were too large", report.man_logits, report.clamped)?;
    Ok(writeln!(output, "{} bytes in {}", bytes.len(), arguments.out.display())?)
}
