//! Positions from random games, in which an engine is tested.

use crate::MoveTexts;
use fastrand::Rng;
use soffio::notation::{FenRecord, MoveRecord, WrittenGame, printable};
use soffio::position::Status;
use soffio::rules::{Color, Variant};

/// Maximum number of random games to play when looking for a test position.
const MAX_GAMES: u64 = 200;

/// Maximum length of a random game in plies.
const MAX_PLIES: usize = 300;

#[derive(Clone, Debug)]
pub(super) struct TestPosition {
    variant: Variant,
    pub(super) fen: FenRecord,
    /// The start position in Hub notation.
    pub(super) hub_start: String,
    pub(super) hub: String,
    pub(super) moves: Vec<MoveTexts>,
    pub(super) legal: Vec<MoveTexts>,
    pub(super) side: Color,
}

/// Plays random games and returns the first position that `is_wanted` accepts. Positions in which the game has ended
/// are skipped.
pub(super) fn find(variant: Variant, is_wanted: impl Fn(&TestPosition) -> bool) -> Result<TestPosition, String> {
    first(variant, |sample, is_over| !is_over && is_wanted(sample))
}

pub(super) fn find_without_move(variant: Variant) -> Result<TestPosition, String> {
    first(variant, |sample, _| sample.legal.is_empty())
}

fn first(variant: Variant, is_wanted: impl Fn(&TestPosition, bool) -> bool) -> Result<TestPosition, String> {
    let found = (0..MAX_GAMES).find_map(|seed| find_in_game(variant, &mut Rng::with_seed(seed), &is_wanted));
    found.ok_or_else(|| "no position of this kind was found in random games".to_owned())
}

fn find_in_game(
    variant: Variant,
    rng: &mut Rng,
    is_wanted: &impl Fn(&TestPosition, bool) -> bool,
) -> Option<TestPosition> {
    let mut game = WrittenGame::new(variant);
    let hub_start = game.hub_position();
    let mut moves = Vec::new();
    for _ in 0..MAX_PLIES {
        let is_over = !matches!(game.status(), Status::Playing { .. });
        let sample = TestPosition {
            variant,
            fen: game.fen(),
            hub_start: hub_start.clone(),
            hub: game.hub_position(),
            moves: moves.clone(),
            legal: game.sequences().iter().map(|sequence| MoveTexts::new(game.spec(), sequence)).collect(),
            side: game.side(),
        };
        if is_wanted(&sample, is_over) {
            return Some(sample);
        }
        if is_over {
            return None;
        }
        let next = sample.legal.get(rng.usize(..sample.legal.len()))?;
        let sequence = game.play_record(&next.path.parse().ok()?).ok()?;
        moves.push(MoveTexts::new(game.spec(), &sequence));
    }
    None
}

impl TestPosition {
    pub(super) fn is_turn_of(&self, side: Color) -> bool {
        self.moves.len() > 4 && self.side == side
    }

    pub(super) fn has_captures(&self) -> bool {
        self.legal.len() > 1 && self.legal.iter().any(|mv| mv.hub.split(['-', 'x']).count() > 2)
    }

    /// Returns true if a legal move captures at least two pieces. In Hub notation, such a move lists at least two
    /// captured squares after the origin and the destination.
    pub(super) fn has_long_capture(&self) -> bool {
        self.legal.iter().any(|mv| mv.hub.split('x').count() > 3)
    }

    pub(super) fn has_king(&self) -> bool {
        self.fen.white.iter().chain(&self.fen.black).any(|piece| piece.king)
    }

    pub(super) fn check(&self, text: &str) -> Result<(), String> {
        let shown = || printable(text.chars());
        let record: MoveRecord = text.parse().map_err(|error| format!("'{}' is not a move: {error}", shown()))?;
        let mut game = WrittenGame::from_start(self.variant, Some(&self.fen)).map_err(|error| error.to_string())?;
        game.play_record(&record)
            .map(drop)
            .map_err(|error| format!("'{}' is not legal in {}: {error}", shown(), self.fen))
    }
}
