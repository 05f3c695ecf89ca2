//! The stream of a connection, shared by hyper and by the answer in progress. A client that has only closed its writing
//! side gets its answer; a client that has gone stops the work. TCP does not distinguish the two until something is
//! sent: a closed socket answers with a reset.

use crate::stop::Ending;
use hyper::StatusCode;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Interval, interval};
use tokio_io_timeout::TimeoutStream;

/// Interval between checks for a reset by a client that has closed its writing side.
const CHECK: Duration = Duration::from_millis(50);

pub trait Socket: AsyncRead + AsyncWrite + Send + 'static {
    /// Returns and clears the pending error of the socket, such as a reset by the peer.
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

pub struct Stream<S>(Arc<Mutex<State<S>>>);

struct State<S> {
    stream: Pin<Box<TimeoutStream<S>>>,
    ending: Ending,
    /// First byte of the next request, read while an answer watched for the end of input.
    ahead: Option<u8>,
    /// Whether the client has closed its writing side.
    is_silent: bool,
    check: Option<Interval>,
    /// From the head of a request to the end of its answer.
    is_inside: bool,
    is_upgraded: bool,
}

impl<S: Socket> Stream<S> {
    pub fn new(stream: S, write_time: Duration, ending: Ending) -> Self {
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(write_time));
        let (stream, ahead, is_silent, check) = (Box::pin(stream), None, false, None);
        let state = State { stream, ending, ahead, is_silent, check, is_inside: false, is_upgraded: false };
        Self(Arc::new(Mutex::new(state)))
    }

    pub fn client(&self) -> Client {
        Client(Arc::clone(&self.0) as Arc<dyn Watch>)
    }

    fn state(&self) -> MutexGuard<'_, State<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S> Clone for Stream<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: Socket> AsyncRead for Stream<S> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context, into: &mut ReadBuf) -> Poll<io::Result<()>> {
        let mut state = self.state();
        // A server that shuts down does not wait for the rest of a head.
        if state.ending.has_begun() && !state.is_inside && !state.is_upgraded {
            return Poll::Ready(Ok(()));
        }
        match state.ahead.take() {
            Some(byte) => into.put_slice(&[byte]),
            None => return state.stream.as_mut().poll_read(context, into),
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: Socket> AsyncWrite for Stream<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.state().stream.as_mut().poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        self.state().stream.as_mut().poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        self.state().stream.as_mut().poll_shutdown(context)
    }
}

/// The client of a request. An answer may watch it once the request has been read completely.
#[derive(Clone)]
pub struct Client(Arc<dyn Watch>);

trait Watch: Send + Sync {
    fn poll_silent(&self, context: &mut Context) -> Poll<io::Result<()>>;
    fn poll_gone(&self, context: &mut Context) -> Poll<()>;
    fn set_inside(&self, is_inside: bool);
    fn set_upgraded(&self);
}

impl Client {
    /// Ready when the client has closed its writing side or has gone.
    pub fn poll_silent(&self, context: &mut Context) -> Poll<()> {
        self.0.poll_silent(context).map(drop)
    }

    /// Ready when the client has gone. After end of input, this only shows once something was sent to it.
    pub fn poll_gone(&self, context: &mut Context) -> Poll<()> {
        self.0.poll_gone(context)
    }

    pub fn enter(&self) -> Inside {
        self.0.set_inside(true);
        Inside(self.clone())
    }
}

impl<S: Socket> Watch for Mutex<State<S>> {
    fn poll_silent(&self, context: &mut Context) -> Poll<io::Result<()>> {
        let mut state = self.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_silent {
            return Poll::Ready(Ok(()));
        }
        if state.ahead.is_some() {
            // The next request has begun; hyper reads it after this one.
            return Poll::Pending;
        }
        let mut byte = [0];
        let mut into = ReadBuf::new(&mut byte);
        ready!(state.stream.as_mut().poll_read(context, &mut into))?;
        state.ahead = into.filled().first().copied();
        state.is_silent = state.ahead.is_none();
        if state.is_silent { Poll::Ready(Ok(())) } else { Poll::Pending }
    }

    fn poll_gone(&self, context: &mut Context) -> Poll<()> {
        if ready!(self.poll_silent(context)).is_err() {
            return Poll::Ready(());
        }
        let mut state = self.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if !matches!(state.stream.get_ref().error(), Ok(None)) {
                return Poll::Ready(());
            }
            ready!(state.check.get_or_insert_with(|| interval(CHECK)).poll_tick(context));
        }
    }

    fn set_inside(&self, is_inside: bool) {
        self.lock().unwrap_or_else(PoisonError::into_inner).is_inside = is_inside;
    }

    fn set_upgraded(&self) {
        self.lock().unwrap_or_else(PoisonError::into_inner).is_upgraded = true;
    }
}

pub struct Inside(Client);

impl Inside {
    pub fn answered(&self, status: StatusCode) {
        if status == StatusCode::SWITCHING_PROTOCOLS {
            self.0.0.set_upgraded();
        }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.0.set_inside(false);
    }
}
