//! A client of HTTP that shows how an answer comes and how it ends, and a server for it.

use soffio_serve::axum::Router;
use soffio_serve::{Address, Ending, Lines, LinesSettings, Out, Server, ServerSettings, Stop};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::num::NonZeroUsize;
use std::thread::{self, JoinHandle};

/// A server of lines on a thread.
pub struct Running {
    pub address: SocketAddr,
    pub ending: Ending,
    thread: Option<JoinHandle<()>>,
}

pub fn settings(engines: usize, queue: usize) -> LinesSettings {
    LinesSettings {
        engines: NonZeroUsize::new(engines).expect("not 0"),
        queue,
        most_body: 1000,
        most_line: 100,
        ..LinesSettings::default()
    }
}

impl Running {
    /// A server whose engines are copies of `worker`.
    pub fn new<W>(lines: &LinesSettings, server: ServerSettings, worker: W) -> Self
    where
        W: FnMut(&str, usize, &Stop, &mut Out) + Clone + Send + Sync + 'static,
    {
        let lines = Lines::start(lines, move || Ok(worker.clone())).expect("the engines start");
        let router = lines.router();
        Self::with(router, server, move || drop(lines))
    }

    fn with(router: Router, settings: ServerSettings, after: impl FnOnce() + Send + 'static) -> Self {
        let server = Server::bind(&"127.0.0.1:0".parse().expect("an address"), settings).expect("a free port");
        let Address::Tcp(address) = *server.address() else { panic!("not TCP") };
        let ending = server.ending();
        let thread = thread::spawn(move || {
            server.run(router).expect("the server runs");
            after();
        });
        Self { address, ending, thread: Some(thread) }
    }

    pub fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).expect("the server listens")
    }

    /// Sends `body`, and does not wait for the answer.
    pub fn post(&self, body: &str) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(post(body).as_bytes()).expect("the server reads");
        stream
    }

    pub fn ask(&self, body: &str) -> Answer {
        Answer::of(self.post(body))
    }

    /// The value of a metric, from its line.
    pub fn metric(&self, name: &str) -> u64 {
        let mut stream = self.connect();
        stream
            .write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .expect("the server reads");
        let text = Answer::of(stream).body;
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("no {name} in {text}")).parse().expect("a number")
    }

    /// Waits until a metric has a value.
    pub fn wait_for(&self, name: &str, value: u64) {
        while self.metric(name) != value {
            thread::yield_now();
        }
    }

    /// Waits until the server has ended.
    pub fn wait_for_the_end(&mut self) {
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server ends well");
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.ending.begin();
        self.wait_for_the_end();
    }
}

/// A request of one body, after which the connection ends.
pub fn post(body: &str) -> String {
    let length = body.len();
    format!("POST /batch HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}")
}

/// An answer, as far as it came.
#[derive(Debug, PartialEq)]
pub struct Answer {
    pub status: u16,
    /// Names in small letters.
    pub head: String,
    pub body: String,
    /// Whether it has its end.
    pub is_complete: bool,
}

impl Answer {
    /// Reads until the connection ends.
    pub fn of(stream: impl Read) -> Self {
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).is_ok_and(|length| length > 0) {}
        let head = head.to_lowercase();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or_default();
        let (mut body, mut is_complete) = (Vec::new(), false);
        if head.contains("transfer-encoding: chunked") {
            while let Some(chunk) = chunk(&mut reader) {
                is_complete = chunk.is_empty();
                body.extend(chunk);
            }
        } else {
            is_complete = reader.read_to_end(&mut body).is_ok() && status > 0;
        }
        Self { status, head, body: String::from_utf8(body).expect("UTF-8"), is_complete }
    }
}

/// The next chunk of a body, if it came whole.
pub fn chunk(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut length = String::new();
    reader.read_line(&mut length).ok()?;
    let mut chunk = vec![0; usize::from_str_radix(length.trim(), 16).ok()? + 2];
    reader.read_exact(&mut chunk).ok()?;
    chunk.truncate(chunk.len() - 2);
    Some(chunk)
}
