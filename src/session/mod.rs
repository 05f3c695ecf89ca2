//! One conversation with a client, in any protocol: the state machine between lines and the engine.
//!
//! A [`Dialect`] knows a protocol. What all protocols share is here: a [`Conversation`] keeps the order of commands, and
//! its [`EngineSession`] the engine, its options and the job that runs. Lines and events come in, outputs go out in the order in
//! which they are to be printed. A conversation never waits: a search runs on its own thread while it goes on answering.
//!
//! However fast lines come, the effect is that of obeying them one after the other: a command that cannot be obeyed while a
//! job runs waits in a queue, and a command that ends a job ends the one that the lines before it asked for, even if that
//! job has not begun yet.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod engine_session;
mod jobs;
mod native;

pub use engine_session::EngineSession;
pub use jobs::{Hold, Job, Jobs, Role, Session};
pub use native::{Native, declaration, stop_for};

use crate::clock::Moment;
use crossbeam_channel::Sender;
use jobs::Queue;
use std::time::Duration;

/// A line of the client, or the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line, without its end.
    Line(String),
    /// A line of more bytes than this was left out.
    TooLong(usize),
    /// There will be no more.
    End,
}

/// Longest line in bytes: far more than any game needs.
pub const MAX_LINE: usize = 1 << 20;

/// A text to be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// A line, or several.
    pub text: String,
    /// The least time since the output before, so that the two do not reach the reader in one piece.
    pub pause: Duration,
}

/// The state of a conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    #[default]
    Continue,
    /// It is over.
    Quit,
}

/// The results of jobs in the protocol `D`.
pub type EventOf<D> = <<D as Dialect>::Session as Session>::Event;

/// A protocol: how commands are read, and what is said.
pub trait Dialect: Sized {
    /// The engine with its game.
    type Session: Session;
    /// A line that was understood.
    type Command;

    /// Sets up what the protocol expects before anything is said.
    fn begin(&mut self, _session: &mut Self::Session) {}

    /// Reads a line; `None` if it asks for nothing.
    ///
    /// # Errors
    /// The fault in the line, with which it is refused when its turn comes.
    fn read(line: &str) -> Result<Option<Self::Command>, String>;

    /// Returns the effect of `command` on jobs.
    fn role(command: &Self::Command) -> Role;

    /// Stops the search that runs if `command` takes its place.
    fn make_way(_session: &mut Self::Session, _command: &Self::Command) {}

    /// Returns whether commands wait until the job that runs is over.
    fn is_held(session: &Self::Session) -> bool;

    /// Obeys `command`, which was read at `instant`.
    fn obey(&mut self, session: &mut Self::Session, command: Self::Command, instant: Moment);

    /// Says that a line or a command is refused because of `error`.
    fn refuse(session: &mut Self::Session, error: impl ToString);

    /// Reports a result in the terms of the protocol.
    fn tell(&mut self, session: &mut Self::Session, event: EventOf<Self>);
}

/// An input that was read, to be obeyed in its turn.
#[derive(Debug)]
enum Asked<C> {
    Command(C),
    /// A line that cannot be obeyed, and why.
    Refusal(String),
    End,
}

impl<C> Asked<C> {
    /// Reads `input` in the dialect `D`; `None` for a line that asks for nothing.
    fn read<D: Dialect<Command = C>>(input: Input) -> Option<Self> {
        match input {
            Input::Line(line) => match D::read(&line) {
                Ok(command) => command.map(Self::Command),
                Err(error) => Some(Self::Refusal(error)),
            },
            Input::TooLong(most) => Some(Self::Refusal(format!("line longer than {most} bytes, left out"))),
            Input::End => Some(Self::End),
        }
    }

    fn role<D: Dialect<Command = C>>(&self) -> Role {
        match self {
            Self::Command(command) => D::role(command),
            Self::End => Role::GiveUp,
            Self::Refusal(_) => Role::Plain,
        }
    }
}

/// One conversation in the protocol `D`.
pub struct Conversation<D: Dialect> {
    dialect: D,
    session: D::Session,
    /// Inputs that wait until the job is over.
    queue: Queue<Asked<D::Command>>,
}

impl<D: Dialect> Conversation<D> {
    /// A conversation with default options, at the start position. Events of the engine go to `events`; whatever receives
    /// them hands them to [`Conversation::event`].
    pub fn new(dialect: D, events: Sender<EventOf<D>>) -> Self {
        Self::of(dialect, D::Session::new(events))
    }

    /// A conversation with `session`; whatever receives its events hands them to [`Conversation::event`].
    pub fn of(mut dialect: D, mut session: D::Session) -> Self {
        dialect.begin(&mut session);
        Self { dialect, session, queue: Queue::new() }
    }

    /// Takes the outputs that have accumulated since the last call.
    pub fn outputs(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.session.jobs_mut().outputs)
    }

    /// Returns whether the conversation goes on.
    pub fn flow(&self) -> Flow {
        self.session.jobs().flow
    }

    /// Takes an input that was read at `instant`.
    pub fn input(&mut self, input: Input, instant: impl Into<Moment>) -> Flow {
        // Input after the end is ignored.
        let is_ending = self.queue.has_quit() || self.session.jobs().flow == Flow::Quit;
        if !is_ending && let Some(asked) = Asked::read::<D>(input) {
            self.take(asked, instant.into());
        }
        self.session.jobs().flow
    }

    /// Takes an event of the engine.
    pub fn event(&mut self, event: EventOf<D>) -> Flow {
        let is_last = D::Session::is_last(&event);
        self.dialect.tell(&mut self.session, event);
        if is_last {
            self.session.end_job();
            // Commands that waited begin now: their time does not count from when they were read.
            self.go_on(self.session.now());
        }
        if self.is_busy() { Flow::Continue } else { self.session.jobs().flow }
    }

    /// Returns whether a job runs, whose last event has to come before the conversation can be over.
    pub fn is_busy(&self) -> bool {
        self.session.job().is_some()
    }

    /// Obeys what is asked, or lets it wait for its turn.
    fn take(&mut self, asked: Asked<D::Command>, instant: Moment) {
        let role = asked.role::<D>();
        if role == Role::Aside || !self.has_to_wait(&asked) {
            return self.obey(asked, instant);
        }
        if self.queue.push(role, asked) {
            tell_job(&mut self.session, role, instant);
        }
        self.hasten_end();
    }

    /// Returns whether `asked` has to wait until the job is over, after stopping a search that it takes the place of.
    fn has_to_wait(&mut self, asked: &Asked<D::Command>) -> bool {
        if !D::is_held(&self.session)
            && let Asked::Command(command) = asked
        {
            D::make_way(&mut self.session, command);
        }
        D::is_held(&self.session)
    }

    fn obey(&mut self, asked: Asked<D::Command>, instant: Moment) {
        match asked {
            Asked::Command(command) => self.dialect.obey(&mut self.session, command, instant),
            Asked::Refusal(error) => D::refuse(&mut self.session, error),
            Asked::End => self.session.quit_when_done(),
        }
    }

    /// Obeys the commands that wait, up to one that begins another job: the rest has to wait for the end of that.
    fn go_on(&mut self, instant: Moment) {
        while !D::is_held(&self.session)
            && let Some((role, asked)) = self.queue.pop()
        {
            if self.has_to_wait(&asked) {
                self.queue.put_back(role, asked);
                break;
            }
            self.obey(asked, instant);
        }
        for role in self.queue.about_job() {
            tell_job(&mut self.session, role, instant);
        }
        self.hasten_end();
    }

    /// Ends the job that runs if the conversation is to end and no command asked to let that job finish.
    fn hasten_end(&mut self) {
        if self.queue.has_quit() && !self.queue.has_wait() && self.session.hold() != Some(Hold::Wait) {
            self.session.stop();
        }
    }
}

/// Applies the role of a command that waits to the job that runs.
fn tell_job(session: &mut impl Session, role: Role, instant: Moment) {
    match role {
        Role::Stop => session.stop(),
        Role::PonderHit => {
            // If no search is pondering, the command reports that when it is obeyed.
            session.ponder_hit(instant);
        }
        Role::Begin | Role::GiveUp => session.give_up(),
        Role::Plain | Role::Aside | Role::Wait | Role::Quit => {}
    }
}
