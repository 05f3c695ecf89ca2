//! `soffio batch`: many requests answered by records.

use super::output_file::about;
use super::progress::{REPORT, bar, stop_on_signal};
use super::search_arguments::SearchArguments;
use crate::batch::{BatchPlan, BatchState, Done, Format, InputForm, JudgeSettings, Requests};
use clap::Args;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget};
use soffio::rules::Variant;
use soffio::shard::Shard;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Arguments of `soffio batch`.
#[derive(Debug, Args)]
pub struct BatchArguments {
    /// The file of requests, a JSON object a line; or of games, if its name ends in .pdn. Without it, or with -, standard input.
    #[arg(default_value = "-")]
    input: PathBuf,
    /// The game of requests that name none.
    #[arg(long, value_parser = super::variant)]
    variant: Option<Variant>,
    #[command(flatten)]
    search: SearchArguments,
    /// Lines that are found for each position, each with another first move.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Engines side by side, each with one thread and a table of its own.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,
    /// Write the answers in the order of the requests.
    #[arg(long)]
    ordered: bool,
    /// Write the records to this file. If it is there it goes on: what is done there is left out.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tsv", "pdn"])]
    resume: Option<PathBuf>,
    /// Answer only a part of the requests: the parts 1/N to N/N together are all of them.
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    shard: Shard,
    /// Print a table with tabulators for spreadsheets, a row for each line of play.
    #[arg(long, conflicts_with = "pdn")]
    tsv: bool,
    /// Print the games with scores and better lines in comments and variations (PDN).
    #[arg(long)]
    pdn: bool,
    /// Put the time of its work into every record: then the same request does not give the same bytes twice.
    #[arg(long)]
    time: bool,
}

impl BatchArguments {
    fn plan(&self) -> BatchPlan {
        let settings = JudgeSettings {
            variant: self.variant,
            limits: self.search.limits(),
            lines: NonZeroUsize::new(self.multipv.into()).unwrap_or(NonZeroUsize::MIN),
            hash: self.search.hash as usize,
            tables: self.search.tables.clone(),
            is_timed: self.time,
            ..JudgeSettings::default()
        };
        let format = match (self.tsv, self.pdn) {
            (true, _) => Format::Tsv,
            (_, true) => Format::Pdn,
            _ => Format::Json,
        };
        BatchPlan { settings, judges: self.threads, is_ordered: self.ordered, format }
    }
}

/// Answers the requests. Progress and a summary go to standard error. Returns whether there is a record for all of them.
///
/// # Errors
/// When there is not enough memory, or input or output fail.
pub fn run_batch(arguments: &BatchArguments) -> anyhow::Result<bool> {
    let plan = arguments.plan();
    let (input, bytes) = open(&arguments.input)?;
    let read = Arc::new(AtomicU64::new(0));
    let input = BufReader::with_capacity(1 << 16, Counted { input, read: Arc::clone(&read) });
    let requests = Requests::new(input, InputForm::of(&arguments.input), arguments.shard);
    let (done, mut output): (Done, Box<dyn Write + Send>) = match &arguments.resume {
        Some(path) => {
            let (done, file) = Done::open(path).map_err(|error| about(path, &error))?;
            (done, Box::new(file))
        }
        None => (Done::default(), Box::new(io::stdout())),
    };
    output.write_all(plan.format.heading().as_bytes())?;
    let stop = stop_on_signal()?;
    let mut progress = Progress::new((read, bytes));
    progress.say(&memory(&plan));
    let result = plan.run(requests, done, &mut output, &stop, &mut |state| progress.show(state));
    let state = match result {
        Ok(state) => state,
        Err(error) => {
            progress.say(&format!("broken off: {}", progress.text()));
            return Err(error);
        }
    };
    let end = if stop.is_stopped() { "interrupted" } else { "done" };
    progress.say(&format!("{end}: {}", progress.text()));
    Ok(state.errors + state.errors_before == 0 && !stop.is_stopped())
}

/// The memory that the engines of `plan` take, as text.
fn memory(plan: &BatchPlan) -> String {
    let BatchPlan { settings, judges, .. } = plan;
    let engines = if judges.get() == 1 { "1 engine".to_owned() } else { format!("{judges} engines") };
    let room = settings.table_bytes().div_ceil(1 << 20);
    format!("{engines}, each with up to {room} MiB for its table and 64 MiB for endings")
}

/// The input named `path`, and its length if that is known.
fn open(path: &Path) -> io::Result<(Box<dyn Read + Send>, Option<u64>)> {
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin()), None));
    }
    let file = File::open(path).map_err(|error| about(path, &error))?;
    let metadata = file.metadata().map_err(|error| about(path, &error))?;
    Ok((Box::new(file), Some(metadata.len()).filter(|_| metadata.is_file())))
}

/// An input of which the bytes that are read are counted.
struct Counted<R> {
    input: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        self.read.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

/// Reports progress on standard error: in a line that is overwritten, or where that is not possible, in a line from time to time.
struct Progress {
    bar: Option<ProgressBar>,
    /// Bytes of the input that were read, and how many there are, if that is known.
    read: (Arc<AtomicU64>, Option<u64>),
    state: BatchState,
    started: Instant,
    printed: Instant,
}

impl Progress {
    fn new(read: (Arc<AtomicU64>, Option<u64>)) -> Self {
        let bar = io::stderr().is_terminal().then(|| bar(read.1.unwrap_or_default(), ProgressDrawTarget::stderr()));
        let now = Instant::now();
        Self { bar, read, state: BatchState::default(), started: now, printed: now }
    }

    fn show(&mut self, state: BatchState) {
        self.state = state;
        // A message takes longer than some of the answers.
        let pause = if self.bar.is_some() { Duration::from_millis(100) } else { REPORT };
        if self.printed.elapsed() < pause {
            return;
        }
        self.printed = Instant::now();
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.read.0.load(Ordering::Relaxed));
                bar.set_message(self.text());
            }
            None => self.say(&self.text()),
        }
    }

    /// How far the work is.
    fn text(&self) -> String {
        let BatchState { requests, before, records, errors, .. } = self.state;
        let time = self.started.elapsed();
        let rate = records as f64 / time.as_secs_f64().max(1e-3);
        let before = if before > 0 { format!(" and {before} before") } else { String::new() };
        let mut text = format!("{requests} requests{before}, {records} records, {errors} errors, {rate:.1} records/s");
        let read = self.read.0.load(Ordering::Relaxed) as f64;
        match self.read.1 {
            Some(all) if read > 0.0 && read < all as f64 => {
                let left = time.mul_f64((all as f64 - read) / read);
                text += &format!(", {} left", HumanDuration(left));
            }
            _ => text += &format!(", {} passed", HumanDuration(time)),
        }
        text
    }

    /// Says a line that stays.
    fn say(&self, line: &str) {
        let print = || writeln!(io::stderr(), "{line}");
        // A closed standard error is not a failure.
        let _ = match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        };
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
