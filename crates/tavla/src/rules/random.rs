//! Random positions for tests and measurements.

use super::board::{BAR, Board, OFF, Side, facing};
use super::dice::Roll;
use super::generator::Plays;

/// Random positions and rolls, the same for the same seed.
pub struct Random {
    random: fastrand::Rng,
    plays: Plays,
    /// The position of a game by random plays.
    game: Board,
}

impl Random {
    /// Begins with `seed`.
    pub fn new(seed: u64) -> Self {
        Self { random: fastrand::Rng::with_seed(seed), plays: Plays::default(), game: Board::start() }
    }

    /// A roll.
    pub fn roll(&mut self) -> Roll {
        Roll::random(&mut self.random)
    }

    /// A position in which both sides still have checkers: half of them come from games by random plays, half have the checkers
    /// thrown on the board.
    pub fn board(&mut self) -> Board {
        if self.random.bool() { self.played() } else { self.thrown() }
    }

    fn played(&mut self) -> Board {
        let roll = self.roll();
        let found = self.plays.find(&self.game, roll, true);
        let next = found.get(self.random.usize(..found.len().max(1))).map_or(Board::start(), |legal| legal.after);
        self.game = if next.own.off() == super::CHECKERS { Board::start() } else { next.turned() };
        self.game
    }

    fn thrown(&mut self) -> Board {
        loop {
            // Checkers crowd on few points, as in games, and often at home.
            let widest = [6, 12, 24][self.random.usize(..3)];
            let mut sides = [[0_u8; 26]; 2];
            for place in 0..2 {
                let homes: Vec<usize> = (0..self.random.usize(2..9)).map(|_| self.random.usize(1..=widest)).collect();
                for _ in 0..super::CHECKERS {
                    let mut number = homes[self.random.usize(..homes.len())];
                    number = match self.random.u8(..40) {
                        0 => BAR,
                        1..4 => OFF,
                        4 => self.random.usize(1..BAR),
                        _ => number,
                    };
                    let is_free = number == BAR || number == OFF || sides[1 - place][facing(number)] == 0;
                    sides[place][if is_free { number } else { OFF }] += 1;
                }
            }
            let [own, other] = sides.map(Side::new);
            if let (Some(own), Some(other)) = (own, other)
                && own.off() < super::CHECKERS
                && other.off() < super::CHECKERS
                && let Ok(board) = Board::new(own, other)
            {
                return board;
            }
        }
    }
}
