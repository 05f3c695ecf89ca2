//! Games between two players with the same dice for both orders.

use super::game::{Color, Game, State, Status};
use super::player::{Limits, Settings, think};
use super::rules::{Roll, Rules};
use super::score::{Ended, Score};

/// A player of a duel.
#[derive(Clone, Debug)]
pub struct Duellist {
    /// How it chooses.
    pub settings: Settings,
    /// How long it may.
    pub limits: Limits,
}

/// What rolls the dice of both games of the pair `pair` of a match that depends on `seed`.
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

#[cfg(test)]
mod tests {
    use super::super::player::PlayerKind;
    use super::*;

    fn duellist(player: PlayerKind) -> Duellist {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        Duellist { settings: Settings { player, ..Settings::default() }, limits }
    }

    #[test]
    fn a_player_against_itself_wins_nothing() {
        let player = duellist(PlayerKind::Expectiminimax);
        let score = duel([&player, &player], Rules { mars: true, ..Rules::default() }, 20, 1, &mut |_| true);
        assert_eq!((score.mean(), score.error(), score.wins), (0.0, 0.0, 20), "the same dice for both orders");
    }

    #[test]
    fn the_learned_player_beats_chance() {
        let players = [duellist(PlayerKind::Full), duellist(PlayerKind::Random)];
        let score = duel([&players[0], &players[1]], Rules::default(), 20, 1, &mut |_| true);
        assert!(score.mean() > 0.8 && score.pairs == 20, "{score:?}");
        let stopped = duel([&players[0], &players[1]], Rules::default(), 20, 1, &mut |score| score.pairs < 3);
        assert_eq!(stopped.pairs, 3);
    }
}
