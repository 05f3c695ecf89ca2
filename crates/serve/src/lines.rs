//! The lines service, which answers a request body of lines with a stream of lines.

use crate::cancellation::Cancellation;
use crate::client::Connection;
use crate::metrics::Metrics;
use crate::queue::{Answers, LineWorker, LinesTask, TaskQueue, start};
use crate::rejection::Rejection;
use crate::server::Server;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http_body_util::BodyExt;
use std::collections::VecDeque;
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::timeout;

/// A body that exceeds the limit is read and discarded up to this multiple of the limit, because clients often do not
/// read the response before they have sent the whole body.
const DISCARD_FACTOR: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineServiceSettings {
    pub engines: NonZeroUsize,
    /// Maximum number of waiting requests, not counting the requests in progress.
    pub queue: usize,
    /// Maximum size of a request body in bytes.
    pub max_body_bytes: usize,
    /// Maximum size of a line in bytes.
    pub max_line_bytes: usize,
    /// Time limit for receiving a request body.
    pub body_time: Duration,
}

impl Default for LineServiceSettings {
    fn default() -> Self {
        Self {
            engines: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            queue: 256,
            max_body_bytes: 1 << 20,
            max_line_bytes: 1 << 16,
            body_time: Duration::from_secs(30),
        }
    }
}

/// The service and its engines. Dropping the service stops the engines.
pub struct LineService {
    inside: Arc<LinesState>,
    threads: Vec<JoinHandle<()>>,
}

struct LinesState {
    queue: Arc<TaskQueue>,
    places: Arc<Semaphore>,
    settings: LineServiceSettings,
}

impl LineService {
    /// Starts the engines one after another. `make` is called to create each engine.
    pub fn start<W, M>(settings: &LineServiceSettings, make: M) -> io::Result<Self>
    where
        W: LineWorker,
        M: Fn() -> io::Result<W> + Send + Sync + 'static,
    {
        let metrics = Metrics::new().map_err(io::Error::other)?;
        metrics.engines.set(i64::try_from(settings.engines.get()).unwrap_or(i64::MAX));
        let places = settings.queue.saturating_add(settings.engines.get()).min(Semaphore::MAX_PERMITS);
        let inside = Arc::new(LinesState {
            queue: Arc::new(TaskQueue::new(metrics)),
            places: Arc::new(Semaphore::new(places)),
            settings: settings.clone(),
        });
        let make = Arc::new(make);
        let mut lines = Self { inside, threads: Vec::new() };
        for number in 1..=settings.engines.get() {
            lines.threads.push(start(&lines.inside.queue, number, &make)?);
        }
        Ok(lines)
    }

    pub fn router(&self) -> Router {
        let reject = |rejection: fn() -> Rejection| {
            move |State(inside): State<Arc<LinesState>>| async move { inside.counted(rejection()) }
        };
        Router::new()
            .route("/batch", post(batch).fallback(reject(|| Rejection::Method("/batch", "POST"))))
            .route("/health", get(health).fallback(reject(|| Rejection::Method("/health", "GET"))))
            .route("/metrics", get(metrics).fallback(reject(|| Rejection::Method("/metrics", "GET"))))
            .fallback(reject(|| Rejection::NotFound))
            .with_state(Arc::clone(&self.inside))
    }

    /// Runs `server` with [`Self::router`]. `GET /metrics` then also counts the requests that the server rejects.
    pub fn serve(&self, mut server: Server) -> io::Result<()> {
        server.rejections = Some(self.inside.queue.metrics.requests.clone());
        server.run(self.router())
    }
}

impl Drop for LineService {
    fn drop(&mut self) {
        self.inside.queue.close();
        for thread in self.threads.drain(..) {
            // A panic of a worker is caught in the worker's thread.
            let _ = thread.join();
        }
    }
}

async fn batch(State(inside): State<Arc<LinesState>>, request: Request) -> Response {
    let answer = inside.answer(request).await;
    inside.counted(answer)
}

async fn health(State(inside): State<Arc<LinesState>>) -> impl IntoResponse {
    let metrics = &inside.queue.metrics;
    let (engines, busy, open) = (metrics.engines.get(), metrics.busy.get(), metrics.open.get());
    let text = format!("{{\"status\":\"ok\",\"engines\":{engines},\"busy\":{busy},\"requests\":{open}}}\n");
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], text)
}

async fn metrics(State(inside): State<Arc<LinesState>>) -> Response {
    match inside.queue.metrics.text() {
        Ok(text) => ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}

impl LinesState {
    fn counted(&self, answer: impl IntoResponse) -> Response {
        let response = answer.into_response();
        self.queue.metrics.requests.with_label_values(&[response.status().as_str()]).inc();
        response
    }

    async fn answer(&self, request: Request) -> Result<impl IntoResponse + use<>, Rejection> {
        let LineServiceSettings { max_body_bytes, max_line_bytes, body_time, .. } = self.settings;
        let (head, body) = request.into_parts();
        check_encoding(&head.headers)?;
        let body =
            timeout(body_time, read(body, max_body_bytes)).await.map_err(|_| Rejection::SlowBody(body_time))??;
        let lines = split(&body, max_line_bytes)?;
        let metrics = &self.queue.metrics;
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return Err(Rejection::Full(metrics.seconds_to_wait()));
        };
        let (answers, messages) = unbounded_channel();
        let cancellation = Cancellation::default();
        let client = head.extensions.get::<Connection>().cloned();
        let mut response = Answers::new(messages, Arc::clone(&self.queue), cancellation.clone(), client);
        self.queue.push(LinesTask { lines, answers, cancellation, waits_since: Some(Instant::now()), _permit: place });
        response.start().await;
        // Prevents proxies from buffering the answer.
        let headers = [
            (CONTENT_TYPE.as_str(), "application/x-ndjson"),
            (CACHE_CONTROL.as_str(), "no-store"),
            ("x-accel-buffering", "no"),
        ];
        Ok((headers, Body::new(response)))
    }
}

fn check_encoding(headers: &HeaderMap) -> Result<(), Rejection> {
    match headers.get(CONTENT_ENCODING) {
        Some(encoding) if encoding != "identity" => {
            Err(Rejection::Encoded(String::from_utf8_lossy(encoding.as_bytes()).into_owned()))
        }
        _ => Ok(()),
    }
}

async fn read(mut body: Body, max_bytes: usize) -> Result<Bytes, Rejection> {
    let mut read = Vec::new();
    let mut length = 0_usize;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| Rejection::BrokenBody)?.into_data() else { continue };
        length = length.saturating_add(data.len());
        if length <= max_bytes {
            read.extend_from_slice(&data);
        } else if length > max_bytes.saturating_mul(DISCARD_FACTOR) {
            break;
        }
    }
    if length <= max_bytes { Ok(read.into()) } else { Err(Rejection::LongBody(max_bytes)) }
}

/// Returns the non-empty lines of `body` with their line numbers, counted from 1.
fn split(body: &Bytes, max_bytes: usize) -> Result<VecDeque<(usize, Bytes)>, Rejection> {
    let lines: Result<VecDeque<_>, _> = body
        .split(|&byte| byte == b'\n')
        .zip(1..)
        .filter(|(line, _)| !line.trim_ascii().is_empty())
        .map(|(line, number)| {
            if line.len() > max_bytes {
                return Err(Rejection::LongLine { number, max_bytes });
            }
            Ok((number, body.slice_ref(line.trim_ascii())))
        })
        .collect();
    lines.and_then(|lines| if lines.is_empty() { Err(Rejection::Empty) } else { Ok(lines) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_split_into_lines() {
        let split = |text: &'static [u8]| split(&Bytes::from_static(text), 4);
        let lines = split(b" a\r\n\n \r\nbb").unwrap();
        assert_eq!(lines, [(1, Bytes::from_static(b"a")), (4, Bytes::from_static(b"bb"))]);
        assert_eq!(split(b"\n\r\n"), Err(Rejection::Empty));
        assert_eq!(split(b"a\nbcdef\n"), Err(Rejection::LongLine { number: 2, max_bytes: 4 }));
        assert_eq!(split(b"\xff\n"), Ok([(1, Bytes::from_static(b"\xff"))].into()));
    }
}
