//! The engine behind one library, with its settings, history and search.
//!
//! CheckerBoard calls `getmove` on one thread. Commands may arrive on other threads and must be answered immediately,
//! so only the search locks the engine. Commands change the requested settings, and the next search applies them.

use super::board::{BoardArray, BoardMove, GameClaim, MAX_SHORT_REPLY, number_of};
use super::command::{EngineCommand, read};
use super::convert::{board_move, board_of, no_move, setup_of};
use super::history::game_at;
use super::search::{ConfiguredEngine, SearchAnswer, solve, watched};
use super::settings::{EngineSettings, NAMES, SettingsStore};
use super::status::{StatusLine, of_fault};
use super::time::{TimeRequest, later};
use anyhow::Result;
use soffio::engine::{MAX_LINES, Signal, budget};
use soffio::notation::{FenError, bitboard_move, printed_moves};
use soffio::position::Setup;
use soffio::position::paths::{Sequence, after};
use soffio::{Game, Limits, Report, Status, Variant, WrittenGame};
use std::ffi::c_int;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

pub struct Instance {
    pub game: Variant,
    store: Box<dyn SettingsStore>,
    settings: Mutex<EngineSettings>,
    /// The game from the most recent `set gamehist`.
    sent: Mutex<Option<Game>>,
    running: Mutex<Option<Arc<Signal>>>,
    waiting: AtomicUsize,
    searcher: Mutex<ConfiguredEngine>,
}

#[derive(Clone, Debug)]
pub struct MoveReply {
    pub claim: GameClaim,
    pub mv: BoardMove,
    pub board: BoardArray,
    pub status: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandReply {
    pub is_handled: bool,
    pub text: String,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct SearchCall<'a> {
    board: &'a BoardArray,
    side: c_int,
    requested_at: Instant,
}

impl Instance {
    /// Creates an engine with the settings from `store`. The engine is prepared here, so that the first search does not
    /// have to allocate or load its tables.
    pub fn new(game: Variant, store: Box<dyn SettingsStore>) -> Self {
        let mut searcher = ConfiguredEngine::new(game);
        let mut settings = searcher.applied.clone();
        for name in NAMES {
            if let Some(Err(error)) = store.load(name).map(|value| settings.set(name, &value)) {
                log::warn!("{name}: {error}");
            }
        }
        searcher.apply_or_revert(&mut settings);
        Self {
            game,
            store,
            settings: Mutex::new(settings),
            sent: Mutex::default(),
            running: Mutex::default(),
            waiting: AtomicUsize::new(0),
            searcher: Mutex::new(searcher),
        }
    }

    /// Answers a command immediately, even during a search.
    pub fn command(&self, text: &str) -> CommandReply {
        let answered = read(self.game, text).and_then(|command| match command {
            EngineCommand::Answer(text) => Ok(text),
            EngineCommand::Get(name) => lock(&self.settings).get(&name),
            EngineCommand::Set(name, value) => self.set(&name, &value),
            EngineCommand::History(game) => {
                *lock(&self.sent) = Some(*game);
                Ok("ok".to_owned())
            }
        });
        match answered {
            Ok(text) => CommandReply { is_handled: true, text },
            Err(error) => {
                CommandReply { is_handled: false, text: error.to_string().chars().take(MAX_SHORT_REPLY).collect() }
            }
        }
    }

    fn set(&self, name: &str, text: &str) -> Result<String> {
        let mut settings = lock(&self.settings);
        let mut next = settings.clone();
        next.set(name, text)?;
        // A running search keeps its settings. The next search applies the new ones.
        if let Ok(mut searcher) = self.searcher.try_lock() {
            searcher.apply(&next)?;
        }
        let value = next.get(name)?;
        self.store.save(name, &value);
        *settings = next;
        Ok(format!("{name} {value}").chars().take(MAX_SHORT_REPLY).collect())
    }

    /// Returns the legal move from square `from` to square `to` (CheckerBoard's square numbers), or `None` if no such
    /// move is legal. If several captures connect these squares, the first one is returned, because the query cannot
    /// distinguish between them.
    pub fn legal_move(&self, board: &BoardArray, side: c_int, from: c_int, to: c_int) -> Option<BoardMove> {
        let setup = setup_of(self.game, board, side).ok()?;
        let is_meant = |sequence: &&Sequence| {
            let number = |square| c_int::from(number_of(self.game, square));
            (number(sequence.from), number(sequence.to())) == (from, to)
        };
        let moves = printed_moves(self.game.spec(), &setup);
        moves.iter().find(is_meant).map(|sequence| board_move(self.game, &setup, sequence))
    }

    /// Stops any running search, then searches `board` until the time is up or `play_now` becomes nonzero. The status
    /// line is passed to `show`.
    pub fn play(
        &self,
        board: &BoardArray,
        side: c_int,
        request: TimeRequest,
        play_now: &AtomicI32,
        show: &mut dyn FnMut(&str),
    ) -> MoveReply {
        let query = SearchCall { board, side, requested_at: Instant::now() };
        self.waiting.fetch_add(1, Ordering::SeqCst);
        if let Some(signal) = lock(&self.running).as_ref() {
            signal.stop();
        }
        let mut searcher = lock(&self.searcher);
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        let without = |claim, fault: &dyn Display| MoveReply {
            claim,
            mv: no_move(board),
            board: *board,
            status: of_fault(self.game, fault),
        };
        match self.search(&mut searcher, &query, request, play_now, show) {
            Ok(Some(played)) => played,
            Ok(None) => without(GameClaim::Loss, &"no legal moves"),
            Err(fault) => without(GameClaim::Unknown, &fault),
        }
    }

    fn search(
        &self,
        searcher: &mut ConfiguredEngine,
        &SearchCall { board, side, requested_at }: &SearchCall<'_>,
        request: TimeRequest,
        play_now: &AtomicI32,
        show: &mut dyn FnMut(&str),
    ) -> Result<Option<MoveReply>> {
        let settings = {
            let mut settings = lock(&self.settings);
            searcher.apply_or_revert(&mut settings);
            settings.clone()
        };
        let setup = setup_of(self.game, board, side)?;
        let game = self.position(searcher, &setup, request)?;
        if game.game().legal_moves().is_empty() {
            return Ok(None);
        }
        let signal = Arc::new(Signal::default());
        *lock(&self.running) = Some(Arc::clone(&signal));
        // Another call is waiting. It could not stop this search before the search had started, so the search stops
        // now.
        if self.waiting.load(Ordering::SeqCst) > 0 {
            signal.stop();
        }
        let lines = if settings.all_scores { game.game().legal_moves().len().min(MAX_LINES as usize) } else { 1 };
        let usual = searcher.engine.limits();
        let began = Instant::now();
        let limits = Limits {
            threads: settings.options.threads,
            lines: NonZeroUsize::new(lines).unwrap_or(NonZeroUsize::MIN),
            overhead: usual.overhead + searcher.delays.margin(request.time()),
            ..later(request.limits(usual), began.duration_since(requested_at))
        };
        let planned = budget(&limits, game.game().legal_moves().len()).map(|budget| began + budget.hard);
        let mut status = StatusLine::new(&game, settings.all_scores, lines);
        let mut on_report = |report: &Report| {
            status.report(report);
            show(&status.text());
        };
        let engine = &mut searcher.engine;
        // `solve` runs two searches with their own limits, so the planned end does not apply to them.
        let planned = planned.filter(|_| !settings.solves);
        let found = watched(play_now, &signal, planned, || {
            if settings.solves {
                solve(engine, game.game(), &limits, &signal, &mut on_report)
            } else {
                let answer = engine.go_with_reports(game.game(), limits, &signal, &mut on_report)?;
                Ok(SearchAnswer { answer, is_proved_win: false })
            }
        });
        *lock(&self.running) = None;
        // Ends the table thread, because CheckerBoard may unload the library after this function returns.
        searcher.engine.stop_table_solver();
        let SearchAnswer { answer, is_proved_win } = found?;
        let Some(sequence) = answer.best.and_then(|best| game.sequence(best)) else { return Ok(None) };
        let played = MoveReply {
            claim: claim(&game, &sequence, is_proved_win),
            mv: board_move(self.game, &setup, &sequence),
            board: board_of(self.game, &after(self.game.spec(), &setup, &sequence)),
            status: status.last_text(&answer),
        };
        if let Some(planned) = planned {
            searcher.delays.note(planned, Instant::now());
        }
        Ok(Some(played))
    }

    fn position(&self, searcher: &mut ConfiguredEngine, setup: &Setup, request: TimeRequest) -> Result<WrittenGame> {
        let last = if request.is_reset() { None } else { searcher.last.take() };
        let known = game_at(setup, last.as_ref(), lock(&self.sent).take().as_ref());
        let game = match known {
            Some(game) => game,
            None => Game::from_setup(self.game, setup).map_err(FenError::from)?,
        };
        searcher.last = Some(game.clone());
        Ok(WrittenGame::from(game))
    }
}

/// Returns the claim for a move. Claims a win or a loss only if the game has ended or the win is proved, and claims a
/// draw only if the rules require it.
fn claim(game: &WrittenGame, sequence: &Sequence, is_proved_win: bool) -> GameClaim {
    let mut next = game.game().clone();
    next.play(bitboard_move(sequence));
    match (game.status(), next.status()) {
        (_, Status::Won { winner, .. }) if winner == game.side() => GameClaim::Win,
        (_, Status::Won { .. }) => GameClaim::Loss,
        (Status::Drawn(_), _) | (_, Status::Drawn(_)) => GameClaim::Draw,
        _ if is_proved_win => GameClaim::Win,
        _ => GameClaim::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Clone, Default)]
    struct MemoryStore(Arc<Mutex<BTreeMap<String, String>>>);

    impl SettingsStore for MemoryStore {
        fn load(&self, name: &str) -> Option<String> {
            lock(&self.0).get(name).cloned()
        }

        fn save(&self, name: &str, value: &str) {
            lock(&self.0).insert(name.to_owned(), value.to_owned());
        }
    }

    fn instance(store: &MemoryStore) -> Instance {
        Instance::new(Variant::English, Box::new(store.clone()))
    }

    #[test]
    fn settings_are_restored_in_a_new_engine() {
        let store = MemoryStore::default();
        let values = ["2", "3", "1", "1", "0", "", "5", "7"];
        let first = instance(&store);
        for (name, value) in NAMES.into_iter().zip(values) {
            let reply = first.command(&format!("set {name} {value}"));
            assert_eq!(reply, CommandReply { is_handled: true, text: format!("{name} {value}") });
        }
        drop(first);
        let second = instance(&store);
        for (name, value) in NAMES.into_iter().zip(values) {
            let reply = second.command(&format!("get {name}"));
            assert_eq!(reply, CommandReply { is_handled: true, text: value.to_owned() });
        }
        let searcher = lock(&second.searcher);
        assert_eq!(searcher.applied, *lock(&second.settings), "the engine uses them too");
        let options = searcher.engine.options();
        assert_eq!((options.hash, options.table_pieces, options.table_memory), (2, 0, 7), "no tables are used");
    }

    #[test]
    fn unknown_settings_are_rejected() {
        let instance = instance(&MemoryStore::default());
        for text in ["", "get", "set", "get mtcpath", "get enable_mtc", "set enable_mtc 1", "names", "about us"] {
            assert_eq!(instance.command(text), CommandReply { is_handled: false, text: "?".to_owned() }, "{text}");
        }
    }

    #[test]
    fn a_stored_setting_that_fails_keeps_its_default() {
        let store = MemoryStore::default();
        for (name, value) in [
            ("hashsize", "33554432"),
            ("searchthreads", "4000000000"),
            ("max_dbpieces", "x"),
            ("dbpath", "no such folder"),
            ("dbmbytes", "9"),
        ] {
            store.save(name, value);
        }
        let instance = instance(&store);
        let value = |name: &str| instance.command(&format!("get {name}")).text;
        let values = ["hashsize", "searchthreads", "max_dbpieces", "dbpath", "dbmbytes"].map(value);
        assert_eq!(values, ["64", "1", "8", "", "9"]);
    }
}
