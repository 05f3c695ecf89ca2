//! Plays all games of a match, several at a time.

use super::delays::SchedulingDelays;
use super::game::{OpenedGame, OpeningError, Stopped, begin, play_game};
use super::player::{MatchContext, NoAnswer, Player, Timeouts};
use super::{EngineSpec, Fault, MatchGame, MatchRules, Opening, Pairing, Schedule, Stop};
use soffio::pool::{Pool, PoolError};
use std::collections::HashSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Everything about a match.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// The engines.
    pub engines: Vec<Arc<EngineSpec>>,
    /// How games are judged.
    pub rules: MatchRules,
    /// How long the runner waits for engines.
    pub timeouts: Timeouts,
    /// The openings, at least one.
    pub openings: Vec<Opening>,
    /// The pairings.
    pub schedule: Schedule,
    /// Games that have been played already, by number.
    pub played: HashSet<usize>,
    /// Games at a time.
    pub concurrency: NonZeroUsize,
    /// The cores that the engines of each of these games keep to; any where there are none.
    pub cores: Vec<Vec<usize>>,
    /// Time between two games of the same thread.
    pub wait: Duration,
}

/// A game of a match that is over.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// The pairing.
    pub pairing: Pairing,
    /// The game.
    pub game: MatchGame,
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
    /// The games could not be played side by side.
    Pool(PoolError),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine { name, fault } => write!(f, "engine {name}: {fault}"),
            Self::Opening { number, error } => write!(f, "opening {number}: {error}"),
            Self::Pool(error) => error.fmt(f),
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
    observer: &mut dyn FnMut(FinishedGame) -> ControlFlow<()>,
) -> Result<(), MatchError> {
    let open = || settings.schedule.pairings().filter(|pairing| !settings.played.contains(&pairing.number));
    let opened = opened_games(settings, &open().map(|pairing| pairing.opening).collect())?;
    let (delays, places) = (Arc::new(SchedulingDelays::default()), AtomicUsize::new(0));
    let worker = || {
        let cores = settings.cores.get(places.fetch_add(1, Ordering::Relaxed));
        let context = MatchContext {
            timeouts: settings.timeouts,
            cores: cores.map(Vec::as_slice).unwrap_or_default().into(),
            delays: Arc::clone(&delays),
            stop: stop.clone(),
        };
        let mut runner = GameRunner { settings, opened: &opened, context, has_played: false, players: Vec::new() };
        move |pairing| runner.play(pairing)
    };
    let mut failure = None;
    let take = |result| match result {
        Ok(Some(game)) if !stop.is_stopped() => observer(game),
        Ok(_) => ControlFlow::Break(()),
        Err(error) => {
            failure = Some(error);
            ControlFlow::Break(())
        }
    };
    let pool = Pool { name: "game", threads: settings.concurrency, stop };
    let over = Stop::new();
    let played = std::thread::scope(|scope| {
        // Without a thread that measures them, no delays are known.
        let watch = || delays.watch(&over);
        if let Err(error) = std::thread::Builder::new().name("delays".to_owned()).spawn_scoped(scope, watch) {
            log::debug!("delays of the machine are not measured: {error}");
        }
        let _over = StopAtEnd(&over);
        pool.run(open(), worker, take).map_err(MatchError::Pool)
    });
    failure.map_or(played, Err)
}

/// The games after each opening; `None` for an opening that no pairing uses, since a file can have very many.
fn opened_games(settings: &MatchSettings, used: &HashSet<usize>) -> Result<Vec<Option<OpenedGame>>, MatchError> {
    let opened = |(index, opening)| match begin(settings.rules.variant, opening) {
        Ok(game) => Ok(used.contains(&index).then_some(game)),
        Err(error) => Err(MatchError::Opening { number: index + 1, error }),
    };
    settings.openings.iter().enumerate().map(opened).collect()
}

/// Gives the stop signal when it is dropped, also by a panic.
struct StopAtEnd<'a>(&'a Stop);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Plays one game after the other in one thread.
struct GameRunner<'a> {
    settings: &'a MatchSettings,
    /// The games after their openings.
    opened: &'a [Option<OpenedGame>],
    context: MatchContext,
    has_played: bool,
    /// The engines that are running, by index.
    players: Vec<(usize, Player)>,
}

impl Drop for GameRunner<'_> {
    fn drop(&mut self) {
        Player::quit(self.players.drain(..).map(|(_, player)| player).collect());
    }
}

impl GameRunner<'_> {
    /// Plays one game; `None` when it was stopped.
    fn play(&mut self, pairing: Pairing) -> Result<Option<FinishedGame>, MatchError> {
        self.dismiss(pairing);
        // The signal ends the time between two games.
        if std::mem::replace(&mut self.has_played, true) && !self.settings.wait.is_zero() {
            let _ = self.context.stop.receiver().recv_timeout(self.settings.wait);
        }
        Ok(self.play_game(pairing)?.map(|game| FinishedGame { pairing, game }))
    }

    /// Ends the engines that do not play in `pairing`: their memory is wanted for those that do.
    fn dismiss(&mut self, pairing: Pairing) {
        let is_wanted = |(index, _): &(usize, Player)| *index == pairing.white || *index == pairing.black;
        let (wanted, others): (Vec<_>, Vec<_>) = self.players.drain(..).partition(is_wanted);
        self.players = wanted;
        Player::quit(others.into_iter().map(|(_, player)| player).collect());
    }

    fn play_game(&mut self, pairing: Pairing) -> Result<Option<MatchGame>, MatchError> {
        let (Some(mut white), Some(mut black)) = (self.player(pairing.white)?, self.player(pairing.black)?) else {
            return Ok(None);
        };
        let Some(Some(opened)) = self.opened.get(pairing.opening) else { return Ok(None) };
        let result = play_game(&self.settings.rules, opened.clone(), [&mut white, &mut black]);
        let game = match result {
            Ok(game) => game,
            Err(Stopped) => {
                self.players.extend([(pairing.white, white), (pairing.black, black)]);
                return Ok(None);
            }
        };
        let players = [(pairing.white, white), (pairing.black, black)];
        for ((index, player), is_usable) in players.into_iter().zip(game.are_usable) {
            // An engine that cannot be talked to any more is killed here, and started again when its turn comes.
            match (is_usable, player.spec().restarts) {
                (true, false) => self.players.push((index, player)),
                (true, true) => Player::quit(vec![player]),
                (false, _) => drop(player),
            }
        }
        Ok(Some(game))
    }

    /// The engine `index`, running; `None` when the match is being stopped.
    fn player(&mut self, index: usize) -> Result<Option<Player>, MatchError> {
        if let Some(at) = self.players.iter().position(|(known, _)| *known == index) {
            return Ok(Some(self.players.swap_remove(at).1));
        }
        let Some(spec) = self.settings.engines.get(index) else { return Ok(None) };
        match Player::start(spec, self.settings.rules.variant, &self.context) {
            Ok(player) => Ok(Some(player)),
            // An engine does not resign before its game has begun.
            Err(NoAnswer::Stopped | NoAnswer::Resigns) => Ok(None),
            Err(NoAnswer::Fault(fault)) => Err(MatchError::Engine { name: spec.name.clone(), fault }),
        }
    }
}
