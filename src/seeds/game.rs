//! One game between two players.

use super::Contender;
use super::board::Board;
use crate::arena::Opening;
use crate::engine::Status;
use crate::rules::Color;
use std::io;

/// Size of the transposition table of each player in MiB.
const TABLE_MIB: usize = 16;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// Who has won, unless it is drawn.
    pub winner: Option<Color>,
    /// Its length with the opening.
    pub plies: usize,
}

/// Plays from `opening` to the end by the rules; `players` are White and Black.
///
/// # Errors
/// When the opening is none of the variant, or a search breaks off.
pub(super) fn play_game(
    board: &mut Board,
    opening: &Opening,
    players: [&Contender; 2],
    seed: u64,
) -> io::Result<GameEnd> {
    board.open(opening)?;
    let [white, black] = players;
    let tables = [Board::table(TABLE_MIB)?, Board::table(TABLE_MIB)?];
    let mut plies = opening.moves.len();
    loop {
        match board.status() {
            Status::Won { winner, .. } => return Ok(GameEnd { winner: Some(winner), plies }),
            Status::Drawn(_) => return Ok(GameEnd { winner: None, plies }),
            Status::Playing { .. } => {}
        }
        let [white_table, black_table] = &tables;
        let (player, table) = match board.side() {
            Color::White => (white, white_table),
            Color::Black => (black, black_table),
        };
        let Some(best) = board.think(player, table, seed)?.best else {
            return Err(io::Error::other("a player with a legal move found none"));
        };
        board.play(&best)?;
        plies += 1;
    }
}
