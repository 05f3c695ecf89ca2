//! One engine that sits at a board: a process that is asked in the native protocol.

use super::clock::{Clock, allowed};
use super::native::{self, Line};
use super::process::{NoLine, Process};
use super::{EngineSpec, Fault, Opening, Stop, Thought};
use crate::rules::{Color, Variant};
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

/// The position that an engine is asked about.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    /// Where the game began; its moves are among `moves`.
    pub(super) opening: &'a Opening,
    /// All moves so far.
    pub(super) moves: &'a [String],
    /// The side to move.
    pub(super) side: Color,
    /// The clocks of White and Black.
    pub(super) clocks: [Option<&'a Clock>; 2],
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
        player.process.send("uci".to_owned());
        player.wait_for("uci", |line| matches!(line, Line::UciOk))?;
        let variant = ("UCI_Variant".to_owned(), variant.name().to_owned());
        for (name, value) in std::iter::once(&variant).chain(&player.spec.options) {
            let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
            player.process.send(format!("setoption name {name}{value}"));
        }
        player.synchronize()?;
        Ok(player)
    }

    /// The engine that plays.
    pub(super) fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Says that another game begins.
    pub(super) fn new_game(&mut self) -> Result<(), NoAnswer> {
        self.process.send("ucinewgame".to_owned());
        self.synchronize()
    }

    /// The move that the engine answers to `question`, and what it told about it.
    pub(super) fn think(&mut self, question: &Question<'_>) -> Result<(String, Thought), NoAnswer> {
        self.process.send(native::position(question.opening, question.moves));
        // What comes before the answer to this belongs to an earlier question.
        self.synchronize()?;
        let [white, black] = question.clocks;
        let clock = if question.side == Color::White { white } else { black };
        let allowed = allowed(&self.spec.control, clock).map(|time| time + self.patience.margin);
        self.process.send(native::go(&self.spec.control, question.side, question.clocks));
        let asked = Instant::now();
        let deadline = asked + allowed.unwrap_or(self.patience.stall);
        let mut thought = Thought::default();
        loop {
            let (instant, text) = match self.process.line(Some(deadline), &self.stop) {
                Ok(line) => line,
                Err(NoLine::Timeout) => return Err(self.too_late(asked, allowed)),
                Err(reason) => return Err(self.no_line(reason)),
            };
            match native::read(&text) {
                Line::Info(info) => {
                    thought.evaluation = info.evaluation.or(thought.evaluation);
                    thought.depth = info.depth.or(thought.depth);
                    thought.nodes = info.nodes.or(thought.nodes);
                }
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
        let answer = self.answer("stop", |line| matches!(line, Line::BestMove(_)), self.patience.stall.min(QUIT));
        match (answer, allowed) {
            (Ok(()), Some(allowed)) => {
                let over = asked.elapsed().saturating_sub(allowed) + self.patience.margin;
                Fault::Time { over }.into()
            }
            (Ok(()), None) => Fault::Stall.into(),
            (Err(reason), _) => reason,
        }
    }

    /// Waits until everything that was sent has been dealt with.
    fn synchronize(&mut self) -> Result<(), NoAnswer> {
        self.process.send("isready".to_owned());
        self.wait_for("isready", |line| matches!(line, Line::ReadyOk))
    }

    fn wait_for(&mut self, question: &str, is_answer: impl Fn(&Line) -> bool) -> Result<(), NoAnswer> {
        self.answer(question, is_answer, self.patience.stall)
    }

    /// Waits for the answer to `question`. A move or a complaint before it is a fault.
    fn answer(&mut self, question: &str, is_answer: impl Fn(&Line) -> bool, time: Duration) -> Result<(), NoAnswer> {
        let deadline = Instant::now() + time;
        loop {
            let (_, text) = match self.process.line(Some(deadline), &self.stop) {
                Ok(line) => line,
                Err(reason) => return Err(self.no_line(reason)),
            };
            let line = native::read(&text);
            if is_answer(&line) {
                return Ok(());
            }
            match line {
                Line::BestMove(_) => return Err(Fault::ExtraAnswer { line: text }.into()),
                Line::Error => return Err(Fault::Refused { line: text }.into()),
                _ => {}
            }
            if Instant::now() > deadline {
                log::debug!("{}: no answer to {question} among much else", self.spec.name);
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
