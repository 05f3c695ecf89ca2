//! One conversation with whoever is served, in whatever protocol: the state machine between lines and the engine.
//!
//! A [`Dialect`] knows a protocol. What all protocols share is here: a [`Conversation`] keeps the order of commands, and
//! its [`Desk`] the engine, its options and the job that runs. Lines and events come in, outputs go out in the order in
//! which they are to be printed. A conversation never waits: a search runs on its own thread while it goes on answering.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod desk;
mod native;

pub use desk::{Desk, Hold, Job};
pub use native::Native;

use crate::engine::Event;
use crossbeam_channel::Sender;
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// What comes from the one who is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line, without its end.
    Line(String),
    /// A line of more bytes than this was left out.
    TooLong(usize),
    /// There will be no more.
    End,
}

/// What is to be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// A line, or several.
    pub text: String,
    /// The least time since what was printed before, so that it does not reach the reader in one piece with that.
    pub pause: Duration,
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    Continue,
    /// It is over.
    Quit,
}

/// A protocol: how commands are read, and what is said.
pub trait Dialect {
    /// What an input asks for.
    type Command;

    /// Sets up what the protocol expects before anything is said.
    fn begin(&mut self, _desk: &mut Desk) {}

    /// Reads an input; one that asks for nothing is no command.
    fn read(input: Input) -> Option<Self::Command>;

    /// Whether `command` has to wait until the job is over.
    fn defers(&mut self, desk: &mut Desk, command: &Self::Command) -> bool;

    /// Obeys `command`, which was read at `instant`.
    fn obey(&mut self, desk: &mut Desk, command: Self::Command, instant: Instant);

    /// Says in the words of the protocol what the engine has found.
    fn tell(&mut self, desk: &mut Desk, event: Event);
}

/// One conversation in the protocol `D`.
pub struct Conversation<D: Dialect> {
    dialect: D,
    desk: Desk,
    /// Commands that wait until the job is over.
    deferred: VecDeque<D::Command>,
}

impl<D: Dialect> Conversation<D> {
    /// A conversation with default options, at the start position. Events of the engine go to `events`; whoever receives
    /// them hands them to [`Conversation::event`].
    ///
    /// # Errors
    /// When there is no memory for the table, or the system has no more threads.
    pub fn new(mut dialect: D, events: Sender<Event>) -> io::Result<Self> {
        let mut desk = Desk::new(events)?;
        dialect.begin(&mut desk);
        Ok(Self { dialect, desk, deferred: VecDeque::new() })
    }

    /// Takes the outputs that have come together since the last call.
    pub fn outputs(&mut self) -> Vec<Output> {
        self.desk.outputs()
    }

    /// Takes an input that was read at `instant`.
    pub fn input(&mut self, input: Input, instant: Instant) -> Flow {
        if let Some(command) = D::read(input) {
            self.take(command, instant);
        }
        self.desk.flow()
    }

    /// Takes an event of the engine.
    pub fn event(&mut self, event: Event) -> Flow {
        let is_last = event.is_last();
        self.dialect.tell(&mut self.desk, event);
        if is_last {
            self.desk.end_job();
            // What has waited begins now: its time does not count from when it was read. What one of these commands
            // defers again has to stay in order.
            let mut waiting = std::mem::take(&mut self.deferred);
            while let Some(command) = waiting.pop_front() {
                self.take(command, Instant::now());
            }
        }
        if self.is_busy() { Flow::Continue } else { self.desk.flow() }
    }

    /// Whether a job runs, whose last event has to come before the conversation can be over.
    pub fn is_busy(&self) -> bool {
        self.desk.job().is_some()
    }

    fn take(&mut self, command: D::Command, instant: Instant) {
        // What comes behind the end is not obeyed any more.
        if self.desk.flow() == Flow::Quit {
            return;
        }
        if self.dialect.defers(&mut self.desk, &command) {
            self.deferred.push_back(command);
        } else {
            self.dialect.obey(&mut self.desk, command, instant);
            if self.desk.flow() == Flow::Quit {
                self.deferred.clear();
            }
        }
    }
}
