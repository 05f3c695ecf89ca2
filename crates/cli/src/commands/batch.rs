//! `soffio batch`: answers analysis requests with records.

use super::search_arguments::SearchArguments;
use crate::input::{EncodingArguments, ensure_not_output, is_standard_input};
use crate::progress::{Progress, stop_on_signal};
use crate::values::{integer, multipv, variant};
use clap::Args;
use soffio::rules::Variant;
use soffio::shard::Shard;
use soffio_batch::batch::{
    AnsweredRequests, BatchEngineSettings, BatchFormat, BatchPlan, BatchState, InputForm, Requests,
};
use soffio_support::stdio::is_broken_pipe;
use soffio_support::with_path::{WithPath, about};
use soffio_support::words::{counted, duration, size};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

#[derive(Debug, Args)]
pub struct BatchArguments {
    /// File with requests, one JSON object per line, or with games if its name ends in .pdn; - for standard input
    #[arg(default_value = "-")]
    input: PathBuf,
    /// Variant for requests that do not name one
    #[arg(long, value_parser = variant)]
    variant: Option<Variant>,
    #[command(flatten)]
    encoding: EncodingArguments,
    #[command(flatten)]
    search: SearchArguments,
    /// Number of principal variations per position (1 to 64)
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN, value_parser = multipv())]
    multipv: NonZeroUsize,
    /// Number of engines (at least 1), each with one thread and its own transposition table
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN, value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: NonZeroUsize,
    /// Write the answers in the same order as the requests
    #[arg(long)]
    ordered: bool,
    /// Write records to FILE; if it exists, resume and skip finished requests
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tsv", "pdn"])]
    resume: Option<PathBuf>,
    /// Answer only shard K/N of the requests; the shards 1/N to N/N together cover all requests
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    shard: Shard,
    /// Print tab-separated values, one row per principal variation, instead of JSON records
    #[arg(long, conflicts_with = "pdn")]
    tsv: bool,
    /// Print PDN games annotated with scores and better lines, instead of JSON records
    #[arg(long)]
    pdn: bool,
    /// Include the elapsed time in each record; the output is then not reproducible
    #[arg(long)]
    time: bool,
}

impl BatchArguments {
    fn plan(&self) -> BatchPlan {
        let settings = BatchEngineSettings {
            lines: self.multipv,
            is_timed: self.time,
            ..self.search.engine_settings(self.variant)
        };
        let format = match (self.tsv, self.pdn) {
            (true, _) => BatchFormat::Tsv,
            (_, true) => BatchFormat::Pdn,
            _ => BatchFormat::Json,
        };
        BatchPlan { settings, engines: self.threads, is_ordered: self.ordered, format }
    }
}

/// Runs the batch. Returns whether every request was answered without an error.
pub fn run_batch(arguments: &BatchArguments) -> anyhow::Result<bool> {
    let plan = arguments.plan();
    ensure_not_output(&arguments.input, arguments.resume.as_deref())?;
    let (input, bytes) = open(&arguments.input)?;
    let read = Arc::new(AtomicU64::new(0));
    let input = BufReader::with_capacity(1 << 16, CountedInput { input, read: Arc::clone(&read) });
    let form = InputForm::for_path(&arguments.input, arguments.encoding.encoding)?;
    let requests = Requests::new(input, form, arguments.shard);
    let requests = requests.map(|request| request.map_err(|error| about(&arguments.input, &error)));
    let (done, file) = arguments.resume.as_deref().map(AnsweredRequests::open).transpose()?.unzip();
    let mut output: Box<dyn Write + Send> = match file {
        Some(file) => Box::new(file),
        None => Box::new(io::stdout()),
    };
    let stop = stop_on_signal()?;
    let mut state = BatchProgress { read: (read, bytes), state: BatchState::default(), started: Instant::now() };
    let progress = Progress::new();
    progress.print_line(&memory(&plan));
    let run = || -> anyhow::Result<BatchState> {
        output.write_all(plan.format.heading().as_bytes())?;
        plan.run(requests, done.unwrap_or_default(), &mut output, &stop, &mut |reached| {
            state.state = reached;
            progress.show((state.read.0.load(Ordering::Relaxed), bytes.unwrap_or_default()), || state.text());
        })
    };
    let result = run();
    let end = match &result {
        Err(error) if is_broken_pipe(error) => "interrupted, because standard output was closed",
        Err(_) => "failed",
        Ok(_) if stop.is_stopped() => "interrupted",
        Ok(_) => "done",
    };
    progress.print_line(&format!("{end}: {}", state.text()));
    let BatchState { errors, .. } = match result {
        // A closed output is not reported as an error, but some requests have not been answered.
        Err(error) if is_broken_pipe(&error) => return Ok(false),
        result => result?,
    };
    Ok(errors == 0 && !stop.is_stopped())
}

fn memory(plan: &BatchPlan) -> String {
    let BatchPlan { settings, engines, .. } = plan;
    let each = if engines.get() == 1 { "" } else { " each" };
    let (engines, table) = (counted(engines.get(), "engine"), size(settings.table_bytes()));
    format!("{engines} with up to {table}{each} for the transposition table and 64 MiB for endings")
}

fn open(path: &Path) -> anyhow::Result<(Box<dyn Read + Send>, Option<u64>)> {
    if is_standard_input(path) {
        return Ok((Box::new(io::stdin()), None));
    }
    let file = File::open(path).with_path(path)?;
    let metadata = file.metadata().with_path(path)?;
    Ok((Box::new(file), Some(metadata.len()).filter(|_| metadata.is_file())))
}

struct CountedInput<R> {
    input: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for CountedInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        self.read.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

struct BatchProgress {
    /// Number of bytes read so far, and the input size if known.
    read: (Arc<AtomicU64>, Option<u64>),
    state: BatchState,
    started: Instant,
}

impl BatchProgress {
    fn text(&self) -> String {
        let BatchState { requests, before, records, errors, .. } = self.state;
        let time = self.started.elapsed();
        let rate = records as f64 / time.as_secs_f64().max(1e-3);
        let before = if before > 0 { format!(" ({before} more from an earlier run)") } else { String::new() };
        let (requests, records) = (counted(requests, "request"), counted(records, "record"));
        let mut text = format!("{requests}{before}, {records}, {}, {rate:.1} records/s", counted(errors, "error"));
        let read = self.read.0.load(Ordering::Relaxed) as f64;
        match self.read.1 {
            Some(all) if read > 0.0 && read < all as f64 => {
                let left = time.mul_f64((all as f64 - read) / read);
                text += &format!(", {} left", duration(left));
            }
            _ => text += &format!(", {} elapsed", duration(time)),
        }
        text
    }
}
