//! The connection to the other program: messages over TCP, each terminated by a zero byte.

use super::{DxpMessage, MessageError};
use crossbeam_channel::{Receiver, Sender, bounded};
use socket2::{SockRef, TcpKeepalive};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum length in bytes of an accepted message. The protocol allows 127 characters.
const MAX_BYTES: usize = 1024;

const REST_TIMEOUT: Duration = Duration::from_secs(10);

const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// Pause before a message if the previous message has not been answered. Some clients lose one of two messages that
/// arrive together.
const PAUSE: Duration = Duration::from_millis(50);

const READ_AHEAD: usize = 64;

const TIMEOUT: &str = "timeout in the middle of a message";

/// Idle time after which the system probes whether the other computer is still there, and the time between two probes.
/// Without probes, a game without a clock would wait forever for a computer that has been switched off.
const KEEPALIVE: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(10)];

#[derive(Debug)]
pub enum Incoming {
    Message(Result<DxpMessage, MessageError>),
    /// The connection has ended. The string contains the reason.
    Disconnected(String),
}

pub struct Peer {
    stream: TcpStream,
    pub incoming: Receiver<(Instant, Incoming)>,
    last_sent: Option<Instant>,
    /// Whether a message has arrived since this program last sent one. If so, the other program has read the sent
    /// message.
    has_answered: Arc<AtomicBool>,
}

impl Peer {
    pub fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let [time, interval] = KEEPALIVE;
        SockRef::from(&stream).set_tcp_keepalive(&TcpKeepalive::new().with_time(time).with_interval(interval))?;
        let source = stream.try_clone()?;
        let (sender, incoming) = bounded(READ_AHEAD);
        let has_answered = Arc::new(AtomicBool::new(false));
        let answered = Arc::clone(&has_answered);
        thread::Builder::new().name("dxp".to_owned()).spawn(move || receive(source, &sender, &answered))?;
        Ok(Self { stream, incoming, last_sent: None, has_answered })
    }

    /// Sends `message`, after a pause if the previous message has not been answered.
    pub fn send(&mut self, message: &DxpMessage) -> io::Result<()> {
        let has_answered = self.has_answered.swap(false, Ordering::Relaxed);
        if let Some(last) = self.last_sent
            && !has_answered
        {
            thread::sleep(PAUSE.saturating_sub(last.elapsed()));
        }
        log::debug!("> {message}");
        let written = self.stream.write_all(format!("{message}\0").as_bytes());
        self.last_sent = Some(Instant::now());
        written
    }

    /// Closes the connection, which also ends the reader thread.
    pub fn close(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.close();
    }
}

fn receive(mut stream: TcpStream, incoming: &Sender<(Instant, Incoming)>, has_answered: &AtomicBool) {
    let reason = loop {
        match next_message(&mut stream, REST_TIMEOUT) {
            Ok(text) => {
                let instant = Instant::now();
                log::debug!("< {text}");
                has_answered.store(true, Ordering::Relaxed);
                if incoming.send((instant, Incoming::Message(DxpMessage::read(&text)))).is_err() {
                    return;
                }
            }
            Err(reason) => break reason,
        }
    };
    let _ = incoming.send((Instant::now(), Incoming::Disconnected(reason)));
}

/// Reads a message, which must be complete `rest_timeout` after its first byte.
fn next_message(stream: &mut TcpStream, rest_timeout: Duration) -> Result<String, String> {
    let mut message = Vec::new();
    let mut byte = [0];
    let mut end: Option<Instant> = None;
    loop {
        let timeout = end.map(|end| end.saturating_duration_since(Instant::now()));
        if timeout == Some(Duration::ZERO) {
            return Err(TIMEOUT.to_owned());
        }
        let read = stream.set_read_timeout(timeout).and_then(|()| stream.read(&mut byte));
        match (read, byte) {
            (Ok(0), _) if message.is_empty() => return Err("closed by the other program".to_owned()),
            (Ok(0), _) => return Err("closed by the other program in the middle of a message".to_owned()),
            // The fields have a fixed number of bytes, so each byte is one character, as in Latin-1.
            (Ok(_), [0]) => return Ok(message.into_iter().map(char::from).collect()),
            (Ok(_), [other]) => {
                message.push(other);
                end.get_or_insert_with(|| Instant::now() + rest_timeout);
            }
            (Err(error), _) => match error.kind() {
                ErrorKind::Interrupted => {}
                ErrorKind::WouldBlock | ErrorKind::TimedOut => return Err(TIMEOUT.to_owned()),
                _ => return Err(error.to_string()),
            },
        }
        if message.len() > MAX_BYTES {
            return Err(format!("message exceeds {MAX_BYTES} bytes"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// Returns a peer and the other end of its connection.
    fn connected() -> (Peer, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let other = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (Peer::new(listener.accept().unwrap().0).unwrap(), other)
    }

    #[test]
    fn each_byte_of_a_name_is_one_character() {
        let (peer, mut other) = connected();
        // In UTF-8, the last two bytes of the first name would be one character, and the second name is invalid.
        for (name, read) in [(b"Andr\xc3\xa9", "Andr\u{c3}\u{a9}"), (b"Ren\xe9\xe8 ", "Ren\u{e9}\u{e8}")] {
            let padding = [b' '; 26];
            other.write_all(&[b"R01", &name[..], &padding[..], b"W000000A\0"].concat()).unwrap();
            match peer.incoming.recv() {
                Ok((_, Incoming::Message(Ok(DxpMessage::Request(request))))) => assert_eq!(request.name, read),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_message_that_arrives_byte_by_byte_has_a_time_limit() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut other = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut stream = listener.accept().unwrap().0;
        let sender = thread::spawn(move || {
            while other.write_all(b"C").is_ok() {
                thread::sleep(Duration::from_millis(5))
            }
        });
        assert_eq!(next_message(&mut stream, Duration::from_millis(200)), Err(TIMEOUT.to_owned()));
        drop(stream);
        sender.join().unwrap();
    }

    #[test]
    fn the_system_checks_silent_connections() {
        assert!(SockRef::from(&connected().0.stream).keepalive().unwrap());
    }
}
