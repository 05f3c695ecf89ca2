//! Matches of tavla between engine processes, with the same dice for both orders.
//!
//! The engines are those of other matches: their processes, clocks and faults are what [`crate::arena`] makes of them, and the games
//! are shared out to the one worker pool. Here are the rules, the dice and the points.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod game;
mod results;

pub use results::{GameLog, Results};

use crate::arena::{EngineSpec, NativeEngine, Pairing, Schedule, Timeouts, play_side_by_side, started};
use anyhow::Result;
use game::{Terms, play_game};
use soffio::notation::pdn::Date;
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
    pub engines: [Arc<EngineSpec>; 2],
    /// The rules, which the engines are told.
    pub rules: Rules,
    pub timeouts: Timeouts,
    /// The pairings; games with the same opening have the same dice.
    pub schedule: Schedule,
    /// The seed of the dice.
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
    observer: &mut dyn FnMut((Pairing, GameLog)) -> ControlFlow<()>,
) -> Result<()> {
    let open = settings.schedule.pairings().filter(|pairing| !settings.played.contains(&pairing.number));
    let worker = || {
        let mut runner = GameRunner { settings, stop, engines: [None, None] };
        move |pairing| runner.play(pairing)
    };
    play_side_by_side((settings.concurrency, stop), open, worker, observer)
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
        NativeEngine::quit(self.engines.iter_mut().filter_map(Option::take));
    }
}

impl GameRunner<'_> {
    /// Plays one game; `None` when it was stopped.
    fn play(&mut self, pairing: Pairing) -> Result<Option<(Pairing, GameLog)>> {
        let (white_index, black_index) = (pairing.white, pairing.black);
        let (Some(mut white), Some(mut black)) = (self.engine(white_index)?, self.engine(black_index)?) else {
            return Ok(None);
        };
        let MatchSettings { rules, max_turns, seed, .. } = *self.settings;
        let terms = Terms { rules, max_turns, dice: dice_of(seed, pairing.opening as u64) };
        let played = play_game(terms, [&mut white, &mut black]).ok();
        let are_usable = played.as_ref().map_or([true; 2], |played| played.are_usable);
        for ((index, engine), is_usable) in [(white_index, white), (black_index, black)].into_iter().zip(are_usable) {
            // An engine that cannot be talked to any more is killed here, and started again for the next game.
            if let Some(place) = self.engines.get_mut(index).filter(|_| is_usable) {
                *place = Some(engine);
            }
        }
        let name = |index: usize| self.settings.engines.get(index).map_or("?", |spec| spec.name.as_str());
        let names = [name(white_index), name(black_index)];
        let date = Date::from(SystemTime::now()).to_string();
        Ok(played.map(|played| (pairing, GameLog::new(&pairing, played, names, &date))))
    }

    /// Returns the engine `index`, running; `None` when the match is being stopped.
    fn engine(&mut self, index: usize) -> Result<Option<NativeEngine>> {
        if let Some(engine) = self.engines.get_mut(index).and_then(Option::take) {
            return Ok(Some(engine));
        }
        let Some(spec) = self.settings.engines.get(index) else { return Ok(None) };
        let lines = rule_lines(self.settings.rules);
        started(&spec.name, NativeEngine::start(spec, &lines, self.settings.timeouts, self.stop))
    }
}

/// Returns the lines that choose the game and its rules.
fn rule_lines(rules: Rules) -> Vec<String> {
    let set = |name: &str, value: &str| {
        let command: Command = Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) };
        command.to_string()
    };
    let check = |name: &str, value: bool| set(name, if value { "true" } else { "false" });
    vec![set("UCI_Variant", NAME), check("Mars", rules.mars), check("Hit And Run", rules.hit_and_run)]
}
