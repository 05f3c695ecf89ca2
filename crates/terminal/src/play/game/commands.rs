//! Executes the commands of the players, and answers their queries.

use super::{EarlyEnd, Phase, PlayGame, Purpose};
use crate::play::player::Computer;
use crate::play::{GameChoice, GameCommand, PlayRecord, PlayTimeControl, Show, SidePlayer, Span};
use anyhow::{Result, anyhow, ensure};
use soffio::engine::Value;
use soffio::notation::{FenRecord, MoveRecord};
use soffio::rules::Color;
use std::time::Instant;

impl PlayGame {
    /// Executes a command and returns a message for the user. A command that fails changes nothing, but a clock that
    /// has run out still ends the game.
    pub fn execute(&mut self, command: GameCommand, now: Instant) -> Result<String> {
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
            GameCommand::Hint => self.give_hint(false, now)?,
            GameCommand::PlayForMe => self.give_hint(true, now)?,
            GameCommand::Resign => self.resign(now)?,
            GameCommand::OfferDraw => self.offer_draw(now)?,
            GameCommand::Delay(delay) => {
                self.delay = delay;
                format!("delay {} ms", delay.as_millis())
            }
            GameCommand::TimeControl(control) => self.set_control(control, now),
            GameCommand::Variant(variant) => {
                self.begin(GameChoice::new(variant), None, now)?;
                self.guesses_variant = false;
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
        self.resume(now);
        Ok(message)
    }

    /// Returns whether `command` would replace a game that is not saved.
    pub(in crate::play) fn discards(&self, command: &GameCommand) -> bool {
        self.is_unsaved() && command.replaced_by().is_some()
    }

    /// Answers a query with one line of text. The front ends draw the board themselves.
    pub(in crate::play) fn answer(&self, show: Show) -> String {
        match show {
            Show::Board | Show::Status => self.outcome(),
            Show::Moves => self.record.legal().iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>().join(" "),
            Show::History => self.record.history().join(" "),
            Show::Fen => self.record.board.fen().to_string(),
            Show::Evaluation => self.evaluation().map_or("none".to_owned(), |value| value.to_string()),
        }
    }

    /// Ends the game as a loss for the human player. If both players are human, the side to move resigns.
    fn resign(&mut self, now: Instant) -> Result<String> {
        self.ensure_in_progress()?;
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
            return Ok("the engine declines the draw".to_owned());
        }
        self.end(EarlyEnd::Agreed, now);
        Ok(format!("the game has ended: {}", self.outcome()))
    }

    fn ensure_in_progress(&self) -> Result<()> {
        ensure!(!self.is_over(), "the game has ended: {}", self.outcome());
        Ok(())
    }

    pub(in crate::play) fn check_turn_of_person(&self) -> Result<()> {
        self.ensure_in_progress()?;
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

    fn start(&mut self, now: Instant) -> Result<String> {
        self.ensure_in_progress()?;
        let message = if self.phase == Phase::Ready { "game started" } else { "game resumed" };
        self.phase = Phase::Running;
        self.clock.current.run(true, now);
        Ok(message.to_owned())
    }

    pub(in crate::play) fn pause(&mut self, now: Instant) -> String {
        if self.phase == Phase::Ready {
            self.set_phase(Phase::Ready, now);
            return "the game has not started".to_owned();
        }
        self.set_phase(Phase::Paused, now);
        "game paused".to_owned()
    }

    /// Returns the number of plies to undo or redo for `span`. For each ply that can be undone or redone, `sides`
    /// contains the side to move afterwards. The next ply to undo or redo comes first.
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

    /// Undoes or redoes moves. If it is the engine's turn afterwards, pauses the game, because the engine would
    /// otherwise move immediately.
    fn move_through(&mut self, is_back: bool, span: Span, now: Instant) -> Result<String> {
        let sides: Vec<_> = if is_back {
            self.record.played().iter().rev().map(|ply| ply.color).collect()
        } else {
            self.record.undone().iter().map(|ply| ply.color.opponent()).collect()
        };
        let count = self.plies_of(span, &sides);
        if is_back {
            self.record.undo(count)?
        } else {
            self.record.redo(count)?
        }
        self.interrupt();
        (self.last_report, self.ended) = (None, None);
        self.has_changed = true;
        self.clock.current.reset(now);
        if !self.player(self.record.side()).is_human() && self.phase == Phase::Running {
            self.set_phase(Phase::Paused, now);
            self.clock.current.reset(now);
        }
        Ok(format!("{} {count}", if is_back { "undid" } else { "redid" }))
    }

    fn restart(&mut self, now: Instant) -> Result<String> {
        self.record.undo(self.record.played().len())?;
        self.reset(Phase::Ready, 0, now);
        Ok("back at the beginning; redo all restores the moves".to_owned())
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

    fn give_hint(&mut self, plays: bool, now: Instant) -> Result<String> {
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

    fn set_capture(&mut self, forced_capture: bool, now: Instant) -> Result<String> {
        let choice = GameChoice { forced_capture, ..self.record.choice };
        let is_possible = forced_capture || choice.rules() != choice.variant;
        ensure!(is_possible, "captures are always forced in {}", choice.variant);
        self.begin(choice, None, now)?;
        Ok(format!("variant {choice}"))
    }
}
