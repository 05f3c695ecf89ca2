//! Tavla on a terminal screen: the state of the screen, and how keys, clicks and the program's choices change it.
//!
//! [`TavlaApp`] draws into any buffer; [`run_screen`] connects it to the terminal and to the search thread.

use super::Pending;
use super::board::{self, COLUMNS, TavlaBoardView, TavlaPlace, layout, least, place_at};
use super::table::{HELP, PlayChoice, PlayTask, TavlaPlayState, TavlaReply, verb};
use crate::screen::theme::{SquareMark, strong};
use crate::screen::{DISCARD, Focus, KeyOutcome, LEAVE, Screen, ScreenEvent, ScreenLayout};
use crossbeam_channel::{Sender, unbounded};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use soffio::stop::Stop;
use soffio_tavla::game::TavlaState;
use soffio_tavla::rules::{BAR, Hop, OFF, TavlaPlay, after_hops, next_hops};
use std::convert::Infallible;
use std::{io, thread};

const REMINDER: &str = "? keys  q quit  Space rolls  arrows Enter play  u undo  r redo  w why  s save";

const KEYS: &str = "\
Space           roll the dice; pass when no play is possible
arrows, Enter   move the cursor, choose a checker and its target; or click
digits, b       type a play (8/5 6/5, bar/20)
Esc, Backspace  undo the last hop of the play
u, r            undo, redo
w               why: show the evaluation of the plays, or of the last one
d               enter the dice
s               save the game as .mat text
n               start a new game
:               type a command
q, ^C, ^Z       quit, quit without asking, suspend

• where the checker can go     [ ] the cursor";

const KEPT: usize = 200;

pub(super) struct TavlaApp {
    pub(super) table: TavlaPlayState,
    focus: Focus<Infallible>,
    cursor: TavlaPlace,
    /// The hops of an incomplete play.
    hops_so_far: Vec<Hop>,
    /// Number of the point from which the next checker hops, or `None` if the user has not chosen a point.
    chosen: Option<usize>,
    log: Vec<String>,
    /// The program's task, until [`TavlaApp::take_task`] passes it to a thread.
    task: Option<PlayTask>,
    /// Number of the current task. Results with a different number are discarded.
    pub(super) work: u64,
    is_thinking: bool,
    pending: Option<Pending>,
    pub(super) layout: ScreenLayout,
    pub(super) is_over: bool,
}

impl TavlaApp {
    pub(super) fn new(table: TavlaPlayState) -> Self {
        let mut app = Self {
            table,
            focus: Focus::Board,
            // White's 6-point.
            cursor: TavlaPlace { is_lower: true, column: 7 },
            hops_so_far: Vec::new(),
            chosen: None,
            log: Vec::new(),
            task: None,
            work: 0,
            is_thinking: false,
            pending: None,
            layout: ScreenLayout::default(),
            is_over: false,
        };
        app.resume();
        app
    }

    /// Takes the pending task and its number. This makes all earlier tasks obsolete.
    pub(super) fn take_task(&mut self) -> Option<(u64, PlayTask)> {
        self.task.take().map(|task| (self.work, task))
    }

    pub(super) fn found(&mut self, work: u64, choice: Option<PlayChoice>) {
        if work != self.work || !self.is_thinking {
            return;
        }
        self.is_thinking = false;
        let choice = choice.ok_or_else(|| "the program found no play".to_owned());
        match choice.and_then(|choice| self.table.play_found(choice)) {
            Ok(text) => {
                self.show_line(text);
                self.resume();
            }
            Err(error) => self.reject(&error),
        }
    }

    fn resume(&mut self) {
        self.hops_so_far.clear();
        self.chosen = None;
        self.work += 1;
        let (said, task) = self.table.prepare();
        said.into_iter().for_each(|line| self.show_line(line));
        self.is_thinking = task.is_some();
        self.task = task;
        if let Some(end) = self.table.end() {
            self.show_line(end);
        }
    }

    fn show_line(&mut self, line: String) {
        self.log.push(line);
        let too_many = self.log.len().saturating_sub(KEPT);
        self.log.drain(..too_many);
    }

    fn reject(&mut self, reason: &str) {
        self.show_line(format!("No: {reason}"));
    }

    pub(super) fn key(&mut self, key: KeyEvent) {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_control && key.code == KeyCode::Char('c') {
            self.is_over = true;
            return;
        }
        match self.focus.key(key) {
            KeyOutcome::Passed => self.board_key(key.code),
            KeyOutcome::Handled => self.pending = self.pending.filter(|_| self.focus != Focus::Board),
            KeyOutcome::Line(line) => {
                let pending = self.pending.take().filter(|_| verb(&line) == "save");
                self.execute(line.trim());
                if !self.table.is_unsaved() {
                    self.finish(pending);
                }
            }
            KeyOutcome::Save => self.focus = Focus::entry("save "),
            KeyOutcome::Discard => {
                let pending = self.pending.take();
                self.finish(pending);
            }
        }
    }

    fn finish(&mut self, pending: Option<Pending>) {
        match pending {
            Some(Pending::New) => self.run("new"),
            Some(Pending::Leave) => self.is_over = true,
            None => {}
        }
    }

    fn board_key(&mut self, code: KeyCode) {
        let TavlaPlace { is_lower, column } = self.cursor;
        match code {
            KeyCode::Up => self.cursor = TavlaPlace { is_lower: false, column },
            KeyCode::Down => self.cursor = TavlaPlace { is_lower: true, column },
            KeyCode::Left => self.cursor = TavlaPlace { is_lower, column: column.saturating_sub(1) },
            KeyCode::Right => self.cursor = TavlaPlace { is_lower, column: (column + 1).min(COLUMNS - 1) },
            KeyCode::Enter => self.choose(),
            KeyCode::Esc | KeyCode::Backspace => self.take_hop_back(),
            KeyCode::F(1) | KeyCode::Char('?') => self.focus = Focus::text_box("Keys", KEYS),
            KeyCode::Char(' ') => self.roll_or_pass(),
            KeyCode::Char(letter) => match letter.to_ascii_lowercase() {
                '0'..='9' | 'b' => self.focus = Focus::entry(&letter.to_ascii_lowercase().to_string()),
                ':' => self.focus = Focus::entry(""),
                'd' => self.focus = Focus::entry("dice "),
                's' => self.focus = Focus::entry("save "),
                'u' => self.execute("undo"),
                'r' => self.execute("redo"),
                'n' => self.execute("new"),
                'w' => self.execute("why"),
                'q' => self.leave(),
                _ => {}
            },
            _ => {}
        }
    }

    pub(super) fn mouse(&mut self, mouse: MouseEvent) {
        if self.focus != Focus::Board {
            return;
        }
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                if let Some(place) = place_at(&self.layout, Position::new(mouse.column, mouse.row)) {
                    self.cursor = place;
                    self.choose();
                }
            }
            MouseEventKind::Down(MouseButton::Right) => self.take_hop_back(),
            _ => {}
        }
    }

    fn leave(&mut self) {
        if self.table.is_unsaved() {
            (self.focus, self.pending) = (Focus::Confirm(LEAVE), Some(Pending::Leave));
        } else {
            self.is_over = true;
        }
    }

    fn roll_or_pass(&mut self) {
        self.execute(if self.table.game.must_pass() { "pass" } else { "roll" });
    }

    fn execute(&mut self, line: &str) {
        match line {
            "board" | "d" => return,
            "help" | "?" => {
                self.focus = Focus::text_box("Commands (after :)", HELP);
                return;
            }
            line if self.table.is_discarded_by(line) => {
                (self.focus, self.pending) = (Focus::Confirm(DISCARD), Some(Pending::New));
                return;
            }
            _ => {}
        }
        self.run(line);
    }

    fn run(&mut self, line: &str) {
        let before = (*self.table.game.state(), self.table.game.turns().len());
        match self.table.execute(line) {
            TavlaReply::Quit => self.leave(),
            TavlaReply::Rejected(reason) => self.reject(&reason),
            TavlaReply::Output(said) => {
                if before != (*self.table.game.state(), self.table.game.turns().len()) {
                    let new_turns = self.table.game.turns().get(before.1..).unwrap_or_default().to_vec();
                    for turn in new_turns {
                        self.show_line(format!("{} {}: {}", turn.before.side, turn.roll, turn.play));
                    }
                    // The drawing is not logged, because the screen shows the board.
                    let is_board = |line: &String| line.contains('\n');
                    said.into_iter().filter(|line| !is_board(line)).for_each(|line| self.show_line(line));
                    self.resume();
                } else if line == "why" || line == "legal" {
                    self.focus = Focus::Box("Plays", said.iter().flat_map(|line| wrapped(line, BOX_WIDTH)).collect());
                } else {
                    said.into_iter().for_each(|line| self.show_line(line));
                }
            }
        }
    }

    pub(super) fn next_hops(&self) -> Vec<Hop> {
        let game = &self.table.game;
        let Some(roll) = game.state().dice.filter(|_| !self.table.is_engine_to_play()) else { return Vec::new() };
        next_hops(&game.state().board, roll, game.legal(), &self.hops_so_far, game.rules().hit_and_run)
    }

    fn choose(&mut self) {
        let game = &self.table.game;
        if let Some(end) = self.table.end() {
            return self.reject(&end);
        }
        let side = game.state().side;
        if self.table.is_engine_to_play() {
            return self.reject(&format!("{side} is played by the program"));
        }
        if game.state().dice.is_none() {
            return self.reject("the dice have not been rolled: press Space to roll");
        }
        let Some(number) = self.cursor.number(side) else { return self.reject("that belongs to the other side") };
        let hops = self.next_hops();
        match self.chosen {
            Some(from) if from == number => self.chosen = None,
            Some(from) if hops.iter().any(|hop| (usize::from(hop.from), usize::from(hop.to)) == (from, number)) => {
                self.hop(from, number);
            }
            _ if hops.iter().any(|hop| usize::from(hop.from) == number) => self.chosen = Some(number),
            Some(from) => self.explain(from, number),
            None if hops.is_empty() => self.reject("no legal play: press Space to pass"),
            None => self.reject(&format!("no checker can move from {}", named(number))),
        }
    }

    fn hop(&mut self, from: usize, to: usize) {
        self.hops_so_far.push(Hop { from: from as u8, to: to as u8 });
        self.chosen = None;
        if self.next_hops().is_empty()
            && let Some(play) = TavlaPlay::new(&self.hops_so_far)
        {
            self.execute(&play.to_string());
        }
    }

    fn explain(&mut self, from: usize, to: usize) {
        let mut hops = self.hops_so_far.clone();
        hops.push(Hop { from: from as u8, to: to as u8 });
        let play = TavlaPlay::new(&hops).filter(|_| to < from);
        let reason = play.and_then(|play| self.table.game.resolve(&play).err()).map(|error| error.to_string());
        self.reject(&reason.unwrap_or_else(|| format!("no legal hop from {} to {}", named(from), named(to))));
    }

    fn take_hop_back(&mut self) {
        if self.chosen.take().is_none() {
            self.hops_so_far.pop();
        }
    }

    fn shown(&self) -> TavlaState {
        let state = *self.table.game.state();
        TavlaState { board: after_hops(&state.board, &self.hops_so_far).unwrap_or(state.board), ..state }
    }

    fn mark(&self, place: TavlaPlace, hops: &[Hop]) -> SquareMark {
        let game = &self.table.game;
        let mut mark = SquareMark::Plain;
        if self.hops_so_far.is_empty()
            && let Some(turn) = game.turns().last()
            && let Some(number) = place.number(turn.before.side)
            && turn.play.hops().iter().any(|hop| usize::from(hop.from) == number || usize::from(hop.to) == number)
        {
            mark = SquareMark::LastMove;
        }
        let Some(number) = place.number(game.state().side) else { return mark };
        let is_from = |hop: &Hop, from: usize| usize::from(hop.from) == from;
        match self.chosen {
            Some(from) if from == number => SquareMark::Selected,
            Some(from) if hops.iter().any(|hop| is_from(hop, from) && usize::from(hop.to) == number) => {
                SquareMark::Target
            }
            None if hops.iter().any(|hop| is_from(hop, number)) => SquareMark::Movable,
            _ => mark,
        }
    }

    pub(super) fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        self.layout = layout(area);
        let ScreenLayout { title, board, panel, message: log, entry, .. } = self.layout;
        frame.render_widget(Line::styled(board::title(&self.table, self.is_thinking), strong()), title);
        let (hops, state) = (self.next_hops(), self.shown());
        if board.is_empty() {
            let (columns, lines) = least();
            let text = format!("The board needs {columns} columns and {lines} lines.");
            frame.render_widget(Line::raw(text), Rect { y: title.bottom(), ..title }.intersection(area));
        } else {
            let view = TavlaBoardView { state: &state, mark: &|place| self.mark(place, &hops), cursor: self.cursor };
            view.draw(&self.layout, frame.buffer_mut());
            board::draw_panel(&self.table, &self.hops_so_far, panel, frame.buffer_mut());
            // Wrap only as many lines as can be visible.
            let recent = self.log.len().saturating_sub(log.height.into());
            let lines: Vec<_> = self.log.iter().skip(recent).flat_map(|line| wrapped(line, log.width.into())).collect();
            let first = lines.len().saturating_sub(log.height.into());
            let lines: Vec<_> = lines.into_iter().skip(first).map(Line::raw).collect();
            frame.render_widget(Paragraph::new(lines), log);
        }
        self.focus.draw_line(REMINDER, frame, entry);
        self.focus.draw_box(area, frame.buffer_mut());
    }
}

fn named(number: usize) -> String {
    match number {
        BAR => "the bar".to_owned(),
        OFF => "off".to_owned(),
        point => format!("point {point}"),
    }
}

const BOX_WIDTH: usize = 72;

/// Breaks `line` at spaces into lines of at most `width` bytes. A longer word gets a line of its own.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split_whitespace() {
        match lines.last_mut() {
            Some(last) if last.is_empty() => last.push_str(word),
            Some(last) if last.len() + 1 + word.len() <= width => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

type TaskResult = (u64, Option<PlayChoice>);

pub fn run_screen(table: TavlaPlayState) -> io::Result<()> {
    let mut screen = Screen::take()?;
    let (sender, found) = unbounded::<TaskResult>();
    let mut app = TavlaApp::new(table);
    let mut stop = Stop::new();
    let mut work = app.work;
    while !app.is_over {
        if app.work != work {
            work = app.work;
            stop.stop();
            stop = Stop::new();
        }
        if let Some((number, task)) = app.take_task() {
            begin(number, task, stop.clone(), sender.clone())?;
        }
        screen.draw(|frame| app.draw(frame))?;
        match screen.next(&found, None) {
            Some(ScreenEvent::Key(key)) => app.key(key),
            Some(ScreenEvent::Mouse(mouse)) => app.mouse(mouse),
            Some(ScreenEvent::Suspend) => screen.suspend()?,
            Some(ScreenEvent::Received((number, choice))) => app.found(number, choice),
            Some(ScreenEvent::Wakeup) => {}
            None => break,
        }
    }
    stop.stop();
    Ok(())
}

fn begin(number: u64, task: PlayTask, stop: Stop, sender: Sender<TaskResult>) -> io::Result<()> {
    let work = move || {
        let found = task.run(&stop);
        // Sending fails only if the user has left the game.
        let _ = sender.send((number, found));
    };
    thread::Builder::new().name("thinking".to_owned()).spawn(work).map(drop)
}
