//! `soffio book grow`: builds a book by drop-out expansion.

use super::assessments::{Assessments, Searches, request_id, search_position};
use super::files::OutArguments;
use super::growth::{Growth, GrowthPlan};
use crate::commands::matches::openings::OpeningSource;
use crate::input::{EncodingArguments, ensure_none_is_output};
use crate::progress::{Progress, or_cores, print_line, stop_on_signal};
use crate::values::{any_variant, integer};
use anyhow::{Result, anyhow, ensure};
use clap::Args;
use serde_json::json;
use soffio::pool::Pool;
use soffio::rules::Variant;
use soffio::stop::Stop;
use soffio_batch::batch::{BatchEngine, BatchEngineSettings};
use soffio_support::output_file::OutputFile;
use soffio_support::record::ReadRecord;
use soffio_support::words::counted;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Debug, Args)]
pub struct GrowArguments {
    /// Variant, as listed by `soffio variants`
    #[arg(long, value_parser = any_variant)]
    variant: Variant,
    /// Minimum number of positions in the book; with 0, only the positions of the openings are evaluated
    #[arg(long, value_name = "N", value_parser = integer::<usize>(0..=u64::MAX))]
    positions: usize,
    /// Number of nodes to search per position (at least 1)
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroU64>(1..=u64::MAX))]
    nodes: NonZeroU64,
    /// Repeat each search with four times as many nodes (up to 64 times --nodes) until the score changes by at most CP
    /// [default: search once]
    #[arg(long, value_name = "CP", value_parser = integer::<u32>(0..=u32::MAX.into()))]
    settle: Option<u32>,
    #[command(flatten)]
    out: OutArguments,
    /// Openings to expand: startpos, built-in, built-in:NAME, or an opening file; may be repeated
    #[arg(long, value_name = "SOURCE", default_value = "startpos")]
    openings: Vec<OpeningSource>,
    #[command(flatten)]
    encoding: EncodingArguments,
    /// Maximum length in plies of openings from a file (0 to 65535) [default: unlimited]
    #[arg(long, value_parser = integer::<u16>(0..=u16::MAX.into()))]
    plies: Option<u16>,
    /// Cost of a ply in cp; a higher cost makes the book wider and its lines shorter
    #[arg(long, value_name = "CP", default_value_t = 10, value_parser = integer::<u32>(0..=u32::MAX.into()))]
    breadth: u32,
    /// Maximum number of leaves to expand per round; scores are backed up after each round
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = integer::<u32>(1..=u32::MAX.into()))]
    round: u32,
    /// Journal file for the evaluated positions [default: the name of the book file with .journal appended]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// File with `soffio batch` records that contain known scores; may be repeated
    #[arg(long, value_name = "FILE", num_args = 1..)]
    scores: Vec<PathBuf>,
    /// Instead of evaluating positions, write those that need scores to FILE as requests for `soffio batch`; FILE is
    /// empty if the book is complete
    #[arg(long, value_name = "FILE")]
    leaves: Option<PathBuf>,
    /// Number of engines, each with one thread [default: number of cores]
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: Option<NonZeroUsize>,
}

impl GrowArguments {
    fn plan(&self) -> Result<GrowthPlan> {
        let Self { variant, positions, breadth, round, .. } = *self;
        let sources =
            self.openings.iter().map(|source| source.read(variant, self.plies.map(usize::from), self.encoding));
        let openings = sources.collect::<Result<Vec<_>>>()?.concat();
        ensure!(!openings.is_empty(), "no openings given");
        Ok(GrowthPlan { variant, positions, breadth, round: round as usize, openings })
    }

    /// Returns the arguments that determine the content of the book, as recorded in its header.
    fn text(&self) -> String {
        let openings: Vec<_> = self.openings.iter().map(ToString::to_string).collect();
        let plies = self.plies.map(|plies| format!(" --plies {plies}")).unwrap_or_default();
        let settle = self.settle.map(|margin| format!(" --settle {margin}")).unwrap_or_default();
        let Self { variant, positions, nodes, breadth, round, .. } = self;
        let openings = openings.join(" --openings ");
        format!(
            "--variant {variant} --positions {positions} --nodes {nodes}{settle} --openings {openings}{plies} --breadth {breadth} --round {round}"
        )
    }

    fn journal(&self) -> PathBuf {
        self.journal.clone().unwrap_or_else(|| self.out.out.with_added_extension("journal"))
    }
}

/// Builds the book. Returns false if a signal interrupted the work.
pub(super) fn grow(arguments: &GrowArguments) -> Result<bool> {
    let GrowArguments { variant, nodes, settle, .. } = *arguments;
    let journal = arguments.journal();
    let inputs =
        arguments.openings.iter().filter_map(OpeningSource::path).chain(arguments.scores.iter().map(PathBuf::as_path));
    let outputs = [Some(arguments.out.out.as_path()), Some(&journal), arguments.leaves.as_deref()];
    ensure_none_is_output(inputs, outputs.into_iter().flatten())?;
    let mut growth = Growth::new(arguments.plan()?)?;
    let leaves = OutputFile::optional(arguments.leaves.as_deref(), arguments.out.overwrite)?;
    if !arguments.out.overwrite && arguments.out.has(&growth.graph, (nodes.get(), &arguments.text())) {
        leaves.map_or(Ok(()), |leaves| leaves.write(b""))?;
        print_line(&format!("{}: the book is complete", arguments.out.out.display()));
        return Ok(true);
    }
    let reservation = arguments.out.reserve()?;
    let mut assessments = Assessments::open(&journal, variant, Searches { nodes, settle })?;
    arguments.scores.iter().try_for_each(|path| assessments.read(path))?;
    let stop = stop_on_signal()?;
    let progress = Progress::new();
    let (before, started) = (assessments.count(), Instant::now());
    loop {
        let missing = growth.advance(&assessments);
        if let Some(leaves) = &leaves {
            leaves.write(requests(variant, &missing).as_bytes())?;
            if !missing.is_empty() {
                progress.print_line(&format!("{} to evaluate", counted(missing.len(), "position")));
                return Ok(true);
            }
        }
        if missing.is_empty() {
            break;
        }
        let rate = |evaluated: usize| (evaluated - before) as f64 / started.elapsed().as_secs_f64().max(1e-3);
        let mut take = |record: ReadRecord| {
            assessments.take(&record)?;
            let (count, all) = (assessments.count(), arguments.positions.max(growth.graph.nodes().len()));
            progress.show((count as u64, all as u64), || {
                format!("{} of {all} evaluated, {:.0} per second", counted(count, "position"), rate(count))
            });
            anyhow::Ok(())
        };
        search_all(arguments, &missing, &stop, &mut take)?;
        if stop.is_stopped() {
            let evaluated = counted(assessments.count(), "position");
            progress.print_line(&format!("interrupted: {evaluated} evaluated; run the same command to resume"));
            return Ok(false);
        }
    }
    drop(progress);
    arguments.out.write(reservation, &growth.graph, (nodes.get(), arguments.text()), growth.roots)?;
    Ok(true)
}

fn requests(variant: Variant, positions: &[(String, NonZeroU64)]) -> String {
    let request = |(fen, nodes): &(String, NonZeroU64)| {
        let id = request_id(fen, *nodes);
        json!({"id": id, "variant": variant.name(), "fen": fen, "limits": {"nodes": nodes}})
    };
    positions.iter().map(|position| format!("{}\n", request(position))).collect()
}

fn search_all(
    arguments: &GrowArguments,
    positions: &[(String, NonZeroU64)],
    stop: &Stop,
    take: &mut dyn FnMut(ReadRecord) -> Result<()>,
) -> Result<()> {
    let GrowArguments { variant, threads, .. } = *arguments;
    let pool = Pool { name: "book", threads: or_cores(threads), stop };
    let worker = || {
        let mut engine = BatchEngine::new(BatchEngineSettings::default()).map_err(|error| error.to_string());
        move |position: &(String, NonZeroU64)| match &mut engine {
            Ok(engine) => search_position(engine, variant, position, stop).transpose(),
            Err(error) => Err(anyhow!("{error}")),
        }
    };
    pool.try_run(positions.iter(), worker, |evaluated| {
        evaluated.map_or(Ok(()), &mut *take)?;
        Ok(ControlFlow::Continue(()))
    })
}
