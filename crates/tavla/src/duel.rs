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

/// The most points that a game counts.
const MOST_POINTS: i32 = 2;

/// Results of a pair of games, by the points of both together.
const PAIR_RESULTS: usize = 4 * MOST_POINTS as usize + 1;

/// The result of pairs of games with the same dice, for the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games that it has won.
    pub wins: u32,
    /// Turns of all games.
    pub turns: u64,
    /// Pairs of games by the points of both together, from -4 to 4.
    pub by_points: [u64; PAIR_RESULTS],
}

impl Score {
    /// Counts a pair: the games in both orders.
    pub fn add(&mut self, games: [Ended; 2]) {
        let points: i32 = games.iter().map(|game| game.points.clamp(-MOST_POINTS, MOST_POINTS)).sum();
        let place = usize::try_from(points + 2 * MOST_POINTS).unwrap_or_default();
        if let Some(count) = self.by_points.get_mut(place) {
            *count += 1;
        }
        self.wins += games.iter().filter(|game| game.points > 0).count() as u32;
        self.turns += games.iter().map(|game| game.turns).sum::<u64>();
    }

    /// Pairs of games.
    pub fn pairs(&self) -> u64 {
        self.by_points.iter().sum()
    }

    /// Points per game.
    pub fn mean(&self) -> f64 {
        let points = (-2 * MOST_POINTS..).zip(self.by_points).map(|(points, count)| f64::from(points) * count as f64);
        points.sum::<f64>() / (2 * self.pairs().max(1)) as f64
    }
}
