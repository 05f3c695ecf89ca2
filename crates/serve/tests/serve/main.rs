//! Tests of the lines service over HTTP with regular, malformed, slow and interrupted requests.
#![cfg(test)]

mod client;
mod http;

use client::{Running, settings};
use http::{Answer, chunk, post};
use soffio_serve::{Address, Cancellation, Out, Server, ServerSettings};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Answers a line that contains a number N with N lines. Answers `wait` with `waiting` and then blocks until the
/// request is cancelled. Panics on `fail`. Returns any other line after its number.
fn worker(line: &[u8], number: usize, cancellation: &Cancellation, out: &mut Out) {
    match &*String::from_utf8_lossy(line) {
        "wait" => {
            out("waiting".to_owned());
            let (sender, stopped) = channel();
            cancellation.on_cancel(move || _ = sender.send(()));
            stopped.recv().expect("the signal arrives");
        }
        "fail" => panic!("a deliberate failure"),
        line => match line.parse::<u32>() {
            Ok(lines) => (1..=lines).for_each(|line| out(format!("{number}.{line}"))),
            Err(_) => out(format!("{number} {line}")),
        },
    }
}

/// Starts a server whose engine runs `worker`. When `worker` calls its third argument, the engine waits until the test
/// sends to the returned sender or drops it.
fn held_server(
    lines: usize,
    worker: impl Fn(&str, &mut Out, &dyn Fn()) + Clone + Send + Sync + 'static,
) -> (Sender<()>, Running) {
    let (release, released) = channel();
    let released = Arc::new(Mutex::new(released));
    let held = move |line: &[u8], _: usize, _: &Cancellation, out: &mut Out| {
        worker(&String::from_utf8_lossy(line), out, &|| _ = released.lock().expect("one engine").recv());
    };
    (release, Running::new(&settings(1, lines), ServerSettings::default(), held))
}

fn server() -> Running {
    Running::new(&settings(1, 4), ServerSettings::default(), worker)
}

#[test]
fn lines_are_answered_in_their_order() {
    let server = Running::new(&settings(3, 4), ServerSettings::default(), worker);
    let answer = server.request("a\n\n 2 \r\nb\n0\n1");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.body, "1 a\n3.1\n3.2\n4 b\n6.1\n");
    assert!(answer.is_complete && answer.head.contains("content-type: application/x-ndjson"), "{answer:?}");
    assert_eq!(server.metric("soffio_lines_total"), 5);
    assert_eq!(server.metric("soffio_records_total"), 5);
    assert_eq!(server.metric("soffio_engines"), 3);
    assert_eq!(server.metric("soffio_requests_total{status=\"200\"}"), 1);
}

#[test]
fn a_line_is_sent_as_soon_as_it_is_available() {
    let (release, server) = held_server(4, move |line, out, hold| {
        out(format!("first of {line}"));
        hold();
        out(format!("second of {line}"));
    });
    let mut reader = BufReader::new(server.post("a\nb\n"));
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        std::io::BufRead::read_line(&mut reader, &mut head).expect("a head");
    }
    for line in ["a", "b"] {
        assert_eq!(chunk(&mut reader).expect("a line"), format!("first of {line}\n").as_bytes());
        release.send(()).expect("the engine waits");
        assert_eq!(chunk(&mut reader).expect("a line"), format!("second of {line}\n").as_bytes());
    }
    assert_eq!(chunk(&mut reader), Some(Vec::new()));
}

#[test]
fn bad_requests_get_one_sentence() {
    let server = server();
    let head = |head: &str| format!("{head} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
    let long_line = format!("a\n{}\n", "b".repeat(101));
    let long_body = "a\n".repeat(501);
    let nothing = "not found; use POST /batch, GET /health or GET /metrics";
    for (request, status, sentence) in [
        (post(""), 400, "the body has no lines"),
        (post(" \r\n\n"), 400, "the body has no lines"),
        (post(&long_line), 413, "line 2 is longer than 100 bytes"),
        (post(&long_body), 413, "the body is longer than 1000 bytes; split the request"),
        (head("GET /"), 404, nothing),
        (head("POST /batch/"), 404, nothing),
        (head("GET /batch"), 405, "/batch accepts only POST"),
        (head("DELETE /metrics"), 405, "/metrics accepts only GET"),
        (
            head("POST /batch") + "Content-Encoding: gzip\r\n",
            415,
            "unsupported content encoding 'gzip'; send the body unencoded",
        ),
        (head("POST /batch") + "Origin: http://other.example\r\n", 403, "cross-site requests are not allowed"),
        (
            head("GET /health").replace("localhost", "other.example"),
            403,
            "unknown host 'other.example'; use the server's address or localhost",
        ),
        (head("POST /batch") + "Transfer-Encoding: chunked\r\n\r\nx\r\n", 400, "the body is incomplete"),
        (head("GET /health").replace("Host: localhost\r\n", ""), 400, "the request must have exactly one Host header"),
        (head("GET /health") + "Host: localhost\r\n", 400, "the request must have exactly one Host header"),
        (head("GET /health").replace("localhost", "local host"), 400, "the Host header 'local host' is invalid"),
        (head("GET /health").replace("localhost", "me@localhost"), 400, "the Host header 'me@localhost' is invalid"),
        (
            head("GET http://other.example/health"),
            403,
            "unknown host 'other.example'; use the server's address or localhost",
        ),
    ] {
        let mut stream = server.connect();
        stream.write_all(request.as_bytes()).expect("the server reads");
        if !request.contains("\r\n\r\n") {
            stream.write_all(b"\r\n").expect("the server reads");
        }
        let answer = Answer::read(stream);
        assert_eq!((answer.status, answer.body.as_str()), (status, &*format!("{sentence}\n")), "{request}");
    }
    let mut stream = server.connect();
    stream
        .write_all(b"POST /batch HTTP/1.1\r\nHost: [::1]:1\r\nConnection: close\r\nContent-Length: 4\r\n\r\na\n\xff\n")
        .expect("sent");
    assert_eq!(Answer::read(stream).body, "1 a\n2 \u{fffd}\n");
    let mut stream = server.connect();
    stream.write_all(b"no HTTP at all\r\n\r\n").expect("sent");
    assert_eq!(Answer::read(stream).status, 400);
    assert_eq!(server.request("a").body, "1 a\n", "the server continues");
    for (status, count) in [(200, 2), (400, 7), (403, 3), (404, 2), (405, 2), (413, 2), (415, 1)] {
        assert_eq!(server.metric(&format!("soffio_requests_total{{status=\"{status}\"}}")), count, "{status}");
    }
}

#[test]
fn a_client_that_closes_its_writing_side_gets_its_response() {
    let (release, server) = held_server(8, move |line, out, hold| {
        if line == "wait" {
            hold();
        }
        out(line.to_owned());
    });
    let half_closed = |request: &str| {
        let mut stream = server.connect();
        stream.write_all(request.replace("Connection: close\r\n", "").as_bytes()).expect("the server reads");
        stream.shutdown(Shutdown::Write).expect("it is open");
        stream
    };
    let slow = half_closed(&post("wait\na\n"));
    server.wait_for("soffio_engines_busy", 1);
    let waiting: Vec<_> = (0..3).map(|_| half_closed(&post("a\nb\n"))).collect();
    server.wait_for("soffio_requests_open", 4);
    // This client disconnects while it waits. The server must not confuse it with a client that has only closed its
    // writing side.
    drop(half_closed(&post("c\n")));
    server.wait_for("soffio_cancelled_total", 1);
    assert_eq!(Answer::read(half_closed("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")).status, 200);
    drop(release);
    assert_eq!(Answer::read(slow).body, "wait\na\n");
    for stream in waiting {
        let answer = Answer::read(stream);
        assert_eq!((answer.status, answer.body.as_str(), answer.is_complete), (200, "a\nb\n", true));
    }
    let short = half_closed(&post("a").replace("Length: 1", "Length: 2"));
    assert_eq!(Answer::read(short).body, "the body is incomplete\n");
    assert_eq!(server.metric("soffio_cancelled_total"), 1);
}

#[test]
fn connections_per_address_are_limited() {
    let limits = ServerSettings { per_address: Some(2), ..ServerSettings::default() };
    let server = Running::new(&settings(1, 4), limits, worker);
    let mut first = server.connect();
    let second = server.connect();
    let refused = Answer::read(server.connect());
    assert_eq!(
        (refused.status, refused.body.as_str(), refused.is_complete),
        (429, "too many connections from this address; the limit is 2\n", true)
    );
    drop(second);
    // The server may need some time to notice that the connection was closed.
    while server.request("b").status == 429 {}
    first
        .write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .expect("the server reads");
    let metrics = Answer::read(first).body;
    assert!(metrics.contains("soffio_requests_total{status=\"429\"}"), "{metrics}");
}

#[test]
fn a_full_queue_reports_when_to_retry() {
    let server = Running::new(&settings(1, 1), ServerSettings::default(), worker);
    let working = server.post("wait\n");
    server.wait_for("soffio_engines_busy", 1);
    let waiting = server.post("a\n");
    server.wait_for("soffio_requests_open", 2);
    let refused = server.request("b\n");
    assert_eq!(
        (refused.status, refused.body.as_str()),
        (503, "all engines are busy and the queue is full; try again in 1 s\n")
    );
    assert!(refused.head.contains("\r\nretry-after: 1\r\n"), "{}", refused.head);
    drop(working);
    assert_eq!(Answer::read(waiting).body, "1 a\n");
    assert_eq!(server.request("b\n").body, "1 b\n");
}

#[test]
fn clients_that_disconnect_free_their_engine_and_queue_slot() {
    let server = server();
    let working = server.post("wait\nnever\n");
    server.wait_for("soffio_engines_busy", 1);
    let waiting: Vec<_> = (0..4).map(|_| server.post("never\n")).collect();
    server.wait_for("soffio_requests_open", 5);
    drop(waiting);
    server.wait_for("soffio_requests_open", 1);
    let next = server.post("next\n");
    server.wait_for("soffio_requests_open", 2);
    drop(working);
    assert_eq!(Answer::read(next).body, "1 next\n");
    assert_eq!(server.metric("soffio_cancelled_total"), 5);
    // The cancelled line and the answered line.
    assert_eq!(server.metric("soffio_lines_total"), 2);
}

#[test]
fn a_long_request_does_not_keep_a_short_one_waiting() {
    let (sender, order) = channel();
    let (release, server) = held_server(4, move |line, out, hold| {
        let _ = sender.send(line.to_owned());
        hold();
        out(line.to_owned());
    });
    let long = server.post("a1\na2\na3\n");
    server.wait_for("soffio_engines_busy", 1);
    let short = server.post("b\n");
    server.wait_for("soffio_requests_open", 2);
    drop(release);
    assert_eq!(Answer::read(short).body, "b\n");
    assert_eq!(Answer::read(long).body, "a1\na2\na3\n");
    let order: Vec<_> = order.try_iter().collect();
    assert_eq!(order.iter().position(|line| line == "b"), Some(1), "{order:?}");
}

#[test]
fn a_failed_engine_is_replaced_and_its_response_is_cut_off() {
    let server = server();
    let answer = server.request("a\nfail\nb\n");
    assert_eq!((answer.status, answer.body.as_str(), answer.is_complete), (200, "1 a\n", false));
    assert_eq!(server.request("b\n").body, "1 b\n");
    assert_eq!(server.metric("soffio_engine_failures_total"), 1);
}

#[test]
fn slow_clients_are_disconnected() {
    let (sender, stopped) = channel();
    let talkative = move |_: &[u8], _: usize, cancellation: &Cancellation, out: &mut Out| {
        while !cancellation.is_cancelled() {
            out("x".repeat(1 << 16));
        }
        let _: Result<(), _> = Sender::send(&sender, ());
    };
    let lines = soffio_serve::LineServiceSettings { body_time: Duration::from_millis(50), ..settings(1, 1) };
    let short = Duration::from_millis(50);
    let limits = ServerSettings { head_time: short, write_time: short, ..ServerSettings::default() };
    let server = Running::new(&lines, limits, talkative);
    // This client does not read the response.
    let deaf = server.post("a\n");
    stopped.recv().expect("the work is stopped");
    drop(deaf);
    // One client sends an incomplete head, and another client sends an incomplete body.
    for (request, status) in [("POST /batch HTT", 408), (&post("a").replace("Length: 1", "Length: 2")[..], 408)] {
        let mut stream = server.connect();
        stream.write_all(request.as_bytes()).expect("the server reads");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("the connection ends");
        assert!(text.is_empty() || text.contains(&status.to_string()), "{text}");
    }
}

#[test]
fn shutdown_lets_responses_finish_within_a_time_limit() {
    let (release, mut server) = held_server(4, move |line, out, hold| {
        hold();
        out(line.to_owned());
    });
    let (working, waiting, idle) = (server.post("a\nb\n"), server.post("c\n"), server.connect());
    server.wait_for("soffio_requests_open", 2);
    server.shutdown.begin();
    drop(release);
    assert_eq!(Answer::read(working).body, "a\nb\n");
    assert_eq!(Answer::read(waiting).body, "c\n");
    assert_eq!(Answer::read(idle).status, 0);
    server.wait_for_the_end();
    assert!(std::net::TcpStream::connect(server.address).is_err());

    let limits = ServerSettings { grace: Duration::from_millis(1), ..ServerSettings::default() };
    let mut server = Running::new(&settings(1, 4), limits, worker);
    let working = server.post("wait\n");
    server.wait_for("soffio_engines_busy", 1);
    server.shutdown.begin();
    let answer = Answer::read(working);
    assert_eq!((answer.body.as_str(), answer.is_complete), ("waiting\n", false));
    server.wait_for_the_end();
}

#[test]
fn shutdown_does_not_wait_for_an_incomplete_head() {
    let long = Duration::from_secs(3600);
    let limits = ServerSettings { head_time: long, grace: long, ..ServerSettings::default() };
    let mut server = Running::new(&settings(1, 4), limits, worker);
    let mut again = BufReader::new(server.connect());
    again.get_mut().write_all(post("a").replace("close", "keep-alive").as_bytes()).expect("the server reads");
    let mut line = String::new();
    while !line.ends_with("\r\n0\r\n\r\n") {
        again.read_line(&mut line).expect("an answer");
    }
    again.get_mut().write_all(b"POST /batch HTTP/1.1\r\nHo").expect("the server reads");
    let mut first = server.connect();
    first.write_all(b"POST /batch HTT").expect("the server reads");
    assert_eq!(server.metric("soffio_requests_open"), 0);
    server.shutdown.begin();
    server.wait_for_the_end();
    assert_eq!(Answer::read(first).status, 0);
}

#[test]
fn health_reports_the_number_of_running_engines() {
    let server = server();
    let working = server.post("wait\n");
    server.wait_for("soffio_engines_busy", 1);
    let mut stream = server.connect();
    stream.write_all(b"GET /health HTTP/1.0\r\n\r\n").expect("the server reads");
    assert_eq!(Answer::read(stream).body, "{\"status\":\"ok\",\"engines\":1,\"busy\":1,\"requests\":1}\n");
    drop(working);
}

#[cfg(unix)]
#[test]
fn a_unix_socket_is_removed_with_the_server() {
    use std::os::unix::net::{UnixListener, UnixStream};
    let path = std::env::temp_dir().join(format!("soffio-serve-{}", std::process::id()));
    // Leaves a socket file behind, like a process that was killed.
    drop(UnixListener::bind(&path).expect("a socket"));
    let address = Address::Unix(path.clone());
    let server = Server::bind(&address, ServerSettings::default()).expect("the stale socket is replaced");
    let error = Server::bind(&address, ServerSettings::default()).expect_err("somebody listens there");
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    let shutdown = server.shutdown();
    let lines = soffio_serve::LineService::start(&settings(1, 1), || Ok(worker)).expect("the engine starts");
    let router = lines.router();
    let thread = thread::spawn(move || server.run(router));
    let mut stream = UnixStream::connect(&path).expect("the server listens");
    stream.write_all(post("a").replace("localhost", "any.example").as_bytes()).expect("the server reads");
    assert_eq!(Answer::read(stream).body, "1 a\n");
    shutdown.begin();
    thread.join().expect("no panic").expect("the server exits cleanly");
    assert!(!path.exists());
}

#[cfg(unix)]
#[test]
fn only_a_stale_socket_is_replaced() {
    use std::fs;
    use std::os::unix::net::{UnixDatagram, UnixListener};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("socket");
    let bind = || Server::bind(&Address::Unix(path.clone()), ServerSettings::default());
    let refused = |reason: &str| {
        let error = bind().expect_err(reason);
        assert_eq!((error.kind(), &*error.to_string()), (std::io::ErrorKind::AddrInUse, reason));
    };
    let no_socket = "the file exists and is not a stale socket; remove it or choose another name";
    fs::write(&path, "kept").expect("a file");
    refused(no_socket);
    assert_eq!(fs::read(&path).expect("the file is there"), b"kept");
    fs::remove_file(&path).expect("it is there");
    fs::create_dir(&path).expect("a folder");
    refused(no_socket);
    fs::remove_dir(&path).expect("it is there");
    // A link to a stale socket and a file of a different type are not removed.
    let other = folder.path().join("other");
    drop(UnixListener::bind(&other).expect("a socket"));
    std::os::unix::fs::symlink(&other, &path).expect("a link");
    refused(no_socket);
    fs::remove_file(&path).expect("it is there");
    let datagrams = UnixDatagram::bind(&path).expect("a socket");
    refused(no_socket);
    drop(datagrams);
    fs::remove_file(&path).expect("it is there");
    let living = UnixListener::bind(&path).expect("a socket");
    refused("another process is listening there");
    drop(living);
    let server = bind().expect("a stale socket is replaced");
    // The server removes only its own socket.
    fs::remove_file(&path).expect("it is there");
    fs::write(&path, "kept").expect("a file");
    drop(server);
    assert_eq!(fs::read(&path).expect("the file is there"), b"kept");
}
