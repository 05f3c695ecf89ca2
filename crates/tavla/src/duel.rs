//! Plays matches between two players. Games come in pairs with the same dice and the sides swapped.

use super::game::{Color, TavlaGame, TavlaState, TavlaStatus};
use super::player::{TavlaLimits, TavlaSettings, think};
use super::rules::{Roll, Rules};
use soffio::clock::Stopwatch;

#[derive(Clone, Debug)]
pub struct DuelPlayer {
    pub settings: TavlaSettings,
    pub limits: TavlaLimits,
}

pub fn dice_of(seed: u64, pair: u64) -> fastrand::Rng {
    fastrand::Rng::with_seed(seed.wrapping_add(pair.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// Plays `pairs` pairs of games. The two games of a pair use the same dice, and the players swap sides. The match stops
/// early if `progress` returns false.
pub fn duel(
    players: [&DuelPlayer; 2],
    rules: Rules,
    pairs: u32,
    seed: u64,
    progress: &mut dyn FnMut(&DuelScore) -> bool,
) -> DuelScore {
    let mut score = DuelScore::default();
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

fn one_game([one, two]: [&DuelPlayer; 2], rules: Rules, first: Color, mut dice: fastrand::Rng) -> DuelGame {
    let mut game = TavlaGame::new(rules, TavlaState::start());
    let mut turns = 0;
    loop {
        if let TavlaStatus::Won { winner, points, .. } = game.status() {
            let points = i32::from(points);
            return DuelGame { points: if winner == first { points } else { -points }, turns };
        }
        // `set_dice` fails only after the end of the game, which the check above rules out.
        let _ = game.set_dice(Roll::random(&mut dice));
        let player = if game.state().side == first { one } else { two };
        let settings =
            TavlaSettings { rules, seed: player.settings.seed.wrapping_add(turns), ..player.settings.clone() };
        let place = think(&settings, game.legal(), player.limits, Stopwatch::start(), &|| false, &mut |_| {});
        if let Some(legal) = game.legal().get(place).copied() {
            let _ = game.play(&legal.play);
        }
        turns += 1;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuelGame {
    /// Points that the first player won, or a negative number if that player lost.
    pub points: i32,
    pub turns: u64,
}

const MAX_POINTS: i32 = 2;

const PAIR_RESULTS: usize = 4 * MAX_POINTS as usize + 1;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DuelScore {
    pub wins: u32,
    pub turns: u64,
    /// Number of pairs by the first player's total points, from -4 to 4.
    pub by_points: [u64; PAIR_RESULTS],
}

impl DuelScore {
    pub fn add(&mut self, games: [DuelGame; 2]) {
        let points: i32 = games.iter().map(|game| game.points.clamp(-MAX_POINTS, MAX_POINTS)).sum();
        let place = usize::try_from(points + 2 * MAX_POINTS).unwrap_or_default();
        if let Some(count) = self.by_points.get_mut(place) {
            *count += 1;
        }
        self.wins += games.iter().filter(|game| game.points > 0).count() as u32;
        self.turns += games.iter().map(|game| game.turns).sum::<u64>();
    }

    pub fn pairs(&self) -> u64 {
        self.by_points.iter().sum()
    }

    pub fn mean(&self) -> f64 {
        let points = (-2 * MAX_POINTS..).zip(self.by_points).map(|(points, count)| f64::from(points) * count as f64);
        points.sum::<f64>() / (2 * self.pairs().max(1)) as f64
    }
}
