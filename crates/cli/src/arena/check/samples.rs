//! Positions to ask about, from games of random moves.

use crate::arena::MoveTexts;
use fastrand::Rng;
use soffio::notation::{FenRecord, MoveRecord, WrittenGame, printable};
use soffio::position::Status;
use soffio::rules::{Color, Variant};

/// Games that are searched for positions of a kind.
const GAMES: u64 = 200;

/// Longest game.
const PLIES: usize = 300;

/// A position with the way there.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    variant: Variant,
    pub(super) fen: FenRecord,
    /// The start position, as Hub writes it.
    pub(super) hub_start: String,
    /// The position, as Hub writes it.
    pub(super) hub: String,
    /// Moves from the start position.
    pub(super) moves: Vec<MoveTexts>,
    pub(super) legal: Vec<MoveTexts>,
    pub(super) side: Color,
}

/// A supply of positions of a variant.
pub(super) struct Samples(Variant);

impl Samples {
    pub(super) fn new(variant: Variant) -> Self {
        Self(variant)
    }

    /// Returns the first position of random games for which `is_wanted` returns true, and where the game is not over.
    pub(super) fn find(&self, is_wanted: impl Fn(&Sample) -> bool) -> Result<Sample, String> {
        self.first(|sample, is_over| !is_over && is_wanted(sample))
    }

    /// Returns the first position of random games in which the side to move has no move.
    pub(super) fn without_move(&self) -> Result<Sample, String> {
        self.first(|sample, _| sample.legal.is_empty())
    }

    /// Returns the first position for which `is_wanted` returns true; it is told whether the game is over there.
    fn first(&self, is_wanted: impl Fn(&Sample, bool) -> bool) -> Result<Sample, String> {
        let found = (0..GAMES).find_map(|seed| self.find_in_game(&mut Rng::with_seed(seed), &is_wanted));
        found.ok_or_else(|| "no position of this kind was found in random games".to_owned())
    }

    fn find_in_game(&self, rng: &mut Rng, is_wanted: &impl Fn(&Sample, bool) -> bool) -> Option<Sample> {
        let mut game = WrittenGame::new(self.0);
        let hub_start = game.hub_position();
        let mut moves = Vec::new();
        for _ in 0..PLIES {
            let is_over = !matches!(game.status(), Status::Playing { .. });
            let sample = sample(&game, &hub_start, &moves);
            if is_wanted(&sample, is_over) {
                return Some(sample);
            }
            if is_over {
                return None;
            }
            let next = sample.legal.get(rng.usize(..sample.legal.len()))?;
            let sequence = game.play_way(&next.path.parse().ok()?).ok()?;
            moves.push(MoveTexts::of(game.spec(), &sequence));
        }
        None
    }
}

fn sample(game: &WrittenGame, hub_start: &str, moves: &[MoveTexts]) -> Sample {
    Sample {
        variant: game.variant(),
        fen: game.fen(),
        hub_start: hub_start.to_owned(),
        hub: game.hub_position(),
        moves: moves.to_vec(),
        legal: game.sequences().iter().map(|sequence| MoveTexts::of(game.spec(), sequence)).collect(),
        side: game.side(),
    }
}

impl Sample {
    /// Returns true if it is a few moves from the start position, with `side` to move.
    pub(super) fn is_turn_of(&self, side: Color) -> bool {
        self.moves.len() > 4 && self.side == side
    }

    /// Returns true if the side to move must capture, and has a choice.
    pub(super) fn has_captures(&self) -> bool {
        self.legal.len() > 1 && self.legal.iter().any(|mv| mv.hub.split(['-', 'x']).count() > 2)
    }

    /// Returns true if there is a capture of several pieces.
    pub(super) fn has_long_capture(&self) -> bool {
        self.legal.iter().any(|mv| mv.hub.split('x').count() > 3)
    }

    /// Returns true if a king is on the board.
    pub(super) fn has_king(&self) -> bool {
        self.fen.white.iter().chain(&self.fen.black).any(|piece| piece.king)
    }

    /// Checks that `text` is a legal move.
    pub(super) fn check(&self, text: &str) -> Result<(), String> {
        let shown = || printable(text.chars());
        let record: MoveRecord = text.parse().map_err(|error| format!("'{}' is not a move: {error}", shown()))?;
        let mut game = WrittenGame::at(self.variant, Some(&self.fen)).map_err(|error| error.to_string())?;
        game.play_way(&record).map(drop).map_err(|error| format!("'{}' is not legal at {}: {error}", shown(), self.fen))
    }
}
