//! Repeats the experiments from five student reports on draughts programs.
//!
//! The players of the reports are reproduced by the plain players and evaluations of the engine. All random choices are
//! determined by a seed, so results that do not depend on time are reproducible.

mod games;
mod reports;

pub use games::{PlayedGames, TimeRow, mean_times, play_games, sample};
pub use reports::{
    ENGLISH_MINIMAX, ENGLISH_PRUNING, FULL_MOVE_TIME, ITALIAN_MINIMAX, PublishedTimes, RANDOM_GAMES, ROUND_ROBIN_GAMES,
    ROUND_ROBIN_WINS, SAVERS, SAVINGS_DEPTH, round_robin, seed_players,
};

use anyhow::Result;
use soffio::engine::{Answer, Engine, EvaluationKind, Limits, PlainKind, PlainPlayer, Setting, Style};
use soffio::game::Game;
use std::time::Duration;

/// A callback that receives the number of completed games or positions and their total number.
pub type ProgressSink<'a> = &'a mut dyn FnMut(usize, usize);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    pub name: String,
    pub style: Style,
    pub depth: Option<u8>,
    pub move_time: Option<Duration>,
}

impl Contender {
    pub fn plain(player: PlainPlayer, evaluation: PlainKind, depth: u8) -> Self {
        Self {
            name: format!("{} {}, depth {depth}", player.name(), evaluation.name()),
            style: Style { player: Some(player), evaluation: EvaluationKind::Plain(evaluation), kings_after: 0 },
            depth: Some(depth),
            move_time: None,
        }
    }

    pub fn random() -> Self {
        let style = Style { player: Some(PlainPlayer::Random), ..Style::default() };
        Self { name: "random".to_owned(), style, depth: None, move_time: None }
    }

    pub fn full_to_depth(depth: u8) -> Self {
        Self { name: format!("full, depth {depth}"), style: Style::default(), depth: Some(depth), move_time: None }
    }

    pub fn full(move_time: Duration) -> Self {
        let name = format!("full, {} ms", move_time.as_millis());
        Self { name, style: Style::default(), depth: None, move_time: Some(move_time) }
    }

    fn engine(&self, hash: usize) -> Result<Engine> {
        let mut engine = Engine::new();
        for setting in [
            Setting::Hash(hash),
            Setting::Player(self.style.player),
            Setting::Evaluation(self.style.evaluation),
            Setting::KingsAfter(self.style.kings_after),
        ] {
            engine.apply(setting)?;
        }
        Ok(engine)
    }

    /// Searches for a move. `seed` determines the random choices of the player.
    fn think(&self, engine: &mut Engine, game: &Game, seed: u64) -> Result<Answer> {
        engine.apply(Setting::Seed(seed))?;
        // The engine requires a limit. A random player never reaches the limit, so any limit can be used.
        let needs_limit = self.depth.is_none() && self.move_time.is_none();
        let depth = if needs_limit { Some(1) } else { self.depth };
        let limits = Limits { depth, move_time: self.move_time, ..Limits::default() };
        Ok(engine.go(game, limits)?)
    }
}
