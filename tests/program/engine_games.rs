//! Plays whole games through the protocol, and checks every move with the library's rules.

use crate::process::Engine;
use crate::process::referee::{Player, play};
use fastrand::Rng;
use soffio::rules::{Color, Variant};

fn engine(variant: Variant) -> Engine {
    // With endgame tables in memory, two processes per variant would need more time for building tables than for the
    // games.
    Engine::playing(variant, &[("Hash", "8"), ("TableMemory", "0")])
}

/// Returns the colour of player `index`. Player 0 moves first.
fn side(variant: Variant, index: usize) -> Color {
    let first = variant.spec().starts;
    if index == 0 { first } else { first.opponent() }
}

#[test]
fn games_against_itself_are_legal_to_the_end() {
    for &variant in Variant::ALL {
        let (mut one, mut other) = (engine(variant), engine(variant));
        for seed in 0..2 {
            let players = [Player::Engine(&mut one, "nodes 2000"), Player::Engine(&mut other, "nodes 2000")];
            let record = play(variant, players, 4, &mut Rng::with_seed(seed));
            assert!(record.plies > 20, "{variant}: {record:?}");
        }
    }
}

#[test]
fn the_engine_never_loses_to_random_moves() {
    for &variant in Variant::ALL {
        let mut engine = engine(variant);
        let mut won = 0;
        for seed in 0..6 {
            let seat = seed as usize % 2;
            let mut players = [Player::Engine(&mut engine, "nodes 2000"), Player::Random];
            if seat == 1 {
                players.reverse();
            }
            let record = play(variant, players, 0, &mut Rng::with_seed(seed));
            assert_ne!(record.winner, Some(side(variant, 1 - seat)), "{variant} {seed}: {record:?}");
            won += u8::from(record.winner.is_some());
        }
        assert!(won >= 3, "{variant}: {won} of 6 games won against random moves");
    }
}
