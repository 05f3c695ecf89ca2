//! An HTTP client that checks how much of a response arrives and how the response ends.

use std::io::{BufRead, BufReader, Read};

/// Returns a request that posts `body` and asks the server to close the connection afterwards.
pub fn post(body: &str) -> String {
    let length = body.len();
    format!("POST /batch HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}")
}

/// The part of a response that was received.
#[derive(Debug, PartialEq)]
pub struct Answer {
    pub status: u16,
    /// The status line and the headers, in lower case.
    pub head: String,
    pub body: String,
    pub is_complete: bool,
}

impl Answer {
    /// Reads a response until the connection is closed.
    pub fn read(stream: impl Read) -> Self {
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

/// Returns the next chunk of a body, or `None` if it was not received completely.
pub fn chunk(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut length = String::new();
    reader.read_line(&mut length).ok()?;
    let mut chunk = vec![0; usize::from_str_radix(length.trim(), 16).ok()? + 2];
    reader.read_exact(&mut chunk).ok()?;
    chunk.truncate(chunk.len() - 2);
    Some(chunk)
}
