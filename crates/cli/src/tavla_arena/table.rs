//! Plays all games of a match, several at a time.

use super::GameLog;
use super::game::{Stopped, Terms, play_game};
use crate::arena::{EngineSpec, MatchError, NativeEngine, NoAnswer, Pairing, Schedule, Timeouts};
use soffio::notation::pdn::Date;
use soffio::pool::Pool;
use soffio::stop::Stop;
use soffio::wire::native::Command;
use soffio_tavla::duel::dice_of;
use soffio_tavla::rules::Rules;
use soffio_tavla::session::NAME;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::SystemTime;

/// Everything about a match.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// The engines.
    pub engines: [Arc<EngineSpec>; 2],
    /// The rules, which the engines are told.
    pub rules: Rules,
    /// How long the runner waits for engines.
    pub timeouts: Timeouts,
    /// The pairings; games with the same opening have the same dice.
    pub schedule: Schedule,
    /// What the dice depend on.
    pub seed: u64,
    /// Turns of each side after which nobody wins a game.
    pub max_turns: u32,
    /// Games that have been played already, by number.
    pub played: HashSet<usize>,
    /// Games at a time.
    pub concurrency: NonZeroUsize,
}

/// Plays the match. `observer` is told of every game in the order in which they end, in the thread of the caller.
///
/// # Errors
/// When an engine cannot be started for the first time, or the games not be played side by side.
pub fn run(
    settings: &MatchSettings,
    stop: &Stop,
    observer: &mut dyn FnMut(Pairing, GameLog) -> ControlFlow<()>,
) -> Result<(), MatchError> {
    let open = settings.schedule.pairings().filter(|pairing| !settings.played.contains(&pairing.number));
    let worker = || {
        let mut runner = GameRunner { settings, stop, engines: [None, None] };
        move |pairing| runner.play(pairing)
    };
    let mut failure = None;
    let take = |result| match result {
        Ok(Some((pairing, log))) if !stop.is_stopped() => observer(pairing, log),
        Ok(_) => ControlFlow::Break(()),
        Err(error) => {
            failure = Some(error);
            ControlFlow::Break(())
        }
    };
    let pool = Pool { name: "game", threads: settings.concurrency, stop };
    let played = pool.run(open, worker, take).map_err(MatchError::Pool);
    failure.map_or(played, Err)
}

/// Plays one game after the other in one thread.
struct GameRunner<'a> {
    settings: &'a MatchSettings,
    stop: &'a Stop,
    /// The engines that are running, in the order of the match.
    engines: [Option<NativeEngine>; 2],
}

impl Drop for GameRunner<'_> {
    fn drop(&mut self) {
        NativeEngine::quit(self.engines.iter_mut().filter_map(Option::take).collect());
    }
}

impl GameRunner<'_> {
    /// Plays one game; `None` when it was stopped.
    fn play(&mut self, pairing: Pairing) -> Result<Option<(Pairing, GameLog)>, MatchError> {
        let is_swapped = pairing.white == 1;
        let (Some(mut one), Some(mut two)) = (self.engine(0)?, self.engine(1)?) else { return Ok(None) };
        let MatchSettings { rules, max_turns, seed, .. } = *self.settings;
        let terms = Terms { rules, max_turns, dice: dice_of(seed, pairing.opening as u64) };
        let players = if is_swapped { [&mut two, &mut one] } else { [&mut one, &mut two] };
        let played = match play_game(terms, players) {
            Ok(played) => played,
            Err(Stopped) => {
                self.engines = [Some(one), Some(two)];
                return Ok(None);
            }
        };
        let [white_is_usable, black_is_usable] = played.are_usable;
        let (one_is_usable, two_is_usable) =
            if is_swapped { (black_is_usable, white_is_usable) } else { (white_is_usable, black_is_usable) };
        // An engine that cannot be talked to any more is killed here, and started again for the next game.
        self.engines = [Some(one).filter(|_| one_is_usable), Some(two).filter(|_| two_is_usable)];
        let [first, second] = self.settings.engines.each_ref().map(|spec| spec.name.as_str());
        let names = if is_swapped { [second, first] } else { [first, second] };
        Ok(Some((pairing, GameLog::new(&pairing, played, names, &Date::from(SystemTime::now()).to_string()))))
    }

    /// The engine `index`, running; `None` when the match is being stopped.
    fn engine(&mut self, index: usize) -> Result<Option<NativeEngine>, MatchError> {
        if let Some(engine) = self.engines.get_mut(index).and_then(Option::take) {
            return Ok(Some(engine));
        }
        let Some(spec) = self.settings.engines.get(index) else { return Ok(None) };
        match NativeEngine::start(spec, &rule_lines(self.settings.rules), self.settings.timeouts, self.stop) {
            Ok(engine) => Ok(Some(engine)),
            // An engine does not resign before its game has begun.
            Err(NoAnswer::Stopped | NoAnswer::Resigns) => Ok(None),
            Err(NoAnswer::Fault(fault)) => Err(MatchError::Engine { name: spec.name.clone(), fault }),
        }
    }
}

/// The lines that choose the game and its rules.
fn rule_lines(rules: Rules) -> Vec<String> {
    let set = |name: &str, value: &str| {
        let command: Command = Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) };
        command.to_string()
    };
    let check = |name: &str, value: bool| set(name, if value { "true" } else { "false" });
    vec![set("UCI_Variant", NAME), check("Mars", rules.mars), check("Hit And Run", rules.hit_and_run)]
}
