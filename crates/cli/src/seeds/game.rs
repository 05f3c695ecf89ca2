//! One game between two players.

use super::Contender;
use crate::arena::Opening;
use soffio::engine::Status;
use soffio::rules::{Color, Variant};
use std::io;

/// Size of the transposition table of each player in MiB.
const TABLE_MIB: usize = 16;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// The winner, unless the game is drawn.
    pub winner: Option<Color>,
    /// Its length with the opening.
    pub plies: usize,
}

/// Plays from `opening` to the end by the rules; `players` are White and Black.
///
/// # Errors
/// When the opening is none of the variant, or a search breaks off.
pub(super) fn play_game(
    variant: Variant,
    opening: &Opening,
    players: [&Contender; 2],
    seed: u64,
) -> io::Result<GameEnd> {
    let mut game = opening.played(variant).map_err(io::Error::other)?;
    let [white, black] = players;
    let mut engines = [white.engine(TABLE_MIB)?, black.engine(TABLE_MIB)?];
    let mut plies = opening.moves.len();
    loop {
        match game.status() {
            Status::Won { winner, .. } => return Ok(GameEnd { winner: Some(winner), plies }),
            Status::Drawn(_) => return Ok(GameEnd { winner: None, plies }),
            Status::Playing { .. } => {}
        }
        let [white_engine, black_engine] = &mut engines;
        let (player, engine) = match game.side() {
            Color::White => (white, white_engine),
            Color::Black => (black, black_engine),
        };
        let best = player.think(engine, game.game(), seed)?.best;
        if !best.is_some_and(|mv| game.play_found(mv)) {
            return Err(io::Error::other("a player with a legal move found none"));
        }
        plies += 1;
    }
}
