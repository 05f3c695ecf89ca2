//! An engine that plays over DXP: it is the follower, and the match the initiator that plays its opponent.

use super::clock::allowed;
use super::dxp_link::{connect, start_program};
use super::line_protocol::Question;
use super::player::{EXIT, EndedGame, EngineClient, MatchContext, MoveAnswer, NewGame, NoAnswer, QUIT};
use super::process::Process;
use super::{Control, DxpPeer, EngineSpec, Fault, MoveEvaluation, MoveTexts};
use crate::dxp::{Answer, BackAnswer, Incoming, Message, MessageError, Peer, Reason, Request, carries, unusual_start};
use crossbeam_channel::{at, select};
use soffio::notation::MoveRecord;
use soffio::rules::{Color, Variant};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The name that engines are told.
const NAME: &str = "soffio match";

/// The most minutes that a request can name.
const MOST_MINUTES: u64 = 999;

/// How long an engine may take to confirm the end of a game.
const CONFIRMATION: Duration = Duration::from_secs(10);

/// An engine that is asked over DXP.
pub(super) struct DxpPlayer {
    spec: Arc<EngineSpec>,
    variant: Variant,
    /// None if the engine was running before the match.
    process: Option<Process>,
    peer: Peer,
    context: MatchContext,
    /// Whether a game has begun and the engine has not been told of its end.
    is_playing: bool,
    side: Color,
    /// When the engine accepted the game.
    accepted: Instant,
    /// Moves of the game that the engine knows.
    known_moves: usize,
}

/// Why there is no message.
enum NoMessage {
    Timeout,
    Other(NoAnswer),
}

impl DxpPlayer {
    /// Connects with the engine, and starts it first if the match has to.
    ///
    /// # Errors
    /// When that is impossible, or DXP does not carry the variant.
    pub(super) fn start(
        (spec, address): (&Arc<EngineSpec>, &DxpPeer),
        variant: Variant,
        context: &MatchContext,
    ) -> Result<Self, NoAnswer> {
        carries(variant).map_err(|error| Fault::NotStarted { problem: error.to_string() })?;
        let (mut process, address) = match address {
            DxpPeer::Address(address) => (None, address.clone()),
            DxpPeer::Started(program) => {
                let (process, address) = start_program(&spec.name, program, &context.cores)?;
                (Some(process), address)
            }
        };
        let stream = connect(&address, process.as_mut(), context.timeouts.stall, &context.stop)?;
        let not_set_up = |error: std::io::Error| Fault::NotStarted { problem: error.to_string() };
        let peer = Peer::new(stream).map_err(not_set_up)?;
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

    /// Sends `message`. An engine that is gone is noticed when its answer is waited for.
    fn send(&mut self, message: &Message) {
        if let Err(error) = self.peer.send(message) {
            log::debug!("{}: {error}", self.spec.name);
        }
    }

    /// The next message that is one or should be, and when it was read. Chat is for people, and nothing is taken back.
    fn message(&mut self, deadline: Instant) -> Result<(Instant, Result<Message, MessageError>), NoMessage> {
        loop {
            let incoming = select! {
                recv(self.peer.incoming()) -> incoming => incoming.ok(),
                recv(self.context.stop.receiver()) -> _ => return Err(NoMessage::Other(NoAnswer::Stopped)),
                recv(at(deadline)) -> _ => return Err(NoMessage::Timeout),
            };
            match incoming {
                Some((_, Incoming::Message(Ok(Message::Chat(text))))) => log::info!("{}: {text}", self.spec.name),
                Some((_, Incoming::Message(Ok(Message::Back { .. })))) => {
                    self.send(&Message::BackAnswer(BackAnswer::No));
                }
                Some((_, Incoming::Message(Err(error @ MessageError::Unknown(_))))) => {
                    log::warn!("{}: {error}", self.spec.name);
                }
                Some((instant, Incoming::Message(message))) => return Ok((instant, message)),
                Some((_, Incoming::Gone(reason))) => return Err(NoMessage::Other(self.gone(reason))),
                None => return Err(NoMessage::Other(self.gone("it is gone".to_owned()))),
            }
            // An engine that never stops sending must not stop the clock.
            if Instant::now() > deadline {
                return Err(NoMessage::Timeout);
            }
        }
    }

    /// The fault of an engine whose connection is closed: whether its process has ended tells which.
    fn gone(&mut self, problem: String) -> NoAnswer {
        self.is_playing = false;
        let status = self.process.as_mut().and_then(|process| process.exit_within(EXIT));
        status.map_or(Fault::Disconnect { problem }, |status| Fault::Crash { status }).into()
    }

    /// The engine has ended the game, which goes on by the rules.
    fn ended(&mut self, reason: Reason, line: String) -> NoAnswer {
        self.send(&Message::End { reason: Reason::Unknown, stop: false });
        self.is_playing = false;
        match reason {
            Reason::Loses => NoAnswer::Resigns,
            Reason::Unknown | Reason::Draw | Reason::Wins => Fault::FalseEnd { line }.into(),
        }
    }

    /// Looks at what has come while it was not the turn of the engine.
    fn overhear(&mut self) -> Result<(), NoAnswer> {
        while !self.peer.incoming().is_empty() {
            match self.message(Instant::now() + QUIT) {
                Ok((_, Ok(Message::End { reason, stop }))) => {
                    return Err(self.ended(reason, Message::End { reason, stop }.to_string()));
                }
                Ok((_, Ok(message @ Message::Move { .. }))) => {
                    return Err(Fault::ExtraAnswer { line: message.to_string() }.into());
                }
                Ok((_, message)) => self.ignore(message),
                Err(NoMessage::Timeout) => break,
                Err(NoMessage::Other(reason)) => return Err(reason),
            }
        }
        Ok(())
    }

    fn ignore(&self, message: Result<Message, MessageError>) {
        match message {
            Ok(message) => log::warn!("{}: not asked for: {message}", self.spec.name),
            Err(error) => log::warn!("{}: {error}", self.spec.name),
        }
    }

    /// The move that comes by `deadline`, and when it was read.
    fn answer(&mut self, deadline: Instant) -> Result<(Instant, MoveRecord), NoMessage> {
        loop {
            let (instant, message) = self.message(deadline)?;
            match message {
                Ok(Message::Move { record, .. }) => return Ok((instant, record)),
                Ok(Message::End { reason, stop }) => {
                    let line = Message::End { reason, stop }.to_string();
                    return Err(NoMessage::Other(self.ended(reason, line)));
                }
                Err(MessageError::Malformed { kind: 'M', text }) => {
                    let fault = Fault::IllegalMove { text, reason: "not the form of a move".to_owned() };
                    return Err(NoMessage::Other(fault.into()));
                }
                other => self.ignore(other),
            }
        }
    }

    /// Tells the engine the last of `moves`, if it is not its own.
    fn tell(&mut self, moves: &[MoveTexts], took: Duration) {
        let Some(record) = moves.last().and_then(|mv| mv.hub.parse().ok()) else { return };
        let seconds = u16::try_from(took.as_secs()).unwrap_or(u16::MAX).min(9999);
        self.send(&Message::Move { seconds, record });
        self.known_moves = moves.len();
    }

    /// Waits for what confirms the end of a game.
    fn is_end_confirmed(&mut self) -> bool {
        let deadline = Instant::now() + CONFIRMATION.min(self.context.timeouts.stall);
        loop {
            match self.message(deadline) {
                Ok((_, Ok(Message::End { stop, .. }))) => return !stop,
                // A move that it found meanwhile.
                Ok(_) => {}
                Err(_) => return false,
            }
        }
    }
}

impl EngineClient for DxpPlayer {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), NoAnswer> {
        // Late messages of an earlier game are discarded.
        while !self.peer.incoming().is_empty() {
            match self.message(Instant::now() + QUIT) {
                Ok((_, message)) => self.ignore(message),
                Err(NoMessage::Timeout) => break,
                Err(NoMessage::Other(reason)) => return Err(reason),
            }
        }
        let position = unusual_start(game.position, self.variant.spec());
        let position = position.map_err(|error| Fault::NotStarted { problem: error.to_string() })?;
        let request = Request {
            name: NAME.to_owned(),
            follower: game.side,
            minutes: minutes(&self.spec.control),
            moves: 0,
            position,
        };
        self.send(&Message::Request(request));
        let deadline = Instant::now() + self.context.timeouts.stall;
        loop {
            let (instant, message) = match self.message(deadline) {
                Ok(found) => found,
                Err(NoMessage::Timeout) => return Err(Fault::Stall.into()),
                Err(NoMessage::Other(reason)) => return Err(reason),
            };
            match message {
                Ok(Message::Accept { answer: Answer::Yes, .. }) => {
                    self.is_playing = true;
                    self.side = game.side;
                    self.accepted = instant;
                    self.known_moves = game.opening_moves;
                    return Ok(());
                }
                Ok(message @ Message::Accept { .. }) => {
                    return Err(Fault::Refused { line: message.to_string() }.into());
                }
                other => self.ignore(other),
            }
        }
    }

    fn think(&mut self, question: &Question<'_>) -> Result<MoveAnswer, NoAnswer> {
        // The engine with the first move may begin to think when the game is accepted.
        let mut asked = self.accepted;
        if question.moves.len() > self.known_moves {
            self.overhear()?;
            self.tell(question.moves, question.last_took);
            asked = Instant::now();
        }
        let margin = self.spec.margin.unwrap_or(self.context.timeouts.margin);
        let allowed = allowed(&self.spec.control, question.clock()).map(|time| time + margin);
        let deadline = asked + allowed.unwrap_or(self.context.timeouts.stall);
        let (answer, is_late) = match self.answer(deadline) {
            Err(NoMessage::Timeout) => (self.answer(Instant::now() + self.context.timeouts.stall.min(QUIT)), true),
            other => (other, false),
        };
        let (instant, record) = match answer {
            Ok(found) => found,
            Err(NoMessage::Timeout) => return Err(Fault::Stall.into()),
            Err(NoMessage::Other(reason)) => return Err(reason),
        };
        let time = instant.saturating_duration_since(asked);
        let over = allowed.and_then(|allowed| time.checked_sub(allowed)).filter(|over| !over.is_zero() || is_late);
        if let Some(over) = over {
            return Err(self.context.too_late(asked, over + margin).into());
        }
        self.known_moves = question.moves.len() + 1;
        let evaluation = MoveEvaluation { time, ..MoveEvaluation::default() };
        Ok(MoveAnswer { text: record.to_string(), evaluation, expected: None, lines: Vec::new() })
    }

    fn end_game(&mut self, game: &EndedGame<'_>) -> bool {
        if !self.is_playing {
            return true;
        }
        if game.moves.len() > self.known_moves {
            self.tell(game.moves, game.last_took);
        }
        if let Some(why) = &game.why {
            self.send(&Message::Chat(why.clone()));
        }
        let reason = match game.winner {
            None => Reason::Draw,
            Some(winner) if winner == self.side => Reason::Loses,
            Some(_) => Reason::Wins,
        };
        self.send(&Message::End { reason, stop: false });
        let is_confirmed = self.is_end_confirmed();
        self.is_playing = false;
        is_confirmed
    }

    fn dismiss(&mut self) {
        if self.is_playing {
            self.send(&Message::End { reason: Reason::Unknown, stop: true });
        }
        self.peer.close();
    }

    fn end(&mut self, time: Duration) {
        if let Some(process) = &mut self.process {
            process.end(time);
        }
    }
}

/// The minutes for the whole game that a request names. DXP has no other limit of time: where there is no clock or time is
/// added after some moves it names none, which is written 0, and the smallest clock has one.
fn minutes(control: &Control) -> u16 {
    let whole_game = control.clock.filter(|clock| clock.moves.is_none());
    whole_game.map_or(0, |clock| u16::try_from((clock.base.as_secs() / 60).clamp(1, MOST_MINUTES)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clocks_for_the_whole_game_are_announced() {
        let minutes = |text: &str| minutes(&Control { clock: Some(text.parse().unwrap()), ..Control::default() });
        let announced = ["300", "300+2", "359.9", "60", "10+0.1", "99999", "40/300"].map(minutes);
        assert_eq!(announced, [5, 5, 5, 1, 1, 999, 0]);
        let by_move = Control { move_time: Some(Duration::from_secs(60)), ..Control::default() };
        assert_eq!(super::minutes(&by_move), 0);
    }
}
