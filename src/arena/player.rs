//! One engine that sits at a board: a process that is asked in its protocol.

use super::clock::allowed;
use super::dialect::{Line, Question};
use super::process::{NoLine, Process};
use super::{EngineSpec, Fault, Stop, Thought};
use crate::rules::Variant;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an engine may take to end after `quit`.
const QUIT: Duration = Duration::from_secs(1);

/// How long the exit of a process may come after the end of its output.
const EXIT: Duration = Duration::from_millis(500);

/// How patient one is with an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// How much a move may exceed its time, for the way through the pipes.
    pub margin: Duration,
    /// How long any other answer may take, and a move that no time limits.
    pub stall: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { margin: Duration::from_millis(20), stall: Duration::from_secs(60) }
    }
}

/// Why an engine gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The match is being stopped.
    Stopped,
    /// The engine did something wrong.
    Fault(Fault),
}

impl From<Fault> for NoAnswer {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("stopped"),
            Self::Fault(fault) => fault.fmt(f),
        }
    }
}

/// An engine process that is ready to play.
pub struct Player {
    spec: Arc<EngineSpec>,
    process: Process,
    patience: Patience,
    stop: Stop,
}

impl Player {
    /// Starts the engine of `spec` and sets it up for `variant`.
    ///
    /// # Errors
    /// When it cannot be started or does not answer as it should.
    pub fn start(spec: &Arc<EngineSpec>, variant: Variant, patience: Patience, stop: &Stop) -> Result<Self, NoAnswer> {
        let not_started =
            |error| Fault::NotStarted { problem: format!("{} cannot be started: {error}", spec.command.join(" ")) };
        let process = Process::start(spec).map_err(not_started)?;
        let mut player = Self { spec: Arc::clone(spec), process, patience, stop: stop.clone() };
        let protocol = spec.protocol;
        player.process.send(protocol.greeting());
        let mut known = Vec::new();
        player.answer(patience.stall, |line| match line {
            Line::Introduced => true,
            Line::Variants(names) => {
                known.clone_from(names);
                false
            }
            _ => false,
        })?;
        let choice = protocol.choose(variant, &known).map_err(|problem| Fault::NotStarted { problem })?;
        let options = spec.options.iter().map(|(name, value)| protocol.set_option(name, value));
        choice.into_iter().chain(options).for_each(|line| player.process.send(line));
        player.synchronize(true)?;
        Ok(player)
    }

    /// The engine that plays.
    pub(super) fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Says that another game begins.
    pub(super) fn new_game(&mut self) -> Result<(), NoAnswer> {
        self.process.send(self.spec.protocol.new_game());
        self.synchronize(false)
    }

    /// The move that the engine answers to `question`, and what it told about it.
    pub(super) fn think(&mut self, question: &Question<'_>) -> Result<(String, Thought), NoAnswer> {
        let protocol = self.spec.protocol;
        self.process.send(protocol.position(question));
        // What comes before the answer to this belongs to an earlier question.
        self.synchronize(false)?;
        let allowed = allowed(&self.spec.control, question.clock()).map(|time| time + self.patience.margin);
        self.process.send(protocol.go(&self.spec.control, question));
        let asked = Instant::now();
        let deadline = asked + allowed.unwrap_or(self.patience.stall);
        let mut thought = Thought::default();
        loop {
            let (instant, text) = match self.process.line(Some(deadline), &self.stop) {
                Ok(line) => line,
                Err(NoLine::Timeout) => return Err(self.too_late(asked, allowed)),
                Err(reason) => return Err(self.no_line(reason)),
            };
            match protocol.read(&text) {
                Line::Info(info) => thought = info.or(thought),
                Line::BestMove(text) => {
                    thought.time = instant.saturating_duration_since(asked);
                    let over = allowed.and_then(|allowed| thought.time.checked_sub(allowed));
                    return match over.filter(|over| !over.is_zero()) {
                        None => Ok((text, thought)),
                        Some(over) => Err(Fault::Time { over: over + self.patience.margin }.into()),
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

    /// Ends a search that takes too long; tells whether the engine still answers.
    fn too_late(&mut self, asked: Instant, allowed: Option<Duration>) -> NoAnswer {
        self.process.send("stop".to_owned());
        let answer = self.answer(self.patience.stall.min(QUIT), |line| matches!(line, Line::BestMove(_)));
        match (answer, allowed) {
            (Ok(()), Some(allowed)) => {
                let over = asked.elapsed().saturating_sub(allowed) + self.patience.margin;
                Fault::Time { over }.into()
            }
            (Ok(()), None) => Fault::Stall.into(),
            (Err(reason), _) => reason,
        }
    }

    /// Waits until everything that was sent has been dealt with, where the protocol can ask for that.
    fn synchronize(&mut self, at_start: bool) -> Result<(), NoAnswer> {
        match self.spec.protocol.readiness(at_start) {
            Some(question) => {
                self.process.send(question);
                self.answer(self.patience.stall, |line| matches!(line, Line::Ready))
            }
            // At least what has come already shall not be taken for an answer.
            None => {
                let waiting = std::iter::from_fn(|| self.process.waiting_line());
                let fault = waiting.filter_map(|(_, text)| self.unasked(text)).next();
                fault.map_or(Ok(()), |fault| Err(fault.into()))
            }
        }
    }

    /// What is wrong with a line that answers no question.
    fn unasked(&self, text: String) -> Option<Fault> {
        match self.spec.protocol.read(&text) {
            Line::BestMove(_) => Some(Fault::ExtraAnswer { line: text }),
            Line::Error => Some(Fault::Refused { line: text }),
            _ => None,
        }
    }

    /// Waits for a line for which `is_answer` returns true. A move or a complaint before it is a fault.
    fn answer(&mut self, time: Duration, mut is_answer: impl FnMut(&Line) -> bool) -> Result<(), NoAnswer> {
        let deadline = Instant::now() + time;
        loop {
            let (_, text) = match self.process.line(Some(deadline), &self.stop) {
                Ok(line) => line,
                Err(reason) => return Err(self.no_line(reason)),
            };
            let line = self.spec.protocol.read(&text);
            if is_answer(&line) {
                return Ok(());
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
                None => Fault::Disconnect.into(),
            },
        }
    }

    /// Tells all `players` to quit, and kills those that have not ended a second later.
    pub fn quit(players: Vec<Self>) {
        for player in &players {
            player.process.send("stop\nquit".to_owned());
        }
        let deadline = Instant::now() + QUIT;
        for mut player in players {
            player.process.end(deadline.saturating_duration_since(Instant::now()));
        }
    }
}
