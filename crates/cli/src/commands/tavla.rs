//! `soffio tavla`: runs the tavla protocol, trains networks, and plays duels.

use crate::progress::stop_on_signal;
use crate::values::{integer, number_in};
use anyhow::bail;
use clap::{Args, Subcommand};
use soffio_match::tavla::points;
use soffio_support::output_file::OutputFile;
use soffio_support::stdio;
use soffio_support::with_path::WithPath;
use soffio_support::words::counted;
use soffio_tavla::duel::{DuelScore, duel};
use soffio_tavla::learned::{TavlaWeightsFile, Trainer, TrainingSchedule};
use soffio_tavla::rules::Rules;
use soffio_tavla::session::{PlayerSetting, TavlaNative};
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct TavlaArguments {
    #[command(subcommand)]
    command: Option<TavlaSubcommand>,
}

#[derive(Debug, Subcommand)]
enum TavlaSubcommand {
    /// Train the network weights by self-play
    #[command(after_help = "Example: soffio tavla train --games 100000 --out tavla.weights")]
    Train(TavlaTrainArguments),
    /// Run a match between two players; each pair of games uses the same dice, with sides swapped
    #[command(after_help = "Example: soffio tavla duel player=full,depth=1 player=expectiminimax,depth=1")]
    Duel(DuelArguments),
}

#[derive(Debug, Args)]
struct TavlaTrainArguments {
    /// Number of games (at least 1)
    #[arg(long, default_value_t = 1_950_000, value_parser = integer::<u64>(1..=u64::MAX))]
    games: u64,
    /// Random seed; the same seed gives the same weights
    #[arg(long, default_value_t = 1, value_parser = integer::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Initial weights [default: random]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Initial learning rate (0 to 1)
    #[arg(long, default_value_t = TrainingSchedule::default().rate, value_parser = number_in(0.0..=1.0, "expected a number from 0 to 1"))]
    rate: f32,
    /// Number of games after which the learning rate has fallen to half; the rate is proportional to
    /// 1 / (1 + games / HALF)
    #[arg(long, default_value_t = TrainingSchedule::default().half, value_parser = number_in(1.0..=f32::MAX, "expected a number of at least 1"))]
    half: f32,
    /// Initial lambda of TD(lambda) (0 to 1); decays like the learning rate
    #[arg(long, default_value_t = TrainingSchedule::default().lambda, value_parser = number_in(0.0..=1.0, "expected a number from 0 to 1"))]
    lambda: f32,
    /// Output file for the weights; also written at the interval set by --every
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite the output file if it exists
    #[arg(long)]
    overwrite: bool,
    /// Print progress and save the weights every N games
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = integer::<u64>(1..=u64::MAX))]
    every: u64,
}

#[derive(Debug, Args)]
struct DuelArguments {
    /// First player: engine options and limits, such as `player=full,depth=1`
    one: String,
    /// Second player, such as `player=expectiminimax,eval=second,depth=2`
    two: String,
    /// Number of games (at least 2), rounded up to an even number because games are played in pairs
    #[arg(long, default_value_t = 1000, value_parser = integer::<u32>(2..=u32::MAX.into()))]
    games: u32,
    /// Random seed for the dice
    #[arg(long, default_value_t = 1, value_parser = integer::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Count a win by mars as two points
    #[arg(long)]
    mars: bool,
}

/// Runs the subcommand, or the tavla protocol if there is no subcommand.
pub fn tavla(arguments: &TavlaArguments) -> anyhow::Result<()> {
    match &arguments.command {
        None => Ok(stdio::run_in(TavlaNative)?),
        Some(TavlaSubcommand::Train(arguments)) => train(arguments),
        Some(TavlaSubcommand::Duel(arguments)) => run_duel(arguments),
    }
}

fn train(arguments: &TavlaTrainArguments) -> anyhow::Result<()> {
    let stop = stop_on_signal()?;
    let TavlaTrainArguments { rate, half, lambda, .. } = *arguments;
    let schedule = TrainingSchedule { rate, half, lambda };
    let out = OutputFile::new(&arguments.out, arguments.overwrite)?;
    let before = arguments.from.as_ref().map(|path| TavlaWeightsFile::read(path).with_path(path)).transpose()?;
    let origin = before.as_ref().map_or(String::new(), |file| format!("{}; then ", file.note));
    let mut trainer = Trainer::new(arguments.seed, schedule, before.map(|file| file.weights));
    let save = |trainer: &Trainer| out.write(&weights_file(arguments, trainer, &origin));
    let mut positions = 0;
    while trainer.games < arguments.games && !stop.is_stopped() {
        positions += trainer.play();
        if trainer.games.is_multiple_of(arguments.every) {
            save(&trainer)?;
            writeln!(io::stdout(), "{}", reached(&trainer, positions))?;
        }
    }
    if positions > 0 || !stop.is_stopped() {
        save(&trainer)?;
    }
    Ok(writeln!(io::stdout(), "{}, {}", reached(&trainer, positions), arguments.out.display())?)
}

fn reached(trainer: &Trainer, positions: usize) -> String {
    format!("{}, {}", counted(trainer.games, "game"), counted(positions, "position"))
}

fn weights_file(arguments: &TavlaTrainArguments, trainer: &Trainer, origin: &str) -> Vec<u8> {
    let TavlaTrainArguments { seed, rate, half, lambda, .. } = arguments;
    let games = trainer.games;
    let note = format!("{origin}{games} games, seed {seed}, rate {rate}, half {half}, lambda {lambda}");
    TavlaWeightsFile { note, weights: trainer.average.clone() }.to_bytes()
}

fn run_duel(arguments: &DuelArguments) -> anyhow::Result<()> {
    let read = |text: &str| match text.parse::<PlayerSetting>()? {
        PlayerSetting::Engine(player) => Ok(player),
        PlayerSetting::Human => bail!("both players of a duel must be engines"),
    };
    let (one, two) = (read(&arguments.one)?, read(&arguments.two)?);
    let stop = stop_on_signal()?;
    let rules = Rules { mars: arguments.mars, ..Rules::default() };
    let score = duel([&one, &two], rules, arguments.games.div_ceil(2), arguments.seed, &mut |_| !stop.is_stopped());
    Ok(writeln!(io::stdout(), "{} against {}: {}", arguments.one, arguments.two, score_text(&score, arguments.mars))?)
}

/// Formats the score from the first player's point of view.
pub(super) fn score_text(score: &DuelScore, mars: bool) -> String {
    let games = 2 * score.pairs();
    let turns = score.turns as f64 / games.max(1) as f64;
    let (points, wins) = (points(score, mars), score.wins);
    format!("{points}, {wins} of {games} games won, {turns:.1} turns per game")
}
