//! Games between two players with the same dice for both orders.

use super::game::{Color, Game, State, Status};
use super::player::{Limits, Settings, think};
use super::rules::{Roll, Rules};

/// A player with its settings and limits.
#[derive(Clone, Debug)]
pub struct Duellist {
    pub settings: Settings,
    pub limits: Limits,
}

/// The dice of both games of the pair `pair` in a match that depends on `seed`.
pub fn dice_of(seed: u64, pair: u64) -> fastrand::Rng {
    fastrand::Rng::with_seed(seed.wrapping_add(pair.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// Plays `pairs` pairs of games: in each both games have the same dice, and the players change sides. `progress` is told the score after
/// each pair; when it says no, the duel ends.
pub fn duel(
    players: [&Duellist; 2],
    rules: Rules,
    pairs: u32,
    seed: u64,
    progress: &mut dyn FnMut(&Score) -> bool,
) -> Score {
    let mut score = Score::default();
    for pair in 0..pairs {
        let dice = dice_of(seed, pair.into());
        let games = [Color::White, Color::Black].map(|first| one_game(players, rules, first, dice.clone()));
        score.add(games);
        if !progress(&score) {
            break;
        }
    }
    score
}

fn one_game([one, two]: [&Duellist; 2], rules: Rules, first: Color, mut dice: fastrand::Rng) -> Ended {
    let mut game = Game::new(rules, State::start());
    let mut turns = 0;
    loop {
        if let Status::Won { winner, points, .. } = game.status() {
            let points = i32::from(points);
            return Ended { points: if winner == first { points } else { -points }, turns };
        }
        // Dice that are refused would end the game above.
        let _ = game.set_dice(Roll::random(&mut dice));
        let player = if game.state().side == first { one } else { two };
        let settings = Settings { rules, seed: player.settings.seed.wrapping_add(turns), ..player.settings.clone() };
        let place = think(&settings, game.legal(), player.limits, &|| false, &mut |_| {});
        if let Some(legal) = game.legal().get(place).copied() {
            let _ = game.play(&legal.play);
        }
        turns += 1;
    }
}

/// A game that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Points that the first player has won, below zero when the other one has.
    pub points: i32,
    /// Turns of both sides.
    pub turns: u64,
}

/// The result of pairs of games with the same dice, for the first player.
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
