use super::*;
use crate::plain::PlainEvaluation;
use crate::rules::{Board, Plays, Roll, Rules};
use std::cell::Cell;
use std::time::Duration;

fn chosen(settings: &Settings, board: &Board, roll: &str, limits: Limits) -> (String, Vec<Report>) {
    let mut plays = Plays::default();
    let legal = plays.find(board, roll.parse().unwrap(), true);
    let mut reports = Vec::new();
    let place = think(settings, legal, limits, &|| false, &mut |report| reports.push(report));
    (legal[place].play.ordered().to_string(), reports)
}

fn to_depth(depth: u8) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn the_learned_player_makes_the_best_known_opening_plays() {
    let settings = Settings { rules: Rules { mars: true, ..Rules::default() }, ..Settings::default() };
    for depth in 1..=3 {
        for (roll, play) in [("31", "8/5,6/5"), ("42", "8/4,6/4"), ("61", "13/7,8/7"), ("65", "24/18,18/13")] {
            let (found, reports) = chosen(&settings, &Board::start(), roll, to_depth(depth));
            let same = |text: &str| text.replace("24/18,18/13", "24/13").replace("24/19,19/13", "24/13");
            assert_eq!(same(&found), same(play), "{roll} at depth {depth}");
            assert_eq!(reports.len(), usize::from(depth));
        }
    }
}

#[test]
fn every_player_finishes_depth_1_even_without_time_and_stops_when_told() {
    for (name, player) in PlayerKind::NAMED {
        let settings = Settings { player, ..Settings::default() };
        let no_time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let (play, reports) = chosen(&settings, &Board::start(), "31", no_time);
        assert!(play.contains('/') && reports.len() == 1, "{name}: {play}");
        let asked = Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > 5
        };
        let mut plays = Plays::default();
        let legal = plays.find(&Board::start(), Roll::new(6, 6).unwrap(), true);
        let mut count = 0;
        think(&settings, legal, Limits::default(), &stop, &mut |_| count += 1);
        assert!(count < 3, "{name}");
    }
}

#[test]
fn the_random_player_depends_on_its_seed_alone() {
    let board = Board::start();
    let play = |seed| {
        let settings = Settings { player: PlayerKind::Random, seed, ..Settings::default() };
        chosen(&settings, &board, "31", Limits::default()).0
    };
    assert_eq!(play(1), play(1));
    assert!((2..20).any(|seed| play(seed) != play(1)));
}

#[test]
fn expectiminimax_finds_the_best_by_its_evaluation() {
    let settings =
        Settings { player: PlayerKind::Expectiminimax, evaluation: PlainEvaluation::First, ..Settings::default() };
    let (play, reports) = chosen(&settings, &Board::start(), "31", to_depth(1));
    assert_eq!(play, "8/5,6/5");
    assert_eq!(reports[0].findings[0].worth, Worth::Value(4.0));
}

#[test]
fn a_rollout_reports_games_and_error() {
    let settings = Settings { lines: 2, ..Settings::default() };
    let limits = Limits { rollout: Some(72), ..to_depth(1) };
    let (_, reports) = chosen(&settings, &Board::start(), "31", limits);
    let Worth::Equity { rollout: Some((72, error)), equity, .. } = reports.last().unwrap().findings[0].worth else {
        panic!("{reports:?}");
    };
    assert!((0.01..0.3).contains(&error) && (-0.5..0.7).contains(&equity), "{equity} {error}");
}
