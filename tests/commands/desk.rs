//! A session and the events of its engine on one thread.

use crossbeam_channel::{Receiver, unbounded};
use soffio::engine::Event;
use soffio::protocol::Reply;
use soffio::session::{Flow, Input, Session};
use std::time::{Duration, Instant};

/// How long a job that was told to stop may take.
const TIMEOUT: Duration = Duration::from_secs(20);

pub struct Desk {
    session: Session,
    events: Receiver<Event>,
}

impl Desk {
    pub fn new() -> Self {
        let (sender, events) = unbounded();
        Self { session: Session::new(sender).expect("there is memory for a table"), events }
    }

    /// What the session says at once to `line`.
    pub fn tell(&mut self, line: &str) -> Vec<Reply> {
        assert_eq!(self.session.input(Input::Line(line.to_owned()), Instant::now()), Flow::Continue, "{line}");
        self.session.replies()
    }

    /// What is said to `line`, printed.
    pub fn texts(&mut self, line: &str) -> Vec<String> {
        self.tell(line).iter().map(Reply::to_string).collect()
    }

    /// Stops whatever runs, and lets the session hear everything about it.
    pub fn stop(&mut self) -> Vec<Reply> {
        let mut replies = self.tell("stop");
        while self.session.is_busy() {
            let event = self.events.recv_timeout(TIMEOUT).expect("a job that is stopped ends");
            self.session.event(event);
            // A command that was held can be the next job.
            replies.extend(self.tell("stop"));
        }
        replies
    }

    /// Everything that can be seen of the state.
    pub fn state(&mut self) -> Vec<String> {
        ["d", "legal"].into_iter().flat_map(|line| self.texts(line)).collect()
    }
}
