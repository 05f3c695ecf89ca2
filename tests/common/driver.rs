//! Runs a conversation and processes the engine's events on the same thread.

use crossbeam_channel::{Receiver, unbounded};
use soffio::session::{Conversation, EventOf, Flow, Input, SessionDialect};
use std::time::{Duration, Instant};

/// Maximum time to wait for a job that ends on its own.
const TIMEOUT: Duration = Duration::from_secs(600);

pub struct Driver<D: SessionDialect> {
    conversation: Conversation<D>,
    events: Receiver<EventOf<D>>,
}

impl<D: SessionDialect + Default> Driver<D> {
    pub fn new() -> Self {
        let (sender, events) = unbounded();
        let conversation = Conversation::new(D::default(), sender);
        Self { conversation, events }
    }

    /// Sends `line` and returns the immediate output.
    pub fn send(&mut self, line: &str) -> Vec<String> {
        assert_eq!(self.conversation.input(Input::Line(line.to_owned()), Instant::now()), Flow::Continue, "{line}");
        self.conversation.outputs().into_iter().map(|output| output.text).collect()
    }

    /// Waits until the running job has ended, and returns its output.
    pub fn finish(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while self.conversation.is_busy() {
            let event = self.events.recv_timeout(TIMEOUT).expect("the job ends on its own");
            self.conversation.event(event);
            lines.extend(self.conversation.outputs().into_iter().map(|output| output.text));
        }
        lines
    }

    /// Stops the running job and any queued jobs. Returns their output.
    pub fn stop(&mut self) -> Vec<String> {
        let mut lines = self.send("stop");
        while self.conversation.is_busy() {
            let event = self.events.recv_timeout(TIMEOUT).expect("a job that is stopped ends");
            self.conversation.event(event);
            // A queued command may start another job.
            lines.extend(self.send("stop"));
        }
        lines
    }
}
