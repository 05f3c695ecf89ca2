//! Line mode, for pipes and screen readers.

use super::{GameCommand, GameEvent, HELP, Phase, PlayCommand, PlayGame, PlayView, Show, shown, shown_left};
use anyhow::{Result, anyhow};
use crossbeam_channel::{Receiver, after, never, select};
use soffio::engine::Event;
use soffio::files::shown_path;
use soffio::rules::Color;
use soffio::session::Input;
use soffio_support::stdio::read_standard_input;
use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::time::Instant;

/// A game in line mode. During the engine's turn, commands wait, so that a whole game can be sent at once; only `pause`
/// and `quit` are executed immediately. Pending saves finish before the dialogue ends.
pub struct Dialogue {
    pub(super) game: PlayGame,
    view: PlayView,
    deferred: VecDeque<Result<PlayCommand>>,
    /// True after the end of input or after `quit`.
    is_ended: bool,
    is_leaving: bool,
    /// True if standard input is a terminal, in which case the user can answer questions.
    is_interactive: bool,
    /// The last command, if the program asked whether to execute it without saving the game.
    asked: Option<PlayCommand>,
    output: String,
    warnings: String,
}

impl Dialogue {
    /// Shows the game. If `is_interactive` is true, a command that quits or replaces an unsaved game only asks for
    /// confirmation the first time.
    pub fn new(game: PlayGame, view: PlayView, is_interactive: bool) -> Self {
        let mut dialogue = Self {
            game,
            view,
            deferred: VecDeque::new(),
            is_ended: false,
            is_leaving: false,
            is_interactive,
            asked: None,
            output: String::new(),
            warnings: String::new(),
        };
        let [white, black] = [Color::White, Color::Black].map(|color| dialogue.game.player(color).to_string());
        let choice = dialogue.game.record.choice;
        dialogue.print(format_args!("{choice}, white {white}, black {black}"));
        dialogue.show_position();
        dialogue
    }

    pub fn output(&mut self) -> String {
        std::mem::take(&mut self.output)
    }

    /// Takes the warnings for standard error.
    pub fn warnings(&mut self) -> String {
        std::mem::take(&mut self.warnings)
    }

    pub fn is_over(&self) -> bool {
        self.is_ended && self.deferred.is_empty() && !self.waits()
    }

    pub fn has_lost_moves(&self) -> bool {
        self.is_over() && self.game.is_unsaved() && !(self.is_interactive && self.is_confirmed(&PlayCommand::Quit))
    }

    pub fn line(&mut self, line: &str, now: Instant) {
        if let Some(read) = PlayCommand::read(line).transpose() {
            self.take(read, now);
        }
    }

    fn take(&mut self, read: Result<PlayCommand>, now: Instant) {
        if !read.as_ref().is_ok_and(|command| self.is_confirmed(command)) {
            self.asked = None;
        }
        match read {
            // After `quit` or the end of input, further input is ignored unless the `quit` is still waiting for a save.
            _ if self.is_ended && !self.is_leaving => {}
            Ok(PlayCommand::Quit) if self.is_leaving => self.leave_unsaved(now),
            Ok(PlayCommand::Quit) => self.quit_in_turn(now),
            Ok(command @ PlayCommand::Game(GameCommand::Pause)) => {
                self.execute(Ok(command), now);
                // Commands that were waiting for the engine's move are executed now, because the move will not be made.
                self.follow(now);
            }
            _ if self.is_leaving => {}
            read if self.waits() => self.deferred.push_back(read),
            read => self.execute(read, now),
        }
    }

    /// Returns true if the program has just asked about this command. Repeating the command then confirms it.
    fn is_confirmed(&self, command: &PlayCommand) -> bool {
        self.asked.as_ref() == Some(command)
    }

    pub fn end(&mut self) {
        self.is_ended = true;
    }

    pub fn event(&mut self, event: Event, now: Instant) {
        self.game.event(event, now);
        self.follow(now);
    }

    pub fn tick(&mut self, now: Instant) {
        self.game.tick(now);
        self.follow(now);
    }

    fn waits(&self) -> bool {
        self.game.is_busy() || self.game.engine_is_to_move()
    }

    fn quit_in_turn(&mut self, now: Instant) {
        let waiting = self.saves_waiting().join(", ");
        if waiting.is_empty() {
            return self.quit(now);
        }
        self.print(format_args!(
            "quit waits for \"save {waiting}\"; enter pause to save now, or quit again to leave without saving"
        ));
        self.deferred.push_back(Ok(PlayCommand::Quit));
        self.is_leaving = true;
    }

    fn leave_unsaved(&mut self, now: Instant) {
        let lost = self.saves_waiting().join(", ");
        self.print_error(format_args!("not saved: {lost}"));
        self.asked = Some(PlayCommand::Quit);
        self.quit(now);
    }

    fn saves_waiting(&self) -> Vec<String> {
        let path = |read: &Result<PlayCommand>| match read {
            Ok(PlayCommand::Game(GameCommand::Save { path, .. })) => Some(shown_path(path)),
            _ => None,
        };
        self.deferred.iter().filter_map(path).collect()
    }

    fn quit(&mut self, now: Instant) {
        if self.is_interactive && self.game.is_unsaved() && !self.is_confirmed(&PlayCommand::Quit) {
            self.print("the game is not saved: use save FILE, or quit again to leave without saving");
            (self.asked, self.is_leaving) = (Some(PlayCommand::Quit), false);
            return;
        }
        self.deferred.clear();
        self.game.pause(now);
        (self.is_ended, self.is_leaving) = (true, false);
    }

    fn follow(&mut self, now: Instant) {
        self.print_events();
        while !self.waits()
            && let Some(read) = self.deferred.pop_front()
        {
            // A command entered before the question does not answer it.
            self.asked = None;
            self.execute(read, now);
        }
    }

    fn print_error(&mut self, problem: impl Display) {
        self.print(format_args!("error {problem}"));
    }

    fn execute(&mut self, read: Result<PlayCommand>, now: Instant) {
        let command = match read {
            Ok(command) => command,
            Err(error) => return self.print_error(error),
        };
        if let PlayCommand::Game(game_command) = &command
            && self.is_interactive
            && self.game.discards(game_command)
            && !self.is_confirmed(&command)
        {
            self.print("the game is not saved: use save FILE, or repeat the command to discard the game");
            self.asked = Some(command);
            return;
        }
        match command {
            PlayCommand::Game(command) => {
                let lost = command.replaced_by().filter(|_| !self.is_interactive && self.game.is_unsaved());
                let changes_position = changes_position(&command);
                match self.game.execute(command, now) {
                    Ok(message) => {
                        if let Some(name) = lost {
                            self.warnings += &format!("{}\n", lost_before(name));
                        }
                        if !message.is_empty() {
                            self.print(message);
                        }
                        if changes_position {
                            self.show_position();
                        }
                    }
                    Err(error) => self.print_error(error),
                }
                self.print_events();
            }
            PlayCommand::View(command) => {
                let message = self.view.execute(command);
                self.print(message);
            }
            PlayCommand::Show(Show::Board) => self.show_board(),
            PlayCommand::Show(Show::Status) => self.show_status(now),
            PlayCommand::Show(Show::Evaluation) => self.show_evaluation(),
            PlayCommand::Show(show) => self.print(self.game.answer(show)),
            PlayCommand::Help => self.print(HELP),
            PlayCommand::Quit => self.quit(now),
        }
    }

    fn print_events(&mut self) {
        let mut has_moved = false;
        for event in self.game.game_events().collect::<Vec<_>>() {
            has_moved |= matches!(event, GameEvent::Moved(..) | GameEvent::OutOfTime(_));
            match event {
                GameEvent::Fault(problem) => self.print_error(problem),
                GameEvent::Thought(_) if !self.view.thoughts => {}
                event => self.print(event),
            }
        }
        let is_watched = [Color::White, Color::Black].iter().all(|&color| !self.game.player(color).is_human());
        if has_moved && (is_watched || !self.game.engine_is_to_move()) {
            self.show_position();
        }
    }

    fn show_position(&mut self) {
        if self.view.boards {
            self.show_board();
        }
        if self.view.evaluation && !self.game.is_over() {
            self.show_evaluation();
        }
        self.print(status_text(&self.game));
    }

    fn show_evaluation(&mut self) {
        self.print(format_args!("eval {}", self.game.answer(Show::Evaluation)));
    }

    fn show_board(&mut self) {
        self.output += &self.game.record.drawing(self.view.flipped, self.view.numbers);
    }

    fn show_status(&mut self, now: Instant) {
        for color in [Color::White, Color::Black] {
            let time = match self.game.time_left(color, now) {
                Some(left) => format!("time left {}", shown_left(left)),
                None => format!("time {}", shown(self.game.time_used(color, now))),
            };
            let player = self.game.player(color).to_string();
            self.print(format_args!("{color} {player}, {time}"));
        }
        self.print(status_text(&self.game));
    }

    fn print(&mut self, text: impl Display) {
        self.output += &format!("{text}\n");
    }
}

fn changes_position(command: &GameCommand) -> bool {
    use GameCommand::{ForcedCapture, Load, Redo, Restart, SetUp, Undo, Variant};
    matches!(command, Undo(_) | Redo(_) | Restart | Variant(_) | ForcedCapture(_) | SetUp(_) | Load { .. })
}

pub(super) fn status_text(game: &PlayGame) -> String {
    let (record, outcome) = (&game.record, game.outcome());
    if game.is_over() {
        return format!("the game has ended: {outcome}");
    }
    let begins = match (game.phase, game.player(record.side()).is_human()) {
        (Phase::Ready, false) => ", enter start to begin",
        (Phase::Paused, _) => ", paused, enter start to resume",
        (Phase::Ready | Phase::Running, _) => "",
    };
    format!("{outcome}{begins}")
}

/// Warning that is printed on standard error if unsaved moves are lost because nobody could be asked for confirmation.
pub(crate) const LOST: &str = "soffio: the game was not saved; use \"save FILE\" before the end of the input";

/// Like [`LOST`], but for moves that are lost because the command `name` replaces the game.
pub(crate) fn lost_before(name: &str) -> String {
    format!("soffio: the game was not saved; use \"save FILE\" before \"{name}\"")
}

pub fn run_lines(game: PlayGame, view: PlayView, events: &Receiver<Event>) -> io::Result<()> {
    let mut lines = read_standard_input()?;
    let mut output = io::stdout().lock();
    let mut dialogue = Dialogue::new(game, view, io::stdin().is_terminal());
    loop {
        output.write_all(dialogue.output().as_bytes())?;
        output.flush()?;
        drop(io::stderr().write_all(dialogue.warnings().as_bytes()));
        if dialogue.is_over() {
            if dialogue.has_lost_moves() {
                drop(writeln!(io::stderr(), "{LOST}"));
            }
            return Ok(());
        }
        let due = dialogue.game.deadline().map_or_else(never, |at| after(at.saturating_duration_since(Instant::now())));
        select! {
            recv(lines) -> input => match input {
                Ok((Input::Line(line), now)) => dialogue.line(&line, now),
                Ok((Input::TooLong(most), now)) => {
                    dialogue.take(Err(anyhow!("line longer than {most} bytes, ignored")), now);
                }
                Ok((Input::End, _)) | Err(_) => {
                    dialogue.end();
                    lines = never();
                }
            },
            recv(events) -> event => if let Ok(event) = event { dialogue.event(event, Instant::now()) },
            recv(due) -> _ => dialogue.tick(Instant::now()),
        }
    }
}
