//! Temporal-difference learning from self-play.

use super::{BearOffAccess, TavlaWeights, certain};
use crate::rules::{Plays, Roll, TavlaBoard};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingSchedule {
    pub rate: f32,
    /// Number of games after which the learning rate has fallen to half of its initial value. After twice as many games
    /// it has fallen to a third.
    pub half: f32,
    /// Initial value of lambda in TD(lambda). It decays like the learning rate.
    pub lambda: f32,
}

impl Default for TrainingSchedule {
    fn default() -> Self {
        Self { rate: 0.02, half: 200_000.0, lambda: 0.5 }
    }
}

/// Exponent that gives later games more weight in the average. The weight of the n-th game is approximately
/// proportional to n to this power.
const AVERAGING_EXPONENT: f32 = 3.0;

/// Trains weights on one self-play game after another. The result depends only on the seed.
///
/// The result is the average of the weights after each game (Polyak and Juditsky 1992), with more weight on later games
/// (Shamir and Zhang 2013).
pub struct Trainer {
    weights: TavlaWeights,
    pub average: TavlaWeights,
    schedule: TrainingSchedule,
    random: fastrand::Rng,
    pub games: u64,
    plays: Plays,
    boards: Vec<TavlaBoard>,
}

impl Trainer {
    pub fn new(seed: u64, schedule: TrainingSchedule, weights: Option<TavlaWeights>) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let weights = weights.unwrap_or_else(|| TavlaWeights::random(&mut random));
        let average = weights.clone();
        Self { weights, average, schedule, random, games: 0, plays: Plays::default(), boards: Vec::new() }
    }

    /// Plays one self-play game in which a mars is worth two points, and trains on it. Returns the number of positions.
    pub fn play(&mut self) -> usize {
        self.boards.clear();
        let mut board = TavlaBoard::start();
        let mut target = loop {
            if let Some(estimate) = certain(&board, BearOffAccess::WAIT) {
                break estimate;
            }
            self.boards.push(board);
            let roll = Roll::random(&mut self.random);
            board = self.best(&board, roll);
        };
        let fade = 1.0 / (1.0 + self.games as f32 / self.schedule.half);
        let (rate, lambda) = (self.schedule.rate * fade, self.schedule.lambda * fade);
        // Trains in reverse order, so that each update already affects the estimates of the earlier positions.
        for board in self.boards.iter().rev() {
            target = target.turned();
            let estimate = self.weights.train(board, &target, rate);
            target = target.mixed(lambda, &estimate);
        }
        self.games += 1;
        self.average.approach(&self.weights, (1.0 + AVERAGING_EXPONENT) / (self.games as f32 + AVERAGING_EXPONENT));
        self.boards.len()
    }

    fn best(&mut self, board: &TavlaBoard, roll: Roll) -> TavlaBoard {
        let mut best = (f32::INFINITY, *board);
        for legal in self.plays.find(board, roll, true) {
            let next = legal.after.turned();
            let equity = self.weights.estimate(&next, BearOffAccess::WAIT).equity(true);
            if equity < best.0 {
                best = (equity, next);
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn after(games: u64, seed: u64, weights: Option<TavlaWeights>) -> Trainer {
        let mut trainer = Trainer::new(seed, TrainingSchedule::default(), weights);
        while trainer.games < games {
            assert!(trainer.play() > 5);
        }
        trainer
    }

    #[test]
    fn the_same_seed_gives_the_same_weights() {
        let first = after(30, 1, None);
        assert!(first.average == after(30, 1, None).average);
        assert!(first.average != after(30, 2, None).average);
        let on = |seed| after(10, seed, Some(first.average.clone()));
        assert!(on(3).average == on(3).average && on(3).average != on(4).average);
    }

    #[test]
    fn a_few_games_teach_that_the_leader_wins_a_race() {
        let trainer = after(400, 1, None);
        let mut random = Random::new(2);
        let (mut right, mut all) = (0, 0);
        while all < 300 {
            let board = random.board();
            let ahead = board.other.pips() as i32 - board.own.pips() as i32;
            if !board.has_contact() && certain(&board, BearOffAccess::WAIT).is_none() && ahead.abs() > 40 {
                all += 1;
                right += i32::from((trainer.average.estimate(&board, BearOffAccess::WAIT).win > 0.5) == (ahead > 0));
            }
        }
        assert!(right > 270, "{right} of {all}");
    }
}
