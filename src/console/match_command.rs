//! The mode `match`: engines play each other.

use super::GameName;
use super::match_arguments::{MatchArguments, OnFault};
use super::match_openings::openings;
use super::match_plot::draw;
use super::match_report::{Standing, progress, table};
use super::progress::{REPORT, bar};
use super::tavla_match::play_tavla_match;
use crate::arena::statistics::{Decision, Sprt};
use crate::arena::{
    EngineSpec, FinishedGame, GameLog, GameRules, Journal, MatchSettings, Opening, Pairing, Patience, Results,
    Schedule, check, run,
};
use crate::notation::pdn::today;
use crate::rules::Variant;
use crate::stop::Stop;
use crate::tables::Adjudicator;
use indicatif::{ProgressBar, ProgressDrawTarget};
use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::num::{NonZeroU16, NonZeroUsize};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// The data that reports need.
pub(super) struct Settings {
    pub(super) variant: Variant,
    pub(super) names: Vec<String>,
    pub(super) games: u64,
    pub(super) sprt: Option<Sprt>,
    on_fault: OnFault,
}

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
    };
    let files = (arguments.json.as_deref(), arguments.pdn.as_deref());
    let (journal, logs) = Journal::open(variant, &engines, files, arguments.resume)?;
    let mut reporter = Reporter::new(&settings, journal);
    let played = reporter.resume(&schedule, &openings, &logs)?;
    let mut match_settings = MatchSettings {
        rules: GameRules { variant, draw: arguments.draw, win: arguments.win, tables, max_moves: arguments.max_moves },
        patience: patience(arguments),
        concurrency: arguments.concurrency.map_or_else(|| cores(&engines), NonZeroUsize::from),
        engines,
        openings,
        schedule,
        played,
    };
    if reporter.flow().is_break() {
        match_settings.played = match_settings.schedule.pairings().map(|pairing| pairing.number).collect();
    }
    let stop = Stop::new();
    let on_signal = stop.clone();
    ctrlc::set_handler(move || on_signal.stop()).map_err(io::Error::other)?;
    let result = run(&match_settings, &stop, &mut |game| reporter.take(&match_settings.openings, &game));
    reporter.finish()?;
    result.map_err(io::Error::other)?;
    reporter.written?;
    if let Some(path) = &arguments.plot {
        let title = format!("{}, {}", settings.names.join(" against "), settings.variant);
        draw(path, &title, &reporter.history, settings.sprt.as_ref())?;
    }
    Ok(reporter.results.faults == 0)
}

/// How patient one is with engines.
pub(super) fn patience(arguments: &MatchArguments) -> Patience {
    Patience {
        margin: Duration::from_millis(u64::from(arguments.margin)),
        stall: Duration::from_secs(u64::from(arguments.stall)),
    }
}

/// Walks one engine through its protocol; returns whether no fault was found.
fn check_engine(arguments: &MatchArguments, variant: Variant) -> io::Result<bool> {
    // The steps set the limits themselves.
    let words: Vec<_> = arguments.check.iter().map(String::as_str).chain(["depth=1"]).collect();
    let spec = EngineSpec::parse(&words, &[]).map_err(|error| invalid(format!("engine: {error}")))?;
    let (mut steps, mut faults) = (0, 0);
    let stop = Stop::new();
    let mut written = Ok(());
    let walked = check(&spec, variant, &stop, &mut |result| {
        steps += 1;
        faults += u32::from(result.problem.is_some());
        written = writeln!(io::stdout(), "{result}");
        if written.is_err() {
            stop.stop();
        }
    });
    walked.map_err(|error| invalid(error.to_string()))?;
    written?;
    writeln!(io::stdout(), "{steps} steps, {faults} to mend")?;
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

/// The games that fit on the processor at a time: in a game one engine thinks, with the threads that it was given. An
/// engine that runs already plays one game at a time.
pub(super) fn cores(engines: &[Arc<EngineSpec>]) -> NonZeroUsize {
    if engines.iter().any(|spec| spec.link.is_shared()) {
        return NonZeroUsize::MIN;
    }
    let threads = |spec: &Arc<EngineSpec>| {
        let option = spec.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("threads"));
        option.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
    };
    let most = engines.iter().map(threads).max().unwrap_or(1).max(1);
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    NonZeroUsize::new(cores / most).unwrap_or(NonZeroUsize::MIN)
}

/// Counts results, prints them and keeps them in files.
struct Reporter<'a> {
    settings: &'a Settings,
    journal: Journal,
    results: Results,
    history: Vec<Standing>,
    /// Games that earlier runs of the match have played.
    resumed: u64,
    started: Instant,
    /// Only where the line can be overwritten.
    bar: Option<ProgressBar>,
    printed: Option<Instant>,
    /// Whether the files and the progress could be written.
    written: io::Result<()>,
}

impl<'a> Reporter<'a> {
    fn new(settings: &'a Settings, journal: Journal) -> Self {
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
    fn resume(&mut self, schedule: &Schedule, openings: &[Opening], logs: &[GameLog]) -> io::Result<HashSet<usize>> {
        for log in logs {
            let pairing = log.game.checked_sub(1).and_then(|number| schedule.pairing(number));
            let fits = pairing.is_some_and(|pairing| self.is_game(&pairing, openings, log));
            let pairing = pairing.filter(|_| fits);
            let pairing =
                pairing.ok_or_else(|| invalid(format!("game {} of the journal is not of this match", log.game)))?;
            self.count(&pairing, log);
        }
        self.resumed = self.results.games();
        Ok(logs.iter().map(|log| log.game - 1).collect())
    }

    /// Whether `log` is the game that `pairing` says: players and opening.
    fn is_game(&self, pairing: &Pairing, openings: &[Opening], log: &GameLog) -> bool {
        let is_player = |index: usize, name: &str| self.settings.names.get(index).is_some_and(|known| known == name);
        let has_opening = openings.get(pairing.opening).is_some_and(|opening| {
            let fen = opening.start.as_ref().map(ToString::to_string);
            let moves = log.moves.iter().take_while(|mv| mv.us.is_none()).count();
            fen == log.fen && moves == opening.moves.len()
        });
        is_player(pairing.white, &log.white) && is_player(pairing.black, &log.black) && has_opening
    }

    fn count(&mut self, pairing: &Pairing, log: &GameLog) {
        self.results.add(pairing, log);
        self.history.push(Standing::new(self.settings, &self.results));
    }

    fn take(&mut self, openings: &[Opening], game: &FinishedGame) -> ControlFlow<()> {
        let name = |index: usize| self.settings.names.get(index).map_or("?", String::as_str);
        let names = [name(game.pairing.white), name(game.pairing.black)];
        let Some(opening) = openings.get(game.pairing.opening) else { return ControlFlow::Break(()) };
        let log = GameLog::new(game, opening, names, &today());
        if log.fault {
            log::warn!("game {}, {} against {}: {}", log.game, log.white, log.black, log.detail);
        }
        self.written = self.journal.write(&log);
        self.count(&game.pairing, &log);
        self.print();
        let ends_by_fault = log.fault && self.settings.on_fault == OnFault::Stop;
        if self.written.is_err() || ends_by_fault { ControlFlow::Break(()) } else { self.flow() }
    }

    fn print(&mut self) {
        let played = (self.results.games() - self.resumed, self.started.elapsed());
        let line = || progress(self.settings, &self.results, played);
        if let Some(bar) = &self.bar {
            bar.set_position(self.results.games());
            bar.set_message(line());
        } else if self.printed.is_none_or(|instant| instant.elapsed() >= REPORT) {
            let printed = writeln!(io::stdout(), "{}", line());
            self.written = std::mem::replace(&mut self.written, Ok(())).and(printed);
            self.printed = Some(Instant::now());
        }
    }

    /// Whether the test is still open, if there is one.
    fn flow(&self) -> ControlFlow<()> {
        let sample = || self.results.of(0).sample();
        match self.settings.sprt.map(|sprt| sprt.decide(&sample())) {
            None | Some(Decision::Open) => ControlFlow::Continue(()),
            Some(Decision::Elo0 | Decision::Elo1) => ControlFlow::Break(()),
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        let mut output = io::stdout().lock();
        write!(output, "{}", table(self.settings, &self.results, self.started.elapsed()))?;
        output.flush()
    }
}
