//! A connection's stream, which is shared between hyper and the answer in progress. A client that has only closed its
//! writing side still receives its answer. If a client has disconnected, work on its request stops. TCP does not
//! distinguish between the two cases until something is sent, because only then does a closed socket reply with a
//! reset.

use crate::shutdown::Shutdown;
use hyper::StatusCode;
use parking_lot::Mutex;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Interval, interval};
use tokio_io_timeout::TimeoutStream;

/// Interval between checks for a reset by a client that has closed its writing side.
const RESET_CHECK_INTERVAL: Duration = Duration::from_millis(50);

pub trait Socket: AsyncRead + AsyncWrite + Send + 'static {
    /// Returns and clears the pending error of the socket, such as a reset by the peer. Returns `None` if no error is
    /// pending.
    fn error(&self) -> io::Result<Option<io::Error>>;
}

impl Socket for tokio::net::TcpStream {
    fn error(&self) -> io::Result<Option<io::Error>> {
        self.take_error()
    }
}

#[cfg(unix)]
impl Socket for tokio::net::UnixStream {
    fn error(&self) -> io::Result<Option<io::Error>> {
        self.take_error()
    }
}

/// A connection. Once the request has been read completely, an answer can use it to notice that the client has
/// disconnected.
#[derive(Clone)]
pub struct Connection(Arc<Mutex<ConnectionState>>);

type Stream = TimeoutStream<Pin<Box<dyn Socket>>>;

struct ConnectionState {
    stream: Pin<Box<Stream>>,
    shutdown: Shutdown,
    /// First byte of the next request, which was read while an answer checked for the end of input.
    ahead: Option<u8>,
    /// Whether the client has closed its writing side.
    is_half_closed: bool,
    check: Option<Interval>,
    /// Whether a request is in progress. This is the case from the head of the request to the end of the answer.
    has_request: bool,
    is_upgraded: bool,
}

impl Connection {
    pub fn new(stream: impl Socket, write_time: Duration, shutdown: Shutdown) -> Self {
        let mut stream = TimeoutStream::new(Box::pin(stream) as Pin<Box<dyn Socket>>);
        stream.set_write_timeout(Some(write_time));
        let (stream, ahead, is_half_closed, check) = (Box::pin(stream), None, false, None);
        let state =
            ConnectionState { stream, shutdown, ahead, is_half_closed, check, has_request: false, is_upgraded: false };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Becomes ready when the client has closed its writing side, or with an error when the client has disconnected.
    pub fn poll_half_closed(&self, context: &mut Context) -> Poll<io::Result<()>> {
        let mut state = self.0.lock();
        if state.is_half_closed {
            return Poll::Ready(Ok(()));
        }
        if state.ahead.is_some() {
            // The next request has begun. Hyper reads it after the current request.
            return Poll::Pending;
        }
        let mut byte = [0];
        let mut into = ReadBuf::new(&mut byte);
        ready!(state.stream.as_mut().poll_read(context, &mut into))?;
        state.ahead = into.filled().first().copied();
        state.is_half_closed = state.ahead.is_none();
        if state.is_half_closed { Poll::Ready(Ok(())) } else { Poll::Pending }
    }

    /// Becomes ready when the client has disconnected. If the client closed its writing side first, the disconnection
    /// is detected only after something has been sent to it.
    pub fn poll_disconnected(&self, context: &mut Context) -> Poll<()> {
        if ready!(self.poll_half_closed(context)).is_err() {
            return Poll::Ready(());
        }
        let mut state = self.0.lock();
        loop {
            if !matches!(state.stream.get_ref().error(), Ok(None)) {
                return Poll::Ready(());
            }
            ready!(state.check.get_or_insert_with(|| interval(RESET_CHECK_INTERVAL)).poll_tick(context));
        }
    }

    pub fn enter(&self) -> RequestGuard {
        self.0.lock().has_request = true;
        RequestGuard(self.clone())
    }
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context, into: &mut ReadBuf) -> Poll<io::Result<()>> {
        let mut state = self.0.lock();
        // A server that is shutting down does not wait for the rest of a request head.
        if state.shutdown.has_begun() && !state.has_request && !state.is_upgraded {
            return Poll::Ready(Ok(()));
        }
        match state.ahead.take() {
            Some(byte) => into.put_slice(&[byte]),
            None => return state.stream.as_mut().poll_read(context, into),
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.0.lock().stream.as_mut().poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        self.0.lock().stream.as_mut().poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        self.0.lock().stream.as_mut().poll_shutdown(context)
    }
}

/// Marks a request as in progress, from its head to the end of the answer.
pub struct RequestGuard(Connection);

impl RequestGuard {
    pub fn answered(&self, status: StatusCode) {
        if status == StatusCode::SWITCHING_PROTOCOLS {
            self.0.0.lock().is_upgraded = true;
        }
    }
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.0.lock().has_request = false;
    }
}
