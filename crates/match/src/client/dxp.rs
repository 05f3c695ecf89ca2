//! An engine that plays over DXP. The engine is the follower. The match acts as the initiator and transmits the
//! opponent's moves.

use super::{EXIT_TIMEOUT, EndedGame, EngineClient, MatchContext, NewGame, QUIT_TIMEOUT};
use crate::answer::{EngineFault, MoveAnswer, MoveEvaluation, NoAnswer};
use crate::control::{ClockControl, Control};
use crate::dxp::{
    BackAnswer, DxpAnswer, DxpMessage, DxpRequest, DxpResult, Incoming, MessageError, Peer, check_variant,
    unusual_start,
};
use crate::line_protocol::SearchRequest;
use crate::process::{Process, between_starts};
use crate::{DxpPeer, EngineSpec, MoveTexts, Program, Stop};
use crossbeam_channel::{RecvTimeoutError, at, select};
use soffio::notation::MoveRecord;
use soffio::rules::{Color, Variant};
use soffio::system::reason;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

const NAME: &str = "soffio match";

const MAX_MINUTES: u64 = 999;

const CONFIRMATION_TIMEOUT: Duration = Duration::from_secs(10);

/// Time limit for one connection attempt.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Pause between two connection attempts.
const PAUSE: Duration = Duration::from_millis(10);

/// How long an engine that is already running may take to accept the next connection.
const ACCEPT_TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) struct DxpClient {
    spec: Arc<EngineSpec>,
    variant: Variant,
    process: Option<Process>,
    peer: Peer,
    context: MatchContext,
    /// True from the start of a game until either program sends an end message.
    is_playing: bool,
    side: Color,
    /// The time at which the engine accepted the game.
    accepted: Instant,
    known_moves: usize,
}

type TimedMessage = (Instant, Result<DxpMessage, MessageError>);

impl DxpClient {
    /// Connects to the engine, after starting it if necessary. Fails if the engine cannot be started or reached, or if
    /// DXP does not support the variant.
    pub(crate) fn start(
        spec: &Arc<EngineSpec>,
        address: &DxpPeer,
        variant: Variant,
        context: &MatchContext,
    ) -> Result<Self, NoAnswer> {
        check_variant(variant).map_err(|error| EngineFault::NotStarted { problem: error.to_string() })?;
        let (mut process, address) = match address {
            DxpPeer::Address(address) => (None, address.clone()),
            DxpPeer::Started(program) => {
                let (process, address) = start_program(&spec.name, program, &context.cores)?;
                (Some(process), address)
            }
        };
        let stream = connect(&address, process.as_mut(), context.timeouts.stall, &context.stop)?;
        let peer = Peer::new(stream).map_err(|error| EngineFault::NotStarted { problem: error.to_string() })?;
        Ok(Self {
            spec: Arc::clone(spec),
            variant,
            process,
            peer,
            context: context.clone(),
            is_playing: false,
            side: Color::White,
            accepted: Instant::now(),
            known_moves: 0,
        })
    }

    /// Sends `message`. A closed connection is not noticed until the match waits for the answer.
    fn send(&mut self, message: &DxpMessage) {
        if let Err(error) = self.peer.send(message) {
            log::debug!("{}: {error}", self.spec.name);
        }
    }

    /// Returns the next message, which may be malformed, or `None` if no message arrives before `deadline`. Logs chat
    /// messages and declines requests to undo moves.
    fn message(&mut self, deadline: Instant) -> Result<Option<TimedMessage>, NoAnswer> {
        loop {
            let incoming = select! {
                recv(self.peer.incoming) -> incoming => incoming.ok(),
                recv(self.context.stop.receiver()) -> _ => return Err(NoAnswer::Stopped),
                recv(at(deadline)) -> _ => return Ok(None),
            };
            match incoming {
                Some((_, Incoming::Message(Ok(DxpMessage::Chat(text))))) => log::info!("{}: {text}", self.spec.name),
                Some((_, Incoming::Message(Ok(DxpMessage::Back { .. })))) => {
                    self.send(&DxpMessage::BackAnswer(BackAnswer::No));
                }
                Some((_, Incoming::Message(Err(error @ MessageError::Unknown(_))))) => {
                    log::warn!("{}: {error}", self.spec.name);
                }
                Some((instant, Incoming::Message(message))) => return Ok(Some((instant, message))),
                Some((_, Incoming::Disconnected(reason))) => return Err(self.disconnect_fault(reason)),
                None => return Err(self.disconnect_fault("closed".to_owned())),
            }
            // An engine that sends messages continuously must not evade its time limit.
            if Instant::now() > deadline {
                return Ok(None);
            }
        }
    }

    fn disconnect_fault(&mut self, problem: String) -> NoAnswer {
        self.is_playing = false;
        let crash = |process: &mut Process| process.exit_within(EXIT_TIMEOUT).map(|status| process.crash(status));
        self.process.as_mut().and_then(crash).unwrap_or(EngineFault::Disconnect { problem }).into()
    }

    /// Handles an end message from the engine in a game that has not ended under the rules.
    fn ended(&mut self, reason: DxpResult, stop: bool) -> NoAnswer {
        self.send(&DxpMessage::End { reason: DxpResult::Unknown, stop: false });
        self.is_playing = false;
        match reason {
            DxpResult::Loses => NoAnswer::Resigns,
            DxpResult::Unknown | DxpResult::Draw | DxpResult::Wins => {
                EngineFault::FalseEnd { line: DxpMessage::End { reason, stop }.to_string() }.into()
            }
        }
    }

    fn waiting_message(&mut self) -> Result<Option<TimedMessage>, NoAnswer> {
        if self.peer.incoming.is_empty() { Ok(None) } else { self.message(Instant::now() + QUIT_TIMEOUT) }
    }

    fn check_unexpected_messages(&mut self) -> Result<(), NoAnswer> {
        while let Some((_, message)) = self.waiting_message()? {
            match message {
                Ok(DxpMessage::End { reason, stop }) => return Err(self.ended(reason, stop)),
                Ok(message @ DxpMessage::Move { .. }) => {
                    return Err(EngineFault::ExtraAnswer { line: message.to_string() }.into());
                }
                message => self.ignore(message),
            }
        }
        Ok(())
    }

    fn ignore(&self, message: Result<DxpMessage, MessageError>) {
        match message {
            Ok(message) => log::warn!("{}: unexpected message: {message}", self.spec.name),
            Err(error) => log::warn!("{}: {error}", self.spec.name),
        }
    }

    fn answer(&mut self, deadline: Instant) -> Result<Option<(Instant, MoveRecord)>, NoAnswer> {
        while let Some((instant, message)) = self.message(deadline)? {
            match message {
                Ok(DxpMessage::Move { record, .. }) => return Ok(Some((instant, record))),
                Ok(DxpMessage::End { reason, stop }) => return Err(self.ended(reason, stop)),
                Err(MessageError::Malformed { kind: 'M', text }) => {
                    return Err(EngineFault::IllegalMove { text, reason: "not a move".to_owned() }.into());
                }
                other => self.ignore(other),
            }
        }
        Ok(None)
    }

    /// Sends the last of `moves`, which the engine's opponent made.
    fn send_move(&mut self, moves: &[MoveTexts], took: Duration) {
        let Some(record) = moves.last().and_then(|mv| mv.hub.parse().ok()) else { return };
        self.send(&DxpMessage::new_move(record, took));
        self.known_moves = moves.len();
    }

    fn is_end_confirmed(&mut self) -> bool {
        let deadline = Instant::now() + CONFIRMATION_TIMEOUT.min(self.context.timeouts.stall);
        while let Ok(Some((_, message))) = self.message(deadline) {
            if let Ok(DxpMessage::End { stop, .. }) = message {
                return !stop;
            }
        }
        false
    }
}

impl EngineClient for DxpClient {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), NoAnswer> {
        if let Some(process) = &mut self.process {
            process.find_group();
        }
        while let Some((_, message)) = self.waiting_message()? {
            self.ignore(message);
        }
        let position = game.position.map_or(Ok(None), |position| unusual_start(position, self.variant.spec()));
        let position = position.map_err(|error| EngineFault::NotStarted { problem: error.to_string() })?;
        let minutes = minutes(&self.spec.control);
        let request = DxpRequest { name: NAME.to_owned(), follower: game.side, minutes, moves: 0, position };
        self.send(&DxpMessage::Request(request));
        let deadline = Instant::now() + self.context.timeouts.stall;
        while let Some((instant, message)) = self.message(deadline)? {
            match message {
                Ok(DxpMessage::Accept { answer: DxpAnswer::Yes, .. }) => {
                    self.is_playing = true;
                    self.side = game.side;
                    self.accepted = instant;
                    self.known_moves = game.opening_moves;
                    return Ok(());
                }
                Ok(message @ DxpMessage::Accept { .. }) => {
                    return Err(EngineFault::Rejected { line: message.to_string() }.into());
                }
                other => self.ignore(other),
            }
        }
        Err(EngineFault::Stall.into())
    }

    fn think(&mut self, request: &SearchRequest<'_>) -> Result<MoveAnswer, NoAnswer> {
        let usage = self.process.as_ref().map(Process::usage).unwrap_or_default();
        // An engine that moves first may start searching when it accepts the game.
        let mut requested = self.accepted;
        if request.moves.len() > self.known_moves {
            self.check_unexpected_messages()?;
            self.send_move(request.moves, request.last_took);
            requested = Instant::now();
        }
        let margin = self.spec.margin.unwrap_or(self.context.timeouts.margin);
        let allowed = self.spec.control.allowed(request.clock()).map(|time| time + margin);
        let in_time = self.answer(requested + allowed.unwrap_or(self.context.timeouts.stall))?;
        let is_late = in_time.is_none();
        let answer = match in_time {
            None => self.answer(Instant::now() + self.context.timeouts.stall.min(QUIT_TIMEOUT))?,
            in_time => in_time,
        };
        let (instant, record) = answer.ok_or(EngineFault::Stall)?;
        let time = instant.saturating_duration_since(requested);
        let over = allowed.and_then(|allowed| time.checked_sub(allowed)).filter(|over| !over.is_zero() || is_late);
        if let Some(over) = over {
            return Err(self.context.too_late(requested, &usage, over + margin, self.process.as_mut()));
        }
        self.known_moves = request.moves.len() + 1;
        let evaluation = MoveEvaluation { time, ..MoveEvaluation::default() };
        Ok(MoveAnswer { text: record.to_string(), evaluation, expected: None, lines: Vec::new() })
    }

    fn end_game(&mut self, game: &EndedGame<'_>) -> bool {
        if !self.is_playing {
            return true;
        }
        if game.moves.len() > self.known_moves {
            self.send_move(game.moves, game.last_took);
        }
        if let Some(why) = &game.why {
            self.send(&DxpMessage::Chat(why.clone()));
        }
        let reason = match game.winner {
            None => DxpResult::Draw,
            Some(winner) if winner == self.side => DxpResult::Loses,
            Some(_) => DxpResult::Wins,
        };
        self.send(&DxpMessage::End { reason, stop: false });
        let is_confirmed = self.is_end_confirmed();
        self.is_playing = false;
        is_confirmed
    }

    fn request_quit(&mut self) {
        if self.is_playing {
            self.send(&DxpMessage::End { reason: DxpResult::Unknown, stop: true });
        }
        self.peer.close();
    }

    fn end(&mut self, time: Duration) {
        if let Some(process) = &mut self.process {
            process.end(time);
        }
    }
}

/// Returns the number of minutes for a game request. DXP supports only a time for the whole game, so the result is 0
/// for other clocks and for limits per move. A time for the whole game is rounded down to whole minutes, but to no less
/// than one.
fn minutes(control: &Control) -> u16 {
    let whole_game = control.clock.as_ref().and_then(ClockControl::whole_game);
    whole_game.map_or(0, |period| u16::try_from((period.time.as_secs() / 60).clamp(1, MAX_MINUTES)).unwrap_or(0))
}

/// Starts `program` with a free port in its arguments. Returns the process and the address to connect to.
fn start_program(name: &str, program: &Program, cores: &[usize]) -> Result<(Process, String), EngineFault> {
    let port = free_port().map_err(|error| program.not_started(&error))?;
    let with_port = |word: &String| word.replace(DxpPeer::PORT, &port.to_string());
    let program = Program { words: program.words.iter().map(with_port).collect(), ..program.clone() };
    let process = Process::start(name, &program, cores, false).map_err(|error| program.not_started(&error))?;
    Ok((process, SocketAddr::from((Ipv4Addr::LOCALHOST, port)).to_string()))
}

/// Ports that no common system assigns to outgoing connections. The system could assign a port above them to another
/// program before the engine listens on it.
const PORTS: Range<u16> = 20_000..32_000;

/// Number of ports to try.
const MAX_PORTS: usize = 100;

/// Returns a free local port. The listener is closed before any process starts, because a child process that inherited
/// it would accept the connection meant for the engine.
fn free_port() -> io::Result<u16> {
    let bind = |port| between_starts(|| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map(drop));
    let mut ports = std::iter::repeat_with(|| fastrand::u16(PORTS)).take(MAX_PORTS);
    ports.find(|&port| bind(port).is_ok()).ok_or_else(|| io::ErrorKind::AddrInUse.into())
}

/// Connects to the engine at `address`. Retries for up to `stall` if the match started the engine as `process`,
/// otherwise for at most [`ACCEPT_TIMEOUT`].
fn connect(
    address: &str,
    mut process: Option<&mut Process>,
    stall: Duration,
    stop: &Stop,
) -> Result<TcpStream, NoAnswer> {
    let timeout = if process.is_some() { stall } else { stall.min(ACCEPT_TIMEOUT) };
    let deadline = Instant::now() + timeout;
    loop {
        let error = match attempt(address) {
            Ok(stream) => return Ok(stream),
            Err(error) => error,
        };
        if let Some(process) = &mut process
            && let Some(status) = process.exit_within(Duration::ZERO)
        {
            return Err(process.crash(status).into());
        }
        if Instant::now() > deadline {
            return Err(
                EngineFault::NotStarted { problem: format!("no connection to {address}: {}", reason(error)) }.into()
            );
        }
        if stop.receiver().recv_timeout(PAUSE) == Err(RecvTimeoutError::Disconnected) {
            return Err(NoAnswer::Stopped);
        }
    }
}

fn attempt(address: &str) -> io::Result<TcpStream> {
    let mut error = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
            // If nothing listens on a local port yet, a connection attempt can be assigned this port as its own and
            // connect to itself.
            Ok(stream) if stream.local_addr()? == stream.peer_addr()? => {}
            Ok(stream) => return Ok(stream),
            Err(found) => error = found,
        }
    }
    Err(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clocks_for_the_whole_game_are_announced() {
        let minutes = |text: &str| minutes(&Control { clock: Some(text.parse().unwrap()), ..Control::default() });
        let announced = ["300", "300+2", "359.9", "60", "10+0.1", "99999", "40/300", "40/300s:60"].map(minutes);
        assert_eq!(announced, [5, 5, 5, 1, 1, 999, 0, 0]);
        let by_move = Control { move_time: Some(Duration::from_secs(60)), ..Control::default() };
        assert_eq!(super::minutes(&by_move), 0);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_free_port_is_not_shared_with_engines_started_meanwhile() {
        let program = Program { words: vec!["true".to_owned()], directory: None };
        let starts = || (0..200).for_each(|_| drop(Process::start("true", &program, &[], false).unwrap()));
        let connections = std::thread::scope(|scope| {
            let starting = [scope.spawn(starts), scope.spawn(starts)];
            let mut connections = 0;
            while !starting.iter().all(|thread| thread.is_finished()) {
                let port = free_port().unwrap();
                connections += usize::from(attempt(&format!("127.0.0.1:{port}")).is_ok());
            }
            connections
        });
        assert_eq!(connections, 0);
    }
}
