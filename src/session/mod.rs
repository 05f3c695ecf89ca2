//! Sessions with a client. A session connects the engine to a client through a line-based protocol.
//!
//! A [`SessionDialect`] implements a protocol. A [`Conversation`] determines when commands are executed. It never
//! blocks, because searches run in their own thread. However fast the lines arrive, the effect is the same as if the
//! commands were executed one by one. Commands that cannot be executed during a job are queued. A command that ends a
//! job refers to the job that was requested before it, even if that job has not started yet.

mod engine_session;
mod hub;
mod jobs;
mod native;

pub use engine_session::EngineSession;
pub use hub::Hub;
pub use jobs::{Hold, Job, JobEffect, Jobs, Session};
pub use native::{Native, check_allowed, control_job, introduce, stop_for};

use crate::clock::Moment;
use crossbeam_channel::Sender;
use jobs::Queue;
use std::time::Duration;

/// Input from the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line, without its terminator.
    Line(String),
    /// A line that was dropped because it was longer than this number of bytes.
    TooLong(usize),
    /// The end of the input.
    End,
}

/// Maximum length of a line in bytes. No game needs a line of this length.
pub const MAX_LINE: usize = 1 << 20;

impl From<&str> for Input {
    /// Creates the input for a line without its terminator. A line that is too long is dropped.
    fn from(line: &str) -> Self {
        if line.len() > MAX_LINE { Self::TooLong(MAX_LINE) } else { Self::Line(line.to_owned()) }
    }
}

/// Text to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// One or more lines of text.
    pub text: String,
    /// Minimum time between the previous output and this output, so that the client does not receive both at once.
    pub pause: Duration,
}

/// Whether a session continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// The session continues.
    #[default]
    Continue,
    /// The session has ended.
    Quit,
}

/// The event type of the protocol `D`.
pub type EventOf<D> = <<D as SessionDialect>::Session as Session>::Event;

/// An implementation of a protocol. It parses commands, executes them and prints the results.
pub trait SessionDialect: Sized {
    /// The session state, which contains the engine and its game.
    type Session: Session;
    /// A parsed command.
    type Command;

    /// Initialises the session as the protocol expects.
    fn begin(&mut self, _session: &mut Self::Session) {}

    /// Parses a line. Returns `Ok(None)` if the line requires no action. An error is not reported until all earlier
    /// lines have been handled.
    fn read(line: &str) -> Result<Option<Self::Command>, String>;

    /// Returns the effect of `command` on jobs.
    fn job_effect(command: &Self::Command) -> JobEffect;

    /// Stops the running search if `command` supersedes it. A command that will be rejected supersedes no search.
    fn stop_superseded(_session: &mut Self::Session, _command: &Self::Command) {}

    /// Returns whether commands have to wait for the end of the running job.
    fn is_held(session: &Self::Session) -> bool;

    /// Executes `command`, which was read at `instant`.
    fn execute(&mut self, session: &mut Self::Session, command: Self::Command, instant: Moment);

    /// Reports to the client that a line or a command is rejected because of `error`.
    fn reject(session: &mut Self::Session, error: impl ToString);

    /// Reports an event from a job to the client.
    fn report(&mut self, session: &mut Self::Session, event: EventOf<Self>);
}

#[derive(Debug)]
enum QueuedInput<C> {
    Command(C),
    Refusal(String),
    End,
}

impl<C> QueuedInput<C> {
    fn read<D: SessionDialect<Command = C>>(input: Input) -> Option<Self> {
        match input {
            Input::Line(line) => match D::read(&line) {
                Ok(command) => command.map(Self::Command),
                Err(error) => Some(Self::Refusal(error)),
            },
            Input::TooLong(most) => Some(Self::Refusal(format!("skipped a line longer than {most} bytes"))),
            Input::End => Some(Self::End),
        }
    }

    fn job_effect<D: SessionDialect<Command = C>>(&self) -> JobEffect {
        match self {
            Self::Command(command) => D::job_effect(command),
            Self::End => JobEffect::StopOpenEnded,
            Self::Refusal(_) => JobEffect::InOrder,
        }
    }
}

/// A session with a client that uses the protocol `D`.
pub struct Conversation<D: SessionDialect> {
    dialect: D,
    session: D::Session,
    queue: Queue<QueuedInput<D::Command>>,
}

impl<D: SessionDialect> Conversation<D> {
    /// Creates a conversation whose session begins at the start position. The session sends its events to `events`. The
    /// caller must pass each of them to [`Conversation::event`].
    pub fn new(dialect: D, events: Sender<EventOf<D>>) -> Self {
        Self::with_session(dialect, D::Session::new(events))
    }

    /// Creates a conversation that uses `session`. The caller must pass the session's events to
    /// [`Conversation::event`].
    pub fn with_session(mut dialect: D, mut session: D::Session) -> Self {
        dialect.begin(&mut session);
        Self { dialect, session, queue: Queue::new() }
    }

    /// Returns the session.
    pub fn session(&self) -> &D::Session {
        &self.session
    }

    /// Returns the output since the last call, and clears it.
    pub fn outputs(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.session.jobs_mut().outputs)
    }

    /// Returns whether the session continues.
    pub fn flow(&self) -> Flow {
        self.session.jobs().flow
    }

    /// Handles input that was read at `instant`. Returns whether the session continues.
    pub fn input(&mut self, input: Input, instant: impl Into<Moment>) -> Flow {
        // Input after the end of the session is ignored.
        let is_ending = self.queue.has_quit() || self.session.jobs().flow == Flow::Quit;
        if !is_ending && let Some(input) = QueuedInput::read::<D>(input) {
            self.take(input, instant.into());
        }
        self.session.jobs().flow
    }

    /// Handles an event from the engine. Returns whether the session continues.
    pub fn event(&mut self, event: EventOf<D>) -> Flow {
        let is_last = D::Session::is_last(&event);
        self.dialect.report(&mut self.session, event);
        if is_last {
            self.session.end_job();
            // Waiting commands start now. Their time counts from now, not from the moment when they were read.
            self.resume(self.session.now());
        }
        if self.is_busy() { Flow::Continue } else { self.session.jobs().flow }
    }

    /// Returns whether a job is running. The session ends only after the last event of this job.
    pub fn is_busy(&self) -> bool {
        self.session.job().is_some()
    }

    fn take(&mut self, input: QueuedInput<D::Command>, instant: Moment) {
        let effect = input.job_effect::<D>();
        if effect == JobEffect::Immediate || !self.has_to_wait(&input) {
            return self.execute(input, instant);
        }
        // A repeated `stop` also stops a running perft or bench, because nothing else could end it before the jobs
        // queued behind it. A search with a limit ends soon enough.
        let is_repeated_stop =
            effect == JobEffect::Stop && self.queue.stops_last() && self.session.job() == Some(Job::Count);
        if self.queue.push(effect, input) || is_repeated_stop {
            signal_job(&mut self.session, effect, instant);
        }
        self.stop_if_quitting();
    }

    fn has_to_wait(&mut self, input: &QueuedInput<D::Command>) -> bool {
        if !D::is_held(&self.session)
            && let QueuedInput::Command(command) = input
        {
            D::stop_superseded(&mut self.session, command);
        }
        D::is_held(&self.session)
    }

    fn execute(&mut self, input: QueuedInput<D::Command>, instant: Moment) {
        match input {
            QueuedInput::Command(command) => self.dialect.execute(&mut self.session, command, instant),
            QueuedInput::Refusal(error) => D::reject(&mut self.session, error),
            QueuedInput::End => self.session.quit_when_done(),
        }
    }

    fn resume(&mut self, instant: Moment) {
        while !D::is_held(&self.session)
            && let Some((effect, input)) = self.queue.pop()
        {
            if self.has_to_wait(&input) {
                self.queue.put_back(effect, input);
                break;
            }
            self.execute(input, instant);
        }
        for effect in self.queue.about_job() {
            signal_job(&mut self.session, effect, instant);
        }
        self.stop_if_quitting();
    }

    fn stop_if_quitting(&mut self) {
        if self.queue.has_quit() && !self.queue.has_wait() && self.session.hold() != Some(Hold::Wait) {
            self.session.stop();
        }
    }
}

fn signal_job(session: &mut impl Session, effect: JobEffect, instant: Moment) {
    match effect {
        JobEffect::Stop => session.stop(),
        JobEffect::PonderHit => {
            // If no search is pondering, the command reports an error when it is executed.
            session.ponder_hit(instant);
        }
        JobEffect::StartJob | JobEffect::StopOpenEnded => session.stop_if_open_ended(),
        JobEffect::InOrder | JobEffect::Immediate | JobEffect::Wait | JobEffect::Quit => {}
    }
}
