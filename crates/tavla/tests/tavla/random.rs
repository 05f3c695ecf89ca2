//! Random positions. The unit tests of the package also use this module.

use soffio_tavla::rules::{BAR, CHECKERS, Checkers, OFF, Plays, Roll, TavlaBoard, facing};

pub struct Random {
    random: fastrand::Rng,
    plays: Plays,
    game: TavlaBoard,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { random: fastrand::Rng::with_seed(seed), plays: Plays::default(), game: TavlaBoard::start() }
    }

    pub fn roll(&mut self) -> Roll {
        Roll::random(&mut self.random)
    }

    /// Returns a position in which both sides still have checkers. Half of the positions come from random games, and
    /// half from random placement.
    pub fn board(&mut self) -> TavlaBoard {
        if self.random.bool() { self.played() } else { self.thrown() }
    }

    fn played(&mut self) -> TavlaBoard {
        let roll = self.roll();
        let found = self.plays.find(&self.game, roll, true);
        let next = found.get(self.random.usize(..found.len().max(1))).map_or(TavlaBoard::start(), |legal| legal.after);
        self.game = if next.own.off() == CHECKERS { TavlaBoard::start() } else { next.turned() };
        self.game
    }

    fn thrown(&mut self) -> TavlaBoard {
        loop {
            // Uses only a few points, often in the home board, as is common in real games.
            let widest = [6, 12, 24][self.random.usize(..3)];
            let mut sides = [[0_u8; 26]; 2];
            for place in 0..2 {
                let homes: Vec<usize> = (0..self.random.usize(2..9)).map(|_| self.random.usize(1..=widest)).collect();
                for _ in 0..CHECKERS {
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
            let [own, other] = sides.map(Checkers::new);
            if let (Some(own), Some(other)) = (own, other)
                && own.off() < CHECKERS
                && other.off() < CHECKERS
                && let Ok(board) = TavlaBoard::new(own, other)
            {
                return board;
            }
        }
    }
}
