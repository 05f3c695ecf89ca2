//! An engine process that is asked in lines.

use super::clock::allowed;
use super::dialect::{Line, Question};
use super::player::{EXIT, EndedGame, NewGame, NoAnswer, Patience, QUIT, Seat};
use super::process::{NoLine, Process};
use super::{Dialect, EngineSpec, Fault, Program, Stop, Thought};
use crate::rules::Variant;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An engine process that is asked in lines.
pub(super) struct LinePlayer {
    spec: Arc<EngineSpec>,
    dialect: Dialect,
    process: Process,
    patience: Patience,
    stop: Stop,
}

impl LinePlayer {
    /// Starts the engine and sets it up for `variant`.
    ///
    /// # Errors
    /// When it cannot be started or does not answer as it should.
    pub(super) fn start(
        (spec, dialect, program): (&Arc<EngineSpec>, Dialect, &Program),
        variant: Variant,
        patience: Patience,
        stop: &Stop,
    ) -> Result<Self, NoAnswer> {
        let process = Process::start(&spec.name, program).map_err(|error| Fault::not_started(program, &error))?;
        let mut player = Self { spec: Arc::clone(spec), dialect, process, patience, stop: stop.clone() };
        player.process.send(dialect.greeting());
        let mut known = Vec::new();
        player.answer(patience.stall, |line| match line {
            Line::Introduced => true,
            Line::Variants(names) => {
                known.clone_from(names);
                false
            }
            _ => false,
        })?;
        let choice = dialect.choose(variant, &known).map_err(|problem| Fault::NotStarted { problem })?;
        let options = spec.options.iter().map(|(name, value)| dialect.set_option(name, value));
        let lines: Vec<_> = choice.into_iter().chain(options).collect();
        player.send_in_turn(&lines, None, true)?;
        Ok(player)
    }

    /// By how much a move may exceed its time.
    fn margin(&self) -> Duration {
        self.spec.margin.unwrap_or(self.patience.margin)
    }

    /// Ends a search that takes too long; tells whether the engine still answers.
    fn too_late(&mut self, asked: Instant, allowed: Option<Duration>) -> NoAnswer {
        self.process.send("stop".to_owned());
        let answer = self.answer(self.patience.stall.min(QUIT), |line| matches!(line, Line::BestMove(_)));
        match (answer, allowed) {
            (Ok(_), Some(allowed)) => {
                let over = asked.elapsed().saturating_sub(allowed) + self.margin();
                Fault::Time { over }.into()
            }
            (Ok(_), None) => Fault::Stall.into(),
            (Err(reason), _) => reason,
        }
    }

    /// Sends `lines`, and `next` behind them; returns when the engine comes to `next`, as far as the protocol can ask for
    /// that. What it says before belongs to an earlier question.
    fn send_in_turn(&mut self, lines: &[String], next: Option<String>, at_start: bool) -> Result<Instant, NoAnswer> {
        let readiness = self.dialect.readiness(at_start);
        let asks = readiness.is_some();
        // At least what has come already shall not be taken for an answer.
        let waiting = std::iter::from_fn(|| self.process.waiting_line());
        if let Some(fault) = waiting.filter_map(|(_, text)| self.unasked(text)).next() {
            return Err(fault.into());
        }
        // All at once: to send the rest only after the answer would cost the way through the pipes once more.
        let text: Vec<_> = lines.iter().cloned().chain(readiness).chain(next).collect();
        self.process.send(text.join("\n"));
        if asks { self.answer(self.patience.stall, |line| matches!(line, Line::Ready)) } else { Ok(Instant::now()) }
    }

    /// What is wrong with a line that answers no question.
    fn unasked(&self, text: String) -> Option<Fault> {
        match self.dialect.read(&text) {
            Line::BestMove(_) => Some(Fault::ExtraAnswer { line: text }),
            Line::Error => Some(Fault::Refused { line: text }),
            _ => None,
        }
    }

    /// Waits for a line for which `is_answer` returns true; returns when it was read. A move or a complaint before it is a
    /// fault.
    fn answer(&mut self, time: Duration, mut is_answer: impl FnMut(&Line) -> bool) -> Result<Instant, NoAnswer> {
        let deadline = Instant::now() + time;
        loop {
            let (instant, text) = match self.process.line(Some(deadline), &self.stop) {
                Ok(line) => line,
                Err(reason) => return Err(self.no_line(reason)),
            };
            let line = self.dialect.read(&text);
            if is_answer(&line) {
                return Ok(instant);
            }
            if let Some(fault) = self.unasked(text) {
                return Err(fault.into());
            }
            if Instant::now() > deadline {
                return Err(Fault::Stall.into());
            }
        }
    }

    fn no_line(&mut self, reason: NoLine) -> NoAnswer {
        match reason {
            NoLine::Stopped => NoAnswer::Stopped,
            NoLine::Timeout => Fault::Stall.into(),
            NoLine::Closed => match self.process.exit_within(EXIT) {
                Some(status) => Fault::Crash { status }.into(),
                None => Fault::Disconnect { problem: "the output was closed".to_owned() }.into(),
            },
        }
    }
}

impl Seat for LinePlayer {
    fn new_game(&mut self, _: &NewGame<'_>) -> Result<(), NoAnswer> {
        self.send_in_turn(&[self.dialect.new_game()], None, false).map(drop)
    }

    fn think(&mut self, question: &Question<'_>) -> Result<(String, Thought), NoAnswer> {
        let dialect = self.dialect;
        let allowed = allowed(&self.spec.control, question.clock()).map(|time| time + self.margin());
        let go = dialect.go(&self.spec.control, question);
        let asked = self.send_in_turn(&[dialect.position(question)], Some(go), false)?;
        let deadline = asked + allowed.unwrap_or(self.patience.stall);
        let mut thought = Thought::default();
        loop {
            let (instant, text) = match self.process.line(Some(deadline), &self.stop) {
                Ok(line) => line,
                Err(NoLine::Timeout) => return Err(self.too_late(asked, allowed)),
                Err(reason) => return Err(self.no_line(reason)),
            };
            match dialect.read(&text) {
                Line::Info(info) => thought = info.or(thought),
                Line::BestMove(text) => {
                    thought.time = instant.saturating_duration_since(asked);
                    let over = allowed.and_then(|allowed| thought.time.checked_sub(allowed));
                    return match over.filter(|over| !over.is_zero()) {
                        None => Ok((text, thought)),
                        Some(over) => Err(Fault::Time { over: over + self.margin() }.into()),
                    };
                }
                Line::Error => return Err(Fault::Refused { line: text }.into()),
                _ => {}
            }
            // An engine that never stops talking must not stop the clock.
            if Instant::now() > deadline {
                return Err(self.too_late(asked, allowed));
            }
        }
    }

    fn end_game(&mut self, _: &EndedGame<'_>) -> bool {
        // Nobody is told: the next position says everything.
        true
    }

    fn dismiss(&mut self) {
        self.process.send("stop\nquit".to_owned());
    }

    fn end(&mut self, time: Duration) {
        self.process.end(time);
    }
}
