//! The game model: the board, the players, their clocks, and whose turn it is.

use super::clock::GameClock;
use super::command::{GameCommand, Show, Span};
use super::file::{self, FileTags, LoadedGame, OriginalRecord};
use super::player::{Computer, EnginePlayer};
use super::{EvaluationBar, GameChoice, PlayRecord, PlayTimeControl, SearchReport, SidePlayer};
use anyhow::{Result, anyhow, ensure};
use crossbeam_channel::Sender;
use derive_more::Display;
use jiff::Timestamp;
use soffio::engine::{Event, Status, Value};
use soffio::notation::pdn::{self, DATE_FORMAT, GameRecord, GameResult, PlayedGame};
use soffio::notation::{FenRecord, MoveRecord};
use soffio::rules::Color;
use soffio_support::of_file::shown_path;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The game has not started. It starts with a human player's move or with [`GameCommand::Start`].
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
    Overstepped(Color),
    #[display("hint {_0}")]
    Hint(String),
    #[display("thought {_0}")]
    Thought(SearchReport),
    Fault(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Turn(Color),
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
    adviser: Option<Computer>,
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
    pub(super) saved: Option<PathBuf>,
    pub(super) is_unsaved: bool,
}

impl PlayGame {
    /// Creates a game. Engine events are sent to `events`; their receiver must pass them to [`PlayGame::event`].
    pub fn new(choice: GameChoice, players: [SidePlayer; 2], events: Sender<Event>) -> Result<Self> {
        Ok(Self {
            record: PlayRecord::new(choice, None)?,
            events,
            players,
            computers: [None, None],
            adviser: None,
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
            is_unsaved: false,
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

    /// Answers a query with one line of text. The front ends draw the board themselves.
    pub(super) fn answer(&self, show: Show) -> String {
        match show {
            Show::Board | Show::Status => self.outcome(),
            Show::Moves => self.record.legal().iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>().join(" "),
            Show::History => self.record.history().join(" "),
            Show::Fen => self.record.board.fen().to_string(),
            Show::Evaluation => self.evaluation().map_or("none".to_owned(), |value| value.to_string()),
        }
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

    /// Executes a command and returns a message for the user. A command that fails changes nothing, but a clock that
    /// has run out still ends the game.
    pub fn obey(&mut self, command: GameCommand, now: Instant) -> Result<String> {
        self.check_time(now);
        let message = match command {
            GameCommand::Move(record) => self.play(&record, now)?,
            GameCommand::Undo(span) => self.move_through(true, span, now)?,
            GameCommand::Redo(span) => self.move_through(false, span, now)?,
            GameCommand::Start => self.start(now)?,
            GameCommand::Pause => self.pause(now),
            GameCommand::Restart => self.restart(now)?,
            GameCommand::Swap => self.swap(),
            GameCommand::Player(color, player) => self.set_player(color, player)?,
            GameCommand::Hint => self.advise(false, now)?,
            GameCommand::PlayForMe => self.advise(true, now)?,
            GameCommand::Resign => self.resign(now)?,
            GameCommand::OfferDraw => self.offer_draw(now)?,
            GameCommand::Delay(delay) => {
                self.delay = delay;
                format!("delay {} ms", delay.as_millis())
            }
            GameCommand::TimeControl(control) => self.set_control(control, now),
            GameCommand::Variant(variant) => {
                self.begin(GameChoice::of(variant), None, now)?;
                format!("variant {}", self.record.choice)
            }
            GameCommand::ForcedCapture(forced_capture) => self.set_capture(forced_capture, now)?,
            GameCommand::SetUp(start) => {
                self.begin(self.record.choice, start, now)?;
                format!("position {}", self.record.board.fen())
            }
            GameCommand::Save { path, replace } => self.save(path, replace)?,
            GameCommand::Load { path, number, encoding } => self.load(path, number, encoding, now)?,
        };
        self.go_on(now);
        Ok(message)
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
            self.computers.iter_mut().flatten().chain(&mut self.adviser).for_each(Computer::end);
            self.tick(now);
            self.go_on(now);
        }
    }

    fn answered(&mut self, purpose: Purpose, best: String, now: Instant) {
        match purpose {
            Purpose::Advice { plays: false } => {
                self.game_events.push_back(GameEvent::Hint(best.clone()));
                self.hint = Some(best);
            }
            Purpose::Advice { plays: true } => self.waiting = Some((best, now)),
            Purpose::Turn(_) => {
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
                self.game_events.push_back(GameEvent::Overstepped(side));
            }
            return;
        };
        let made = text.parse().map_err(|error| anyhow!("move: {error}")).and_then(|record| self.make(&record, at));
        if let Err(error) = made {
            // The engine plays by the same rules, so an illegal move is a bug that the user must be told about.
            self.game_events.push_back(GameEvent::Fault(error.to_string()));
            self.stand(Phase::Paused, now);
        }
        self.go_on(now);
    }

    fn check_time(&mut self, now: Instant) {
        if self.clock.falls_at(&self.record).is_some_and(|at| at <= now) {
            self.tick(now);
        }
    }

    fn go_on(&mut self, now: Instant) {
        let runs = self.phase == Phase::Running && !self.is_over();
        if runs != self.clock.current.is_running() {
            self.clock.current.run(runs, now);
        }
        if !self.engine_is_to_move() || self.is_busy() {
            return;
        }
        let side = self.record.side();
        if let Err(error) = self.think(Purpose::Turn(side), now) {
            self.game_events.push_back(GameEvent::Fault(error.to_string()));
            self.stand(Phase::Paused, now);
        }
    }

    fn think(&mut self, purpose: Purpose, now: Instant) -> Result<()> {
        let player = match (purpose, self.player(self.record.side())) {
            (Purpose::Turn(_), SidePlayer::Engine(player)) => player.clone(),
            _ => EnginePlayer::adviser(),
        };
        let computer = match purpose {
            Purpose::Turn(color) => color.pick(self.computers.each_mut()),
            Purpose::Advice { .. } => &mut self.adviser,
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
            self.computers.iter_mut().flatten().chain(&mut self.adviser).for_each(Computer::stop);
        }
        self.waiting = None;
        self.hint = None;
    }

    fn stand(&mut self, phase: Phase, now: Instant) {
        self.interrupt();
        self.phase = phase;
        self.clock.current.run(false, now);
    }

    fn end(&mut self, end: EarlyEnd, now: Instant) {
        self.ended = Some(end);
        self.stand(Phase::Paused, now);
        self.is_unsaved = true;
    }

    /// Ends the game as a loss for the human player. If both players are human, the side to move resigns.
    fn resign(&mut self, now: Instant) -> Result<String> {
        self.check_not_over()?;
        let side = self.record.side();
        let person = [side, side.opponent()].into_iter().find(|&color| self.player(color).is_human());
        let person = person.ok_or_else(|| anyhow!("both players are engines"))?;
        self.end(EarlyEnd::Resigned(person), now);
        Ok(format!("the game has ended: {}", self.outcome()))
    }

    /// Ends the game as a draw if both players are human, or if the engine does not consider itself better.
    fn offer_draw(&mut self, now: Instant) -> Result<String> {
        self.check_turn_of_person()?;
        let side = self.record.side();
        let engines: Vec<_> =
            [side, side.opponent()].into_iter().filter(|&color| !self.player(color).is_human()).collect();
        ensure!(engines.len() < 2, "both players are engines");
        let value = self.evaluation().map(|evaluation| evaluation.value);
        let is_better = |engine: &Color| match (value, engine) {
            (Some(Value::Cp(value)), Color::White) => value > 0,
            (Some(Value::Cp(value)), Color::Black) => value < 0,
            (Some(Value::Win(_)), engine) => *engine == Color::White,
            (Some(Value::Loss(_)), engine) => *engine == Color::Black,
            (None, _) => false,
        };
        if engines.iter().any(is_better) {
            return Ok("the engine refuses the draw".to_owned());
        }
        self.end(EarlyEnd::Agreed, now);
        Ok(format!("the game has ended: {}", self.outcome()))
    }

    fn check_not_over(&self) -> Result<()> {
        ensure!(!self.is_over(), "the game has ended: {}", self.outcome());
        Ok(())
    }

    pub(super) fn check_turn_of_person(&self) -> Result<()> {
        self.check_not_over()?;
        let side = self.record.side();
        ensure!(!self.engine_is_to_move(), "it is {side}'s turn, and {side} is played by the engine");
        Ok(())
    }

    fn play(&mut self, record: &MoveRecord, now: Instant) -> Result<String> {
        self.check_turn_of_person()?;
        let is_turn = self.player(self.record.side()).is_human();
        self.make(record, now)?;
        if is_turn {
            self.phase = Phase::Running;
        }
        Ok(String::new())
    }

    fn make(&mut self, record: &MoveRecord, now: Instant) -> Result<()> {
        let time = self.clock.current.elapsed(now);
        let before = self.record.played().len();
        self.record.play(record, Some(time))?;
        self.interrupt();
        self.clock.count_from(before);
        self.clock.current.reset(now);
        self.origin.forget_players();
        self.is_unsaved = true;
        if let Some(ply) = self.record.played().last() {
            self.game_events.push_back(GameEvent::Moved(ply.color, ply.text.clone()));
        }
        Ok(())
    }

    fn start(&mut self, now: Instant) -> Result<String> {
        self.check_not_over()?;
        let message = if self.phase == Phase::Ready { "game started" } else { "game resumed" };
        self.phase = Phase::Running;
        self.clock.current.run(true, now);
        Ok(message.to_owned())
    }

    pub(super) fn pause(&mut self, now: Instant) -> String {
        if self.phase == Phase::Ready {
            self.stand(Phase::Ready, now);
            return "the game has not started".to_owned();
        }
        self.stand(Phase::Paused, now);
        "game paused".to_owned()
    }

    /// Returns the number of plies to undo or replay for `span`. For each ply that can be undone or replayed, `sides`
    /// contains the side to move afterwards. The next ply to undo or replay comes first.
    fn plies_of(&self, span: Span, sides: &[Color]) -> usize {
        match span {
            Span::Plies(count) => count,
            Span::All => sides.len().max(1),
            Span::Turn => {
                let turn = sides.iter().position(|&side| self.player(side).is_human());
                turn.map_or(1, |index| index + 1)
            }
        }
    }

    /// Undoes or replays moves. If it is the engine's turn afterwards, pauses the game, because the engine would
    /// otherwise move immediately.
    fn move_through(&mut self, is_back: bool, span: Span, now: Instant) -> Result<String> {
        let sides: Vec<_> = if is_back {
            self.record.played().iter().rev().map(|ply| ply.color).collect()
        } else {
            self.record.taken_back().iter().map(|ply| ply.color.opponent()).collect()
        };
        let count = self.plies_of(span, &sides);
        if is_back {
            self.record.undo(count)?
        } else {
            self.record.redo(count)?
        }
        self.interrupt();
        (self.last_report, self.ended) = (None, None);
        self.is_unsaved = true;
        self.clock.current.reset(now);
        if !self.player(self.record.side()).is_human() && self.phase == Phase::Running {
            self.stand(Phase::Paused, now);
            self.clock.current.reset(now);
        }
        Ok(format!("{} {count}", if is_back { "undid" } else { "replayed" }))
    }

    fn restart(&mut self, now: Instant) -> Result<String> {
        self.record.undo(self.record.played().len())?;
        self.reset(Phase::Ready, 0, now);
        Ok("back at the beginning; redo all replays the moves".to_owned())
    }

    /// Stops the search and resets the clock of the current move. The time control applies to the moves from index
    /// `untimed` on.
    fn reset(&mut self, phase: Phase, untimed: usize, now: Instant) {
        self.stand(phase, now);
        self.clock.set_control(self.clock.control, untimed);
        self.clock.current.reset(now);
        (self.last_report, self.ended) = (None, None);
    }

    fn swap(&mut self) -> String {
        self.interrupt();
        self.players.swap(0, 1);
        self.computers.swap(0, 1);
        let [white, black] = &self.players;
        format!("white {white}, black {black}")
    }

    fn set_player(&mut self, color: Color, player: SidePlayer) -> Result<String> {
        let computer = match &player {
            SidePlayer::Human => None,
            SidePlayer::Engine(engine) => Some(Computer::new(engine.clone(), self.record.choice, self.events.clone())?),
        };
        if self.record.side() == color {
            self.interrupt();
        }
        let message = format!("{color} {player}");
        *color.pick(self.players.each_mut()) = player;
        *color.pick(self.computers.each_mut()) = computer;
        Ok(message)
    }

    /// Sets the time control from the current position on. A game that was lost on time can then be continued.
    fn set_control(&mut self, control: Option<PlayTimeControl>, now: Instant) -> String {
        if self.engine_is_to_move() {
            // The engine is searching with the limits of the old clock.
            self.interrupt();
        }
        self.clock.set_control(control, self.record.played().len());
        self.clock.current.reset(now);
        self.ended = self.ended.filter(|end| !matches!(end, EarlyEnd::OutOfTime(_)));
        control.map_or_else(|| "no time control".to_owned(), |control| format!("time control {control}"))
    }

    fn advise(&mut self, plays: bool, now: Instant) -> Result<String> {
        self.check_turn_of_person()?;
        ensure!(!self.is_busy(), "the engine is thinking about your move");
        self.think(Purpose::Advice { plays }, now)?;
        if plays && self.player(self.record.side()).is_human() {
            self.phase = Phase::Running;
        }
        Ok("thinking".to_owned())
    }

    fn begin(&mut self, choice: GameChoice, start: Option<FenRecord>, now: Instant) -> Result<()> {
        let record = PlayRecord::new(choice, start)?;
        self.replace(record, Phase::Ready, now);
        Ok(())
    }

    fn replace(&mut self, record: PlayRecord, phase: Phase, now: Instant) {
        self.reset(phase, record.played().len(), now);
        self.record = record;
        self.computers = [None, None];
        self.adviser = None;
        self.origin = FileTags::default();
        self.original = None;
        self.saved = None;
        self.is_unsaved = false;
    }

    fn set_capture(&mut self, forced_capture: bool, now: Instant) -> Result<String> {
        let choice = GameChoice { forced_capture, ..self.record.choice };
        let is_possible = forced_capture || choice.rules() != choice.variant;
        ensure!(is_possible, "captures are always forced in {}", choice.variant);
        self.begin(choice, None, now)?;
        Ok(format!("variant {choice}"))
    }

    fn save(&mut self, path: PathBuf, replace: bool) -> Result<String> {
        let is_own = self.saved.as_ref() == Some(&path);
        if is_own && !self.is_unsaved && self.unchanged().is_some() {
            return Ok(format!("{} is up to date", shown_path(&path)));
        }
        file::save(&path, replace || is_own, &self.pdn_record())?;
        let message = format!("saved {}", shown_path(&path));
        self.saved = Some(path);
        self.is_unsaved = false;
        Ok(message)
    }

    /// Returns the game from the file, if its moves have not changed since then.
    fn unchanged(&self) -> Option<&GameRecord> {
        let original = self.original.as_ref().filter(|_| self.ended.is_none())?;
        original.has_moves_of(&self.record).then_some(&original.game)
    }

    fn pdn_record(&self) -> GameRecord {
        if let Some(game) = self.unchanged() {
            return game.clone();
        }
        let record = &self.record;
        let rules = record.choice.rules();
        let (result, reason) = match (record.board.status(), self.ended) {
            (Status::Playing { .. }, Some(end)) => {
                let result = end.winner().map_or(GameResult::Draw, |winner| GameResult::won_by(winner, rules));
                (result, end.reason().to_owned())
            }
            (Status::Playing { .. }, None) => (GameResult::Unknown, "to be played on".to_owned()),
            (Status::Won { winner, reason }, _) => (GameResult::won_by(winner, rules), reason.to_string()),
            (Status::Drawn(reason), _) => (GameResult::Draw, reason.to_string()),
        };
        let [white, black] = [Color::White, Color::Black].map(|color| self.player(color).to_string());
        let fen = record.start().map(ToString::to_string);
        let mut written = GameRecord::from(PlayedGame {
            event: "soffio play",
            site: "?",
            round: 1,
            date: &Timestamp::now().strftime(DATE_FORMAT).to_string(),
            players: [&white, &black],
            variant: rules,
            fen: fen.as_deref(),
            controls: [self.clock.control; 2]
                .map(|control| control.map_or(pdn::TimeControl::Unlimited, PlayTimeControl::written)),
            moves: record.played().iter().map(file::pdn_move).collect(),
            result,
            reason: &reason,
        });
        self.origin.add_to(&mut written);
        written
    }

    fn load(
        &mut self,
        path: PathBuf,
        number: usize,
        encoding: Option<pdn::TextEncoding>,
        now: Instant,
    ) -> Result<String> {
        let loaded = file::load(&path, number, encoding, self.record.choice)?;
        let LoadedGame { record, players, control, origin, original, games } = loaded;
        let phase = if record.played().is_empty() { Phase::Ready } else { Phase::Paused };
        let message = format!(
            "loaded game {number} of {games} from {}: {}, moves {}, {}",
            shown_path(&path),
            record.choice,
            record.played().len(),
            original.game.result.in_words(record.choice.rules())
        );
        self.replace(record, phase, now);
        for (own, loaded) in self.players.iter_mut().zip(players) {
            *own = loaded.unwrap_or_else(|| own.clone());
        }
        if control.is_some() {
            self.clock.set_control(control, 0);
        }
        self.origin = origin;
        self.original = Some(original);
        // Overwriting a file that contains several games would lose the other games.
        self.saved = (games == 1).then_some(path);
        Ok(message)
    }
}

impl Drop for PlayGame {
    fn drop(&mut self) {
        self.interrupt();
    }
}
