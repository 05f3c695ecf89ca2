//! Searches games for a position.

use crate::position::{parse_position, variant};
use serde::{Deserialize, Serialize};
use soffio::board::Bits;
use soffio::notation::WrittenGame;
use soffio::notation::pdn::{GameRecord, PdnReader};
use soffio::position::{Pieces, with_width};
use soffio::rules::{Color, Variant};
use soffio_analysis::annotate::PlayableGame;

/// Games, and the position to find in them.
#[derive(Debug, Deserialize)]
pub struct PositionSearch {
    variant: String,
    /// The position, in the format of the answer to a `position` request.
    position: String,
    /// Whether the empty squares of the position may be occupied and either side may be to move.
    #[serde(default)]
    partial: bool,
    /// The texts of the games. Games without a tag for the variant are played as `variant`.
    games: Vec<String>,
}

/// A game in which the position occurs.
#[derive(Debug, Serialize)]
pub(crate) struct FoundGame {
    /// Index of the game in the request.
    index: usize,
    /// Number of moves and setup positions before the position.
    ply: usize,
    /// The move that was played next, as it is written in the game. `None` if the position is the last one.
    next: Option<String>,
}

impl PositionSearch {
    /// Returns the games whose main line contains the position, with its first occurrence.
    pub(crate) fn matching_games(&self) -> Result<Vec<FoundGame>, String> {
        let pattern = Pattern::new(variant(&self.variant)?, &self.position, self.partial)?;
        let found = self.games.iter().enumerate().filter_map(|(index, text)| {
            let record = PdnReader::new(text).next()?.record;
            let (ply, next) = pattern.place_in(&record)?;
            Some(FoundGame { index, ply, next })
        });
        Ok(found.collect())
    }
}

/// The position that is searched for.
struct Pattern {
    variant: Variant,
    side: Color,
    pieces: Pieces<u128>,
    partial: bool,
}

/// Number of moves before the position, and the move that was played next.
type PlyAndNext = (usize, Option<String>);

/// A game that cannot be played without finding the paths of its moves.
struct NeedsPaths;

impl Pattern {
    fn new(variant: Variant, position: &str, partial: bool) -> Result<Self, String> {
        let setup = parse_position(variant, position)?.to_setup(variant.spec()).map_err(|error| error.to_string())?;
        let mut pieces = Pieces { white: 0, black: 0, kings: 0 };
        for (&square, piece) in &setup.pieces {
            let own = match piece.color {
                Color::White => &mut pieces.white,
                Color::Black => &mut pieces.black,
            };
            *own |= u128::from_square(square);
            pieces.kings |= if piece.king { u128::from_square(square) } else { 0 };
        }
        Ok(Self { variant, side: setup.side, pieces, partial })
    }

    fn place_in(&self, record: &GameRecord) -> Option<PlyAndNext> {
        if record.variant().ok()?.unwrap_or(self.variant) != self.variant {
            return None;
        }
        self.ply_without_paths(record).unwrap_or_else(|NeedsPaths| self.ply_with_paths(record))
    }

    /// Plays the game only as far as necessary, without finding the paths of the moves, which would dominate the
    /// running time.
    fn ply_without_paths(&self, record: &GameRecord) -> Result<Option<PlyAndNext>, NeedsPaths> {
        let start = record.start().map_err(|_| NeedsPaths)?;
        let mut game = WrittenGame::from_start(self.variant, start.as_ref()).map_err(|_| NeedsPaths)?;
        for (ply, mv) in record.moves.iter().enumerate() {
            if self.matches(&game) {
                return Ok(Some((ply, Some(mv.text.clone()))));
            }
            if self.is_past(&game) {
                return Ok(None);
            }
            let read = mv.record().map_err(|_| NeedsPaths)?;
            let played = game.resolve(&[read]).map_err(|_| NeedsPaths)?;
            played.first().filter(|&&mv| game.play_found(mv)).ok_or(NeedsPaths)?;
        }
        Ok(self.matches(&game).then_some((record.moves.len(), None)))
    }

    fn ply_with_paths(&self, record: &GameRecord) -> Option<PlyAndNext> {
        let parts = PlayableGame::parts(record, Some(self.variant)).ok()?;
        parts.iter().find_map(|part| {
            let mut game = part.played().clone();
            let plies = (0..=part.moves().len()).rev().filter(|_| {
                let is_here = self.matches(&game);
                // Only the start of the part has no move to undo.
                game.undo(1).ok();
                is_here
            });
            let ply = plies.last()?;
            let next = part.written(record).get(ply).filter(|mv| !mv.is_set_up()).map(|mv| mv.text.clone());
            Some((part.first_ply() + ply, next))
        })
    }

    fn matches(&self, game: &WrittenGame) -> bool {
        let Pieces { white, black, kings } = pieces(game);
        let wanted = self.pieces;
        if self.partial {
            let all = wanted.white | wanted.black;
            return white & wanted.white == wanted.white
                && black & wanted.black == wanted.black
                && kings & all == wanted.kings;
        }
        game.side() == self.side && Pieces { white, black, kings } == wanted
    }

    /// Returns whether a side has fewer pieces than in the position, which can then no longer occur.
    fn is_past(&self, game: &WrittenGame) -> bool {
        let Pieces { white, black, .. } = pieces(game);
        white.count() < self.pieces.white.count() || black.count() < self.pieces.black.count()
    }
}

fn pieces(game: &WrittenGame) -> Pieces<u128> {
    with_width!(game.game().history(), history => {
        let &Pieces { white, black, kings } = history.position().pieces();
        Pieces { white: white.mask(), black: black.mask(), kings: kings.mask() }
    })
}
