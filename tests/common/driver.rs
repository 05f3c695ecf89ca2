//! A conversation and the events of its engine on one thread.

use crossbeam_channel::{Receiver, unbounded};
use soffio::session::{Conversation, Dialect, EventOf, Flow, Input};
use std::time::{Duration, Instant};

/// How long a job that is to end may take.
const TIMEOUT: Duration = Duration::from_secs(600);

pub struct Driver<D: Dialect> {
    conversation: Conversation<D>,
    events: Receiver<EventOf<D>>,
}

impl<D: Dialect + Default> Driver<D> {
    pub fn new() -> Self {
        let (sender, events) = unbounded();
        let conversation = Conversation::new(D::default(), sender);
        Self { conversation, events }
    }

    /// The immediate output for `line`.
    pub fn tell(&mut self, line: &str) -> Vec<String> {
        assert_eq!(self.conversation.input(Input::Line(line.to_owned()), Instant::now()), Flow::Continue, "{line}");
        self.conversation.outputs().into_iter().map(|output| output.text).collect()
    }

    /// Waits for the end of the running job, and returns the output meanwhile.
    pub fn finish(&mut self) -> Vec<String> {
        let mut said = Vec::new();
        while self.conversation.is_busy() {
            let event = self.events.recv_timeout(TIMEOUT).expect("the job ends by itself");
            self.conversation.event(event);
            said.extend(self.conversation.outputs().into_iter().map(|output| output.text));
        }
        said
    }

    /// Stops the running job, and passes all its events to the conversation.
    pub fn stop(&mut self) -> Vec<String> {
        let mut said = self.tell("stop");
        while self.conversation.is_busy() {
            let event = self.events.recv_timeout(TIMEOUT).expect("a job that is stopped ends");
            self.conversation.event(event);
            // A command that waited can be the next job.
            said.extend(self.tell("stop"));
        }
        said
    }
}
