//! The players that take part.

use soffio::engine::{Answer, Engine, EvaluationKind, Limits, PlainKind, PlainPlayer, Setting, Style};
use soffio::game::Game;
use std::io;
use std::time::Duration;

/// A player with an evaluation and a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    /// Its name.
    pub name: String,
    /// The player and the evaluation.
    pub style: Style,
    /// How many plies it looks ahead.
    pub depth: Option<u8>,
    /// Time for each move.
    pub move_time: Option<Duration>,
}

impl Contender {
    /// A plain player that looks `depth` plies ahead.
    pub fn plain(player: PlainPlayer, evaluation: PlainKind, depth: u8) -> Self {
        Self {
            name: format!("{} {}, depth {depth}", player.name(), evaluation.name()),
            style: Style { player: Some(player), evaluation: EvaluationKind::Plain(evaluation), kings_after: 0 },
            depth: Some(depth),
            move_time: None,
        }
    }

    /// The player that moves at random.
    pub fn random() -> Self {
        let style = Style { player: Some(PlainPlayer::Random), ..Style::default() };
        Self { name: "random".to_owned(), style, depth: None, move_time: None }
    }

    /// The full search to a depth.
    pub fn full_to_depth(depth: u8) -> Self {
        Self { name: format!("full, depth {depth}"), style: Style::default(), depth: Some(depth), move_time: None }
    }

    /// The full search with a time for each move.
    pub fn full(move_time: Duration) -> Self {
        let name = format!("full, {} ms", move_time.as_millis());
        Self { name, style: Style::default(), depth: None, move_time: Some(move_time) }
    }

    /// An engine that plays as this player, with a table of `hash` MiB.
    ///
    /// # Errors
    /// When there is no memory for the table.
    pub(super) fn engine(&self, hash: usize) -> io::Result<Engine> {
        let mut engine = Engine::new();
        for setting in [
            Setting::Hash(hash),
            Setting::Player(self.style.player),
            Setting::Evaluation(self.style.evaluation),
            Setting::KingsAfter(self.style.kings_after),
        ] {
            engine.apply(setting).map_err(io::Error::other)?;
        }
        Ok(engine)
    }

    /// Lets this player find a move in `game` with its `engine`; `seed` is for its random choices.
    ///
    /// # Errors
    /// When the search breaks off.
    pub(super) fn think(&self, engine: &mut Engine, game: &Game, seed: u64) -> io::Result<Answer> {
        engine.apply(Setting::Seed(seed)).map_err(io::Error::other)?;
        // A random player never reaches a limit, so any will do.
        let needs_limit = self.depth.is_none() && self.move_time.is_none();
        let depth = if needs_limit { Some(1) } else { self.depth };
        let limits = Limits { depth, move_time: self.move_time, ..Limits::default() };
        engine.go(game, limits).map_err(io::Error::other)
    }
}
