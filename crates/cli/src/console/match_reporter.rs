//! Counts the results of a match, prints them and keeps them in files.

use super::match_arguments::OnFault;
use super::match_command::invalid;
use super::match_report::{Standing, bad_line, game_line, progress, table};
use super::progress::{REPORT, bar};
use crate::arena::statistics::{Decision, Sprt};
use crate::arena::{FinishedGame, GameLog, Journal, Opening, Pairing, Results, Schedule};
use indicatif::{ProgressBar, ProgressDrawTarget};
use soffio::notation::pdn::Date;
use soffio::rules::Variant;
use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Instant, SystemTime};

/// The data that reports need.
pub(super) struct Settings {
    pub(super) variant: Variant,
    pub(super) names: Vec<String>,
    pub(super) games: u64,
    pub(super) sprt: Option<Sprt>,
    pub(super) on_fault: OnFault,
    /// Whether finished games have no line.
    pub(super) is_quiet: bool,
}

/// Counts results, prints them and keeps them in files.
pub(super) struct Reporter<'a> {
    settings: &'a Settings,
    journal: Journal,
    pub(super) results: Results,
    pub(super) history: Vec<Standing>,
    /// Games that earlier runs of the match have played.
    resumed: u64,
    started: Instant,
    /// Only where the line can be overwritten.
    bar: Option<ProgressBar>,
    printed: Option<Instant>,
    /// Whether the files and the progress could be written.
    pub(super) written: io::Result<()>,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(settings: &'a Settings, journal: Journal) -> Self {
        let bar = io::stdout().is_terminal().then(|| bar(settings.games, ProgressDrawTarget::stdout()));
        Self {
            settings,
            journal,
            results: Results::default(),
            history: Vec::new(),
            resumed: 0,
            started: Instant::now(),
            bar,
            printed: None,
            written: Ok(()),
        }
    }

    /// Counts the games of earlier runs; returns their numbers.
    pub(super) fn resume(
        &mut self,
        schedule: &Schedule,
        openings: &[Opening],
        logs: &[GameLog],
    ) -> io::Result<HashSet<usize>> {
        for log in logs {
            let pairing = log.header.pairing(schedule, &self.settings.names);
            let pairing = pairing.filter(|pairing| self.has_opening(pairing, openings, log));
            let pairing = pairing
                .ok_or_else(|| invalid(format!("game {} of the journal is not of this match", log.header.game)))?;
            self.count(&pairing, log);
        }
        self.resumed = self.results.games();
        Ok(logs.iter().map(|log| log.header.game - 1).collect())
    }

    /// Whether `log` is a game from the opening that `pairing` says.
    fn has_opening(&self, pairing: &Pairing, openings: &[Opening], log: &GameLog) -> bool {
        openings.get(pairing.opening).is_some_and(|opening| {
            let moves = log.moves.iter().take_while(|mv| mv.us.is_none()).map(|mv| mv.text.clone());
            let start = log.fen.as_ref().map(|fen| fen.parse()).transpose();
            let played = start.ok().map(|start| Opening { start, moves: moves.collect() });
            // The same moves can be written in several ways.
            let end = |opening: &Opening| opening.played(self.settings.variant).ok().map(|game| game.fen().to_string());
            played.is_some_and(|played| {
                played.moves.len() == opening.moves.len() && end(&played).is_some_and(|fen| Some(fen) == end(opening))
            })
        })
    }

    fn count(&mut self, pairing: &Pairing, log: &GameLog) {
        self.results.add(pairing, log);
        self.history.push(Standing::new(self.settings, &self.results));
    }

    pub(super) fn take(&mut self, openings: &[Opening], game: &FinishedGame) -> ControlFlow<()> {
        let name = |index: usize| self.settings.names.get(index).map_or("?", String::as_str);
        let names = [name(game.pairing.white), name(game.pairing.black)];
        let Some(opening) = openings.get(game.pairing.opening) else { return ControlFlow::Break(()) };
        let log = GameLog::new(game, opening, names, &Date::from(SystemTime::now()).to_string());
        if log.fault {
            log::warn!("game {}, {} against {}: {}", log.header.game, log.header.white, log.header.black, log.detail);
        }
        self.written = self.journal.write(&log);
        self.count(&game.pairing, &log);
        if log.fault || !self.settings.is_quiet {
            self.say(&game_line(self.settings, &log));
        }
        if let Some(line) = bad_line(&log) {
            self.say(&line);
        }
        self.print();
        let ends_by_fault = log.fault && self.settings.on_fault == OnFault::Stop;
        if self.written.is_err() || ends_by_fault { ControlFlow::Break(()) } else { self.flow() }
    }

    /// Prints a line that stays.
    fn say(&mut self, line: &str) {
        let printed = match &self.bar {
            Some(bar) => bar.suspend(|| writeln!(io::stdout(), "{line}")),
            None => writeln!(io::stdout(), "{line}"),
        };
        self.written = std::mem::replace(&mut self.written, Ok(())).and(printed);
    }

    fn print(&mut self) {
        let played = (self.results.games() - self.resumed, self.started.elapsed());
        let line = || progress(self.settings, &self.results, played);
        if let Some(bar) = &self.bar {
            bar.set_position(self.results.games());
            bar.set_message(line());
        } else if self.printed.is_none_or(|instant| instant.elapsed() >= REPORT) {
            self.say(&line());
            self.printed = Some(Instant::now());
        }
    }

    /// Whether the test is still open, if there is one.
    pub(super) fn flow(&self) -> ControlFlow<()> {
        let sample = || self.results.of(0).sample();
        match self.settings.sprt.map(|sprt| sprt.decide(&sample())) {
            None | Some(Decision::Open) => ControlFlow::Continue(()),
            Some(Decision::Elo0 | Decision::Elo1) => ControlFlow::Break(()),
        }
    }

    pub(super) fn finish(&mut self) -> io::Result<()> {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        let mut output = io::stdout().lock();
        write!(output, "{}", table(self.settings, &self.results, self.started.elapsed()))?;
        output.flush()
    }
}
