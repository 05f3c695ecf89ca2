//! Plays whole games through the protocol, and checks every move with the library's rules.

use crate::common;

use crate::process::Engine;
use crate::process::referee::{Player, Record, play};
use fastrand::Rng;
use soffio::rules::{Color, Variant};
use std::collections::BTreeMap;
use std::env;

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
        for seed in 0..3 {
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

/// Plays `games` games of `variant` between two processes. `SOFFIO_GAMES` overrides the number of games.
fn campaign(variant: Variant, games: u64, limits: &str) {
    let games = env::var("SOFFIO_GAMES").map_or(games, |number| number.parse().expect("SOFFIO_GAMES is a number"));
    let (mut one, mut other) = (engine(variant), engine(variant));
    let mut records = Vec::new();
    for game in 0..games {
        // Each opening is played twice with the sides swapped.
        let mut rng = Rng::with_seed(game / 2);
        let opening = rng.usize(2..=4);
        let mut players = [Player::Engine(&mut one, limits), Player::Engine(&mut other, limits)];
        if game % 2 == 1 {
            players.reverse();
        }
        records.push(play(variant, players, opening, &mut rng));
        one.assert_silent();
        other.assert_silent();
    }
    report(variant, &records);
}

/// Prints the results of the games from the point of view of the first process.
fn report(variant: Variant, records: &[Record]) {
    let result = |index: usize| match records[index].winner {
        None => "drawn",
        Some(winner) if winner == side(variant, index % 2) => "won",
        Some(_) => "lost",
    };
    let mut reasons = BTreeMap::new();
    for (index, record) in records.iter().enumerate() {
        *reasons.entry((result(index), record.reason.as_str())).or_insert(0) += 1;
    }
    println!("{variant}: {} games", records.len());
    for ((result, reason), count) in reasons {
        println!("  {count:>4} {result:<6} {reason}");
    }
    let plies = |record: &Record| record.plies;
    println!("  longest {} plies", records.iter().map(plies).max().unwrap_or(0));
    println!("  shortest {} plies", records.iter().map(plies).min().unwrap_or(0));
}

#[test]
#[ignore = "takes minutes: 100 games at 50 ms a move"]
fn a_hundred_games_of_italian() {
    campaign(Variant::Italian, 100, "movetime 50");
}

#[test]
#[ignore = "takes minutes: 100 games at 50 ms a move"]
fn a_hundred_games_of_english() {
    campaign(Variant::English, 100, "movetime 50");
}

#[test]
#[ignore = "takes minutes: 100 games at 50 ms a move"]
fn a_hundred_games_of_international() {
    campaign(Variant::International, 100, "movetime 50");
}

#[test]
#[ignore = "takes half an hour: 50 games of every variant at 20 ms a move"]
fn fifty_games_of_every_variant() {
    for variant in common::variants_asked_for() {
        campaign(variant, 50, "movetime 20");
    }
}
