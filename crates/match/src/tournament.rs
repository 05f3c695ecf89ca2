//! Plays the games of a match concurrently.

use super::answer::{EngineFault, NoAnswer};
use super::client::{DxpClient, EngineClient, FailedClient, LineClient, MatchContext, MatchPlayer, Timeouts};
use super::game::MatchGame;
use super::machine::SchedulingDelays;
use super::{EngineSpec, GameLog, Link, Pairing, Schedule, Stop};
use anyhow::{Result, ensure};
use soffio::pool::Pool;
use std::collections::{BTreeSet, HashSet};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

/// Number of games that an engine may lose in a row because it cannot be restarted.
const MAX_FAILED_STARTS: u32 = 9;

#[derive(Clone, Debug)]
pub struct MatchSettings {
    pub engines: Vec<Arc<EngineSpec>>,
    pub timeouts: Timeouts,
    pub schedule: Schedule,
    /// Numbers of the games that have already been played.
    pub played: HashSet<usize>,
    pub concurrency: NonZeroUsize,
    /// Cores for the engines of each concurrent game. If empty, the engines may use any core.
    pub cores: Vec<Vec<usize>>,
    /// Pause between two games on the same thread.
    pub wait: Duration,
}

/// Plays a match of `game`. Calls `observer` on the caller's thread for every game, in the order in which the games
/// end. The match ends early if `stop` is set or `observer` breaks; games that end later are discarded. Fails if a game
/// cannot begin, if an engine cannot be started, or if it repeatedly cannot be restarted. With more than two engines,
/// each one that uses pipes is started once before the first game.
pub fn run(
    game: &dyn MatchGame,
    settings: &MatchSettings,
    stop: &Stop,
    observer: &mut dyn FnMut(Pairing, GameLog) -> ControlFlow<()>,
) -> Result<()> {
    let open = || settings.schedule.pairings().filter(|pairing| !settings.played.contains(&pairing.number));
    let (delays, places) = (Arc::new(SchedulingDelays::default()), AtomicUsize::new(0));
    let failures: Vec<_> = settings.engines.iter().map(|_| AtomicU32::new(MAX_FAILED_STARTS)).collect();
    let runner = |place| {
        let cores = settings.cores.get(place);
        let context = MatchContext {
            timeouts: settings.timeouts,
            cores: cores.map(Vec::as_slice).unwrap_or_default().into(),
            delays: Arc::clone(&delays),
            stop: stop.clone(),
        };
        GameRunner { game, settings, context, failures: &failures, has_played: false, players: Vec::new() }
    };
    if settings.engines.len() > 2 {
        runner(0).check_engines(&open().flat_map(|pairing| [pairing.white, pairing.black]).collect())?;
    }
    let worker = || {
        let mut runner = runner(places.fetch_add(1, Ordering::Relaxed));
        move |pairing| runner.play(pairing)
    };
    let take = |played: Option<_>| match played {
        Some((pairing, log)) if !stop.is_stopped() => Ok(observer(pairing, log)),
        _ => Ok(ControlFlow::Break(())),
    };
    let over = Stop::new();
    std::thread::scope(|scope| {
        let watch = || delays.watch(&over);
        if let Err(error) = std::thread::Builder::new().name("delays".to_owned()).spawn_scoped(scope, watch) {
            log::debug!("cannot measure scheduling delays: {error}");
        }
        let _over = StopAtEnd(&over);
        Pool { name: "game", threads: settings.concurrency, stop }.try_run(open(), worker, take)
    })
}

/// Sends the stop signal when it is dropped, even after a panic.
struct StopAtEnd<'a>(&'a Stop);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

struct GameRunner<'a> {
    game: &'a dyn MatchGame,
    settings: &'a MatchSettings,
    context: MatchContext,
    /// Number of consecutive failed starts of each engine. An engine that has never been started has reached the limit.
    failures: &'a [AtomicU32],
    has_played: bool,
    players: Vec<(usize, MatchPlayer)>,
}

impl Drop for GameRunner<'_> {
    fn drop(&mut self) {
        MatchPlayer::quit(self.players.drain(..).map(|(_, player)| player));
    }
}

impl GameRunner<'_> {
    /// Starts and quits the processes of `engines`. Fails if one of them cannot be started.
    fn check_engines(&mut self, engines: &BTreeSet<usize>) -> Result<()> {
        for &index in engines {
            let is_process = |spec: &Arc<EngineSpec>| matches!(spec.link, Link::Pipes { .. });
            if self.settings.engines.get(index).is_some_and(is_process) {
                MatchPlayer::quit(self.player(index)?);
            }
        }
        Ok(())
    }

    fn play(&mut self, pairing: Pairing) -> Result<Option<(Pairing, GameLog)>> {
        // Free the memory of the engines that do not play in this game.
        let is_other = |(index, _): &mut (usize, MatchPlayer)| *index != pairing.white && *index != pairing.black;
        MatchPlayer::quit(self.players.extract_if(.., is_other).map(|(_, player)| player));
        // The stop signal interrupts the pause.
        if std::mem::replace(&mut self.has_played, true) && !self.settings.wait.is_zero() {
            let _ = self.context.stop.receiver().recv_timeout(self.settings.wait);
        }
        let (Some(mut white), Some(mut black)) = (self.player(pairing.white)?, self.player(pairing.black)?) else {
            return Ok(None);
        };
        let played = self.game.play(&pairing, [&mut white, &mut black])?;
        let (log, are_usable) = played.map_or((None, [true; 2]), |(log, are_usable)| (Some(log), are_usable));
        let players = [(pairing.white, white), (pairing.black, black)];
        for ((index, player), is_usable) in players.into_iter().zip(are_usable) {
            // An unusable engine is killed here and restarted when it is needed.
            match (is_usable, player.spec.restarts) {
                (true, false) => self.players.push((index, player)),
                (true, true) => MatchPlayer::quit([player]),
                (false, _) => drop(player),
            }
        }
        Ok(log.map(|log| (pairing, log)))
    }

    /// Returns the player with a running engine. If the engine ran earlier in the match but cannot be restarted, the
    /// player loses its game. Returns `None` if the match is stopped.
    fn player(&mut self, index: usize) -> Result<Option<MatchPlayer>> {
        if let Some(at) = self.players.iter().position(|(known, _)| *known == index) {
            return Ok(Some(self.players.swap_remove(at).1));
        }
        let Some((spec, failures)) = self.settings.engines.get(index).zip(self.failures.get(index)) else {
            return Ok(None);
        };
        let client = match self.client(spec) {
            Ok(client) => {
                failures.store(0, Ordering::Relaxed);
                client
            }
            // An engine cannot resign before its game has begun.
            Err(NoAnswer::Stopped | NoAnswer::Resigns) => return Ok(None),
            Err(NoAnswer::Fault(fault)) => {
                let is_final = failures.fetch_add(1, Ordering::Relaxed) >= MAX_FAILED_STARTS;
                ensure!(!is_final, "engine {}: {fault}", spec.name);
                Box::new(FailedClient(fault))
            }
        };
        Ok(Some(MatchPlayer { spec: Arc::clone(spec), client }))
    }

    fn client(&self, spec: &Arc<EngineSpec>) -> Result<Box<dyn EngineClient>, NoAnswer> {
        Ok(match (&spec.link, self.game.variant()) {
            (Link::Pipes { protocol, program }, _) => {
                let choose = |known: &[String]| self.game.choose(*protocol, known);
                Box::new(LineClient::start(spec, *protocol, program, choose, &self.context)?)
            }
            (Link::Dxp(address), Some(variant)) => Box::new(DxpClient::start(spec, address, variant, &self.context)?),
            (Link::Dxp(_), None) => {
                return Err(EngineFault::NotStarted { problem: "DXP supports only draughts".to_owned() }.into());
            }
        })
    }
}
