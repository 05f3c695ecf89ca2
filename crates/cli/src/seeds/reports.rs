//! Defines the players from the student reports, and the figures that the reports published.

use super::Contender;
use soffio::engine::{PlainKind, PlainPlayer};
use soffio::rules::Variant;
use std::time::Duration;

/// Search depths in plies, each with the mean time per move in milliseconds.
pub type PublishedTimes = &'static [(u8, f64)];

/// Times of minimax with the material evaluation in Italian draughts, from the report on the desktop game.
pub const ITALIAN_MINIMAX: PublishedTimes = &[(5, 33.0), (7, 483.0), (9, 20_300.0)];

/// Times of minimax in English draughts, from the report on the checkers automaton, for the version without pruning.
pub const ENGLISH_MINIMAX: PublishedTimes =
    &[(2, 1.5), (3, 4.9), (4, 11.8), (5, 29.0), (6, 121.0), (7, 1035.0), (8, 3387.0)];

/// Times of the checkers automaton with pruning. The automaton prunes only after it has built the whole tree.
pub const ENGLISH_PRUNING: PublishedTimes =
    &[(2, 1.1), (3, 4.8), (4, 11.3), (5, 35.0), (6, 153.0), (7, 1462.0), (8, 4893.0)];

/// Number of games that minimax played against a random player in the desktop game. Minimax won all of them.
pub const RANDOM_GAMES: usize = 20;

/// The ply from which all players of the automaton use the evaluation for kings.
pub const KINGS_AFTER: u16 = 70;

/// Number of games that each evaluation played in the automaton's round robin.
pub const ROUND_ROBIN_GAMES: u32 = 70;

/// Number of games that each evaluation won in the round robin, in which all players searched to depth 7.
pub const ROUND_ROBIN_WINS: [(PlainKind, u32); 7] = [
    (PlainKind::Standard, 48),
    (PlainKind::Random, 14),
    (PlainKind::Centrality, 21),
    (PlainKind::BackRows, 53),
    (PlainKind::Complete, 35),
    (PlainKind::Offensive, 24),
    (PlainKind::Defensive, 37),
];

/// Players for the comparison of node counts. Each player adds one technique to those of the previous player.
pub const SAVERS: [PlainPlayer; 4] =
    [PlainPlayer::Minimax, PlainPlayer::AlphaBeta, PlainPlayer::Ordered, PlainPlayer::Memory];

pub const SAVINGS_DEPTH: u8 = 8;

pub const FULL_MOVE_TIME: Duration = Duration::from_millis(50);

/// Returns the strongest players from the reports, each with the variant for which it was written.
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
    players.extend(automaton(8).map(|player| (Variant::English, player)));
    players
}

const ROUND_ROBIN_DEPTH: u8 = 7;

/// Returns the players of the round robin in the order of [`ROUND_ROBIN_WINS`].
pub fn round_robin() -> Vec<Contender> {
    automaton(ROUND_ROBIN_DEPTH).collect()
}

fn automaton(depth: u8) -> impl Iterator<Item = Contender> {
    ROUND_ROBIN_WINS.iter().map(move |&(kind, _)| {
        let mut contender = Contender::plain(PlainPlayer::AlphaBeta, kind, depth);
        contender.style.kings_after = KINGS_AFTER;
        contender
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::game::Game;

    #[test]
    fn every_player_in_the_reports_finds_a_move() {
        let players = seed_players();
        assert_eq!(players.len(), 13);
        for (variant, player) in players {
            let mut game = Game::new(variant);
            let best = player.think(&mut player.engine(1).unwrap(), &game, 1).unwrap().best.unwrap();
            assert!(game.play(best));
        }
    }
}
