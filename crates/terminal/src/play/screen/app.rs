//! Draughts on a terminal screen: the state of the screen, and how keys and clicks change it.
//!
//! [`PlayApp`] draws into any buffer; [`run_screen`] connects it to the terminal.

use super::board::{PlayBoardView, layout, square_at};
use super::form::{Form, game_commands, game_form, player_form, player_of};
use super::keys::{self, Action, KEYS};
use super::panel;
use super::selection::{MoveSelection, SquareChoice};
use crate::play::command::MAX_DELAY;
use crate::play::{GameCommand, GameEvent, HELP, Phase, PlayCommand, PlayGame, PlayView, Show, ViewCommand};
use crate::screen::theme::{SquareMark, strong};
use crate::screen::{DISCARD, Focus, InputState, KeyOutcome, LEAVE, Screen, ScreenEvent, ScreenLayout};
use crossbeam_channel::Receiver;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Clear, Paragraph, Widget, Wrap};
use soffio::board::Square;
use soffio::engine::Event;
use soffio::notation::MoveRecord;
use soffio::rules::Color;
use std::time::{Duration, Instant};
use std::{io, iter};

/// Redraw interval while a clock is running. It is short enough that no second is skipped.
const CLOCK_STEP: Duration = Duration::from_millis(250);

const REMINDER: &str = "? keys  q quit  arrows Enter  u undo  r redo  Space start/pause  ^H hint  p play";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormSubject {
    Player(Color),
    Game,
}

/// What happens after the game has been saved or its loss has been confirmed.
#[derive(Clone, Debug, PartialEq)]
enum Pending {
    Leave,
    Commands(Vec<GameCommand>),
}

pub struct PlayApp {
    pub(super) game: PlayGame,
    pub(super) view: PlayView,
    focus: Focus<(FormSubject, Form)>,
    selection: MoveSelection,
    cursor: (usize, usize),
    message: StatusMessage,
    /// What the user asked for while the game was not saved.
    pending: Option<Pending>,
    pub(super) layout: ScreenLayout,
    pub is_over: bool,
}

impl PlayApp {
    pub fn new(game: PlayGame, view: PlayView) -> Self {
        let cursor = game.record.grid(view.flipped).first_place();
        let mut message = StatusMessage::info("? shows the keys");
        // On a small screen, a new message may cover the board. This message must not cover it.
        message.is_new = false;
        Self {
            game,
            view,
            focus: Focus::Board,
            selection: MoveSelection::default(),
            cursor,
            message,
            pending: None,
            layout: ScreenLayout::default(),
            is_over: false,
        }
    }

    pub fn deadline(&self, now: Instant) -> Option<Instant> {
        let clock = self.game.clock.current.is_running().then(|| now + CLOCK_STEP);
        self.game.deadline().into_iter().chain(clock).min()
    }

    pub fn tick(&mut self, now: Instant) {
        self.game.tick(now);
        self.take_events();
    }

    pub fn event(&mut self, event: Event, now: Instant) {
        self.game.event(event, now);
        self.take_events();
    }

    /// Pauses a running game, because the clocks must stop while the program is suspended.
    pub(super) fn pause(&mut self, now: Instant) {
        if self.game.phase == Phase::Running && !self.game.is_over() {
            self.execute(GameCommand::Pause, now);
        }
    }

    pub fn key(&mut self, key: KeyEvent, now: Instant) {
        self.message.is_new = false;
        let action = keys::action(key);
        if action == Some(Action::LeaveNow) {
            self.is_over = true;
            return;
        }
        match self.focus.key(key) {
            KeyOutcome::Handled => self.pending = self.pending.take().filter(|_| self.focus != Focus::Board),
            KeyOutcome::Line(line) => {
                let is_save = matches!(PlayCommand::read(&line), Ok(Some(PlayCommand::Game(GameCommand::Save { .. }))));
                let pending = self.pending.take().filter(|_| is_save);
                self.execute_line(&line, now);
                if !self.game.is_unsaved() {
                    self.finish(pending, now);
                }
            }
            KeyOutcome::Save => self.act(Action::Type("save ".to_owned()), now),
            KeyOutcome::Discard => {
                let pending = self.pending.take();
                self.finish(pending, now);
            }
            KeyOutcome::Passed => match &mut self.focus {
                Focus::Form((_, form)) => match form.key(key) {
                    InputState::Editing => {}
                    InputState::Cancelled => self.focus = Focus::Board,
                    InputState::Done => self.take_form(now),
                },
                _ => {
                    if let Some(action) = action {
                        self.act(action, now);
                    }
                }
            },
        }
    }

    pub fn mouse(&mut self, mouse: MouseEvent, now: Instant) {
        if self.focus != Focus::Board {
            return;
        }
        if matches!(mouse.kind, MouseEventKind::Down(_)) {
            self.message.is_new = false;
        }
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                if let Some(place) = square_at(&self.layout, Position::new(mouse.column, mouse.row)) {
                    self.cursor = place;
                    self.act(Action::Choose, now);
                }
            }
            MouseEventKind::Down(MouseButton::Right) => self.act(Action::Drop, now),
            _ => {}
        }
    }

    fn act(&mut self, action: Action, now: Instant) {
        match action {
            Action::Move(direction) => {
                self.cursor = self.game.record.grid(self.view.flipped).next(self.cursor, direction);
            }
            Action::Choose => self.choose(now),
            Action::Drop => self.selection.clear(),
            Action::StartOrPause => {
                let runs = self.game.phase == Phase::Running && !self.game.is_over();
                self.execute(if runs { GameCommand::Pause } else { GameCommand::Start }, now);
            }
            Action::Command(command) => self.execute(command, now),
            Action::View(command) => self.change_view(command),
            Action::Delay(step) => {
                let delay = self.game.delay.as_millis() as i64 + step;
                self.execute(GameCommand::Delay(Duration::from_millis(delay.clamp(0, MAX_DELAY as i64) as u64)), now);
            }
            Action::Type(text) => {
                let known =
                    self.game.saved.as_ref().filter(|_| text == "save ").map(|saved| saved.path.display().to_string());
                self.focus = Focus::entry(&(text + &known.unwrap_or_default()));
            }
            Action::Player(color) => {
                self.focus = Focus::Form((FormSubject::Player(color), player_form(color, self.game.player(color))));
            }
            Action::Game => self.focus = Focus::Form((FormSubject::Game, game_form(&self.game))),
            Action::Help => self.focus = Focus::text_box("Keys", KEYS),
            Action::Leave if self.game.is_unsaved() => {
                (self.focus, self.pending) = (Focus::Confirm(LEAVE), Some(Pending::Leave));
            }
            Action::Leave | Action::LeaveNow => self.is_over = true,
        }
    }

    fn execute_line(&mut self, line: &str, now: Instant) {
        match PlayCommand::read(line) {
            Ok(None) => {}
            Ok(Some(PlayCommand::Game(command))) => self.execute(command, now),
            Ok(Some(PlayCommand::View(command))) => self.change_view(command),
            Ok(Some(PlayCommand::Show(show))) => self.show(show),
            Ok(Some(PlayCommand::Help)) => self.focus = Focus::text_box("Commands (after :)", HELP),
            Ok(Some(PlayCommand::Quit)) => self.act(Action::Leave, now),
            Err(error) => self.message = StatusMessage::rejected(error),
        }
    }

    fn execute(&mut self, command: GameCommand, now: Instant) {
        self.execute_all(vec![command], now);
    }

    /// Executes the commands, unless one of them would replace an unsaved game. The user must confirm this first.
    fn execute_all(&mut self, commands: Vec<GameCommand>, now: Instant) {
        if commands.iter().any(|command| self.game.discards(command)) {
            (self.focus, self.pending) = (Focus::Confirm(DISCARD), Some(Pending::Commands(commands)));
            return;
        }
        self.finish(Some(Pending::Commands(commands)), now);
    }

    fn finish(&mut self, pending: Option<Pending>, now: Instant) {
        match pending {
            None => {}
            Some(Pending::Leave) => self.is_over = true,
            Some(Pending::Commands(commands)) => commands.into_iter().for_each(|command| self.run(command, now)),
        }
    }

    fn run(&mut self, command: GameCommand, now: Instant) {
        self.message = self.game.execute(command, now).map_or_else(StatusMessage::rejected, StatusMessage::info);
        self.selection.clear();
        self.take_events();
        if self.square_at_cursor().is_none() {
            // The new board may have a different size.
            self.cursor = self.game.record.grid(self.view.flipped).first_place();
        }
    }

    fn change_view(&mut self, command: ViewCommand) {
        let square = self.square_at_cursor();
        self.message = StatusMessage::info(self.view.execute(command));
        let place = square.and_then(|square| self.game.record.grid(self.view.flipped).place(square));
        self.cursor = place.unwrap_or(self.cursor);
    }

    fn show(&mut self, show: Show) {
        self.message = StatusMessage::info(match show {
            Show::Board | Show::Status => panel::title(&self.game, usize::MAX),
            show => self.game.answer(show),
        });
    }

    fn take_form(&mut self, now: Instant) {
        let Focus::Form((subject, form)) = std::mem::replace(&mut self.focus, Focus::Board) else { return };
        match subject {
            FormSubject::Player(color) => match player_of(&form, self.game.player(color)) {
                Ok(player) => self.execute(GameCommand::Player(color, player), now),
                Err(error) => self.message = StatusMessage::rejected(error),
            },
            FormSubject::Game => {
                let commands = game_commands(&form, &self.game);
                self.execute_all(commands, now);
            }
        }
    }

    fn square_at_cursor(&self) -> Option<Square> {
        let (row, column) = self.cursor;
        self.game.record.grid(self.view.flipped).cell(row, column)?.square
    }

    fn choose(&mut self, now: Instant) {
        if let Err(error) = self.game.check_turn_of_person() {
            self.message = StatusMessage::rejected(error);
            return;
        }
        let Some(square) = self.square_at_cursor() else { return };
        match self.selection.choose(&self.game.record, square) {
            SquareChoice::Complete(record) => self.execute(GameCommand::Move(record), now),
            SquareChoice::Changed => self.message = StatusMessage::default(),
            SquareChoice::Rejected(reason) => self.message = StatusMessage::rejected(reason),
            // The move is illegal, so this call reports the reason. The selection is kept.
            SquareChoice::Attempt(record) => {
                let selection = self.selection.clone();
                self.execute(GameCommand::Move(record), now);
                self.selection = selection;
            }
        }
    }

    fn take_events(&mut self) {
        for event in self.game.game_events().collect::<Vec<_>>() {
            if matches!(event, GameEvent::Moved(..) | GameEvent::OutOfTime(_)) {
                self.selection.clear();
            }
            match event {
                GameEvent::Thought(_) => {}
                GameEvent::Fault(problem) => self.message = StatusMessage::rejected(problem),
                event => self.message = StatusMessage::info(event.to_string()),
            }
        }
    }

    fn mark(&self, square: Square) -> SquareMark {
        let record = &self.game.record;
        let is_in = |mv: &MoveRecord| {
            let ends = [Some(&mv.from), mv.path.last()];
            ends.into_iter().flatten().any(|name| name.resolve(record.spec()) == Ok(square))
        };
        let mut mark = SquareMark::Plain;
        if record.played().last().is_some_and(|ply| is_in(&ply.record)) {
            mark = SquareMark::LastMove;
        }
        let hint = self.game.hint.as_ref().and_then(|text| record.legal().iter().find(|mv| mv.text == *text));
        if hint.is_some_and(|mv| is_in(&mv.record)) {
            mark = SquareMark::Hint;
        }
        let may_move = !self.game.engine_is_to_move() && !self.game.is_over();
        if may_move { mark.max(self.selection.mark(record, square)) } else { mark }
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, now: Instant) {
        let area = frame.area();
        let grid = self.game.record.grid(self.view.flipped);
        self.layout = layout(area, grid.size());
        let layout = self.layout;
        let title = self.title(&layout);
        frame.render_widget(Line::styled(title, strong()), layout.title);
        let board = PlayBoardView {
            grid: &grid,
            mark: &|square| self.mark(square),
            cursor: self.cursor,
            numbers: self.view.numbers,
        };
        if layout.board.is_empty() {
            let (columns, rows) = grid.size();
            let least = format!("The board needs {} columns and {} lines.", 2 * columns, rows + 3);
            frame.render_widget(Line::raw(least), Rect { y: layout.title.bottom(), ..layout.title }.intersection(area));
        } else {
            board.draw(&layout, frame.buffer_mut());
        }
        panel::draw(&self.game, &self.view, now, layout.panel, frame.buffer_mut());
        self.focus.draw_line(REMINDER, frame, layout.entry);
        self.draw_message(frame);
        match &self.focus {
            Focus::Form((_, form)) => form.draw(area, frame.buffer_mut()),
            focus => focus.draw_box(area, frame.buffer_mut()),
        }
    }

    fn title(&self, layout: &ScreenLayout) -> String {
        let evaluation = self.game.evaluation().filter(|_| self.view.evaluation && layout.panel.is_empty());
        let worth = evaluation.map_or_else(String::new, |value| format!("{}  ", value.value.in_words()));
        let room = usize::from(layout.title.width).saturating_sub(worth.len());
        worth + &panel::title(&self.game, room)
    }

    /// Draws the message. A new message that does not fit into its area covers more of the screen until the next key
    /// press.
    fn draw_message(&self, frame: &mut Frame<'_>) {
        let (area, place) = (frame.area(), self.layout.message);
        let text = Paragraph::new(self.message_line()).wrap(Wrap { trim: true });
        let needed = height(&text, area);
        let fits = needed <= place.height;
        if !fits && self.message.is_new && self.focus == Focus::Board {
            let height = needed.min(area.height);
            let whole = Rect { y: area.bottom() - height, height, ..area };
            frame.render_widget(Clear, whole);
            return frame.render_widget(text, whole);
        }
        frame.render_widget(text, place);
        let last = Position::new(place.right().saturating_sub(1), place.bottom().saturating_sub(1));
        if !fits && let Some(cell) = frame.buffer_mut().cell_mut(last).filter(|_| place.contains(last)) {
            cell.set_symbol("…");
        }
    }

    pub(super) fn message_line(&self) -> String {
        let name = self.square_at_cursor().map(|square| self.game.record.spec().square_name(square).to_string());
        format!("[{}] {}", name.unwrap_or_default(), self.message.text)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct StatusMessage {
    text: String,
    /// True until the next key press.
    is_new: bool,
}

impl StatusMessage {
    fn info(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_new: true }
    }

    fn rejected(reason: impl ToString) -> Self {
        Self::info(format!("No: {}", reason.to_string()))
    }
}

/// Returns the number of lines that `text` needs at the full width of `screen`, but at most the height of `screen`.
fn height(text: &Paragraph<'_>, screen: Rect) -> u16 {
    let mut drawn = Buffer::empty(screen);
    text.render(screen, &mut drawn);
    let is_written = |place: (u16, u16)| drawn.cell(place).is_some_and(|cell| cell.symbol() != " ");
    let is_used = |row: &u16| (screen.left()..screen.right()).any(|column| is_written((column, *row)));
    let last = (screen.top()..screen.bottom()).rev().find(is_used);
    last.map_or(0, |row| row + 1 - screen.top())
}

pub fn run_screen(game: PlayGame, view: PlayView, events: &Receiver<Event>) -> io::Result<()> {
    let mut screen = Screen::take()?;
    let mut app = PlayApp::new(game, view);
    while !app.is_over {
        screen.draw(|frame| app.draw(frame, Instant::now()))?;
        match screen.next(events, app.deadline(Instant::now())) {
            Some(ScreenEvent::Key(key)) => app.key(key, Instant::now()),
            Some(ScreenEvent::Mouse(mouse)) => app.mouse(mouse, Instant::now()),
            Some(ScreenEvent::Suspend) => {
                app.pause(Instant::now());
                screen.suspend()?;
            }
            Some(ScreenEvent::Received(event)) => {
                // The search reports faster than anyone can read, so draw only once for all pending events.
                iter::once(event).chain(events.try_iter()).for_each(|event| app.event(event, Instant::now()));
            }
            Some(ScreenEvent::Wakeup) => app.tick(Instant::now()),
            None => break,
        }
    }
    Ok(())
}
