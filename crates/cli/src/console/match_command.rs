//! The mode `match`: engines play each other.

use super::GameName;
use super::match_arguments::MatchArguments;
use super::match_openings::openings;
use super::match_plot::picture;
use super::match_report::heading;
use super::match_reporter::{Reporter, Settings};
use super::match_terms::terms;
use super::output_file::OutputFile;
use super::tavla_match::play_tavla_match;
use crate::arena::{
    EngineSpec, Journal, JournalFiles, JournalSettings, MatchRules, MatchSettings, Schedule, Timeouts, check,
    cores_of_games, run,
};
use soffio::rules::Variant;
use soffio::stop::Stop;
use soffio::tables::Adjudicator;
use std::io::{self, Write};
use std::num::{NonZeroU16, NonZeroUsize};
use std::sync::Arc;
use std::thread::available_parallelism;

pub(super) fn invalid(text: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text.into())
}

/// Plays the match that `arguments` describe, and prints how it goes. Returns whether no engine did anything wrong.
///
/// # Errors
/// When the match cannot be played, or its files cannot be written.
pub fn play_match(arguments: &MatchArguments) -> io::Result<bool> {
    let GameName::Draughts(variant) = arguments.variant else { return play_tavla_match(arguments) };
    let variant = arguments.rules(variant).map_err(invalid)?;
    if !arguments.check.is_empty() {
        return check_engine(arguments, variant);
    }
    let engines = engines(arguments).map_err(invalid)?;
    let tables = arguments.tables.as_deref().map(|folder| Adjudicator::open(folder, variant)).transpose();
    let tables = tables.map_err(|error| invalid(format!("--tables: {error}")))?.map(Arc::new);
    let plan = arguments.plan();
    let plot = OutputFile::wanted(arguments.plot.as_deref(), arguments.overwrite)?;
    let openings = openings(arguments, variant, plan.openings())?;
    if openings.len() < plan.openings() {
        let (found, needed) = (openings.len(), plan.openings());
        writeln!(io::stdout(), "{found} openings where {needed} are needed: they will be played again")?;
    }
    let schedule = Schedule::new(arguments.format, engines.len(), plan, openings.len());
    let settings = Settings {
        variant,
        names: engines.iter().map(|spec| spec.name.clone()).collect(),
        games: schedule.len() as u64,
        sprt: arguments.sprt,
        on_fault: arguments.on_fault,
        is_quiet: arguments.quiet,
    };
    let (journal, logs) = Journal::open(
        JournalSettings {
            variant,
            engines: engines.clone(),
            terms: terms(arguments, engines.len()),
            event: arguments.event.clone(),
            site: arguments.site.clone(),
        },
        JournalFiles {
            lines: arguments.json.as_deref(),
            records: arguments.pdn.as_deref(),
            positions: arguments.epd.as_deref(),
            resume: arguments.resume,
        },
    )?;
    let mut reporter = Reporter::new(&settings, journal);
    let played = reporter.resume(&schedule, &openings, &logs)?;
    let concurrency = arguments.concurrency.map_or_else(|| games_at_a_time(&engines), NonZeroUsize::from);
    let mut match_settings = MatchSettings {
        rules: MatchRules {
            variant,
            draw: arguments.draw,
            win: arguments.win,
            tables,
            max_moves: arguments.max_moves,
            checks_lines: arguments.check_lines,
        },
        timeouts: timeouts(arguments),
        concurrency,
        cores: if arguments.affinity {
            let cores = cores_of_games(concurrency.get(), threads(&engines));
            cores.map_err(|error| invalid(format!("--affinity: {error}")))?
        } else {
            Vec::new()
        },
        wait: arguments.wait,
        engines,
        openings,
        schedule,
        played,
    };
    if reporter.flow().is_break() {
        match_settings.played = match_settings.schedule.pairings().map(|pairing| pairing.number).collect();
    }
    write!(io::stdout(), "{}", heading(&settings, &match_settings))?;
    let stop = Stop::new();
    let on_signal = stop.clone();
    ctrlc::set_handler(move || on_signal.stop()).map_err(io::Error::other)?;
    let result = run(&match_settings, &stop, &mut |game| reporter.take(&match_settings.openings, &game));
    // Where nothing could begin there is nothing to sum up.
    if result.is_ok() || reporter.results.games() > 0 {
        reporter.finish()?;
    }
    result.map_err(io::Error::other)?;
    reporter.written?;
    if let Some(file) = plot {
        let title = format!("{}, {}", settings.names.join(" against "), settings.variant);
        let picture = picture(&title, &reporter.history, settings.sprt.as_ref()).map_err(io::Error::other)?;
        file.write(picture.as_bytes())?;
    }
    Ok(reporter.results.faults == 0)
}

/// How long the runner waits for engines, as `arguments` say.
pub(super) fn timeouts(arguments: &MatchArguments) -> Timeouts {
    Timeouts { margin: arguments.margin, stall: arguments.stall }
}

/// Walks one engine through its protocol; returns whether no fault was found.
fn check_engine(arguments: &MatchArguments, variant: Variant) -> io::Result<bool> {
    // The steps set the limits themselves.
    let words: Vec<_> = arguments.check.iter().map(String::as_str).chain(["depth=1"]).collect();
    let spec = EngineSpec::parse(&words, &[]).map_err(|error| invalid(format!("engine: {error}")))?;
    let (mut steps, mut faults) = (0, 0);
    let stop = Stop::new();
    let mut written = Ok(());
    let walked = check(&spec, variant, timeouts(arguments), &stop, &mut |result| {
        steps += 1;
        faults += u32::from(result.problem.is_some());
        written = writeln!(io::stdout(), "{result}");
        if written.is_err() {
            stop.stop();
        }
    });
    walked.map_err(|error| invalid(error.to_string()))?;
    written?;
    writeln!(io::stdout(), "{steps} steps, {faults} failed")?;
    Ok(faults == 0)
}

/// The engines, with different names.
pub(super) fn engines(arguments: &MatchArguments) -> Result<Vec<Arc<EngineSpec>>, String> {
    let mut engines: Vec<Arc<EngineSpec>> = Vec::new();
    for (index, words) in arguments.engines.0.iter().enumerate() {
        let spec = EngineSpec::parse(words, &arguments.each);
        let mut spec = spec.map_err(|error| format!("engine {}: {error}", index + 1))?;
        if engines.iter().any(|known| known.name == spec.name) {
            spec.name = format!("{} {}", spec.name, index + 1);
        }
        engines.push(Arc::new(spec));
    }
    let shared = engines.iter().find(|spec| spec.link.is_shared());
    if let Some(spec) = shared.filter(|_| arguments.concurrency.is_some_and(|games| games > NonZeroU16::MIN)) {
        return Err(format!("engine {} runs already, and plays one game at a time: --concurrency 1", spec.name));
    }
    match (engines.len(), arguments.sprt) {
        (0 | 1, _) => Err("a match needs at least two engines".to_owned()),
        (3.., Some(_)) => Err("--sprt is for two engines".to_owned()),
        _ => Ok(engines),
    }
}

/// The threads that think at a time in a game: those that one engine was given, or both if an engine ponders.
fn threads(engines: &[Arc<EngineSpec>]) -> usize {
    let threads = |spec: &Arc<EngineSpec>| {
        let option = spec.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("threads"));
        option.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
    };
    let most: usize = engines.iter().map(threads).max().unwrap_or(1).max(1);
    most * if engines.iter().any(|spec| spec.ponders) { 2 } else { 1 }
}

/// The games that fit on the processor at a time. An engine that runs already plays one game at a time.
pub(super) fn games_at_a_time(engines: &[Arc<EngineSpec>]) -> NonZeroUsize {
    if engines.iter().any(|spec| spec.link.is_shared()) {
        return NonZeroUsize::MIN;
    }
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    NonZeroUsize::new(cores / threads(engines)).unwrap_or(NonZeroUsize::MIN)
}
