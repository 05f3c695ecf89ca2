//! Tests of playing strength. A shallow search with the evaluation plays against a one-ply search that counts only
//! material.

use crate::common;

use fastrand::Rng;
use soffio::clock::Stopwatch;
use soffio::eval::Evaluation;
use soffio::plain::{Plain, PlainKind};
use soffio::position::{GameRules, History, Status};
use soffio::rules::{Color, Variant, Word};
use soffio::search::{Limits, Signal, Silent, Tools, TranspositionTable, search};

/// Returns the depth of the search with the evaluation, which takes a few milliseconds. With five men per side, a
/// shallower search would draw many games.
const fn depth(variant: Variant) -> u8 {
    if matches!(variant, Variant::Frysk) { 10 } else { 8 }
}

/// Numbers of games that the evaluation won, drew and lost.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    won: u64,
    drawn: u64,
    lost: u64,
}

/// Plays `games` games against the material player. Each opening is played twice with the sides swapped.
fn play_match<W: Word>(rules: &'static GameRules<W>, games: u64) -> Score {
    let mut score = Score::default();
    for index in 0..games {
        let mut rng = Rng::with_seed(index / 2);
        let mut game = History::new(rules);
        for _ in 0..rng.usize(2..=4) {
            let moves = game.position().legal_moves();
            game.play(*rng.choice(moves.iter()).expect("the game has not ended"));
        }
        let ours = if index % 2 == 0 { Color::White } else { Color::Black };
        match winner(rules, game, ours) {
            Some(winner) if winner == ours => score.won += 1,
            Some(_) => score.lost += 1,
            None => score.drawn += 1,
        }
    }
    score
}

/// Plays `game` until it ends. Returns the winner, or `None` if the game is drawn.
fn winner<W: Word>(rules: &'static GameRules<W>, mut game: History<W>, ours: Color) -> Option<Color> {
    let evaluation = Evaluation::best(rules);
    let material = Evaluation::from(Plain::new(PlainKind::Material, 0, rules.spec()));
    let tables = [(); 2].map(|()| TranspositionTable::new(4).expect("there is enough memory for a small table"));
    loop {
        match game.status() {
            Status::Won { winner, .. } => return Some(winner),
            Status::Drawn(_) => return None,
            Status::Playing { .. } => {}
        }
        let (signal, now) = (Signal::default(), Stopwatch::start());
        let limits = |depth| Limits { depth: Some(depth), ..Limits::default() };
        let nobody = &mut Silent;
        let tools = |index: usize, evaluation| Tools { table: &tables[index], evaluation, endgames: None };
        let outcome = if game.position().side() == ours {
            search(&game, &limits(depth(rules.variant())), tools(0, &evaluation), &signal, now, nobody)
        } else {
            search(&game, &limits(1), tools(1, &material), &signal, now, nobody)
        };
        game.play(outcome.best.expect("the game continues, so there is a move").narrowed());
    }
}

#[test]
#[ignore = "takes a quarter of an hour: 200 games of every variant"]
fn every_evaluation_beats_material_alone() {
    for variant in common::variants_asked_for() {
        let score = common::with_rules!(variant, rules => play_match(rules, 200));
        println!("{variant}: {} won, {} drawn, {} lost", score.won, score.drawn, score.lost);
        assert!(score.won >= 190, "{variant}: {score:?}");
    }
}
