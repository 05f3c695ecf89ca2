//! Plays all games of a match, several at a time.

use super::answer::NoAnswer;
use super::game::play_game;
use super::machine::SchedulingDelays;
use super::openings::OpenedGame;
use super::player::{MatchContext, Player, Timeouts};
use super::{EngineSpec, MatchGame, MatchRules, Opening, Pairing, Schedule, Stop};
use anyhow::{Error, Result, anyhow};
use soffio::pool::Pool;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Everything about a match.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    pub engines: Vec<Arc<EngineSpec>>,
    pub rules: MatchRules,
    pub timeouts: Timeouts,
    /// The openings, at least one.
    pub openings: Vec<Opening>,
    pub schedule: Schedule,
    /// Games that have been played already, by number.
    pub played: HashSet<usize>,
    /// Games at a time.
    pub concurrency: NonZeroUsize,
    /// The cores that the engines of each of these games keep to; any if this is empty.
    pub cores: Vec<Vec<usize>>,
    /// Time between two games of the same thread.
    pub wait: Duration,
}

/// A game of a match that is over.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    pub pairing: Pairing,
    pub game: MatchGame,
}

/// Plays the match. `observer` is told of every game in the order in which they end, in the thread of the caller.
///
/// # Errors
/// When an opening cannot be played, or an engine cannot be started for the first time.
pub fn run(
    settings: &MatchSettings,
    stop: &Stop,
    observer: &mut dyn FnMut(FinishedGame) -> ControlFlow<()>,
) -> Result<()> {
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
    let over = Stop::new();
    std::thread::scope(|scope| {
        // Without a thread that measures them, no delays are known.
        let watch = || delays.watch(&over);
        if let Err(error) = std::thread::Builder::new().name("delays".to_owned()).spawn_scoped(scope, watch) {
            log::debug!("delays of the machine are not measured: {error}");
        }
        let _over = StopAtEnd(&over);
        play_side_by_side((settings.concurrency, stop), open(), worker, observer)
    })
}

/// Plays the games of `pairings`, each in one of so many threads, in which `worker` makes the function that plays. `observer` is told of
/// every game in the order in which they end, in the thread of the caller.
///
/// # Errors
/// When a game cannot be played, or threads cannot be started.
pub fn play_side_by_side<G: Send, P: FnMut(Pairing) -> Result<Option<G>>>(
    (threads, stop): (NonZeroUsize, &Stop),
    pairings: impl Iterator<Item = Pairing> + Send,
    worker: impl Fn() -> P + Sync,
    observer: &mut dyn FnMut(G) -> ControlFlow<()>,
) -> Result<()> {
    let mut failure = None;
    let take = |result| match result {
        Ok(Some(game)) if !stop.is_stopped() => observer(game),
        Ok(_) => ControlFlow::Break(()),
        Err(error) => {
            failure = Some(error);
            ControlFlow::Break(())
        }
    };
    let played = Pool { name: "game", threads, stop }.run(pairings, worker, take);
    failure.map_or(played.map_err(Error::from), Err)
}

/// Returns the games after each opening; `None` for an opening that no pairing uses, since a file can have very many.
fn opened_games(settings: &MatchSettings, used: &HashSet<usize>) -> Result<Vec<Option<OpenedGame>>> {
    let opened = |(index, opening): (usize, &Opening)| {
        let game = used.contains(&index).then(|| opening.open(settings.rules.variant)).transpose();
        game.map_err(|error| anyhow!("opening {}: {error}", index + 1))
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
        Player::quit(self.players.drain(..).map(|(_, player)| player));
    }
}

impl GameRunner<'_> {
    /// Plays one game; `None` when it was stopped.
    fn play(&mut self, pairing: Pairing) -> Result<Option<FinishedGame>> {
        // The memory of those that do not play now is wanted for those that do.
        let is_other = |(index, _): &mut (usize, Player)| *index != pairing.white && *index != pairing.black;
        Player::quit(self.players.extract_if(.., is_other).map(|(_, player)| player));
        // The signal ends the time between two games.
        if std::mem::replace(&mut self.has_played, true) && !self.settings.wait.is_zero() {
            let _ = self.context.stop.receiver().recv_timeout(self.settings.wait);
        }
        Ok(self.play_game(pairing)?.map(|game| FinishedGame { pairing, game }))
    }

    fn play_game(&mut self, pairing: Pairing) -> Result<Option<MatchGame>> {
        let (Some(mut white), Some(mut black)) = (self.player(pairing.white)?, self.player(pairing.black)?) else {
            return Ok(None);
        };
        let Some(Some(opened)) = self.opened.get(pairing.opening) else { return Ok(None) };
        let result = play_game(&self.settings.rules, opened.clone(), [&mut white, &mut black]);
        let players = [(pairing.white, white), (pairing.black, black)];
        let Ok(game) = result else {
            self.players.extend(players);
            return Ok(None);
        };
        for ((index, player), is_usable) in players.into_iter().zip(game.are_usable) {
            // An engine that cannot be talked to any more is killed here, and started again when its turn comes.
            match (is_usable, player.spec().restarts) {
                (true, false) => self.players.push((index, player)),
                (true, true) => Player::quit([player]),
                (false, _) => drop(player),
            }
        }
        Ok(Some(game))
    }

    /// Returns the engine `index`, running; `None` when the match is being stopped.
    fn player(&mut self, index: usize) -> Result<Option<Player>> {
        if let Some(at) = self.players.iter().position(|(known, _)| *known == index) {
            return Ok(Some(self.players.swap_remove(at).1));
        }
        let Some(spec) = self.settings.engines.get(index) else { return Ok(None) };
        started(&spec.name, Player::start(spec, self.settings.rules.variant, &self.context))
    }
}

/// Returns the engine called `name` as it was `started`; `None` when the match is being stopped.
///
/// # Errors
/// When it could not be started.
pub fn started<E>(name: &str, started: Result<E, NoAnswer>) -> Result<Option<E>> {
    match started {
        Ok(engine) => Ok(Some(engine)),
        // An engine does not resign before its game has begun.
        Err(NoAnswer::Stopped | NoAnswer::Resigns) => Ok(None),
        Err(NoAnswer::Fault(fault)) => Err(anyhow!("engine {name}: {fault}")),
    }
}
