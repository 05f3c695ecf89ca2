//! DXP, the DamExchange protocol: games against another program over TCP.
//!
//! The initiator requests games, and the follower answers the requests. Either program can listen for the connection.

mod engine;
mod game;
mod message;
mod peer;
mod report;

pub use message::{
    BackAnswer, DxpAnswer, DxpMessage, DxpRequest, DxpResult, MessageError, check_variant, unusual_start,
};
pub use peer::{Incoming, Peer};

use anyhow::{Result, anyhow, bail, ensure};
use engine::DxpEngine;
use game::{AfterGame, DxpGame, Outcome, Terms};
use report::DxpReport;
use soffio::notation::{FenRecord, Placement, printable};
use soffio::rules::{Color, Variant};
use soffio_support::words::counted;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

const PORT: u16 = 27531;

/// Adds the default DXP port to an address that has no port. IPv6 addresses must be in brackets.
pub fn address(text: &str) -> Result<String> {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    };
    ensure!(!host.is_empty() && !text.contains(char::is_whitespace), "expected host:port, found '{text}'");
    let Some(port) = port else { return Ok(format!("{text}:{PORT}")) };
    ensure!(port.parse::<u16>().is_ok(), "port of {host}: expected a number from 0 to 65535, found '{port}'");
    Ok(text.to_owned())
}

const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// How long a follower waits for a request before it closes the connection.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(600);

/// Pause after a connection could not be accepted, because the reason may persist, such as too many open files.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(1);

#[derive(Clone, Debug)]
pub struct DxpSettings {
    /// DXP messages do not contain the variant, so both programs must be configured for the same variant.
    pub variant: Variant,
    pub name: String,
    /// Size of the transposition table in MiB.
    pub hash: usize,
    pub threads: NonZeroUsize,
    /// Maximum time for a move. If there is no clock, the engine uses this time for each move.
    pub move_time: Option<Duration>,
    /// The games that the initiator requests, or `None` for a follower.
    pub games: Option<RequestedGames>,
    pub once: bool,
    pub pdn: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedGames {
    /// Number of games. The colours alternate.
    pub count: usize,
    pub color: Color,
    /// Minutes per side in each game; 0 for no limit.
    pub minutes: u16,
    /// Maximum number of moves per side in each game; 0 for no limit.
    pub moves: u16,
    /// Start positions, each of which is used for two consecutive games; the list is repeated if necessary. If it is
    /// empty, every game begins from the normal start position.
    pub starts: Vec<FenRecord>,
}

/// Listens on `address` and plays against one program after another. Writes progress messages to `output`.
pub fn listen(address: &str, settings: &DxpSettings, output: &mut impl Write) -> Result<()> {
    let mut host = DxpHost::new(settings, output)?;
    let listener = TcpListener::bind(address).map_err(|error| anyhow!("cannot listen on {address}: {error}"))?;
    host.report.print_line(format_args!("listening on {}", listener.local_addr()?))?;
    host.serve(std::iter::repeat_with(|| listener.accept()))
}

/// Connects to the program at `address` and plays against it. Writes progress messages to `output`.
pub fn connect(address: &str, settings: &DxpSettings, output: &mut impl Write) -> Result<()> {
    let mut host = DxpHost::new(settings, output)?;
    let stream = TcpStream::connect(address)
        .map_err(|error| anyhow!("cannot connect to {address}: {error}; start the other program first"))?;
    host.report.print_line(format_args!("connected to {}", stream.peer_addr()?))?;
    host.run_session(Peer::new(stream)?)?;
    host.ensure_all_games()
}

/// The engine, which plays against one program after another.
struct DxpHost<'a, W> {
    engine: DxpEngine,
    games: Option<&'a RequestedGames>,
    /// Number of requested games that have been played in the current session.
    played: usize,
    /// Whether a search of this engine has failed.
    has_failed: bool,
    once: bool,
    report: DxpReport<'a, W>,
}

impl<'a, W: Write> DxpHost<'a, W> {
    fn new(settings: &'a DxpSettings, output: &'a mut W) -> Result<Self> {
        Ok(Self {
            engine: DxpEngine::new(settings)?,
            games: settings.games.as_ref(),
            played: 0,
            has_failed: false,
            once: settings.once,
            report: DxpReport::new(output, settings.pdn.as_deref())?,
        })
    }

    /// Plays against one program after another. A failed connection ends neither the server nor its other connections.
    fn serve(&mut self, connections: impl Iterator<Item = io::Result<(TcpStream, SocketAddr)>>) -> Result<()> {
        for connection in connections {
            let accepted = connection.and_then(|(stream, address)| Ok((Peer::new(stream)?, address)));
            match accepted {
                Ok((peer, address)) => {
                    self.report.print_line(format_args!("connection from {address}"))?;
                    self.run_session(peer)?;
                    if self.once {
                        return self.ensure_all_games();
                    }
                }
                Err(error) => {
                    self.report.print_line(format_args!("connection failed: {error}"))?;
                    thread::sleep(PAUSE_AFTER_FAILURE);
                }
            }
        }
        Ok(())
    }

    fn run_session(&mut self, mut peer: Peer) -> Result<()> {
        let ended = match self.games {
            Some(games) => self.initiate(&mut peer, games)?,
            None => self.follow(&mut peer)?,
        };
        self.report.print_line(format_args!("connection closed: {ended}"))
    }

    /// Fails if some of the requested games have not been played, or if a search of this engine has failed.
    fn ensure_all_games(&self) -> Result<()> {
        let count = self.games.map_or(0, |games| games.count);
        ensure!(self.played >= count, "{} of {} played", self.played, counted(count, "requested game"));
        ensure!(!self.has_failed, "a search failed");
        Ok(())
    }

    fn initiate(&mut self, peer: &mut Peer, games: &RequestedGames) -> Result<String> {
        let mut own = games.color;
        self.played = 0;
        for index in 0..games.count {
            let start = games.starts.iter().cycle().nth(index / 2).filter(|_| !games.starts.is_empty());
            self.engine.begin(start)?;
            let (name, position) = (self.engine.name.clone(), self.engine.placement()?);
            let (minutes, moves) = (games.minutes, games.moves);
            let request = DxpRequest { name, follower: own.opponent(), minutes, moves, position };
            if let Err(error) = peer.send(&DxpMessage::Request(request)) {
                return Ok(error.to_string());
            }
            let name = match answer(peer) {
                Ok(name) => name,
                Err(reason) => return Ok(reason.to_string()),
            };
            let terms = terms(own, minutes, moves, index + 1 == games.count);
            let outcome = self.play(peer, index + 1, &name, terms)?;
            match outcome.connection {
                AfterGame::Kept | AfterGame::Closed => self.played += 1,
                AfterGame::Lost | AfterGame::Failed => return Ok(outcome.why),
            }
            if outcome.connection == AfterGame::Closed && !terms.is_last {
                return Ok(outcome.why);
            }
            own = own.opponent();
        }
        Ok("all games have been played".to_owned())
    }

    fn follow(&mut self, peer: &mut Peer) -> Result<String> {
        let mut games = 0;
        loop {
            let message = match peer.incoming.recv_timeout(REQUEST_TIMEOUT) {
                Ok((_, Incoming::Message(message))) => message,
                Ok((_, Incoming::Disconnected(reason))) => return Ok(reason),
                Err(_) => return Ok("no game requested".to_owned()),
            };
            let (answer, accepted) = match message {
                Ok(DxpMessage::Request(request)) => {
                    let start = request.position.as_ref().map(Placement::record);
                    match self.engine.begin(start.as_ref()) {
                        Ok(()) => (DxpAnswer::Yes, Some(request)),
                        Err(error) => {
                            self.report.print_line(format_args!("game declined: {error}"))?;
                            (DxpAnswer::NotThis, None)
                        }
                    }
                }
                Err(error @ (MessageError::Version | MessageError::Malformed { kind: 'R', .. })) => {
                    self.report.print_line(format_args!("game declined: {error}"))?;
                    (if error == MessageError::Version { DxpAnswer::Version } else { DxpAnswer::NotThis }, None)
                }
                Ok(DxpMessage::End { stop: true, .. }) => return Ok("no more games".to_owned()),
                other => {
                    note(other);
                    continue;
                }
            };
            if let Err(error) = peer.send(&DxpMessage::Accept { name: self.engine.name.clone(), answer }) {
                return Ok(error.to_string());
            }
            let Some(request) = accepted else { continue };
            games += 1;
            let terms = terms(request.follower, request.minutes, request.moves, false);
            let outcome = self.play(peer, games, &request.name, terms)?;
            match outcome.connection {
                AfterGame::Kept => {}
                AfterGame::Closed => return Ok("no more games".to_owned()),
                AfterGame::Lost | AfterGame::Failed => return Ok(outcome.why),
            }
        }
    }

    fn play(&mut self, peer: &mut Peer, number: usize, name: &str, terms: Terms) -> Result<Outcome> {
        let outcome = DxpGame::play(&mut self.engine, peer, terms);
        self.has_failed |= outcome.connection == AfterGame::Failed;
        self.report.end_game(number, &self.engine, name, terms, &outcome)?;
        Ok(outcome)
    }
}

fn terms(own: Color, minutes: u16, moves: u16, is_last: bool) -> Terms {
    let time = (minutes > 0).then(|| Duration::from_secs(60 * u64::from(minutes)));
    Terms { own, time, moves: (moves > 0).then_some(moves), is_last }
}

fn answer(peer: &Peer) -> Result<String> {
    loop {
        match peer.incoming.recv_timeout(ANSWER_TIMEOUT) {
            Ok((_, Incoming::Message(Ok(DxpMessage::Accept { name, answer: DxpAnswer::Yes })))) => return Ok(name),
            Ok((_, Incoming::Message(Ok(DxpMessage::Accept { name, answer })))) => {
                bail!("{} declined the game (code {})", printable(name.chars()), answer as u8);
            }
            Ok((_, Incoming::Message(message))) => note(message),
            Ok((_, Incoming::Disconnected(reason))) => bail!(reason),
            Err(_) => bail!("no answer to the game request"),
        }
    }
}

fn note(message: Result<DxpMessage, MessageError>) {
    match message {
        Ok(DxpMessage::Chat(text)) => log::info!("chat: {text}"),
        Ok(message) => log::warn!("unexpected message: {message}"),
        Err(error) => log::warn!("{error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::engine::Event;
    use std::io::Read;

    fn settings() -> DxpSettings {
        DxpSettings {
            variant: Variant::International,
            name: "Test".to_owned(),
            hash: 1,
            threads: NonZeroUsize::MIN,
            move_time: None,
            games: None,
            once: true,
            pdn: None,
        }
    }

    #[test]
    fn a_game_with_a_failed_search_has_not_been_played() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut other = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut peer = Peer::new(listener.accept().unwrap().0).unwrap();
        let (settings, mut output) = (settings(), Vec::new());
        let mut host = DxpHost::new(&settings, &mut output).unwrap();
        let (sender, events) = crossbeam_channel::unbounded();
        sender.send(Event::Failed { message: "no thread".to_owned(), fallback: None }).unwrap();
        let _usual = std::mem::replace(&mut host.engine.events, events);
        let received = thread::spawn(move || {
            let mut bytes = [0; b"Cno thread\0E01\0".len()];
            other.read_exact(&mut bytes).map(|()| bytes)
        });
        let outcome = host.play(&mut peer, 1, "Peer", terms(Color::White, 0, 0, true)).unwrap();
        assert_eq!((outcome.connection, &*outcome.why), (AfterGame::Failed, "no thread"));
        assert_eq!(host.ensure_all_games().unwrap_err().to_string(), "a search failed");
        assert_eq!(&received.join().unwrap().unwrap(), b"Cno thread\0E01\0");
    }

    #[test]
    fn a_failed_connection_does_not_end_the_server() {
        let settings = settings();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        drop(TcpStream::connect(listener.local_addr().unwrap()).unwrap());
        let failed = std::iter::once_with(|| Err(io::ErrorKind::ConnectionAborted.into()));
        let connections = failed.chain(std::iter::repeat_with(|| listener.accept()));
        let mut output = Vec::new();
        DxpHost::new(&settings, &mut output).unwrap().serve(connections).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert!(text.starts_with("connection failed: connection aborted\nconnection from "), "{text}");
    }
}
