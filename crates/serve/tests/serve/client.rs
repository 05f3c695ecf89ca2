//! A line server that runs on a separate thread, and a client for it.

use crate::http::{Answer, post};
use soffio_serve::{Address, Cancellation, LineService, LineServiceSettings, Out, Server, ServerSettings, Shutdown};
use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::num::NonZeroUsize;
use std::thread::{self, JoinHandle};

pub struct Running {
    pub address: SocketAddr,
    pub shutdown: Shutdown,
    thread: Option<JoinHandle<()>>,
}

pub fn settings(engines: usize, queue: usize) -> LineServiceSettings {
    LineServiceSettings {
        engines: NonZeroUsize::new(engines).expect("not 0"),
        queue,
        max_body_bytes: 1000,
        max_line_bytes: 100,
        ..LineServiceSettings::default()
    }
}

impl Running {
    /// Starts a server in which each engine is a clone of `worker`.
    pub fn new<W>(lines: &LineServiceSettings, server: ServerSettings, worker: W) -> Self
    where
        W: FnMut(&[u8], usize, &Cancellation, &mut Out) + Clone + Send + Sync + 'static,
    {
        let lines = LineService::start(lines, move || Ok(worker.clone())).expect("the engines start");
        let server = Server::bind(&"127.0.0.1:0".parse().expect("an address"), server).expect("a free port");
        let Address::Tcp(address) = server.address else { panic!("not TCP") };
        let shutdown = server.shutdown();
        let thread = thread::spawn(move || {
            lines.serve(server).expect("the server runs");
        });
        Self { address, shutdown, thread: Some(thread) }
    }

    pub fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).expect("the server listens")
    }

    /// Sends `body` and returns the stream without waiting for the response.
    pub fn post(&self, body: &str) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(post(body).as_bytes()).expect("the server reads");
        stream
    }

    pub fn request(&self, body: &str) -> Answer {
        Answer::read(self.post(body))
    }

    pub fn metric(&self, name: &str) -> u64 {
        let mut stream = self.connect();
        stream
            .write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .expect("the server reads");
        let text = Answer::read(stream).body;
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("no {name} in {text}")).parse().expect("a number")
    }

    /// Waits until the metric `name` is equal to `value`.
    pub fn wait_for(&self, name: &str, value: u64) {
        while self.metric(name) != value {
            thread::yield_now();
        }
    }

    /// Waits until the server has stopped, and asserts that it exits cleanly.
    pub fn wait_for_the_end(&mut self) {
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server exits cleanly");
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shutdown.begin();
        self.wait_for_the_end();
    }
}
