//! Plays a game over DXP as initiator or follower.

use super::engine::DxpEngine;
use super::note;
use crate::dxp::{BackAnswer, DxpAnswer, DxpMessage, DxpResult, Incoming, MessageError, Peer};
use anyhow::Error;
use crossbeam_channel::{after, never, select};
use derive_more::Display;
use soffio::engine::{Event, Status};
use soffio::notation::MoveRecord;
use soffio::rules::Color;
use std::time::{Duration, Instant};

const END_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the other program may exceed its time before the connection is considered lost.
const GRACE: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terms {
    pub(super) own: Color,
    /// Time for each side in the whole game, or `None` if there is no limit.
    pub(super) time: Option<Duration>,
    /// Maximum number of moves by each side in the whole game, or `None` if there is no limit.
    pub(super) moves: Option<u16>,
    /// Whether the engine declines further games.
    pub(super) is_last: bool,
}

/// The result in the notation of international draughts.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub(super) enum DxpVerdict {
    #[display("{}", if *_0 == Color::White { "2-0" } else { "0-2" })]
    Won(Color),
    #[display("1-1")]
    Drawn,
    #[display("*")]
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) verdict: DxpVerdict,
    pub(super) why: String,
    pub(super) connection: AfterGame,
}

/// What happens to the connection after a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AfterGame {
    Kept,
    Closed,
    /// The connection was lost during the game.
    Lost,
    /// A search of this engine failed. The connection is closed.
    Failed,
}

impl AfterGame {
    fn kept_if(is_kept: bool) -> Self {
        if is_kept { Self::Kept } else { Self::Closed }
    }
}

pub(super) struct DxpGame<'a> {
    engine: &'a mut DxpEngine,
    peer: &'a mut Peer,
    terms: Terms,
    used: Duration,
    /// Time used by the other program, as measured by this program.
    used_by_peer: Duration,
    turn_began: Instant,
}

impl<'a> DxpGame<'a> {
    pub(super) fn play(engine: &'a mut DxpEngine, peer: &'a mut Peer, terms: Terms) -> Outcome {
        let (used, used_by_peer) = (Duration::ZERO, Duration::ZERO);
        let mut game = Self { engine, peer, terms, used, used_by_peer, turn_began: Instant::now() };
        let outcome = game.run();
        game.engine.stop_thinking();
        outcome
    }

    fn run(&mut self) -> Outcome {
        loop {
            if self.is_own_turn()
                && !self.engine.is_thinking()
                && let Some(outcome) = self.begin_turn()
            {
                return outcome;
            }
            let deadline = self.deadline();
            let outcome = select! {
                recv(self.peer.incoming) -> incoming => match incoming {
                    Ok((_, Incoming::Message(message))) => self.receive(message),
                    Ok((_, Incoming::Disconnected(reason))) => Some(self.lost_peer(&reason)),
                    Err(_) => Some(self.lost_peer("closed")),
                },
                recv(self.engine.events) -> event => event.ok().and_then(|event| self.think_on(event)),
                recv(deadline) -> _ => Some(self.abort("your time has run out")),
            };
            if let Some(outcome) = outcome {
                return outcome;
            }
        }
    }

    fn is_own_turn(&self) -> bool {
        self.engine.side() == self.terms.own
    }

    /// Returns a timer that fires when the other program has exceeded its time by [`GRACE`]. The timer never fires on
    /// this engine's turn or if the time is unlimited.
    fn deadline(&self) -> crossbeam_channel::Receiver<Instant> {
        match self.terms.time {
            Some(time) if !self.is_own_turn() => {
                let thought = self.used_by_peer + self.turn_began.elapsed();
                after((time + GRACE).saturating_sub(thought))
            }
            _ => never(),
        }
    }

    /// Ends an undecided game if both sides have made the agreed number of moves.
    fn end_after_agreed_moves(&mut self) -> Option<Outcome> {
        let made = self.engine.moves_made(Color::White).min(self.engine.moves_made(Color::Black));
        let is_open = matches!(self.engine.status(), Status::Playing { .. });
        let is_over = is_open && self.terms.moves.is_some_and(|moves| made >= moves);
        is_over.then(|| self.end(DxpVerdict::Unknown, "the agreed number of moves has been played".to_owned()))
    }

    /// Starts a search. If the game has ended under the rules or after the agreed number of moves, returns its outcome
    /// instead.
    fn begin_turn(&mut self) -> Option<Outcome> {
        self.turn_began = Instant::now();
        let over = match self.engine.status() {
            Status::Won { winner, reason } => Some((DxpVerdict::Won(winner), reason.to_string())),
            Status::Drawn(reason) => Some((DxpVerdict::Drawn, reason.to_string())),
            Status::Playing { .. } => None,
        };
        let over = over.map(|(verdict, why)| self.end(verdict, why)).or_else(|| self.end_after_agreed_moves());
        if over.is_some() {
            return over;
        }
        let made = self.engine.moves_made(self.terms.own);
        let left = self.terms.time.map(|time| time.saturating_sub(self.used));
        let to_go = self.terms.moves.map(|moves| u32::from(moves.saturating_sub(made)));
        match self.engine.think(left, to_go, self.turn_began) {
            Ok(()) => None,
            Err(error) => Some(self.fail(&error)),
        }
    }

    fn think_on(&mut self, event: Event) -> Option<Outcome> {
        let record = self.engine.take_answer(event)?;
        let thought = self.turn_began.elapsed();
        self.used += thought;
        let played = record.and_then(|record| self.engine.play(&record).map(|()| record));
        match played {
            Ok(record) => {
                self.turn_began = Instant::now();
                self.send(&DxpMessage::new_move(record, thought)).or_else(|| self.end_after_agreed_moves())
            }
            Err(error) => Some(self.fail(&error)),
        }
    }

    fn receive(&mut self, message: Result<DxpMessage, MessageError>) -> Option<Outcome> {
        match message {
            Ok(DxpMessage::Move { record, .. }) => self.receive_move(&record),
            Ok(DxpMessage::End { reason, stop }) => Some(self.confirm_end(reason, stop)),
            Ok(DxpMessage::Back { number, side }) => self.go_back(number, side),
            Ok(DxpMessage::Request(_)) => {
                self.send(&DxpMessage::Accept { name: self.engine.name.clone(), answer: DxpAnswer::NotThis })
            }
            Err(error @ MessageError::Malformed { kind: 'M', .. }) => Some(self.abort(&error.to_string())),
            other => {
                note(other);
                None
            }
        }
    }

    fn receive_move(&mut self, record: &MoveRecord) -> Option<Outcome> {
        if self.is_own_turn() {
            return Some(self.abort(&format!("move {record}: it is not your turn")));
        }
        self.used_by_peer += self.turn_began.elapsed();
        self.engine.play(record).err().map(|error| self.abort(&error.to_string()))
    }

    /// Answers a request to return to the position before `side` made its move `number`. If the game has reached this
    /// position, undoes the moves made since then.
    fn go_back(&mut self, number: u16, side: Color) -> Option<Outcome> {
        let Some(count) = self.engine.plies_since(number, side) else {
            return self.send(&DxpMessage::BackAnswer(BackAnswer::Continue));
        };
        self.engine.stop_thinking();
        let answer = match self.engine.take_back(count) {
            Ok(()) => BackAnswer::Yes,
            Err(error) => {
                log::warn!("{error}");
                BackAnswer::No
            }
        };
        self.turn_began = Instant::now();
        self.send(&DxpMessage::BackAnswer(answer))
    }

    fn confirm_end(&mut self, reason: DxpResult, stop: bool) -> Outcome {
        self.engine.stop_thinking();
        let peer = self.terms.own.opponent();
        let (verdict, why) = match (self.engine.status(), reason) {
            (Status::Won { winner, reason }, _) => (DxpVerdict::Won(winner), reason.to_string()),
            (Status::Drawn(reason), _) => (DxpVerdict::Drawn, reason.to_string()),
            (Status::Playing { .. }, DxpResult::Loses) => (DxpVerdict::Won(self.terms.own), format!("{peer} resigns")),
            (Status::Playing { .. }, DxpResult::Draw) => (DxpVerdict::Drawn, format!("{peer} claims a draw")),
            (Status::Playing { .. }, DxpResult::Wins) => (DxpVerdict::Won(peer), format!("{peer} claims a win")),
            (Status::Playing { .. }, DxpResult::Unknown) => (DxpVerdict::Unknown, format!("{peer} ends the game")),
        };
        let answer = DxpMessage::End { reason: DxpResult::Unknown, stop: self.terms.is_last };
        let is_sent = self.peer.send(&answer).is_ok();
        Outcome { verdict, why, connection: AfterGame::kept_if(is_sent && !stop && !self.terms.is_last) }
    }

    fn end(&mut self, verdict: DxpVerdict, why: String) -> Outcome {
        let reason = match verdict {
            DxpVerdict::Won(winner) if winner == self.terms.own => DxpResult::Wins,
            DxpVerdict::Won(_) => DxpResult::Loses,
            DxpVerdict::Drawn => DxpResult::Draw,
            DxpVerdict::Unknown => DxpResult::Unknown,
        };
        let stop = self.terms.is_last;
        let is_sent = self.peer.send(&DxpMessage::End { reason, stop }).is_ok();
        let connection = AfterGame::kept_if(is_sent && self.is_end_confirmed() && !stop);
        Outcome { verdict, why, connection }
    }

    fn fail(&mut self, error: &Error) -> Outcome {
        Outcome { connection: AfterGame::Failed, ..self.abort(&error.to_string()) }
    }

    /// Ends the game because of an error, and sends the reason to the other program.
    fn abort(&mut self, why: &str) -> Outcome {
        self.engine.stop_thinking();
        log::warn!("game ended: {why}");
        // An error can be ignored here because the next message will fail as well.
        let _ = self.peer.send(&DxpMessage::Chat(why.to_owned()));
        self.end(DxpVerdict::Unknown, why.to_owned())
    }

    fn is_end_confirmed(&mut self) -> bool {
        let timeout = after(END_TIMEOUT);
        loop {
            select! {
                recv(self.peer.incoming) -> incoming => match incoming {
                    Ok((_, Incoming::Message(Ok(DxpMessage::End { stop, .. })))) => return !stop,
                    Ok((_, Incoming::Message(message))) => note(message),
                    Ok((_, Incoming::Disconnected(_))) | Err(_) => return false,
                },
                recv(timeout) -> _ => return false,
            }
        }
    }

    fn lost_peer(&self, reason: &str) -> Outcome {
        let why = format!("connection lost: {reason}");
        Outcome { verdict: DxpVerdict::Unknown, why, connection: AfterGame::Lost }
    }

    fn send(&mut self, message: &DxpMessage) -> Option<Outcome> {
        let error = self.peer.send(message).err()?;
        Some(self.lost_peer(&error.to_string()))
    }
}
