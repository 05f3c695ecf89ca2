//! Positions from whole games, in which players are measured.

use super::Contender;
use crate::arena::built_in;
use soffio::engine::{PlainKind, PlainPlayer, Status};
use soffio::game::Game;
use soffio::rules::Variant;
use std::io;

/// How many plies the players of the games look ahead.
const DEPTH: u8 = 5;

/// Positions of a variant, in which the side to move has a move.
#[derive(Clone, Debug)]
pub struct Sample {
    pub(super) positions: Vec<Game>,
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
    let (mut own_engine, mut other_engine) = (player.engine(1)?, chance.engine(1)?);
    let mut positions = Vec::new();
    while positions.len() < count {
        let Some(opening) = random.choice(&openings) else { break };
        let mut game = opening.played(variant).map_err(io::Error::other)?;
        let own = game.side();
        while positions.len() < count && matches!(game.status(), Status::Playing { .. }) {
            let is_own = game.side() == own;
            if is_own {
                positions.push(game.game().clone());
            }
            let (player, engine) = if is_own { (&player, &mut own_engine) } else { (&chance, &mut other_engine) };
            let best = player.think(engine, game.game(), random.u64(1..))?.best;
            if !best.is_some_and(|mv| game.play_found(mv)) {
                break;
            }
        }
    }
    Ok(Sample { positions })
}
