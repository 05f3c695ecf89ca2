//! Tests that `soffio serve` gives the same answers as `soffio batch`, and shuts down cleanly.
#![cfg(unix)]

#[path = "../../crates/serve/tests/serve/http.rs"]
mod http;

use crate::process::{program, run_to_end, terminate};
use http::{Answer, chunk, post};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Output};

struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn new(words: &[&str]) -> Self {
        let mut process = program(&["serve", "--listen", "127.0.0.1:0", "--hash", "1", "--threads", "2"])
            .args(words)
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let output = process.stdout.as_mut().expect("it is piped");
        BufReader::new(output).read_line(&mut line).expect("it prints its address");
        let address = line.trim().strip_prefix("listening on http://").expect("an address").to_owned();
        Self { process, address }
    }

    fn post(&self, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(post(body).as_bytes()).expect("it reads");
        stream
    }

    fn end(mut self) -> Output {
        terminate(&self.process);
        let status = self.process.wait().expect("it ends");
        let mut stderr = Vec::new();
        std::io::Read::read_to_end(self.process.stderr.as_mut().expect("it is piped"), &mut stderr)
            .expect("it is read");
        Output { status, stdout: Vec::new(), stderr }
    }
}

#[test]
fn records_match_batch() {
    let body = concat!(
        r#"{"id":"a","variant":"english","fen":"startpos","limits":{"nodes":500}}"#,
        "\n",
        r#"{"id":7,"variant":"turkish","fen":"startpos","moves":"a3-a4","limits":{"depth":3},"multipv":2}"#,
        "\nno JSON\n\n",
        r#"{"variant":"international","pdn":"1. 32-28 19-23 2. 28x19 14x23 *","limits":{"nodes":100}}"#,
        "\n"
    );
    let (expected, ..) = run_to_end(program(&["batch", "--hash", "1"]), body);
    assert_eq!(expected.lines().count(), 8, "{expected}");
    let server = Server::new(&[]);
    let answer = Answer::read(server.post(body));
    assert_eq!((answer.status, answer.is_complete), (200, true));
    assert_eq!(answer.body, expected);
    let output = server.end();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_line_that_times_out_gets_an_error_and_shutdown_waits_for_responses() {
    let server = Server::new(&["--line-timeout", "1"]);
    let body = "{\"id\":\"deep\",\"variant\":\"international\",\"fen\":\"startpos\",\"limits\":{\"depth\":99}}\n";
    let mut reader = BufReader::new(server.post(&body.repeat(2)));
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        reader.read_line(&mut head).expect("a head");
    }
    let hash = "07d711b1d9eaa93f";
    let error = |line| {
        format!("{{\"id\":\"deep\",\"input_hash\":\"{hash}\",\"line\":{line},\"error\":\"no answer within 1 s\"}}\n")
    };
    assert_eq!(chunk(&mut reader).map(String::from_utf8), Some(Ok(error(1))));
    let output = server.end();
    assert_eq!(chunk(&mut reader).map(String::from_utf8), Some(Ok(error(2))));
    assert_eq!(chunk(&mut reader), Some(Vec::new()));
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn an_address_in_use_is_reported() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("it has one").to_string();
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(&file, "kept").expect("it is written");
    let file_address = format!("unix:{}", file.path().display());
    for (address, error) in [
        (&*address, &*format!("soffio: http://{address}: Address already in use")),
        ("8360", "error: invalid value '8360' for '--listen <ADDRESS>': '8360' is not an address to listen on"),
        (
            &file_address,
            &format!("soffio: {file_address}: the file exists and is not a stale socket; remove it or choose"),
        ),
        ("unix:/no/such/folder/socket", "soffio: unix:/no/such/folder/socket: No such file or directory"),
    ] {
        let (_, stderr, is_success) = run_to_end(program(&["serve", "--listen", address]), "");
        assert!(!is_success && stderr.starts_with(error), "{stderr}");
    }
    assert_eq!(std::fs::read(&file).expect("it is there"), b"kept");
}
