//! What is in files of games.

use super::{PositionRecord, TrainingGame};
use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// What is in files of games.
#[derive(Debug, Default)]
pub struct DataSummary {
    /// Games.
    pub games: u64,
    /// Games that are equal to one before.
    pub equal_games: u64,
    /// Games lost by White, drawn, and won by White.
    pub outcomes: [u64; 3],
    /// Positions.
    pub positions: u64,
    /// Positions in which neither side could capture.
    pub quiet: u64,
    /// Positions that have come before.
    pub duplicates: u64,
    seen: HashSet<u64>,
    seen_games: HashSet<u64>,
    hasher: RandomState,
}

impl DataSummary {
    /// Counts a game.
    pub fn add(&mut self, game: &TrainingGame) {
        self.games += 1;
        self.outcomes[game.outcome as usize] += 1;
        self.positions += game.positions.len() as u64;
        self.quiet += game.positions.iter().filter(|position| position.quiet).count() as u64;
        let board =
            |position: &PositionRecord| (position.white, position.black, position.kings, position.white_to_move);
        let boards: Vec<_> = game.positions.iter().map(board).collect();
        let new = boards.iter().filter(|board| self.seen.insert(self.hasher.hash_one(board))).count();
        self.duplicates += (boards.len() - new) as u64;
        let is_new = self.seen_games.insert(self.hasher.hash_one((&boards, game.outcome)));
        self.equal_games += u64::from(!is_new);
    }
}
