//! The players of the reports, for the full search to beat.

use super::Contender;
use super::published::{KINGS_AFTER, ROUND_ROBIN_WINS};
use soffio::engine::{PlainKind, PlainPlayer};
use soffio::rules::Variant;
use std::time::Duration;

/// The time that the full search has for a move.
pub const FULL_MOVE_TIME: Duration = Duration::from_millis(50);

/// The players of the reports at their best, each with the variant that it was made for.
pub fn seed_players() -> Vec<(Variant, Contender)> {
    let plain = Contender::plain;
    let mut players = vec![
        (Variant::Italian, Contender::random()),
        (Variant::Italian, plain(PlainPlayer::Minimax, PlainKind::Material, 7)),
        (Variant::Italian, plain(PlainPlayer::AlphaBeta, PlainKind::Advance, 7)),
        (Variant::Italian, plain(PlainPlayer::AlphaBeta, PlainKind::Distance, 7)),
        (Variant::Italian, plain(PlainPlayer::AlphaBeta, PlainKind::Material, 3)),
        (Variant::Casual, plain(PlainPlayer::AlphaBeta, PlainKind::Moves, 6)),
    ];
    let automaton = ROUND_ROBIN_WINS.iter().map(|&(kind, _)| {
        let mut contender = plain(PlainPlayer::AlphaBeta, kind, 8);
        contender.style.kings_after = KINGS_AFTER;
        (Variant::English, contender)
    });
    players.extend(automaton);
    players
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::game::Game;

    #[test]
    fn every_player_of_the_reports_finds_a_move() {
        let players = seed_players();
        assert_eq!(players.len(), 13);
        for (variant, player) in players {
            let mut game = Game::new(variant);
            let best = player.think(&mut player.engine(1).unwrap(), &game, 1).unwrap().best.unwrap();
            assert!(game.play(best));
        }
    }
}
