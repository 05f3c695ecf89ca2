//! The engine with its applied settings, and two kinds of search: an interruptible search for play, and a search that
//! solves problems.

use super::settings::EngineSettings;
use super::time::{Delays, later};
use soffio::engine::{Bound, Clock, Options, Setting, SettingError, Signal, Value};
use soffio::{Answer, Engine, EngineError, Game, Limits, Report, Variant};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Interval at which CheckerBoard's "play now" flag is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Polling ends this long before the planned end of the search, because a stop request may take up to 10 ms to take
/// effect.
const POLL_MARGIN: Duration = Duration::from_millis(8);

/// Maximum length, in moves, of a win that problem mode searches for.
const MAX_WIN_MOVES: u16 = 60;

pub struct ConfiguredEngine {
    pub engine: Engine,
    /// The settings in effect. They may be older than the instance's settings.
    pub applied: EngineSettings,
    pub last: Option<Game>,
    pub delays: Delays,
}

impl ConfiguredEngine {
    pub fn new(game: Variant) -> Self {
        let mut engine = Engine::new();
        let variant = engine.apply(Setting::Variant(game));
        // Solving endgames in memory needs a thread that must end before each reply, so it is off by default.
        let memory = engine.apply(Setting::TableMemory(0));
        let applied = EngineSettings {
            options: *engine.options(),
            all_scores: false,
            solves: false,
            uses_tables: true,
            table_folder: None,
            book_file: None,
        };
        for outcome in [variant, memory, engine.prepare().map_err(SettingError::from)] {
            if let Err(error) = outcome {
                log::warn!("{error}");
            }
        }
        Self { engine, applied, last: None, delays: Delays::default() }
    }

    /// Applies the settings in `wanted` that differ from the current settings. Stops at the first setting that cannot
    /// be applied; this setting keeps its old value.
    pub fn apply(&mut self, wanted: &EngineSettings) -> Result<(), SettingError> {
        if self.applied == *wanted {
            return Ok(());
        }
        let Options { hash, own_book, book_variety, table_pieces, table_memory, .. } = wanted.options;
        if self.applied.options.hash != hash {
            self.engine.apply(Setting::Hash(hash))?;
            self.applied.options.hash = hash;
        }
        if self.applied.table_folder != wanted.table_folder {
            self.engine.apply(Setting::TablePath(wanted.table_folder.clone()))?;
        }
        if self.applied.book_file != wanted.book_file {
            self.engine.apply(Setting::BookFile(wanted.book_file.clone()))?;
        }
        self.engine.apply(Setting::OwnBook(own_book))?;
        self.engine.apply(Setting::BookVariety(book_variety))?;
        self.engine.apply(Setting::TablePieces(if wanted.uses_tables { table_pieces } else { 0 }))?;
        self.engine.apply(Setting::TableMemory(table_memory))?;
        self.applied = wanted.clone();
        Ok(self.engine.prepare()?)
    }

    /// Applies the settings in `wanted`. If a setting cannot be applied, its old value is restored in `wanted`.
    pub fn apply_or_revert(&mut self, wanted: &mut EngineSettings) {
        while let Err(error) = self.apply(wanted) {
            log::warn!("{error}");
            if wanted.options.hash == self.applied.options.hash {
                wanted.table_folder.clone_from(&self.applied.table_folder);
                wanted.book_file.clone_from(&self.applied.book_file);
            }
            wanted.options.hash = self.applied.options.hash;
        }
    }
}

#[derive(Debug)]
pub struct SearchAnswer {
    pub answer: Answer,
    /// True if the answer wins and the win was proved by a search that omitted no moves.
    pub is_proved_win: bool,
}

/// Runs `search` and stops it through `signal` when `play_now` becomes nonzero. CheckerBoard may unload the library
/// when this function returns, so the polling thread ends before that. Polling already ends shortly before the
/// `planned` end of the search, so that the search does not have to wait for the thread.
pub fn watched<T>(play_now: &AtomicI32, signal: &Signal, planned: Option<Instant>, search: impl FnOnce() -> T) -> T {
    if play_now.load(Ordering::Relaxed) != 0 {
        signal.stop();
    }
    let (over, is_over) = channel::<()>();
    let is_soon = move || planned.is_some_and(|planned| Instant::now() + POLL_MARGIN >= planned);
    let look = move || {
        // The loop also ends when the channel is closed, which means that the search has finished or panicked.
        while !is_soon() && matches!(is_over.recv_timeout(POLL_INTERVAL), Err(RecvTimeoutError::Timeout)) {
            if play_now.load(Ordering::Relaxed) != 0 {
                signal.stop();
                return;
            }
        }
    };
    thread::scope(|scope| {
        if !is_soon()
            && let Err(error) = thread::Builder::new().name("play now".to_owned()).spawn_scoped(scope, look)
        {
            log::warn!("'play now' is not available in this search: cannot start a thread: {error}");
        }
        let _over = over;
        search()
    })
}

/// Solves a problem. Half of the time is spent on a search for a win that considers every sacrifice. If this search
/// finds no win, the rest of the time is spent on a search for the best move, as in analysis.
pub fn solve(
    engine: &mut Engine,
    game: &Game,
    limits: &Limits,
    signal: &Signal,
    on_report: &mut dyn FnMut(&Report),
) -> Result<SearchAnswer, EngineError> {
    let started = Instant::now();
    let for_win = Limits {
        win_in: Some(MAX_WIN_MOVES),
        move_time: limits.move_time.map(|time| time / 2),
        clock: limits.clock.map(|clock| Clock { remaining: clock.remaining / 2, ..clock }),
        ..limits.clone()
    };
    let mut has_won = false;
    let answer = engine.go_with_reports(game, for_win, signal, &mut |report| {
        let is_win = report.bound == Bound::Exact && matches!(report.value, Value::Win(_));
        has_won |= is_win;
        // "No win found yet" is not a score that should be shown.
        if is_win {
            on_report(report);
        }
    })?;
    if has_won {
        return Ok(SearchAnswer { answer, is_proved_win: true });
    }
    let rest = later(Limits { analysis: true, ..limits.clone() }, started.elapsed());
    Ok(SearchAnswer { answer: engine.go_with_reports(game, rest, signal, on_report)?, is_proved_win: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::WrittenGame;

    #[test]
    fn a_search_ends_soon_after_the_flag_is_set() {
        let (play_now, signal) = (AtomicI32::new(0), Signal::default());
        let game = Game::new(Variant::English);
        let mut engine = Engine::new();
        let answer = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(50));
                play_now.store(1, Ordering::Relaxed);
            });
            watched(&play_now, &signal, None, || engine.go_with_reports(&game, Limits::default(), &signal, &mut |_| {}))
        });
        assert!(answer.unwrap().best.is_some());
    }

    #[test]
    fn the_flag_is_not_polled_when_little_time_is_left() {
        let (play_now, signal) = (AtomicI32::new(0), Signal::default());
        for (left, is_seen) in [(Duration::ZERO, false), (Duration::from_secs(1000), true)] {
            watched(&play_now, &signal, Some(Instant::now() + left), || {
                play_now.store(1, Ordering::Relaxed);
                let started = Instant::now();
                while !signal.is_stopped() && (is_seen || started.elapsed() < Duration::from_millis(50)) {
                    thread::sleep(POLL_INTERVAL);
                }
            });
            play_now.store(0, Ordering::Relaxed);
            assert_eq!(signal.is_stopped(), is_seen);
        }
    }

    #[test]
    fn the_polling_thread_ends_if_the_search_panics() {
        let (play_now, signal) = (AtomicI32::new(0), Signal::default());
        let fault = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            watched(&play_now, &signal, None, || panic!("of the test"));
        }));
        assert!(fault.is_err());
    }

    #[test]
    fn a_problem_is_solved_with_proof() {
        let fen = "W:W31,K50:B18,19,22".parse().unwrap();
        let game = WrittenGame::from_start(Variant::International, Some(&fen)).unwrap();
        let limits = Limits { move_time: Some(Duration::from_secs(20)), ..Limits::default() };
        let (mut engine, signal) = (Engine::new(), Signal::default());
        let found = solve(&mut engine, game.game(), &limits, &signal, &mut |_| {}).unwrap();
        assert!(found.is_proved_win && matches!(found.answer.value, Value::Win(_)), "{found:?}");
        let even = Game::new(Variant::English);
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let found = solve(&mut engine, &even, &limits, &signal, &mut |_| {}).unwrap();
        assert!(!found.is_proved_win && found.answer.best.is_some(), "{found:?}");
    }
}
