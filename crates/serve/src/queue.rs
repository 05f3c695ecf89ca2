//! The queue of requests waiting for an engine, the engine threads, and the body of a response.
//!
//! An engine takes the request at the head of the queue and answers one of its lines. When the client has received that
//! answer, the request is moved to the end of the queue. Long requests therefore do not delay short requests, and a
//! slow client does not block an engine.

use crate::cancellation::Cancellation;
use crate::client::Connection;
use crate::metrics::Metrics;
use axum::body::Bytes;
use http_body::{Body, Frame};
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::thread::{self, JoinHandle};
use std::time::Instant;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

/// Receives the lines of an answer, without line endings.
pub type Out<'a> = dyn FnMut(String) + 'a;

/// An engine that answers one line at a time on its own thread. Its arguments are the line, the line's number in the
/// request (counted from 1), the cancellation of the request, and the output. The worker passes the lines of the answer
/// to [`Out`] as soon as they are available, and returns early if the request is cancelled.
pub trait LineWorker: FnMut(&[u8], usize, &Cancellation, &mut Out) + Send + 'static {}

impl<F: FnMut(&[u8], usize, &Cancellation, &mut Out) + Send + 'static> LineWorker for F {}

pub struct LinesTask {
    /// Unanswered lines with their line numbers, counted from 1.
    pub lines: VecDeque<(usize, Bytes)>,
    pub answers: UnboundedSender<AnswerMessage>,
    pub cancellation: Cancellation,
    /// Time at which the request was admitted, or `None` after the first line has been taken.
    pub waits_since: Option<Instant>,
    /// Permit for the request's place in the queue. The place becomes free when the permit is dropped.
    pub _permit: OwnedSemaphorePermit,
}

pub enum AnswerMessage {
    /// A line of the answer with its line ending.
    Line(Bytes),
    /// A line of the request has been answered, and other lines remain.
    Next(LinesTask),
    /// All lines have been answered. If this message is missing, the answer is incomplete.
    End,
}

pub struct TaskQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
    pub metrics: Metrics,
}

#[derive(Default)]
struct QueueState {
    tasks: VecDeque<LinesTask>,
    is_closed: bool,
}

impl TaskQueue {
    pub fn new(metrics: Metrics) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), metrics }
    }

    pub fn push(&self, task: LinesTask) {
        self.state.lock().tasks.push_back(task);
        self.changed.notify_one();
    }

    /// Removes all waiting requests, and stops each engine after its current line.
    pub fn close(&self) {
        let mut state = self.state.lock();
        state.is_closed = true;
        state.tasks.clear();
        self.changed.notify_all();
    }

    fn next(&self) -> Option<LinesTask> {
        let mut state = self.state.lock();
        self.changed.wait_while(&mut state, |state| state.tasks.is_empty() && !state.is_closed);
        state.tasks.pop_front()
    }
}

/// Starts an engine thread. `make` creates the worker, and creates a new worker after a panic.
pub fn start<W, M>(queue: &Arc<TaskQueue>, number: usize, make: &Arc<M>) -> io::Result<JoinHandle<()>>
where
    W: LineWorker,
    M: Fn() -> io::Result<W> + Send + Sync + 'static,
{
    let mut worker = make()?;
    let (queue, make) = (Arc::clone(queue), Arc::clone(make));
    thread::Builder::new().name(format!("engine {number}")).spawn(move || {
        while let Some(task) = queue.next() {
            queue.metrics.busy.inc();
            // If the worker panics, the task is lost and the answer is truncated. The client notices that the answer is
            // incomplete.
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

fn work(worker: &mut impl LineWorker, mut task: LinesTask, metrics: &Metrics) {
    if let Some(since) = task.waits_since.take() {
        metrics.waits.observe(since.elapsed().as_secs_f64());
    }
    if let Some((number, line)) = task.lines.pop_front() {
        let begin = Instant::now();
        worker(&line, number, &task.cancellation, &mut |mut answer| {
            answer.push('\n');
            metrics.records.inc();
            // If the receiver has been dropped, `cancellation` informs the worker.
            let _ = task.answers.send(AnswerMessage::Line(answer.into()));
        });
        metrics.work.observe(begin.elapsed().as_secs_f64());
        metrics.lines.inc();
    }
    let answers = task.answers.clone();
    let message = if task.lines.is_empty() {
        // Frees the place before the client sees the end of the answer, so that the client can send its next request at
        // once.
        drop(task);
        AnswerMessage::End
    } else {
        AnswerMessage::Next(task)
    };
    let _ = answers.send(message);
}

/// The body of a response. It is dropped when the response is complete or the client has disconnected.
pub struct Answers {
    messages: UnboundedReceiver<AnswerMessage>,
    queue: Arc<TaskQueue>,
    cancellation: Cancellation,
    client: Option<Connection>,
    /// The message that `start` has received, until it is sent to the client.
    first: Option<AnswerMessage>,
    is_complete: bool,
}

impl Answers {
    pub fn new(
        messages: UnboundedReceiver<AnswerMessage>,
        queue: Arc<TaskQueue>,
        cancellation: Cancellation,
        client: Option<Connection>,
    ) -> Self {
        queue.metrics.open.inc();
        Self { messages, queue, cancellation, client, first: None, is_complete: false }
    }

    /// Waits until the first message arrives or the client closes its writing side. If the client has closed its
    /// writing side, sending the head of the response shows whether it has also disconnected.
    pub async fn start(&mut self) {
        poll_fn(|context| {
            if let Poll::Ready(message) = self.messages.poll_recv(context) {
                self.first = message;
                return Poll::Ready(());
            }
            self.client.as_ref().map_or(Poll::Pending, |client| client.poll_half_closed(context).map(drop))
        })
        .await;
    }

    fn poll_message(&mut self, context: &mut Context) -> Poll<io::Result<Option<AnswerMessage>>> {
        if let Some(message) = self.first.take() {
            return Poll::Ready(Ok(Some(message)));
        }
        if let Poll::Ready(message) = self.messages.poll_recv(context) {
            return Poll::Ready(Ok(message));
        }
        match &self.client {
            Some(client) => client.poll_disconnected(context).map(|()| Err(io::ErrorKind::ConnectionAborted.into())),
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
                Some(AnswerMessage::Line(line)) => Some(Ok(Frame::data(line))),
                // Hyper requests another frame only after it has accepted the previous lines, so the next line may now
                // be answered.
                Some(AnswerMessage::Next(task)) => {
                    self.queue.push(task);
                    continue;
                }
                Some(AnswerMessage::End) => {
                    self.is_complete = true;
                    None
                }
                None if self.is_complete => None,
                // Closes the connection with an error, so that the client does not mistake a partial answer for a
                // complete answer.
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
            self.cancellation.cancel();
            // Removes the request of a client that has disconnected from the queue.
            self.queue.state.lock().tasks.retain(|task| !task.answers.is_closed());
        }
    }
}
