//! `soffio match --variant tavla`: runs matches between tavla engines.

use super::arguments::{DEFAULT_SEED, MatchArguments};
use super::report::{MatchProgress, push_ends, push_entry, run_until_signal};
use anyhow::{Result, anyhow, bail, ensure};
use soffio_match::tavla::{TavlaMatch, TavlaResults, points};
use soffio_match::{
    EngineSpec, GameLog, Journal, JournalSettings, LineProtocol, Link, MatchFormat, MatchSettings, Pairing, SEED,
    Schedule,
};
use soffio_support::words::counted;
use soffio_tavla::rules::Rules;
use soffio_tavla::session::NAME;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Names of the engine options that the match itself sets.
const RULES: [&str; 3] = ["UCI_Variant", "Mars", "Hit And Run"];

pub(super) fn play_tavla_match(arguments: &MatchArguments) -> Result<bool> {
    reject_options(arguments)?;
    let engines = arguments.engines()?;
    check_engines(&engines)?;
    let plan = arguments.plan();
    let is_even = plan.games.is_multiple_of(2);
    ensure!(is_even, "--games: must be even in tavla, where both games of a pair use the same dice");
    let schedule = Schedule::new(MatchFormat::RoundRobin, engines.len(), plan, plan.openings()).part(arguments.shard);
    let seed = arguments.effective_seed();
    let (event, site, terms) = (arguments.event.clone(), arguments.site.clone(), terms(arguments, seed));
    let journal = JournalSettings { variant: None, engines: engines.clone(), terms, event, site };
    let (journal, logs) = Journal::open(journal, arguments.files()?)?;
    let concurrency = arguments.concurrency(&engines);
    let mut reporter = TavlaReporter {
        names: engines.iter().map(|spec| spec.name.clone()).collect(),
        report: MatchProgress::new(arguments, &schedule, concurrency),
        journal,
        results: TavlaResults::default(),
        mars: arguments.mars,
    };
    let game =
        TavlaMatch { rules: rules(arguments), seed: seed.unwrap_or(DEFAULT_SEED), max_turns: arguments.max_moves };
    let settings = MatchSettings {
        timeouts: arguments.timeouts(),
        played: reporter.resume(&schedule, &logs)?,
        concurrency,
        cores: Vec::new(),
        wait: Duration::ZERO,
        engines,
        schedule,
    };
    write!(io::stdout(), "{}", reporter.report.heading(NAME, seed, &settings))?;
    let (result, is_interrupted) = run_until_signal(&game, &settings, &mut |pairing, log| reporter.take(pairing, log))?;
    reporter.finish(is_interrupted)?;
    result?;
    reporter.report.written?;
    Ok(reporter.results.games.faults == 0 && !is_interrupted)
}

fn rules(arguments: &MatchArguments) -> Rules {
    Rules { mars: arguments.mars, hit_and_run: !arguments.no_hit_and_run, ..Rules::default() }
}

/// Returns the settings, other than the engine settings, that must not change when the match is resumed.
fn terms(arguments: &MatchArguments, seed: Option<u64>) -> BTreeMap<String, String> {
    let Rules { mars, hit_and_run, .. } = rules(arguments);
    let seed = seed.unwrap_or(DEFAULT_SEED).to_string();
    let own = [("mars", mars.to_string()), ("hit and run", hit_and_run.to_string()), (SEED, seed)];
    own.map(|(name, value)| (name.to_owned(), value)).into_iter().chain(arguments.part()).collect()
}

/// Rejects options that apply only to draughts.
fn reject_options(arguments: &MatchArguments) -> Result<()> {
    // Destructures all fields, so that every new argument must be rejected or accepted explicitly.
    #[rustfmt::skip]
    let MatchArguments {
        check, optional_capture, openings, plies, order, start, no_swap, check_lines, epd, affinity, wait, repeat, draw,
        win, tables, sprt, plot, pdn,
        // Accepted. `format` and `encoding` have no effect, because there are two engines and no openings.
        engines: _, config: _, each: _, variant: _, mars: _, no_hit_and_run: _, format: _, rounds: _, games: _,
        encoding: _, seed: _, shard: _, concurrency: _, max_moves: _, margin: _, stall: _, on_fault: _, json: _,
        event: _, site: _, quiet: _, resume: _, overwrite: _,
    } = arguments;
    let dice = "tavla games begin at the start position, with random dice";
    let points = "tavla is scored in points per game, not in Elo";
    let no_end = "tavla games are always played to the end";
    let refused = [
        (!check.is_empty(), "--check", "only draughts engines can be checked"),
        (*optional_capture, "--optional-capture", "tavla has no captures"),
        (openings.is_some(), "--openings", dice),
        (plies.is_some(), "--plies", dice),
        (order.is_some() || *start != 1, "--order and --start", dice),
        (*no_swap, "--no-swap", "both games of a pair use the same dice, with sides swapped"),
        (*check_lines, "--check-lines", "not available in tavla"),
        (epd.is_some(), "--epd", "tavla positions have no FEN; use --json"),
        (*affinity, "--affinity", "not available in tavla"),
        (!wait.is_zero(), "--wait", "not available in tavla"),
        (*repeat != 2, "--repeat", "both games of a pair use the same dice, with sides swapped"),
        (draw.is_some(), "--draw", no_end),
        (win.is_some(), "--win", no_end),
        (tables.is_some(), "--tables", no_end),
        (sprt.is_some(), "--sprt", points),
        (plot.is_some(), "--plot", points),
        (pdn.is_some(), "--pdn", "tavla games cannot be written as PDN; use --json"),
    ];
    let found = refused.into_iter().find(|(is_given, ..)| *is_given);
    found.map_or(Ok(()), |(_, option, reason)| Err(anyhow!("{option}: {reason}")))
}

/// Checks that there are exactly two engines, that they use the native protocol, and that their settings do not
/// conflict with those of the match.
fn check_engines(engines: &[Arc<EngineSpec>]) -> Result<()> {
    for spec in engines {
        let is_native = matches!(spec.link, Link::Pipes { protocol: LineProtocol::Native, .. });
        ensure!(is_native, "engine {}: tavla requires the native protocol", spec.name);
        let is_rule = |name: &str| RULES.iter().any(|rule| rule.eq_ignore_ascii_case(name));
        if let Some((name, _)) = spec.options.iter().find(|(name, _)| is_rule(name)) {
            bail!("option.{name}: set the rules with --mars and --no-hit-and-run");
        }
    }
    if let Some(spec) = engines.iter().find(|spec| spec.ponders || spec.restarts) {
        bail!("engine {}: tavla does not support ponder=on or restart=on", spec.name);
    }
    ensure!(engines.len() == 2, "a tavla match needs exactly two engines");
    Ok(())
}

struct TavlaReporter {
    names: Vec<String>,
    report: MatchProgress,
    journal: Journal,
    results: TavlaResults,
    mars: bool,
}

impl TavlaReporter {
    fn resume(&mut self, schedule: &Schedule, logs: &[GameLog]) -> Result<HashSet<usize>> {
        let Self { names, report, results, .. } = self;
        report.resume(logs, |log| log.pairing(schedule, names), |pairing, log| results.add(pairing, log))
    }

    fn take(&mut self, pairing: &Pairing, log: &GameLog) -> ControlFlow<()> {
        let Self { results, report, mars, .. } = self;
        let written = self.journal.write(log);
        results.add(pairing, log);
        report.end_game(pairing, log, "turn", written);
        report.print(results.games.games(), || format!("  {}", points(&results.score, *mars)), log.fault)
    }

    fn finish(&mut self, is_interrupted: bool) -> Result<()> {
        let TavlaResults { score, games, mars: [mars_lost, mars_won], .. } = &self.results;
        let tally = games.engine_tally(0);
        let mut text = String::new();
        text += &format!("{}, {NAME}, same dice in both games of a pair\n", self.names.join(" against "));
        push_entry(&mut text, "games", format_args!("{}: {tally}", tally.count()));
        push_entry(&mut text, "mars", format_args!("{mars_won} won, {mars_lost} lost"));
        let pairs = score.pairs();
        let turns = score.turns as f64 / (2 * pairs).max(1) as f64;
        let points = points(score, self.mars);
        push_entry(
            &mut text,
            "points",
            format_args!("{points} (95 %), {}, {turns:.1} turns per game", counted(pairs, "pair")),
        );
        push_ends(&mut text, games, &self.names);
        self.report.finish(text, is_interrupted.then_some(games.games()))
    }
}
