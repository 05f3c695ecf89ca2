//! Requests that wait for an engine, the threads of the engines, and the body of an answer: lines as the engines find them.
//!
//! An engine takes the request at the head of the queue and answers one line of it. The request returns to the end of the queue
//! for its next line when its client has taken that answer, so that long requests do not keep short ones waiting, and a slow
//! client keeps no engine.

use crate::client::Client;
use crate::metrics::Metrics;
use crate::stop::Stop;
use axum::body::Bytes;
use http_body::{Body, Frame};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::thread::{self, JoinHandle};
use std::time::Instant;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

/// Takes the lines of an answer, which have no end of line.
pub type Out<'a> = dyn FnMut(String) + 'a;

/// One engine: it answers a line at a time, on a thread of its own.
pub trait Worker {
    /// Answers `line`, the `number`-th of its request, by lines that it gives to `out` as it finds them. It ends early when
    /// `stop` says that nobody waits any more.
    fn answer(&mut self, line: &str, number: usize, stop: &Stop, out: &mut Out);
}

impl<F: FnMut(&str, usize, &Stop, &mut Out)> Worker for F {
    fn answer(&mut self, line: &str, number: usize, stop: &Stop, out: &mut Out) {
        self(line, number, stop, out);
    }
}

/// A request in work.
pub struct Task {
    /// Its lines that are not answered, and their numbers from 1.
    pub lines: VecDeque<(usize, Bytes)>,
    /// Where the answer goes.
    pub answers: UnboundedSender<Message>,
    /// Says that nobody waits for it.
    pub stop: Stop,
    /// When it was let in, until its first line is taken.
    pub waits_since: Option<Instant>,
    /// Its place among the requests that may be inside.
    pub _place: OwnedSemaphorePermit,
}

/// The events that an engine sends to the answer of a request.
pub enum Message {
    /// A line, with its end of line.
    Line(Bytes),
    /// A line of the request is answered, and there are more.
    Next(Task),
    /// All of them are answered. An answer without this has broken off.
    End,
}

/// The queue.
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    pub metrics: Metrics,
}

#[derive(Default)]
struct State {
    tasks: VecDeque<Task>,
    is_closed: bool,
}

impl Queue {
    pub fn new(metrics: Metrics) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), metrics }
    }

    /// Puts `task` at the end.
    pub fn push(&self, task: Task) {
        self.state().tasks.push_back(task);
        self.changed.notify_one();
    }

    /// Ends the engines when they have answered the line that they are at.
    pub fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.tasks.clear();
        self.changed.notify_all();
    }

    /// The next request; none when the queue is closed.
    fn next(&self) -> Option<Task> {
        let mut state = self
            .changed
            .wait_while(self.state(), |state| state.tasks.is_empty() && !state.is_closed)
            .unwrap_or_else(PoisonError::into_inner);
        state.tasks.pop_front()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts the thread of an engine that `make` makes and, if it fails, makes again.
///
/// # Errors
/// When the first one cannot be made, or the system has no more threads.
pub fn start<W, M>(queue: &Arc<Queue>, number: usize, make: &Arc<M>) -> io::Result<JoinHandle<()>>
where
    W: Worker + Send + 'static,
    M: Fn() -> io::Result<W> + Send + Sync + 'static,
{
    let mut worker = make()?;
    let (queue, make) = (Arc::clone(queue), Arc::clone(make));
    thread::Builder::new().name(format!("engine {number}")).spawn(move || {
        while let Some(task) = queue.next() {
            queue.metrics.busy.inc();
            // A task that is lost here breaks its answer off, which its client sees.
            let is_failure = catch_unwind(AssertUnwindSafe(|| work(&mut worker, task, &queue.metrics))).is_err();
            queue.metrics.busy.dec();
            if is_failure {
                queue.metrics.failures.inc();
                match make() {
                    Ok(other) => worker = other,
                    Err(error) => {
                        log::error!("an engine failed and cannot be replaced: {error}");
                        return;
                    }
                }
            }
        }
    })
}

/// Answers the next line of `task`.
fn work(worker: &mut impl Worker, mut task: Task, metrics: &Metrics) {
    if let Some(since) = task.waits_since.take() {
        metrics.waits.observe(since.elapsed().as_secs_f64());
    }
    if let Some((number, line)) = task.lines.pop_front() {
        let begin = Instant::now();
        // The text was checked when it came in.
        let text = str::from_utf8(&line).unwrap_or_default();
        worker.answer(text, number, &task.stop, &mut |mut answer| {
            answer.push('\n');
            metrics.records.inc();
            // Nobody may listen any more; then the worker hears of it by the signal.
            let _ = task.answers.send(Message::Line(answer.into()));
        });
        metrics.work.observe(begin.elapsed().as_secs_f64());
        metrics.lines.inc();
    }
    let answers = task.answers.clone();
    let message = if task.lines.is_empty() {
        // The place is free before the client sees the end, so that it may ask again at once.
        drop(task);
        Message::End
    } else {
        Message::Next(task)
    };
    let _ = answers.send(message);
}

/// The lines of an answer. It is dropped when all are sent or the client has gone.
pub struct Answers {
    messages: UnboundedReceiver<Message>,
    queue: Arc<Queue>,
    stop: Stop,
    client: Option<Client>,
    /// The first message, until it is sent.
    first: Option<Message>,
    is_complete: bool,
}

impl Answers {
    /// The answer to `client` that comes through `messages`; `stop` ends the work on it.
    pub fn new(messages: UnboundedReceiver<Message>, queue: Arc<Queue>, stop: Stop, client: Option<Client>) -> Self {
        queue.metrics.open.inc();
        Self { messages, queue, stop, client, first: None, is_complete: false }
    }

    /// Waits for the first message, or until the client closes its writing side: sending the head of the answer then
    /// shows whether the client has gone.
    pub async fn start(&mut self) {
        poll_fn(|context| {
            if let Poll::Ready(message) = self.messages.poll_recv(context) {
                self.first = message;
                return Poll::Ready(());
            }
            self.client.as_ref().map_or(Poll::Pending, |client| client.poll_silent(context))
        })
        .await;
    }

    /// The next message; an error when the client has gone.
    fn poll_message(&mut self, context: &mut Context) -> Poll<io::Result<Option<Message>>> {
        if let Some(message) = self.first.take() {
            return Poll::Ready(Ok(Some(message)));
        }
        if let Poll::Ready(message) = self.messages.poll_recv(context) {
            return Poll::Ready(Ok(message));
        }
        match &self.client {
            Some(client) => client.poll_gone(context).map(|()| Err(io::ErrorKind::ConnectionAborted.into())),
            None => Poll::Pending,
        }
    }
}

impl Body for Answers {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        loop {
            return Poll::Ready(match ready!(self.poll_message(context))? {
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
            // No engine need take a request whose client has gone.
            self.queue.state().tasks.retain(|task| !task.answers.is_closed());
        }
    }
}
