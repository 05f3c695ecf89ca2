//! Plays all games of a match, several at a time.

use super::game::{NoGame, OpeningError, begin, play_game};
use super::player::{NoAnswer, Patience};
use super::{EngineSpec, Fault, GameRules, Opening, Pairing, PlayedGame, Player, Schedule, Stop};
use crossbeam_channel::{Sender, unbounded};
use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Everything about a match.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// The engines.
    pub engines: Vec<Arc<EngineSpec>>,
    /// How games are judged.
    pub rules: GameRules,
    /// How patient one is with engines.
    pub patience: Patience,
    /// The openings, at least one.
    pub openings: Vec<Opening>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// Games that have been played already, by number.
    pub played: HashSet<usize>,
    /// Games at a time, at least one.
    pub concurrency: usize,
}

/// A game of a match that is over.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// Who played.
    pub pairing: Pairing,
    /// What happened.
    pub game: PlayedGame,
}

/// Whether a match goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    Continue,
    /// It ends; games in progress are broken off.
    End,
}

/// Why a match cannot be played.
#[derive(Debug)]
pub enum MatchError {
    /// An engine cannot be made ready.
    Engine {
        /// Its name.
        name: String,
        /// Why.
        fault: Fault,
    },
    /// An opening cannot be played.
    Opening {
        /// Its number, counted from 1.
        number: usize,
        /// Why.
        error: OpeningError,
    },
    /// The system has no more threads.
    Thread(io::Error),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine { name, fault } => write!(f, "engine {name}: {fault}"),
            Self::Opening { number, error } => write!(f, "opening {number}: {error}"),
            Self::Thread(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MatchError {}

/// Plays the match. `observer` is told of every game in the order in which they end, in the thread of the caller.
///
/// # Errors
/// When an opening is none, or an engine cannot be started for the first time.
pub fn run(
    settings: &MatchSettings,
    stop: &Stop,
    observer: &mut dyn FnMut(FinishedGame) -> Flow,
) -> Result<(), MatchError> {
    for (index, opening) in settings.openings.iter().enumerate() {
        begin(settings.rules.variant, opening).map_err(|error| MatchError::Opening { number: index + 1, error })?;
    }
    let open = settings.schedule.pairings().filter(|pairing| !settings.played.contains(&pairing.number));
    let pairings = Mutex::new(open.collect::<VecDeque<_>>());
    let (sender, results) = unbounded();
    let mut failure = None;
    std::thread::scope(|scope| {
        for index in 0..settings.concurrency.max(1) {
            let worker = Worker { settings, stop, pairings: &pairings, results: sender.clone(), seats: Vec::new() };
            let thread = std::thread::Builder::new().name(format!("game {}", index + 1));
            if let Err(error) = thread.spawn_scoped(scope, move || worker.run()) {
                failure = Some(MatchError::Thread(error));
                stop.stop();
                break;
            }
        }
        drop(sender);
        for result in results {
            let flow = match result {
                Ok(game) if !stop.is_stopped() => observer(game),
                Ok(_) => Flow::End,
                Err(error) => {
                    failure.get_or_insert(error);
                    Flow::End
                }
            };
            if flow == Flow::End {
                stop.stop();
            }
        }
    });
    failure.map_or(Ok(()), Err)
}

/// One thread that plays one game after the other.
struct Worker<'a> {
    settings: &'a MatchSettings,
    stop: &'a Stop,
    pairings: &'a Mutex<VecDeque<Pairing>>,
    results: Sender<Result<FinishedGame, MatchError>>,
    /// The engines that are running, by index.
    seats: Vec<(usize, Player)>,
}

impl Worker<'_> {
    fn run(mut self) {
        while let Some(pairing) = self.next_pairing() {
            self.dismiss(pairing);
            match self.play(pairing) {
                Ok(Some(game)) => drop(self.results.send(Ok(FinishedGame { pairing, game }))),
                Ok(None) => break,
                Err(error) => {
                    drop(self.results.send(Err(error)));
                    break;
                }
            }
        }
        Player::quit(self.seats.into_iter().map(|(_, player)| player).collect());
    }

    fn next_pairing(&self) -> Option<Pairing> {
        if self.stop.is_stopped() {
            return None;
        }
        self.pairings.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    /// Ends the engines that do not play in `pairing`: their memory is wanted for those that do.
    fn dismiss(&mut self, pairing: Pairing) {
        let is_wanted = |(index, _): &(usize, Player)| *index == pairing.white || *index == pairing.black;
        let (wanted, others): (Vec<_>, Vec<_>) = self.seats.drain(..).partition(is_wanted);
        self.seats = wanted;
        Player::quit(others.into_iter().map(|(_, player)| player).collect());
    }

    /// Plays one game; `None` when it was stopped.
    fn play(&mut self, pairing: Pairing) -> Result<Option<PlayedGame>, MatchError> {
        let (Some(mut white), Some(mut black)) = (self.player(pairing.white)?, self.player(pairing.black)?) else {
            return Ok(None);
        };
        let Some(opening) = self.settings.openings.get(pairing.opening) else { return Ok(None) };
        let result = play_game(&self.settings.rules, opening, [&mut white, &mut black]);
        let game = match result {
            Ok(game) => game,
            Err(NoGame::Stopped) => {
                self.seats.extend([(pairing.white, white), (pairing.black, black)]);
                return Ok(None);
            }
            Err(NoGame::Opening(error)) => return Err(MatchError::Opening { number: pairing.opening + 1, error }),
        };
        let seats = [(pairing.white, white), (pairing.black, black)];
        for ((index, player), is_usable) in seats.into_iter().zip(game.are_usable) {
            // An engine that cannot be talked to any more is killed here, and started again when its turn comes.
            if is_usable {
                self.seats.push((index, player));
            }
        }
        Ok(Some(game))
    }

    /// The engine `index`, running; `None` when the match is being stopped.
    fn player(&mut self, index: usize) -> Result<Option<Player>, MatchError> {
        if let Some(at) = self.seats.iter().position(|(known, _)| *known == index) {
            return Ok(Some(self.seats.swap_remove(at).1));
        }
        let Some(spec) = self.settings.engines.get(index) else { return Ok(None) };
        match Player::start(spec, self.settings.rules.variant, self.settings.patience, self.stop) {
            Ok(player) => Ok(Some(player)),
            // Nobody gives up a game that has not begun.
            Err(NoAnswer::Stopped | NoAnswer::Resigns) => Ok(None),
            Err(NoAnswer::Fault(fault)) => Err(MatchError::Engine { name: spec.name.clone(), fault }),
        }
    }
}
