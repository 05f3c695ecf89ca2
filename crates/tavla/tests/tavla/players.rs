//! Tests of the players and of duels between them.

use super::random::Random;
use super::rules::at_points;
use soffio::clock::Stopwatch;
use soffio_tavla::duel::{DuelGame, DuelPlayer, DuelScore, duel};
use soffio_tavla::learned::{BearOff, BearOffAccess, Lookahead, embedded};
use soffio_tavla::plain::{Expectiminimax, PlainAnswer, PlainEvaluation};
use soffio_tavla::player::{PlayValue, PlayerKind, TavlaLimits, TavlaReport, TavlaSettings, think};
use soffio_tavla::rules::{CHECKERS, LegalPlay, ORDERED_ROLLS, Plays, Roll, Rules, TavlaBoard};
use std::cell::Cell;
use std::time::Duration;

fn chosen(settings: &TavlaSettings, board: &TavlaBoard, roll: &str, limits: TavlaLimits) -> (String, Vec<TavlaReport>) {
    let mut plays = Plays::default();
    let legal = plays.find(board, roll.parse().unwrap(), true);
    let mut reports = Vec::new();
    let place = think(settings, legal, limits, Stopwatch::start(), &|| false, &mut |report| reports.push(report));
    (legal[place].play.ordered().to_string(), reports)
}

fn to_depth(depth: u8) -> TavlaLimits {
    TavlaLimits { depth: Some(depth), ..TavlaLimits::default() }
}

#[test]
fn the_trained_player_makes_the_best_known_opening_plays() {
    let settings = TavlaSettings { rules: Rules { mars: true, ..Rules::default() }, ..TavlaSettings::default() };
    for depth in 1..=3 {
        for (roll, play) in [("31", "8/5,6/5"), ("42", "8/4,6/4"), ("61", "13/7,8/7"), ("65", "24/18,18/13")] {
            let (found, reports) = chosen(&settings, &TavlaBoard::start(), roll, to_depth(depth));
            let same = |text: &str| text.replace("24/18,18/13", "24/13").replace("24/19,19/13", "24/13");
            assert_eq!(same(&found), same(play), "{roll} at depth {depth}");
            assert_eq!(reports.len(), usize::from(depth));
        }
    }
}

#[test]
fn every_player_finishes_depth_1_even_without_time_and_stops_on_request() {
    for player in [PlayerKind::Full, PlayerKind::Expectiminimax, PlayerKind::Random] {
        let settings = TavlaSettings { player, ..TavlaSettings::default() };
        let no_time = TavlaLimits { time: Some(Duration::ZERO), ..TavlaLimits::default() };
        let (play, reports) = chosen(&settings, &TavlaBoard::start(), "31", no_time);
        assert!(play.contains('/') && reports.len() == 1, "{player:?}: {play}");
        let polls = Cell::new(0);
        let stop = || {
            polls.set(polls.get() + 1);
            polls.get() > 5
        };
        let mut plays = Plays::default();
        let legal = plays.find(&TavlaBoard::start(), Roll::new(6, 6).unwrap(), true);
        let mut count = 0;
        think(&settings, legal, TavlaLimits::default(), Stopwatch::start(), &stop, &mut |_| count += 1);
        assert!(count < 3, "{player:?}");
    }
}

#[test]
fn the_random_player_depends_only_on_its_seed() {
    let board = TavlaBoard::start();
    let play = |seed| {
        let settings = TavlaSettings { player: PlayerKind::Random, seed, ..TavlaSettings::default() };
        chosen(&settings, &board, "31", TavlaLimits::default()).0
    };
    assert_eq!(play(1), play(1));
    assert!((2..20).any(|seed| play(seed) != play(1)));
}

#[test]
fn expectiminimax_finds_the_best_by_its_evaluation() {
    let settings = TavlaSettings {
        player: PlayerKind::Expectiminimax,
        evaluation: PlainEvaluation::First,
        ..TavlaSettings::default()
    };
    let (play, reports) = chosen(&settings, &TavlaBoard::start(), "31", to_depth(1));
    assert_eq!(play, "8/5,6/5");
    assert_eq!(reports[0].findings[0].worth, PlayValue::Value(4.0));
}

#[test]
fn a_rollout_reports_games_and_error() {
    let settings = TavlaSettings { lines: 2, ..TavlaSettings::default() };
    let limits = TavlaLimits { rollout: Some(72), ..to_depth(1) };
    let (_, reports) = chosen(&settings, &TavlaBoard::start(), "31", limits);
    let PlayValue::Equity { rollout: Some((72, error)), equity, .. } = reports.last().unwrap().findings[0].worth else {
        panic!("{reports:?}");
    };
    assert!((0.01..0.3).contains(&error) && (-0.5..0.7).contains(&equity), "{equity} {error}");
    assert_eq!(reports.last().unwrap().findings.len(), 2, "as many plays as requested");
}

#[test]
fn a_stopped_rollout_keeps_the_games_that_all_plays_have_completed() {
    let mut plays = Plays::default();
    let legal = plays.find(&TavlaBoard::start(), Roll::new(3, 1).unwrap(), true);
    let roll_out = |games, is_stopped: &dyn Fn() -> bool| {
        let limits = TavlaLimits { rollout: Some(games), ..to_depth(1) };
        let mut last = None;
        let report = &mut |report: TavlaReport| last = Some(report.findings);
        let best = think(&TavlaSettings::default(), legal, limits, Stopwatch::start(), is_stopped, report);
        (best, last.unwrap())
    };
    let after = |most| {
        let polls = Cell::new(0);
        move || polls.replace(polls.get() + 1) >= most
    };
    // While the table is built, the signal is polled at any time.
    BearOff::get();
    // Five plays are rolled out, and the signal is polled before each game.
    assert_eq!(roll_out(10_000, &after(5 * 400)), roll_out(396, &|| false), "11 rounds");
    let too_few = roll_out(10_000, &after(5 * 350)).1;
    assert!(matches!(too_few[0].worth, PlayValue::Equity { rollout: None, .. }), "{too_few:?}");
}

#[test]
fn a_search_ends_soon_after_its_node_limit() {
    let mut plays = Plays::default();
    let legal = plays.find(&TavlaBoard::start(), Roll::new(6, 5).unwrap(), true);
    let mut most = 0;
    let mut may_continue = |nodes| {
        most = nodes;
        nodes < 5000
    };
    let mut search = Expectiminimax::new(PlainEvaluation::Second, Rules::default(), 1);
    assert_eq!(search.search(legal, 3, &mut may_continue), None);
    let mut lookahead = Lookahead::new(&embedded().weights, Rules::default(), BearOffAccess::IfReady);
    let mut evaluated = lookahead.evaluate(legal);
    assert!(lookahead.deepen(legal, &mut evaluated, 1, &mut |_| true), "depth 2 has no limit");
    assert!(!lookahead.deepen(legal, &mut evaluated, 9, &mut may_continue));
    assert!((5000..6000).contains(&most), "{most}");

    let limits = TavlaLimits { nodes: Some(5000), rollout: Some(360), ..to_depth(1) };
    let (_, reports) = chosen(&TavlaSettings::default(), &TavlaBoard::start(), "65", limits);
    assert!(matches!(reports.last().unwrap().findings[0].worth, PlayValue::Equity { rollout: None, .. }));
}

fn duellist(player: PlayerKind) -> DuelPlayer {
    let limits = TavlaLimits { depth: Some(1), ..TavlaLimits::default() };
    DuelPlayer { settings: TavlaSettings { player, ..TavlaSettings::default() }, limits }
}

#[test]
fn a_player_against_itself_scores_even() {
    let player = duellist(PlayerKind::Expectiminimax);
    let score = duel([&player, &player], Rules { mars: true, ..Rules::default() }, 20, 1, &mut |_| true);
    assert_eq!((score.by_points[4], score.wins), (20, 20), "the same dice in both orders");
}

#[test]
fn the_trained_player_beats_random_plays() {
    let players = [duellist(PlayerKind::Full), duellist(PlayerKind::Random)];
    let score = duel([&players[0], &players[1]], Rules::default(), 20, 1, &mut |_| true);
    assert!(score.mean() > 0.8 && score.pairs() == 20, "{score:?}");
    let stopped = duel([&players[0], &players[1]], Rules::default(), 20, 1, &mut |score| score.pairs() < 3);
    assert_eq!(stopped.pairs(), 3);
}

#[test]
fn pairs_are_scored_by_the_points_of_both_games() {
    let mut score = DuelScore::default();
    assert_eq!((score.mean(), score.pairs()), (0.0, 0));
    for (one, two) in [(2, 1), (1, -1), (-1, -2), (1, 1)] {
        score.add([DuelGame { points: one, turns: 50 }, DuelGame { points: two, turns: 60 }]);
    }
    assert_eq!((score.pairs(), score.wins, score.turns, score.mean()), (4, 5, 440, 0.25));
    assert_eq!(score.by_points, [0, 1, 0, 0, 1, 0, 1, 1, 0]);
}

/// Runs expectiminimax without pruning. Returns the index of the best legal play, its value, and the number of
/// positions.
fn search_all(evaluation: PlainEvaluation, rules: Rules, legal: &[LegalPlay], depth: u8) -> (usize, i64, u64) {
    fn value(evaluation: PlainEvaluation, rules: Rules, after: &TavlaBoard, chances: u8, nodes: &mut u64) -> i64 {
        let units = i64::from(ORDERED_ROLLS).pow(chances.into());
        if after.own.off() == CHECKERS {
            *nodes += 1;
            let points = if rules.mars && after.other.off() == 0 { 2 } else { 1 };
            return points * i64::from(evaluation.win_value()) * units;
        }
        if chances == 0 {
            *nodes += 1;
            return evaluation.value(after).into();
        }
        let mut of_roll = |roll: Roll| {
            let legal = Plays::default().find(&after.turned(), roll, rules.hit_and_run).to_vec();
            let values = legal.iter().map(|legal| value(evaluation, rules, &legal.after, chances - 1, nodes));
            i64::from(roll.frequency()) * values.max().unwrap_or_default()
        };
        -Roll::ALL.into_iter().map(&mut of_roll).sum::<i64>()
    }
    let mut nodes = 0;
    let mut best = (0, i64::MIN);
    for (place, legal) in legal.iter().enumerate() {
        let value = value(evaluation, rules, &legal.after, depth - 1, &mut nodes);
        if value > best.1 {
            best = (place, value);
        }
    }
    (best.0, best.1, nodes)
}

/// Asserts that expectiminimax with and without pruning finds the same play and the same value in random positions.
/// Returns the total numbers of positions searched without pruning and with pruning.
fn agree(depth: u8, positions: usize, seed: u64) -> [u64; 2] {
    let mut random = Random::new(seed);
    let mut sum = [0; 2];
    for number in 0..positions {
        let rules =
            Rules { mars: number.is_multiple_of(2), hit_and_run: !number.is_multiple_of(3), ..Rules::default() };
        use PlainEvaluation::{First, Plain, Second};
        let evaluation = [Plain, First, Second][number % 3];
        let mut plays = Plays::default();
        let (board, roll) = (random.board(), random.roll());
        let legal = plays.find(&board, roll, rules.hit_and_run);
        // The table is small, so entries are often overwritten.
        let answer = Expectiminimax::new(evaluation, rules, 1).search(legal, depth, &mut |_| true).unwrap();
        let (best, value, nodes) = search_all(evaluation, rules, legal, depth);
        assert_eq!((answer.best, answer.value), (best, value), "{board:?} {roll}");
        let mean = value as f64 / f64::from(evaluation.unit()) / 36_f64.powi(i32::from(depth) - 1);
        assert!((answer.mean - mean).abs() < 1e-9);
        sum = [sum[0] + nodes, sum[1] + answer.nodes];
    }
    sum
}

#[test]
fn pruning_finds_exactly_the_same() {
    agree(1, 200, 1);
    let [all, pruned] = agree(2, 60, 2);
    assert!(pruned < all, "{all} {pruned}");
}

#[test]
#[ignore = "takes minutes; docs/tavla.md quotes the node counts"]
fn pruning_finds_exactly_the_same_at_depth_3() {
    let [all, pruned] = agree(3, 24, 3);
    println!("depth 3: {all} nodes, {pruned} with pruning");
    assert!(pruned < all / 4, "{all} {pruned}");
}

#[test]
fn the_chance_node_is_the_mean_of_36_ways() {
    // The side to roll has one checker left on its 6 point, and the opponent has one on its 2 point. The game ends with
    // the next roll or the roll after it.
    let (own, other) = (at_points(&[(6, 1)]).unwrap(), at_points(&[(2, 1)]).unwrap());
    let board = TavlaBoard::new(own, other).unwrap();
    let mut plays = Plays::default();
    // 2-1 leaves the checker on the 3 point. The opponent then bears off its last checker with every roll.
    let legal = plays.find(&board, Roll::new(2, 1).unwrap(), true);
    let mut search = Expectiminimax::new(PlainEvaluation::Plain, Rules::default(), 1);
    let answer: PlainAnswer = search.search(legal, 2, &mut |_| true).unwrap();
    assert_eq!(answer.value, -36 * 375, "every roll bears off a checker on the 2 point");
    let depth_1 = search.search(legal, 1, &mut |_| true).unwrap();
    assert_eq!(depth_1.mean, -1.0);
}
