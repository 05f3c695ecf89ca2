//! Prints the reports of a match: finished games, the standing with the estimated time left, and the final table.

use super::arguments::{MatchArguments, OnFault};
use crate::plot::Standing;
use crate::progress::{Progress, stop_on_signal};
use anyhow::{Result, anyhow, ensure};
use soffio::rules::{Color, Variant};
use soffio_match::statistics::{Decision, Elo, ScoreSample, Sprt, Tally};
use soffio_match::{
    EngineFigures, EngineSpec, GameLog, Journal, MatchGame, MatchResults, MatchSettings, MoveLog, Opening, Pairing,
    Schedule, TimeText, run,
};
use soffio_support::words::counted;
use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

pub(super) fn push_entry(text: &mut String, name: &str, value: impl Display) {
    *text += &format!("  {name:<14} {value}\n");
}

/// Plays the match until it ends or a signal arrives. Returns its result, and whether a signal ended it.
pub(super) fn run_until_signal(
    game: &dyn MatchGame,
    settings: &MatchSettings,
    take: &mut dyn FnMut(&Pairing, &GameLog) -> ControlFlow<()>,
) -> Result<(Result<()>, bool)> {
    let stop = stop_on_signal()?;
    let mut is_over = false;
    let result = run(game, settings, &stop, &mut |pairing, log| {
        let flow = take(&pairing, &log);
        is_over |= flow.is_break();
        flow
    });
    Ok((result, stop.is_stopped() && !is_over))
}

pub(super) fn push_ends(text: &mut String, results: &MatchResults, names: &[String]) {
    let ended: Vec<_> = results.terminations.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    push_entry(text, "ended by", ended.join(", "));
    for (name, engine) in results.engines.iter().filter_map(|(index, engine)| Some((names.get(*index)?, engine))) {
        push_entry(text, name, figures(engine));
    }
    let mut late = results.machine_late.clone();
    late.sort_unstable();
    if !late.is_empty() {
        let lost = results.terminations.get("time").copied().unwrap_or_default();
        let (blamed, more) = (late.len(), if late.len() > MAX_NAMED { ", ..." } else { "" });
        let numbers: Vec<_> = late.iter().take(MAX_NAMED).map(usize::to_string).collect();
        let (games, numbers) = (counted(lost, "game"), numbers.join(", "));
        let line = format!("overloaded: {blamed} of {games} lost on time while waiting for a CPU ({numbers}{more})");
        push_entry(text, "machine", line);
    }
}

const MAX_NAMED: usize = 20;

pub(super) struct MatchProgress {
    /// Number of games in this shard.
    games: u64,
    /// Number of games in all shards.
    of: usize,
    on_fault: OnFault,
    is_quiet: bool,
    /// Whether the match has a journal.
    is_resumable: bool,
    time_left: TimeLeft,
    /// Number of games that were played in earlier runs.
    resumed: u64,
    started: Instant,
    /// The progress bar, or `None` after the match has ended.
    progress: Option<Progress>,
    /// The first error in writing the files or the progress, if any.
    pub(super) written: Result<()>,
}

impl MatchProgress {
    pub(super) fn new(arguments: &MatchArguments, schedule: &Schedule, concurrency: NonZeroUsize) -> Self {
        let games = schedule.pairings().count() as u64;
        Self {
            games,
            of: schedule.games(),
            on_fault: arguments.on_fault,
            is_quiet: arguments.quiet,
            is_resumable: arguments.json.is_some(),
            time_left: TimeLeft { concurrency: concurrency.get() as u64, wait: arguments.wait, ..TimeLeft::default() },
            resumed: 0,
            started: Instant::now(),
            progress: Some(Progress::on_output()),
            written: Ok(()),
        }
    }

    /// Returns the text that is printed before the first game: the number of games, the seed, and the limits of each
    /// engine.
    pub(super) fn heading(&self, name: &str, seed: Option<u64>, game: &MatchSettings) -> String {
        let (games, played) = (counted(self.games, "game"), game.played.len());
        let mut text = format!("{games}, {name}, concurrency {}", game.concurrency);
        if let Some(seed) = seed {
            text += &format!(", seed {seed}");
        }
        if played > 0 {
            text += &format!(", {played} already played");
        }
        text.push('\n');
        let limits = |spec: &EngineSpec| {
            let margin = spec.margin.unwrap_or(game.timeouts.margin);
            let is_timed = spec.control.clock.is_some() || spec.control.move_time.is_some();
            let margin = if is_timed { format!(", time margin {}", TimeText(margin)) } else { String::new() };
            format!("{}{margin}", spec.control)
        };
        game.engines.iter().for_each(|spec| push_entry(&mut text, &spec.name, limits(spec)));
        text
    }

    /// Counts the games in the journal and returns their numbers. Fails if one of them does not belong to this match.
    pub(super) fn resume(
        &mut self,
        logs: &[GameLog],
        pairing: impl Fn(&GameLog) -> Option<Pairing>,
        mut count: impl FnMut(&Pairing, &GameLog),
    ) -> Result<HashSet<usize>> {
        let (last, of) = (logs.iter().map(|log| log.game).max().unwrap_or_default(), self.of);
        ensure!(
            last as u64 <= of as u64,
            "the journal contains game {last}, but this match has only {}",
            counted(of, "game")
        );
        let mut played = HashSet::new();
        for log in logs {
            let pairing = pairing(log).filter(|pairing| played.insert(pairing.number));
            let pairing =
                pairing.ok_or_else(|| anyhow!("game {} of the journal does not belong to this match", log.game))?;
            count(&pairing, log);
        }
        self.resumed = played.len() as u64;
        Ok(played)
    }

    /// Reports a finished game. `unit` is the unit in which the length of the game is counted, and `written` is the
    /// result of writing the game to the files.
    pub(super) fn end_game(&mut self, pairing: &Pairing, log: &GameLog, unit: &str, written: Result<()>) {
        let GameLog { game, white, black, detail, moves, .. } = log;
        if self.written.is_ok() {
            self.written = written;
        }
        self.time_left.add(pairing.pair, Duration::from_micros(moves.iter().filter_map(|mv| mv.us).sum()));
        if log.fault {
            log::warn!("game {game}, {white} against {black}: {detail}");
        }
        if log.fault || !self.is_quiet {
            let (winner, result) = match log.winner {
                None => ("draw", "1/2-1/2"),
                Some(Color::White) => ("White won", "1-0"),
                Some(Color::Black) => ("Black won", "0-1"),
            };
            let (games, length) = (self.of, counted(moves.len() as u64, unit));
            self.print_line(&format!("game {game} of {games}: {white} - {black}: {winner}, {detail}, {length}"));
            self.print_line(&format!("Finished game {game} ({white} vs {black}): {result} {{{detail}}}"));
        }
    }

    /// Prints a line above the progress bar.
    fn print_line(&mut self, line: &str) {
        let print = || writeln!(io::stdout(), "{line}");
        let printed = self.progress.as_ref().map_or_else(print, |progress| progress.with_lines(print));
        self.written = std::mem::replace(&mut self.written, Ok(())).and(printed.map_err(Into::into));
    }

    /// Updates the progress bar or, if the output is not a terminal, prints the standing at regular intervals. Returns
    /// whether the match continues.
    pub(super) fn print(&mut self, games: u64, standing: impl FnOnce() -> String, is_fault: bool) -> ControlFlow<()> {
        let (left, played) = (self.games.saturating_sub(games), games - self.resumed);
        let left = self.time_left.estimate(left, played, self.started.elapsed());
        let left = left.map(|left| format!("  {} left", duration(left))).unwrap_or_default();
        let line = || format!("played {games}/{}{}{left}", self.games, standing());
        if let Some(line) = self.progress.as_ref().and_then(|progress| progress.line((games, self.games), line)) {
            self.print_line(&line);
        }
        let is_over = self.written.is_err() || is_fault && self.on_fault == OnFault::Stop;
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Prints the summary of the match. If a signal has ended the match after `interrupted` games, the summary says so.
    pub(super) fn finish(&mut self, mut table: String, interrupted: Option<u64>) -> Result<()> {
        self.progress = None;
        push_entry(&mut table, "time", duration(self.started.elapsed()));
        if let Some(games) = interrupted {
            let how = if self.is_resumable { "; use --resume to continue" } else { "" };
            push_entry(
                &mut table,
                "interrupted",
                format_args!("{games} of {} played{how}", counted(self.games, "game")),
            );
        }
        let mut output = io::stdout().lock();
        write!(output, "{}", table)?;
        Ok(output.flush()?)
    }
}

/// Estimates the remaining time. At the beginning of a match, the mean game time is misleading, because the engines
/// have just been started and short games finish first. The first estimates therefore use the median game time, and
/// games that form a pair are counted only when both have finished.
#[derive(Default)]
struct TimeLeft {
    concurrency: u64,
    /// Pause between games.
    wait: Duration,
    /// Durations of games in ascending order.
    times: Vec<Duration>,
    /// Duration of the first game of each pair whose second game has not finished yet, by pair number.
    halves: HashMap<usize, Duration>,
}

/// The estimate switches to the mean after this many finished games per concurrent game.
const MIN_GAMES_FOR_MEAN: u64 = 10;

impl TimeLeft {
    fn add(&mut self, pair: Option<usize>, took: Duration) {
        if self.times.len() as u64 > MIN_GAMES_FOR_MEAN * self.concurrency {
            return;
        }
        let other = pair.and_then(|pair| self.halves.remove(&pair));
        if let (Some(pair), None) = (pair, other) {
            self.halves.insert(pair, took);
            return;
        }
        for time in other.into_iter().chain([took]) {
            self.times.insert(self.times.partition_point(|known| *known <= time), time);
        }
    }

    fn estimate(&self, left: u64, played: u64, elapsed: Duration) -> Option<Duration> {
        if left == 0 {
            return None;
        }
        if played >= MIN_GAMES_FOR_MEAN * self.concurrency {
            return Some(elapsed.mul_f64(left as f64 / played as f64));
        }
        let median = self.times.get(self.times.len().checked_sub(1)? / 2)?;
        Some((*median + self.wait).mul_f64(left.div_ceil(self.concurrency.max(1)) as f64))
    }
}

/// Formats a duration in its two largest units.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

fn figures(engine: &EngineFigures) -> String {
    let time = engine.time.as_secs_f64() * 1e3 / engine.moves.max(1) as f64;
    // Not every protocol reports nodes and depth.
    let mut parts: Vec<_> = engine.nodes.mean().map(|nodes| format!("{nodes:.0} nodes")).into_iter().collect();
    parts.extend(engine.depth.mean().map(|depth| format!("depth {depth:.1}")));
    parts.push(format!("{time:.2} ms per move"));
    if let Some(mean) = engine.latency.mean() {
        parts.push(format!("mean latency {:.2} ms, maximum {:.0} ms", mean / 1e3, engine.latency.max as f64 / 1e3));
    }
    if engine.bad_lines > 0 {
        parts.push(format!("illegal lines {}", engine.bad_lines));
    }
    parts.extend(engine.faults.iter().map(|(kind, count)| format!("{kind} {count}")));
    parts.join(", ")
}

pub(super) struct MatchIdentity {
    pub(super) variant: Variant,
    pub(super) names: Vec<String>,
    pub(super) sprt: Option<Sprt>,
}

impl MatchIdentity {
    fn name(&self, index: usize) -> &str {
        self.names.get(index).map_or("?", String::as_str)
    }
}

pub(super) struct MatchReporter<'a> {
    settings: &'a MatchIdentity,
    pub(super) report: MatchProgress,
    journal: Journal,
    pub(super) results: MatchResults,
    pub(super) history: Vec<Standing>,
}

impl<'a> MatchReporter<'a> {
    pub(super) fn new(settings: &'a MatchIdentity, report: MatchProgress, journal: Journal) -> Self {
        Self { settings, report, journal, results: MatchResults::default(), history: Vec::new() }
    }

    pub(super) fn resume(
        &mut self,
        schedule: &Schedule,
        openings: &[Opening],
        logs: &[GameLog],
    ) -> Result<HashSet<usize>> {
        let Self { settings, report, results, history, .. } = self;
        let pairing = |log: &GameLog| {
            let pairing = log.pairing(schedule, &settings.names)?;
            has_opening(settings.variant, openings.get(pairing.opening)?, log).then_some(pairing)
        };
        report.resume(logs, pairing, |pairing, log| history.push(count(settings, results, pairing, log)))
    }

    pub(super) fn take(&mut self, pairing: &Pairing, log: &GameLog) -> ControlFlow<()> {
        let Self { settings, report, journal, results, history } = self;
        let written = journal.write(log);
        history.push(count(settings, results, pairing, log));
        report.end_game(pairing, log, "ply", written);
        if let Some(line) = bad_line(log) {
            report.print_line(&line);
        }
        report.print(results.games(), || standing(settings, results), log.fault)?;
        self.flow()
    }

    pub(super) fn flow(&self) -> ControlFlow<()> {
        let sample = || self.results.engine_tally(0).sample();
        match self.settings.sprt.map(|sprt| sprt.decide(&sample())) {
            None | Some(Decision::Open) => ControlFlow::Continue(()),
            Some(Decision::Elo0 | Decision::Elo1) => ControlFlow::Break(()),
        }
    }

    pub(super) fn finish(&mut self, is_interrupted: bool) -> Result<()> {
        let Self { settings, results, .. } = self;
        let mut text = String::new();
        if let [one, other] = settings.names.as_slice() {
            text += &format!("{one} against {other}, {}\n", settings.variant);
            let tally = results.engine_tally(0);
            games(&mut text, &tally);
            pairs(&mut text, &tally);
            strength(&mut text, &tally.sample(), settings.sprt.as_ref());
        } else {
            cross_table(&mut text, settings, results);
        }
        push_ends(&mut text, results, &settings.names);
        self.report.finish(text, is_interrupted.then_some(results.games()))
    }
}

fn count(settings: &MatchIdentity, results: &mut MatchResults, pairing: &Pairing, log: &GameLog) -> Standing {
    results.add(pairing, log);
    let sample = results.engine_tally(0).sample();
    let ratio = settings.sprt.map(|sprt| sprt.ratio(&sample));
    Standing { games: results.games(), elo: Elo::estimate(&sample), ratio }
}

/// Returns whether the game began with `opening`. Positions are compared rather than moves, because the same move can
/// be written in several ways.
fn has_opening(variant: Variant, opening: &Opening, log: &GameLog) -> bool {
    let moves = log.moves.iter().take_while(|mv| mv.us.is_none()).map(|mv| mv.text.clone()).collect();
    let Ok(start) = log.fen.as_ref().map(|fen| fen.parse()).transpose() else { return false };
    let played = Opening { start, moves };
    let end = |opening: &Opening| opening.played(variant).ok().map(|game| game.fen());
    played.moves.len() == opening.moves.len() && end(&played).is_some_and(|fen| Some(fen) == end(opening))
}

/// Returns a message about the first illegal principal variation in a game, or `None` if all of them are legal.
fn bad_line(log: &GameLog) -> Option<String> {
    let is_bad = |(ply, mv): (usize, &MoveLog)| Some((ply, mv.side, mv.bad_line.clone()?));
    let (ply, side, line) = (1..).zip(&log.moves).find_map(is_bad)?;
    let name = side.pick([&log.white, &log.black]);
    Some(format!("game {}, ply {ply}: {name} reports an illegal line: {line}", log.game))
}

fn standing(settings: &MatchIdentity, results: &MatchResults) -> String {
    if settings.names.len() != 2 {
        return String::new();
    }
    let tally = results.engine_tally(0);
    let sample = tally.sample();
    let elo = Elo::estimate(&sample).map(|elo| format!("  Elo {elo}")).unwrap_or_default();
    let test = settings.sprt.as_ref().map(|sprt| format!("  LLR {}", ratio(sprt, &sample))).unwrap_or_default();
    format!("  {tally}{elo}{test}")
}

fn ratio(sprt: &Sprt, sample: &ScoreSample) -> String {
    let (lower, upper) = sprt.bounds();
    format!("{:.2} [{lower:.2}, {upper:.2}]", sprt.ratio(sample))
}

pub fn games(text: &mut String, tally: &Tally) {
    push_entry(text, "games", format_args!("{}: {tally}, {:.1} %", tally.count(), tally.percent()));
}

pub fn pairs(text: &mut String, tally: &Tally) {
    let pairs = tally.pairs.map(|count| count.to_string()).join(" ");
    push_entry(text, "pairs", format_args!("{pairs} (0, 1/2, 1, 1 1/2, 2 points)"));
}

pub fn strength(text: &mut String, sample: &ScoreSample, sprt: Option<&Sprt>) {
    if let Some(elo) = Elo::estimate(sample) {
        push_entry(text, "Elo", format_args!("{elo} (95 %), LOS {:.1} %", 100.0 * elo.superiority));
        if let Some((normalized, error)) = elo.normalized {
            push_entry(text, "normalized Elo", format_args!("{normalized:+.1} +/- {error:.1}"));
        }
    }
    if let Some(sprt) = sprt {
        let (ratio, decision) = (ratio(sprt, sample), sprt.decide(sample));
        push_entry(text, "SPRT", format_args!("elo0 {} elo1 {}: LLR {ratio}, {decision}", sprt.elo0, sprt.elo1));
    }
}

fn cross_table(text: &mut String, settings: &MatchIdentity, results: &MatchResults) {
    *text += &format!("{} engines, {}\n", settings.names.len(), settings.variant);
    let mut order: Vec<_> = (0..settings.names.len()).map(|index| (index, results.engine_tally(index))).collect();
    order.sort_by(|(_, one), (_, other)| other.percent().total_cmp(&one.percent()));
    for (index, tally) in &order {
        let elo = Elo::estimate(&tally.sample()).map(|elo| format!(", Elo {elo} against the others"));
        let line = format!("{}: {tally}, {:.1} %{}", tally.count(), tally.percent(), elo.unwrap_or_default());
        push_entry(text, settings.name(*index), line);
    }
    for ((one, other), tally) in &results.tallies {
        let names = [one, other].map(|index| settings.name(*index)).join(" - ");
        push_entry(text, "", format_args!("{names}: {tally}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remaining_time_uses_the_median_game_pair() {
        let (ms, concurrency) = (Duration::from_millis, 2);
        let mut time_left = TimeLeft { concurrency, ..TimeLeft::default() };
        // The first game includes the startup of both engines. The whole match takes eight seconds.
        time_left.add(Some(0), ms(800));
        assert_eq!(time_left.estimate(999, 1, ms(900)), None, "the game with swapped colours may take longer");
        time_left.add(Some(2), ms(15));
        assert_eq!(time_left.estimate(998, 2, ms(920)), None);
        time_left.add(Some(0), ms(16));
        assert_eq!(time_left.estimate(997, 3, ms(940)), Some(ms(499 * 16)));
        time_left.add(Some(2), ms(17));
        assert_eq!(time_left.estimate(996, 4, ms(960)), Some(ms(498 * 16)));
        // If openings are not repeated, every game is included in the median immediately. The pause between games is
        // added.
        let mut time_left = TimeLeft { concurrency: 1, wait: ms(5), ..TimeLeft::default() };
        time_left.add(None, ms(20));
        assert_eq!(time_left.estimate(3, 1, ms(100)), Some(ms(75)));
        // Later estimates use the mean. At the end, there is nothing left to estimate.
        assert_eq!(time_left.estimate(30, 10, ms(1000)), Some(ms(3000)));
        assert_eq!(time_left.estimate(0, 10, ms(1000)), None);
    }
}
