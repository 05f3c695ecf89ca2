//! Positions of whole games, in which players are measured.

use super::Contender;
use super::board::Board;
use crate::arena::built_in;
use crate::engine::{PlainKind, PlainPlayer, Status};
use crate::notation::FenRecord;
use crate::rules::Variant;
use std::io;

/// How far the players of the games look ahead.
const DEPTH: u8 = 5;

/// Positions of a variant, in which the side to move has a move.
#[derive(Clone, Debug)]
pub struct Sample {
    pub(super) variant: Variant,
    pub(super) positions: Vec<FenRecord>,
}

/// `count` positions from whole games between a plain player and chance, all with the plain player to move.
///
/// # Errors
/// When a search breaks off.
pub fn sample(variant: Variant, count: usize, seed: u64) -> io::Result<Sample> {
    let player = Contender::plain(PlainPlayer::AlphaBeta, PlainKind::Material, DEPTH);
    let chance = Contender::random();
    let openings = built_in(variant, None).map_err(io::Error::other)?;
    let random = &mut fastrand::Rng::with_seed(seed);
    let mut board = Board::new(variant)?;
    let table = Board::table(1)?;
    let mut positions = Vec::new();
    while positions.len() < count {
        let Some(opening) = random.choice(&openings) else { break };
        board.open(opening)?;
        let own = board.side();
        while positions.len() < count && matches!(board.status(), Status::Playing { .. }) {
            let is_own = board.side() == own;
            if is_own {
                positions.push(board.position());
            }
            let thought = board.think(if is_own { &player } else { &chance }, &table, random.u64(1..))?;
            let Some(best) = thought.best else { break };
            board.play(&best)?;
        }
    }
    Ok(Sample { variant, positions })
}
