//! `soffio train`: from files of games to a file of weights.

use super::output_file::OutputFile;
use super::plot::loss_curves;
use super::progress::bar;
use super::tables_command::variant;
use clap::Args;
use indicatif::ProgressDrawTarget;
use soffio::rules::Variant;
use soffio::stop::Stop;
use soffio::train::{Epoch, Trained, TrainingProgress, TrainingSettings, learn};
use std::io::{self, Write};
use std::ops::ControlFlow;
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
    #[arg(long, value_name = "RATE", value_parser = positive)]
    rate: Option<f32>,
    /// The part of each weight that a step of rate 1 takes away: more keeps weights smaller.
    #[arg(long, value_name = "PART", value_parser = not_negative)]
    decay: Option<f32>,
    /// How many times all positions are learned from.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: Option<u32>,
    /// Positions before this ply of a game are left out.
    #[arg(long, value_name = "PLY")]
    first_ply: Option<u16>,
    /// The share of the search score, from 0 to 1, in what is learned; the rest is the result. Without it 0.5.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    score_share: Option<f32>,
    /// The plies before the end of a game after which its result counts for no more than a third; 0 if it always counts whole.
    #[arg(long, value_name = "PLIES")]
    fading: Option<u16>,
    /// The share of the games, from 0 to 1, that are held out.
    #[arg(long, value_name = "SHARE", value_parser = share)]
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

fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "this must be a number above 0".to_owned())
}

fn not_negative(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "this must be a number from 0 on".to_owned())
}

fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a share is a number from 0 to 1".to_owned())
}

impl TrainArguments {
    fn settings(&self) -> TrainingSettings {
        let mut settings = TrainingSettings::of(self.variant.spec());
        settings.rate = self.rate.unwrap_or(settings.rate);
        settings.decay = self.decay.unwrap_or(settings.decay);
        settings.epochs = self.epochs.unwrap_or(settings.epochs);
        settings.first_ply = self.first_ply.unwrap_or(settings.first_ply);
        settings.score_share = self.score_share.unwrap_or(settings.score_share);
        settings.fading = self.fading.map_or(settings.fading, f32::from);
        settings.held_out = self.held_out.map_or(settings.held_out, f64::from);
        settings.seed = self.seed.unwrap_or(settings.seed);
        settings
    }
}

/// Learns weights and writes them. Progress goes to standard error, the losses to standard output.
///
/// # Errors
/// When the files cannot be used or have too few positions, or the weights cannot be written.
pub fn train_weights(arguments: &TrainArguments) -> io::Result<()> {
    let out = OutputFile::new(&arguments.out, arguments.overwrite)?;
    let plot = OutputFile::wanted(arguments.plot.as_deref(), arguments.overwrite)?;
    let stop = Stop::new();
    let on_signal = stop.clone();
    ctrlc::set_handler(move || on_signal.stop()).map_err(io::Error::other)?;
    let (bytes, trained) = learn_from(arguments, &stop)?;
    out.write(&bytes)?;
    if let Some(file) = plot {
        let title = format!("Learning {}", arguments.variant);
        file.write(loss_curves(&title, &trained.report.epochs).map_err(io::Error::other)?.as_bytes())?;
    }
    tell(&trained)?;
    say(format_args!("{} bytes in {}", bytes.len(), arguments.out.display()))
}

fn learn_from(arguments: &TrainArguments, stop: &Stop) -> io::Result<(Vec<u8>, Trained)> {
    let bar = bar(0, ProgressDrawTarget::stderr());
    let mut progress = |progress| {
        match progress {
            TrainingProgress::Read(counts) => bar.set_message(format!("{} games read", counts.games)),
            TrainingProgress::Batch { epoch, done, all } => {
                bar.set_length(all as u64);
                bar.set_position(done as u64);
                bar.set_message(format!("epoch {epoch}"));
            }
            TrainingProgress::Epoch(Epoch { epoch, fit, held_out }) => {
                // A closed standard error is no failure.
                let line = format!("epoch {epoch}: loss {fit:.5}, held out {held_out:.5}");
                bar.suspend(|| drop(writeln!(io::stderr(), "{line}")));
            }
        }
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let settings = arguments.settings();
    let note = |trained: &Trained| {
        let counts = trained.report.counts;
        let plans: Vec<String> = trained.plans.iter().map(|(plan, games)| format!("{games} games: {plan}")).collect();
        let epoch = trained.report.best.epoch;
        format!("{} positions, {settings}, best epoch {epoch}; {}", counts.fit, plans.join("; "))
    };
    let learned = learn(arguments.variant, &arguments.files, &settings, note, &mut progress);
    bar.finish_and_clear();
    learned.map_err(io::Error::other)
}

fn tell(trained: &Trained) -> io::Result<()> {
    for path in &trained.cut {
        say(format_args!("{} ends in the middle of a game: it was interrupted", path.display()))?;
    }
    let (report, counts) = (&trained.report, trained.report.counts);
    say(format_args!("{} games, {} positions", counts.games, counts.positions))?;
    say(format_args!(
        "left out: {} not quiet, {} early, {} without a score or with a large one, {} duplicates",
        counts.not_quiet, counts.early, counts.scored_out, counts.duplicates
    ))?;
    say(format_args!("learned from {}, held out {}", counts.fit, counts.held_out))?;
    let start = report.epochs.first().map_or(0.0, |epoch| epoch.held_out);
    let Epoch { epoch, held_out, .. } = report.best;
    say(format_args!("loss on games held out: {start:.5} before, {held_out:.5} after epoch {epoch}"))?;
    say(format_args!("a man is {:.3} logits, {} weights were too large", report.man_logits, report.clamped))
}

fn say(line: std::fmt::Arguments<'_>) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}
