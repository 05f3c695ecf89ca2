//! The body of an answer: lines as the engines find them.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::queue::{Message, Queue};
use crate::stop::Stop;
use axum::body::Bytes;
use http_body::{Body, Frame};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::sync::mpsc::UnboundedReceiver;

/// The lines of an answer. It is dropped when all are sent or the client has gone.
pub struct Answers {
    messages: UnboundedReceiver<Message>,
    queue: Arc<Queue>,
    stop: Stop,
    is_complete: bool,
}

impl Answers {
    /// The answer that comes through `messages`; `stop` ends the work on it.
    pub fn new(messages: UnboundedReceiver<Message>, queue: Arc<Queue>, stop: Stop) -> Self {
        queue.metrics.open.inc();
        Self { messages, queue, stop, is_complete: false }
    }
}

impl Body for Answers {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        loop {
            return Poll::Ready(match ready!(self.messages.poll_recv(context)) {
                Some(Message::Line(line)) => Some(Ok(Frame::data(line))),
                // Everything before is on its way to the client.
                Some(Message::Next(task)) => {
                    self.queue.push(task);
                    continue;
                }
                Some(Message::End) => {
                    self.is_complete = true;
                    None
                }
                None if self.is_complete => None,
                // The connection is cut, so that the client does not take what it has for everything.
                None => Some(Err(io::Error::other("the engine failed"))),
            });
        }
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        self.queue.metrics.open.dec();
        if !self.is_complete {
            self.queue.metrics.cancelled.inc();
            self.messages.close();
            self.stop.stop();
            self.queue.forget_the_gone();
        }
    }
}
