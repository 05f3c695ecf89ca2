//! Points of games with the same dice for both orders.

/// A game that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// What the first player has won; below zero when the other one has.
    pub points: i32,
    /// Turns of both sides.
    pub turns: u64,
}

/// What pairs of games with the same dice have shown, for the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Pairs of games.
    pub pairs: u32,
    /// Games that it has won.
    pub wins: u32,
    /// Turns of all games.
    pub turns: u64,
    points: f64,
    squares: f64,
}

impl Score {
    /// Counts a pair: the games in both orders.
    pub fn add(&mut self, games: [Ended; 2]) {
        let points = games.iter().map(|game| f64::from(game.points)).sum::<f64>() / 2.0;
        self.pairs += 1;
        self.wins += games.iter().filter(|game| game.points > 0).count() as u32;
        self.turns += games.iter().map(|game| game.turns).sum::<u64>();
        self.points += points;
        self.squares += points * points;
    }

    /// Points per game.
    pub fn mean(&self) -> f64 {
        self.points / f64::from(self.pairs.max(1))
    }

    /// Half of the interval in which the mean lies with 95 % confidence, from the spread of the pairs.
    pub fn error(&self) -> f64 {
        let pairs = f64::from(self.pairs.max(2));
        let variance = (self.squares / pairs - self.mean().powi(2)).max(0.0) * pairs / (pairs - 1.0);
        1.96 * (variance / pairs).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_comes_from_the_spread_of_the_pairs() {
        let mut score = Score::default();
        assert_eq!((score.mean(), score.error()), (0.0, 0.0));
        for (one, two) in [(2, 1), (1, -1), (-1, -2), (1, 1)] {
            score.add([Ended { points: one, turns: 50 }, Ended { points: two, turns: 60 }]);
        }
        // Pairs of 1.5, 0, -1.5 and 1 points a game.
        assert_eq!((score.pairs, score.wins, score.turns, score.mean()), (4, 5, 440, 0.25));
        let variance = (1.25_f64.powi(2) + 0.25_f64.powi(2) + 1.75_f64.powi(2) + 0.75_f64.powi(2)) / 3.0;
        assert!((score.error() - 1.96 * (variance / 4.0).sqrt()).abs() < 1e-12, "{}", score.error());
    }
}
