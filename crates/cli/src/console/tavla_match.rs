//! The mode `match` where the game is tavla: what it takes of its arguments, and what it prints.

use super::match_arguments::{MatchArguments, OnFault};
use super::match_command::{engines, games_at_a_time, invalid, timeouts};
use super::match_report::{Text, duration, figures, time_left};
use super::progress::{REPORT, bar};
use crate::arena::{EngineSpec, Format, GameLines, Pairing, Schedule};
use crate::tavla_arena::{GameLog, MatchSettings, Results, run};
use indicatif::{ProgressBar, ProgressDrawTarget};
use soffio::stop::Stop;
use soffio_tavla::rules::Rules;
use soffio_tavla::session::NAME;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// What the dice depend on if nothing is said.
const SEED: u64 = 1;

/// Options of engines that the match sets.
const RULES: [&str; 3] = ["UCI_Variant", "Mars", "Hit And Run"];

/// Plays the match that `arguments` describe, and prints how it goes. Returns whether no engine did anything wrong.
///
/// # Errors
/// When the match cannot be played, or its file cannot be written.
pub(super) fn play_tavla_match(arguments: &MatchArguments) -> io::Result<bool> {
    refuse(arguments).map_err(invalid)?;
    let engines = two_engines(engines(arguments).map_err(invalid)?).map_err(invalid)?;
    let plan = arguments.plan();
    if !plan.games.is_multiple_of(2) {
        return Err(invalid("--games: in tavla every two games have the same dice, so their number is even"));
    }
    let schedule = Schedule::new(Format::RoundRobin, engines.len(), plan, plan.openings());
    let journal = (NAME, &engines[..], &terms(arguments));
    let (lines, logs) = GameLines::open::<GameLog>(journal, arguments.json.as_deref(), arguments.resume)?;
    let mut reporter = Reporter {
        names: engines.each_ref().map(|spec| spec.name.clone()),
        games: schedule.len() as u64,
        on_fault: arguments.on_fault,
        lines,
        results: Results::default(),
        resumed: 0,
        started: Instant::now(),
        bar: io::stdout().is_terminal().then(|| bar(schedule.len() as u64, ProgressDrawTarget::stdout())),
        printed: None,
        written: Ok(()),
    };
    let settings = MatchSettings {
        rules: rules(arguments),
        timeouts: timeouts(arguments),
        seed: arguments.seed.unwrap_or(SEED),
        max_turns: arguments.max_moves,
        played: reporter.resume(&schedule, &logs)?,
        concurrency: arguments.concurrency.map_or_else(|| games_at_a_time(&engines), NonZeroUsize::from),
        engines,
        schedule,
    };
    let stop = Stop::new();
    let on_signal = stop.clone();
    ctrlc::set_handler(move || on_signal.stop()).map_err(io::Error::other)?;
    let result = run(&settings, &stop, &mut |pairing, log| reporter.take(&pairing, &log));
    reporter.finish()?;
    result.map_err(io::Error::other)?;
    reporter.written?;
    Ok(reporter.results.faults == 0)
}

/// The rules of the match.
fn rules(arguments: &MatchArguments) -> Rules {
    Rules { mars: arguments.mars, hit_and_run: !arguments.no_hit_and_run, ..Rules::default() }
}

/// What must be the same when the match goes on, beside the engines, by name.
fn terms(arguments: &MatchArguments) -> BTreeMap<String, String> {
    let Rules { mars, hit_and_run, .. } = rules(arguments);
    let seed = arguments.seed.unwrap_or(SEED).to_string();
    let terms = [("mars", mars.to_string()), ("hit and run", hit_and_run.to_string()), ("seed", seed)];
    terms.map(|(name, value)| (name.to_owned(), value)).into()
}

/// Refuses what only matches of draughts have.
fn refuse(arguments: &MatchArguments) -> Result<(), String> {
    let dice = "games of tavla begin at the start position, with dice of their own";
    let points = "games of tavla are won by points: the match counts points a game, not Elo";
    let no_end = "a game of tavla is played to its end";
    let refused = [
        (!arguments.check.is_empty(), "--check", "only engines of draughts are walked through their protocol"),
        (arguments.optional_capture, "--optional-capture", "tavla has no captures"),
        (arguments.openings.is_some(), "--openings", dice),
        (arguments.plies.is_some(), "--plies", dice),
        (arguments.order.is_some() || arguments.start != 1, "--order and --start", dice),
        (arguments.no_swap, "--no-swap", "two games have the same dice, one in each order"),
        (arguments.check_lines, "--check-lines", "lines of tavla are not checked"),
        (arguments.epd.is_some(), "--epd", "positions of tavla have no FEN; --json has the plays"),
        (arguments.affinity, "--affinity", "engines of tavla are not bound to cores"),
        (!arguments.wait.is_zero(), "--wait", "games of tavla follow each other at once"),
        (arguments.repeat != 2, "--repeat", "two games have the same dice, one in each order"),
        (arguments.draw.is_some(), "--draw", no_end),
        (arguments.win.is_some(), "--win", no_end),
        (arguments.tables.is_some(), "--tables", no_end),
        (arguments.sprt.is_some(), "--sprt", points),
        (arguments.plot.is_some(), "--plot", points),
        (arguments.pdn.is_some(), "--pdn", "games of tavla are no draughts notation; --json has their dice and plays"),
    ];
    let found = refused.into_iter().find(|(is_given, ..)| *is_given);
    found.map_or(Ok(()), |(_, option, reason)| Err(format!("{option}: {reason}")))
}

/// Two engines whose options leave the rules to the match.
fn two_engines(engines: Vec<Arc<EngineSpec>>) -> Result<[Arc<EngineSpec>; 2], String> {
    for spec in &engines {
        let is_rule = |name: &str| RULES.iter().any(|rule| rule.eq_ignore_ascii_case(name));
        if let Some((name, _)) = spec.options.iter().find(|(name, _)| is_rule(name)) {
            return Err(format!("option.{name}: the rules are those of the match, --mars and --no-hit-and-run"));
        }
    }
    if let Some(spec) = engines.iter().find(|spec| spec.ponders || spec.restarts) {
        return Err(format!("{}: engines of tavla neither ponder nor start again for every game", spec.name));
    }
    engines.try_into().map_err(|_| "a match of tavla is between two engines".to_owned())
}

/// Counts results, prints them and keeps them in a file.
struct Reporter {
    names: [String; 2],
    games: u64,
    on_fault: OnFault,
    lines: GameLines,
    results: Results,
    /// Games that earlier runs of the match have played.
    resumed: u64,
    started: Instant,
    /// Only where the line can be overwritten.
    bar: Option<ProgressBar>,
    printed: Option<Instant>,
    /// Whether the file and the progress could be written.
    written: io::Result<()>,
}

impl Reporter {
    /// Counts the games of earlier runs; returns their numbers.
    fn resume(&mut self, schedule: &Schedule, logs: &[GameLog]) -> io::Result<HashSet<usize>> {
        let mut played = HashSet::new();
        for log in logs {
            let pairing = log.header.pairing(schedule, &self.names);
            let Some(pairing) = pairing.filter(|pairing| played.insert(pairing.number)) else {
                return Err(invalid(format!("game {} of the journal is not of this match", log.header.game)));
            };
            self.results.add(&pairing, log);
        }
        self.resumed = self.results.count();
        Ok(played)
    }

    fn take(&mut self, pairing: &Pairing, log: &GameLog) -> ControlFlow<()> {
        if log.fault {
            log::warn!("game {}, {} against {}: {}", log.header.game, log.header.white, log.header.black, log.detail);
        }
        self.written = self.lines.write(log);
        self.results.add(pairing, log);
        self.print();
        let ends_by_fault = log.fault && self.on_fault == OnFault::Stop;
        if self.written.is_err() || ends_by_fault { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn print(&mut self) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.results.count());
            bar.set_message(self.progress());
        } else if self.printed.is_none_or(|instant| instant.elapsed() >= REPORT) {
            let printed = writeln!(io::stdout(), "{}", self.progress());
            self.written = std::mem::replace(&mut self.written, Ok(())).and(printed);
            self.printed = Some(Instant::now());
        }
    }

    /// One line on the standing of the match.
    fn progress(&self) -> String {
        let played = (self.results.count() - self.resumed, self.started.elapsed());
        let left = time_left(self.games.saturating_sub(self.results.count()), played);
        format!("game {}/{}  {}{left}", self.results.count(), self.games, self.points())
    }

    fn points(&self) -> String {
        let score = &self.results.score;
        format!("{:+.4} +/- {:.4} points a game", score.mean(), score.error())
    }

    fn finish(&mut self) -> io::Result<()> {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        let mut output = io::stdout().lock();
        write!(output, "{}", self.table())?;
        output.flush()
    }

    /// The table at the end.
    fn table(&self) -> String {
        let Results { score, games: [lost, drawn, won], mars: [mars_lost, mars_won], .. } = &self.results;
        let [one, other] = &self.names;
        let mut text = Text::default();
        text.say(format_args!("{one} against {other}, {NAME}, the same dice for both orders\n"));
        text.entry("games", format_args!("{}: +{won} ={drawn} -{lost}", self.results.count()));
        text.entry("mars", format_args!("{mars_won} won, {mars_lost} lost"));
        let turns = score.turns as f64 / f64::from((2 * score.pairs).max(1));
        text.entry("points", format_args!("{} (95 %), {} pairs, {turns:.1} turns a game", self.points(), score.pairs));
        let ended: Vec<_> = self.results.terminations.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        text.entry("ended by", ended.join(", "));
        for (name, engine) in self.names.iter().zip(&self.results.engines) {
            text.entry(name, figures(engine));
        }
        text.entry("time", duration(self.started.elapsed()));
        text.into()
    }
}
