//! Who takes part.

use crate::engine::{PlainKind, PlainPlayer, Request, Strength, Style};
use std::time::{Duration, Instant};

/// A player with an evaluation and a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    /// What it is called.
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
            style: Style { player: Some(player), evaluation: Some(evaluation), kings_after: 0 },
            depth: Some(depth),
            move_time: None,
        }
    }

    /// The player by chance.
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

    /// The search it makes for a move; `seed` is for what it leaves to chance.
    pub(super) fn request(&self, seed: u64) -> Request {
        // A player by chance has no limit to reach: any ends its search.
        let needs_limit = self.depth.is_none() && self.move_time.is_none();
        Request {
            depth: if needs_limit { Some(1) } else { self.depth },
            move_time: self.move_time,
            style: self.style,
            strength: Strength { seed, ..Strength::default() },
            ..Request::new(Instant::now())
        }
    }
}
