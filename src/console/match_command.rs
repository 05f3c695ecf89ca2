//! The mode `match`: engines play each other.

use super::match_arguments::MatchArguments;
use super::match_openings::openings;
use super::match_report::{progress, table};
use crate::arena::statistics::{Decision, Sprt};
use crate::arena::{EngineSpec, FinishedGame, Flow, GameRules, MatchSettings, Patience, Results, Schedule, Stop, run};
use crate::rules::Variant;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// How often the state of the match is printed where it cannot be overwritten.
const REPORT: Duration = Duration::from_secs(10);

/// What reports need to know.
pub(super) struct Settings {
    pub(super) variant: Variant,
    pub(super) names: Vec<String>,
    pub(super) games: u32,
    pub(super) sprt: Option<Sprt>,
}

/// Plays the match that `arguments` describe, and prints how it goes. Returns whether no engine did anything wrong.
///
/// # Errors
/// When the match cannot be played.
pub fn play_match(arguments: &MatchArguments) -> io::Result<bool> {
    let invalid = |text: String| io::Error::new(io::ErrorKind::InvalidInput, text);
    let engines = engines(arguments).map_err(invalid)?;
    let pairs = arguments.games.div_ceil(2) as usize;
    let openings = openings(&arguments.openings, arguments.variant, pairs, arguments.seed)?;
    if openings.len() < pairs {
        println!("{} openings for {pairs} pairs of games: they will be played again", openings.len());
    }
    let settings = Settings {
        variant: arguments.variant,
        names: engines.iter().map(|spec| spec.name.clone()).collect(),
        games: arguments.games,
        sprt: arguments.sprt,
    };
    let match_settings = MatchSettings {
        rules: GameRules {
            variant: arguments.variant,
            draw: arguments.draw,
            win: arguments.win,
            max_moves: arguments.max_moves,
        },
        patience: Patience {
            margin: Duration::from_millis(u64::from(arguments.margin)),
            stall: Duration::from_secs(u64::from(arguments.stall)),
        },
        schedule: Schedule { games: arguments.games as usize, openings: openings.len() },
        concurrency: arguments.concurrency.map_or_else(|| cores(&engines), usize::from),
        engines,
        openings,
    };
    let stop = Stop::new();
    let on_signal = stop.clone();
    ctrlc::set_handler(move || on_signal.stop()).map_err(io::Error::other)?;
    let mut reporter = Reporter::new(&settings);
    let played = run(&match_settings, &stop, &mut |game| reporter.take(&game));
    reporter.finish()?;
    played.map_err(io::Error::other)?;
    Ok(reporter.results.faults() == 0)
}

/// The engines, with different names.
fn engines(arguments: &MatchArguments) -> Result<Vec<Arc<EngineSpec>>, String> {
    let mut engines: Vec<Arc<EngineSpec>> = Vec::new();
    for (index, words) in arguments.engines.0.iter().enumerate() {
        let spec = EngineSpec::parse(words, &arguments.each);
        let mut spec = spec.map_err(|error| format!("engine {}: {error}", index + 1))?;
        if engines.iter().any(|known| known.name == spec.name) {
            spec.name = format!("{} {}", spec.name, index + 1);
        }
        engines.push(Arc::new(spec));
    }
    if engines.len() == 2 { Ok(engines) } else { Err("a match needs two engines".to_owned()) }
}

/// The games that fit on the processor at a time: in a game one engine thinks, with the threads that it was given.
fn cores(engines: &[Arc<EngineSpec>]) -> usize {
    let threads = |spec: &Arc<EngineSpec>| {
        let option = spec.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("threads"));
        option.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
    };
    let most = engines.iter().map(threads).max().unwrap_or(1).max(1);
    available_parallelism().map_or(1, |cores| (cores.get() / most).max(1))
}

/// Counts results and prints them.
struct Reporter<'a> {
    settings: &'a Settings,
    results: Results,
    started: Instant,
    /// Only where the line can be overwritten.
    bar: Option<ProgressBar>,
    printed: Instant,
}

impl<'a> Reporter<'a> {
    fn new(settings: &'a Settings) -> Self {
        let now = Instant::now();
        let bar = io::stdout().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(u64::from(settings.games)), ProgressDrawTarget::stdout());
            let style = ProgressStyle::with_template("{wide_bar} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Self { settings, results: Results::default(), started: now, bar, printed: now }
    }

    fn take(&mut self, game: &FinishedGame) -> Flow {
        self.results.add(game);
        let line = || progress(self.settings, &self.results, self.started.elapsed());
        if let Some(bar) = &self.bar {
            bar.set_position(self.results.games());
            bar.set_message(line());
        } else if self.printed.elapsed() >= REPORT {
            println!("{}", line());
            self.printed = Instant::now();
        }
        let decision = self.settings.sprt.zip(self.results.tallies.get(&(0, 1)));
        match decision.map(|(sprt, tally)| sprt.decide(&tally.sample())) {
            None | Some(Decision::Open) => Flow::Continue,
            Some(Decision::Elo0 | Decision::Elo1) => Flow::End,
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
