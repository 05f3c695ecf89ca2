//! Runs a conversation and processes the engine's events on the same thread.

use crossbeam_channel::{Receiver, unbounded};
use soffio::session::{Conversation, EventOf, Flow, Input, SessionDialect};
use std::time::{Duration, Instant};

/// Maximum time to wait for a job that ends on its own.
pub const TIMEOUT: Duration = Duration::from_secs(600);

pub struct Driver<D: SessionDialect> {
    pub conversation: Conversation<D>,
    events: Receiver<EventOf<D>>,
}

impl<D: SessionDialect + Default> Driver<D> {
    pub fn new() -> Self {
        let (sender, events) = unbounded();
        let conversation = Conversation::new(D::default(), sender);
        Self { conversation, events }
    }

    /// Sends `line`, which may end the session, and returns the immediate output.
    pub fn input(&mut self, line: &str) -> Vec<String> {
        self.conversation.input(Input::Line(line.to_owned()), Instant::now());
        self.outputs()
    }

    /// Sends `line` and returns the immediate output.
    pub fn send(&mut self, line: &str) -> Vec<String> {
        let lines = self.input(line);
        assert_eq!(self.conversation.flow(), Flow::Continue, "{line}");
        lines
    }

    fn outputs(&mut self) -> Vec<String> {
        self.conversation.outputs().into_iter().map(|output| output.text).collect()
    }

    /// Processes the next event and returns its output, or `None` if there is no event until `deadline`.
    pub fn receive(&mut self, deadline: Instant) -> Option<Vec<String>> {
        let event = self.events.recv_deadline(deadline).ok()?;
        self.conversation.event(event);
        Some(self.outputs())
    }

    /// Waits until the running job has ended, and returns its output.
    pub fn finish(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while self.conversation.is_busy() {
            lines.extend(self.receive(Instant::now() + TIMEOUT).expect("the job ends on its own"));
        }
        lines
    }

    /// Stops the running job and any queued jobs. Returns their output.
    pub fn stop(&mut self) -> Vec<String> {
        let mut lines = self.send("stop");
        while self.conversation.is_busy() {
            lines.extend(self.receive(Instant::now() + TIMEOUT).expect("a job that is stopped ends"));
            // A queued command may start another job.
            lines.extend(self.send("stop"));
        }
        lines
    }
}
