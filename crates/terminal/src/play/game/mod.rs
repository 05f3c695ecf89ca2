//! The game model: the board, the players, their clocks, and whose turn it is.

mod commands;
mod files;

use super::clock::GameClock;
use super::file::{FileEncoding, FileTags, OriginalRecord, SavedGame};
use super::player::{Computer, EnginePlayer};
use super::{EvaluationBar, GameChoice, PlayRecord, SearchReport, SidePlayer};
use anyhow::{Result, anyhow};
use crossbeam_channel::Sender;
use derive_more::Display;
use soffio::engine::{Event, Status};
use soffio::notation::MoveRecord;
use soffio::rules::Color;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The game has not started. It starts with a human player's move or with
    /// [`GameCommand::Start`](super::GameCommand::Start).
    Ready,
    Running,
    Paused,
}

/// How a game ends before the rules end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EarlyEnd {
    OutOfTime(Color),
    Resigned(Color),
    Agreed,
}

impl EarlyEnd {
    fn winner(self) -> Option<Color> {
        match self {
            Self::OutOfTime(color) | Self::Resigned(color) => Some(color.opponent()),
            Self::Agreed => None,
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Self::OutOfTime(_) => "on time",
            Self::Resigned(_) => "by resignation",
            Self::Agreed => "by agreement",
        }
    }
}

#[derive(Clone, Debug, Display, PartialEq)]
pub enum GameEvent {
    #[display("{_0} {_1}")]
    Moved(Color, String),
    #[display("{_0} has run out of time")]
    OutOfTime(Color),
    #[display("hint {_0}")]
    Hint(String),
    #[display("thought {_0}")]
    Thought(SearchReport),
    Fault(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// To find a move for the engine whose turn it is.
    Turn,
    Advice {
        /// Whether to play the suggested move as well.
        plays: bool,
    },
}

struct RunningSearch {
    purpose: Purpose,
    /// False if the game has changed since the search began. The result of the search is then discarded.
    counts: bool,
}

pub struct PlayGame {
    events: Sender<Event>,
    pub(super) record: PlayRecord,
    players: [SidePlayer; 2],
    computers: [Option<Computer>; 2],
    hint_player: Option<Computer>,
    pub(super) phase: Phase,
    pub(super) clock: GameClock,
    ended: Option<EarlyEnd>,
    pub(super) delay: Duration,
    search: Option<RunningSearch>,
    /// An engine move that is being held back, and the time at which to play it.
    waiting: Option<(String, Instant)>,
    /// The last search report, which may belong to a previous position.
    pub(super) last_report: Option<SearchReport>,
    /// Number of plies that had been played when the last search report arrived.
    report_ply: usize,
    pub(super) hint: Option<String>,
    game_events: VecDeque<GameEvent>,
    pub(super) origin: FileTags,
    /// The game from which this game was loaded, if any.
    original: Option<OriginalRecord>,
    pub(super) saved: Option<SavedGame>,
    /// The encoding of the file from which the game was loaded.
    encoding: FileEncoding,
    /// Whether moves have been made or undone, or the game has ended early, since it was saved or loaded.
    has_changed: bool,
    /// Whether the variant of loaded games that do not name one is guessed. Otherwise, it is the current variant.
    pub guesses_variant: bool,
}

impl PlayGame {
    /// Creates a game. Engine events are sent to `events`; their receiver must pass them to [`PlayGame::event`].
    pub fn new(choice: GameChoice, players: [SidePlayer; 2], events: Sender<Event>) -> Result<Self> {
        Ok(Self {
            record: PlayRecord::new(choice, None)?,
            events,
            players,
            computers: [None, None],
            hint_player: None,
            phase: Phase::Ready,
            clock: GameClock::default(),
            ended: None,
            delay: Duration::ZERO,
            search: None,
            waiting: None,
            last_report: None,
            report_ply: 0,
            hint: None,
            game_events: VecDeque::new(),
            origin: FileTags::default(),
            original: None,
            saved: None,
            encoding: FileEncoding::UTF_8,
            has_changed: false,
            guesses_variant: false,
        })
    }

    pub fn player(&self, color: Color) -> &SidePlayer {
        color.pick(self.players.each_ref())
    }

    /// Returns the value from the last search if that search was for this position or expected the only move played
    /// since then. Otherwise, returns the static evaluation. Returns `None` after the end of the game.
    pub fn evaluation(&self) -> Option<EvaluationBar> {
        if self.is_over() {
            return None;
        }
        let played = self.record.played();
        let is_expected = |report: &&SearchReport| match played.get(self.report_ply..) {
            Some([]) => true,
            Some([ply]) => report.line.first() == Some(&ply.text),
            _ => false,
        };
        if let Some(report) = self.last_report.as_ref().filter(is_expected) {
            return Some(EvaluationBar::new(report.color, report.value, Some(report.depth)));
        }
        Some(EvaluationBar::new(self.record.side(), self.record.value(), None))
    }

    pub fn is_over(&self) -> bool {
        self.ended.is_some() || !matches!(self.record.board.status(), Status::Playing { .. })
    }

    pub fn outcome(&self) -> String {
        match self.ended.map(|end| (end.winner(), end.reason())) {
            Some((Some(winner), reason)) => format!("{winner} wins {reason}"),
            Some((None, reason)) => format!("draw {reason}"),
            None => self.record.outcome(),
        }
    }

    /// Returns whether moves or a result would be lost. A game that is the beginning of the one in its file can be
    /// loaded again.
    pub(super) fn is_unsaved(&self) -> bool {
        let is_stored = match (&self.saved, &self.original) {
            (Some(saved), _) => saved.begins_with(&self.record),
            (None, Some(original)) => original.begins_with(&self.record),
            (None, None) => false,
        };
        self.has_changed && !(is_stored && self.ended.is_none())
    }

    pub fn is_busy(&self) -> bool {
        self.search.is_some() || self.waiting.is_some()
    }

    pub fn engine_is_to_move(&self) -> bool {
        self.phase == Phase::Running && !self.is_over() && !self.player(self.record.side()).is_human()
    }

    pub fn time_used(&self, color: Color, now: Instant) -> Duration {
        self.clock.used(&self.record, color, now)
    }

    pub fn time_left(&self, color: Color, now: Instant) -> Option<Duration> {
        self.clock.left(&self.record, color, now)
    }

    /// Returns when [`PlayGame::tick`] must be called next, or `None` if it need not be called.
    pub fn deadline(&self) -> Option<Instant> {
        self.move_at().into_iter().chain(self.clock.falls_at(&self.record)).min()
    }

    pub(super) fn move_at(&self) -> Option<Instant> {
        self.waiting.as_ref().map(|&(_, at)| at)
    }

    pub fn game_events(&mut self) -> impl Iterator<Item = GameEvent> {
        std::mem::take(&mut self.game_events).into_iter()
    }

    pub fn event(&mut self, event: Event, now: Instant) {
        self.check_time(now);
        let Some(RunningSearch { purpose, counts }) = self.search else { return };
        let is_last = event.is_last();
        match event {
            Event::Report(report) if counts && report.rank == 0 => {
                let (color, line) = (self.record.side(), self.record.board.line_text(&report.line));
                let report = SearchReport { color, depth: report.depth, value: report.value, line };
                self.game_events.push_back(GameEvent::Thought(report.clone()));
                self.last_report = Some(report);
                self.report_ply = self.record.played().len();
            }
            Event::BestMove { best: Some(best), .. } if counts => {
                self.answered(purpose, self.record.board.text(best), now)
            }
            Event::Failed { message, fallback } if counts => {
                self.game_events.push_back(GameEvent::Fault(format!("the search failed: {message}")));
                if let Some(fallback) = fallback {
                    self.answered(purpose, self.record.board.text(fallback), now);
                }
            }
            _ => {}
        }
        if is_last {
            self.search = None;
            self.computers.iter_mut().flatten().chain(&mut self.hint_player).for_each(Computer::end);
            self.tick(now);
            self.resume(now);
        }
    }

    fn answered(&mut self, purpose: Purpose, best: String, now: Instant) {
        match purpose {
            Purpose::Advice { plays: false } => {
                self.game_events.push_back(GameEvent::Hint(best.clone()));
                self.hint = Some(best);
            }
            Purpose::Advice { plays: true } => self.waiting = Some((best, now)),
            Purpose::Turn => {
                let left = self.delay.saturating_sub(self.clock.current.elapsed(now));
                // The delay must not use up the time that is left on the clock.
                let spare = self.clock.spare(&self.record, self.record.side(), now);
                self.waiting = Some((best, now + spare.map_or(left, |spare| left.min(spare / 10))));
            }
        }
    }

    pub fn tick(&mut self, now: Instant) {
        let falls_at = self.clock.falls_at(&self.record);
        // Compare the due times with each other and not with `now`, because this call may come late.
        let due = |at: Instant| at <= now && falls_at.is_none_or(|falls_at| at < falls_at);
        let Some((text, at)) = self.waiting.take_if(|(_, at)| due(*at)) else {
            if falls_at.is_some_and(|at| at <= now) {
                let side = self.record.side();
                self.end(EarlyEnd::OutOfTime(side), now);
                self.game_events.push_back(GameEvent::OutOfTime(side));
            }
            return;
        };
        let made = text.parse().map_err(|error| anyhow!("move: {error}")).and_then(|record| self.make(&record, at));
        if let Err(error) = made {
            // The engine plays by the same rules, so an illegal move is a bug that must be reported to the user.
            self.game_events.push_back(GameEvent::Fault(error.to_string()));
            self.set_phase(Phase::Paused, now);
        }
        self.resume(now);
    }

    fn check_time(&mut self, now: Instant) {
        if self.clock.falls_at(&self.record).is_some_and(|at| at <= now) {
            self.tick(now);
        }
    }

    fn resume(&mut self, now: Instant) {
        let runs = self.phase == Phase::Running && !self.is_over();
        if runs != self.clock.current.is_running() {
            self.clock.current.run(runs, now);
        }
        if !self.engine_is_to_move() || self.is_busy() {
            return;
        }
        if let Err(error) = self.think(Purpose::Turn, now) {
            self.game_events.push_back(GameEvent::Fault(error.to_string()));
            self.set_phase(Phase::Paused, now);
        }
    }

    fn think(&mut self, purpose: Purpose, now: Instant) -> Result<()> {
        let side = self.record.side();
        let player = match (purpose, self.player(side)) {
            (Purpose::Turn, SidePlayer::Engine(player)) => player.clone(),
            _ => EnginePlayer::hint_player(),
        };
        let computer = match purpose {
            Purpose::Turn => side.pick(self.computers.each_mut()),
            Purpose::Advice { .. } => &mut self.hint_player,
        };
        let computer = match computer {
            Some(computer) => computer,
            empty => empty.insert(Computer::new(player, self.record.choice, self.events.clone())?),
        };
        computer.think(&self.record, self.clock.engine_clocks(&self.record, now), now)?;
        self.search = Some(RunningSearch { purpose, counts: true });
        Ok(())
    }

    fn interrupt(&mut self) {
        if let Some(search) = &mut self.search {
            search.counts = false;
            self.computers.iter_mut().flatten().chain(&mut self.hint_player).for_each(Computer::stop);
        }
        self.waiting = None;
        self.hint = None;
    }

    fn set_phase(&mut self, phase: Phase, now: Instant) {
        self.interrupt();
        self.phase = phase;
        self.clock.current.run(false, now);
    }

    fn end(&mut self, end: EarlyEnd, now: Instant) {
        self.ended = Some(end);
        self.set_phase(Phase::Paused, now);
        self.has_changed = true;
    }

    fn make(&mut self, record: &MoveRecord, now: Instant) -> Result<()> {
        let time = self.clock.current.elapsed(now);
        let (before, side) = (self.record.played().len(), self.record.side());
        self.record.play(record, Some(time))?;
        self.interrupt();
        self.clock.count_from(before);
        self.clock.current.reset(now);
        if !self.player(side).is_human() {
            self.origin.forget_player(side);
        }
        self.has_changed = true;
        if let Some(ply) = self.record.played().last() {
            self.game_events.push_back(GameEvent::Moved(ply.color, ply.text.clone()));
        }
        Ok(())
    }

    /// Stops the search and resets the clock of the current move. The time control applies to the moves from index
    /// `untimed` on.
    fn reset(&mut self, phase: Phase, untimed: usize, now: Instant) {
        self.set_phase(phase, now);
        self.clock.set_control(self.clock.control, untimed);
        self.clock.current.reset(now);
        (self.last_report, self.ended) = (None, None);
    }

    fn replace(&mut self, record: PlayRecord, phase: Phase, now: Instant) {
        self.reset(phase, record.played().len(), now);
        self.record = record;
        self.computers = [None, None];
        self.hint_player = None;
        self.origin = FileTags::default();
        self.original = None;
        (self.saved, self.encoding) = (None, FileEncoding::UTF_8);
        self.has_changed = false;
    }
}

impl Drop for PlayGame {
    fn drop(&mut self) {
        self.interrupt();
    }
}
