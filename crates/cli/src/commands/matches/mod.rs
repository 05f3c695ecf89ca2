//! `soffio match`: runs matches between engines.

pub mod arguments;
pub mod openings;
pub mod report;
mod tavla;

use crate::input::ensure_none_is_output;
use crate::plot::match_picture;
use crate::values::GameName;
use anyhow::{Result, anyhow, ensure};
use arguments::{DEFAULT_SEED, MatchArguments, OpeningOrder, threads};
use fastrand::Rng;
use openings::{GenerateSettings, OpeningSource};
use report::{MatchIdentity, MatchProgress, MatchReporter, run_until_signal};
use soffio::book::key;
use soffio::engine::{Engine, Limits, Setting, Value};
use soffio::rules::Variant;
use soffio::stop::Stop;
use soffio::tables::Adjudicator;
use soffio_match::{
    Draughts, EngineSpec, Journal, JournalSettings, MatchSettings, Opening, OpeningGenerator, Schedule, check,
    cores_of_games,
};
use soffio_support::output_file::OutputFile;
use soffio_support::words::counted;
use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::Arc;
use tavla::play_tavla_match;

/// Transposition table size, in MiB, for the searches that evaluate generated openings.
const TABLE_MIB: usize = 1;

/// Plays the match. Returns whether all engines played without a fault.
pub fn play_match(arguments: &MatchArguments) -> Result<bool> {
    ensure!(arguments.config.is_none(), "--config: not allowed inside a configuration file");
    let GameName::Draughts(variant) = arguments.variant else { return play_tavla_match(arguments) };
    let variant = arguments.rules(variant)?;
    if !arguments.check.is_empty() {
        return check_engine(arguments, variant);
    }
    let files = arguments.files()?;
    let engines = arguments.engines()?;
    let tables = arguments.tables.as_deref().map(|folder| Adjudicator::open(folder, variant)).transpose();
    let tables = tables.map_err(|error| anyhow!("--tables: {error}"))?.map(Arc::new);
    let (plan, seed) = (arguments.plan(), arguments.seed_of_openings());
    ensure_none_is_output(arguments.opening_source().path(), arguments.plot.as_deref())?;
    let plot = OutputFile::optional(arguments.plot.as_deref(), arguments.overwrite)?;
    let openings = openings(arguments, variant, seed, plan.openings())?;
    let concurrency = arguments.concurrency(&engines);
    let cores = if arguments.affinity { cores_of_games(concurrency.get(), threads(&engines)) } else { Ok(Vec::new()) };
    let cores = cores.map_err(|error| anyhow!("--affinity: {error}"))?;
    let schedule = Schedule::new(arguments.format, engines.len(), plan, openings.len()).part(arguments.shard);
    let names: Vec<_> = engines.iter().map(|spec| spec.name.clone()).collect();
    let terms = arguments.terms(engines.len(), seed);
    let (event, site) = (arguments.event.clone(), arguments.site.clone());
    let journal = JournalSettings { variant: Some(variant), engines: engines.clone(), terms, event, site };
    let (journal, logs) = Journal::open(journal, files)?;
    if openings.len() < plan.openings() {
        let (found, needed) = (counted(openings.len() as u64, "opening"), plan.openings());
        writeln!(io::stdout(), "{found} available, {needed} needed: openings are repeated")?;
    }
    if matches!(arguments.opening_source(), OpeningSource::File(_)) {
        let positions: HashSet<_> =
            openings.iter().flat_map(|opening| opening.played(variant)).map(|game| key(game.game())).collect();
        let (all, repeated) = (counted(openings.len() as u64, "opening"), openings.len() - positions.len());
        if repeated > 0 {
            writeln!(io::stdout(), "{repeated} of {all} repeated: deterministic engines play the same games again")?;
        }
    }
    let identity = MatchIdentity { variant, names, sprt: arguments.sprt };
    let report = MatchProgress::new(arguments, &schedule, concurrency);
    let mut reporter = MatchReporter::new(&identity, report, journal);
    let played = reporter.resume(&schedule, &openings, &logs)?;
    let game = Draughts {
        variant,
        openings,
        draw: arguments.draw,
        win: arguments.win,
        tables,
        max_moves: arguments.max_moves,
        checks_lines: arguments.check_lines,
    };
    let (timeouts, wait) = (arguments.timeouts(), arguments.wait);
    let mut settings = MatchSettings { engines, timeouts, schedule, played, concurrency, cores, wait };
    write!(io::stdout(), "{}", reporter.report.heading(variant.name(), seed, &settings))?;
    if reporter.flow().is_break() {
        // The resumed games have already decided the SPRT, so no further games are played.
        settings.played = settings.schedule.pairings().map(|pairing| pairing.number).collect();
    }
    let (result, is_interrupted) = run_until_signal(&game, &settings, &mut |pairing, log| reporter.take(pairing, log))?;
    // Print the summary even if the match failed, unless no game was played.
    if result.is_ok() || reporter.results.games() > 0 {
        reporter.finish(is_interrupted)?;
    }
    result?;
    reporter.report.written?;
    if let Some(file) = plot
        && reporter.results.games() > 0
    {
        let title = format!("{}, {variant}", identity.names.join(" against "));
        file.write(match_picture(&title, &reporter.history, identity.sprt.as_ref())?.as_bytes())?;
    }
    Ok(reporter.results.faults == 0 && !is_interrupted)
}

fn check_engine(arguments: &MatchArguments, variant: Variant) -> Result<bool> {
    // The settings must contain a limit, but the steps of the check set their own limits.
    let words: Vec<_> = arguments.check.iter().map(String::as_str).chain(["depth=1"]).collect();
    let spec = EngineSpec::parse(&words, &[]).map_err(|error| anyhow!("engine: {error}"))?;
    let (mut steps, mut faults) = (0, 0);
    let stop = Stop::new();
    let mut written = Ok(());
    check(&spec, variant, arguments.timeouts(), &stop, &mut |result| {
        steps += 1;
        faults += u32::from(result.problem.is_some());
        written = writeln!(io::stdout(), "{result}");
        if written.is_err() {
            stop.stop();
        }
    })?;
    written?;
    writeln!(io::stdout(), "{}, {faults} failed", counted(steps, "step"))?;
    Ok(faults == 0)
}

fn openings(arguments: &MatchArguments, variant: Variant, seed: Option<u64>, count: usize) -> Result<Vec<Opening>> {
    let (order, seed) = (arguments.order(), seed.unwrap_or(DEFAULT_SEED));
    let first = arguments.start as usize - 1;
    let source = arguments.opening_source();
    let mut openings = match &source {
        // Openings are generated in random order.
        &OpeningSource::Generate(settings) if order == OpeningOrder::Random => {
            generate(variant, settings, count.saturating_add(first), seed)?
        }
        &OpeningSource::Generate(settings) => {
            let mut openings = generate(variant, settings, usize::MAX, seed)?;
            openings.sort_by_cached_key(ToString::to_string);
            openings
        }
        source => source.read(variant, arguments.plies.map(usize::from), arguments.encoding)?,
    };
    if order == OpeningOrder::Random && !matches!(source, OpeningSource::Generate(_)) {
        Rng::with_seed(seed).shuffle(&mut openings);
    }
    ensure!(
        first < openings.len(),
        "--start {}: only {} available",
        arguments.start,
        counted(openings.len() as u64, "opening")
    );
    openings.rotate_left(first);
    openings.truncate(count);
    Ok(openings)
}

/// Generates openings and prints them in alphabetical order, in the format of an opening file.
pub fn print_openings(variant: Variant, settings: GenerateSettings, count: Option<usize>) -> Result<()> {
    let openings = generate(variant, settings, count.unwrap_or(usize::MAX), DEFAULT_SEED)?;
    let mut lines: Vec<_> = openings.iter().map(ToString::to_string).collect();
    lines.sort();
    let mut output = io::stdout().lock();
    let limit = count.map(|count| format!(" --count {count}")).unwrap_or_default();
    let printed = counted(lines.len(), "opening");
    writeln!(output, "# {printed}: soffio openings --variant {variant} {settings}{limit}")?;
    Ok(lines.iter().try_for_each(|line| writeln!(output, "{line}"))?)
}

/// Generates openings whose scores in a fixed-depth search are within the margin. The transposition table is cleared
/// before each search, so that no score depends on earlier searches.
fn generate(variant: Variant, settings: GenerateSettings, count: usize, seed: u64) -> Result<Vec<Opening>> {
    let GenerateSettings { plies, margin, depth, start } = settings;
    let mut engine = Engine::new();
    engine.apply(Setting::Hash(TABLE_MIB))?;
    let mut evaluate = |opening: &Opening| {
        let game = opening.played(variant).ok()?;
        engine.clear_hash();
        let limits = Limits { depth: Some(depth), ..engine.limits() };
        let answer = engine.go(game.game(), limits).ok()?;
        match answer.value {
            Value::Cp(value) if answer.best.is_some() => Some(i32::from(value)),
            _ => None,
        }
    };
    let openings = OpeningGenerator { variant, plies, margin, seed, start }.openings(count, &mut evaluate);
    openings.map_err(|error| anyhow!("openings: {error}"))
}
