//! Tests of game logs and of the results that are computed from them.

use soffio::engine::Value;
use soffio::rules::Color;
use soffio_match::tavla as tavla_match;
use soffio_match::{Average, EngineFigures, GameLog, MatchResults, MoveEvaluation, MoveLog, Pairing};
use std::time::Duration;

fn game(number: usize, white: usize, winner: Option<Color>, termination: &str, fault: bool) -> (Pairing, GameLog) {
    let opening = MoveLog::new("1-5".to_owned(), Color::White, None);
    let (bad_line, side) = (Some("1-6: no".to_owned()), Color::Black);
    let own = MoveLog { side, nodes: Some(10), us: Some(3000), reported_us: Some(1000), bad_line, ..opening.clone() };
    let pairing = Pairing { number, pair: Some(number / 2), opening: 0, white, black: 1 - white };
    let (termination, moves) = (termination.to_owned(), vec![opening, own]);
    let log = GameLog { winner, termination, fault, machine_late: fault, moves, ..GameLog::default() };
    (pairing, log)
}

#[test]
fn games_are_counted_for_the_first_engine_and_in_pairs() {
    let mut results = MatchResults::default();
    for (pairing, log) in [
        game(0, 0, Some(Color::White), "no legal move", false),
        game(2, 0, None, "repetition", false),
        game(1, 1, Some(Color::Black), "stall", true),
        game(3, 1, Some(Color::White), "repetition", false),
    ] {
        results.add(&pairing, &log);
    }
    let tally = results.tallies[&(0, 1)];
    assert_eq!((tally.games, tally.pairs), ([1, 1, 2], [0, 1, 0, 0, 1]));
    assert_eq!(results.engine_tally(0), tally);
    assert_eq!((results.engine_tally(1).games, results.engine_tally(1).pairs), ([2, 1, 1], [1, 0, 0, 1, 0]));
    assert_eq!((results.games(), results.faults), (4, 1));
    assert_eq!(results.engines[&1].faults.get("stall"), Some(&1), "the loser was White");
    assert!(results.engines[&0].faults.is_empty());
    assert_eq!((&results.machine_late[..], results.engines[&1].bad_lines), (&[0][..], 2));
    let EngineFigures { moves, nodes, latency, .. } = &results.engines[&1];
    assert_eq!(*latency, Average { count: 2, sum: 4000, max: 2000 }, "microseconds");
    assert_eq!((*moves, nodes.count, nodes.sum), (2, 2, 20), "two games with Black");
}

#[test]
fn a_written_log_is_read_back() {
    let evaluation = MoveEvaluation { score: Some(Value::Cp(-7)), depth: Some(9), ..MoveEvaluation::default() };
    let evaluation = MoveEvaluation { time: Duration::from_micros(1500), ..evaluation };
    let mv = MoveLog::new("28x19".to_owned(), Color::Black, Some(evaluation));
    let log = GameLog {
        game: 3,
        white: "a".to_owned(),
        black: "b \"c\"".to_owned(),
        termination: "repetition".to_owned(),
        detail: "repetition".to_owned(),
        end: "W:W21:B1".to_owned(),
        moves: vec![mv],
        date: "2026.01.31".to_owned(),
        ..GameLog::default()
    };
    let text = serde_json::to_string(&log).unwrap();
    let expected = r#"{"game":3,"white":"a","black":"b \"c\"","winner":null,"termination":"repetition","fault":false,"#
        .to_owned()
        + r#""detail":"repetition","end":"W:W21:B1","#
        + r#""moves":[{"move":"28x19","side":"black","score":{"cp":-7},"depth":9,"us":1500}],"date":"2026.01.31"}"#;
    assert_eq!(text, expected);
    assert_eq!(serde_json::from_str::<GameLog>(&text).unwrap(), log);
}

fn tavla_game(number: usize, winner: Option<Color>, points: u8, termination: &str) -> (Pairing, GameLog) {
    let white = number % 2;
    let pairing = Pairing { number, pair: Some(number - white), opening: number / 2, white, black: 1 - white };
    let (fault, termination) = (termination == "time", termination.to_owned());
    let log = GameLog { winner, points: Some(points), termination, fault, ..GameLog::default() };
    (pairing, log)
}

#[test]
fn points_are_counted_for_the_first_engine_on_either_side() {
    let mut results = tavla_match::TavlaResults::default();
    for (pairing, log) in [
        tavla_game(0, Some(Color::White), 2, "mars"),
        tavla_game(3, Some(Color::White), 2, "mars"),
        tavla_game(1, Some(Color::Black), 1, "all borne off"),
        tavla_game(2, None, 0, "move limit"),
        tavla_game(4, Some(Color::Black), 1, "time"),
    ] {
        results.add(&pairing, &log);
    }
    assert_eq!((results.games.engine_tally(0).games, results.mars, results.games.games()), ([2, 1, 2], [1, 1], 5));
    assert_eq!((results.score.pairs(), results.score.wins), (2, 2), "the last pair is not complete");
    assert_eq!(results.score.mean(), 0.25, "(2 + 1 + 0 - 2) points in 4 games");
    assert_eq!((results.games.faults, results.games.engines[&0].faults.get("time")), (1, Some(&1)));
    assert!(results.games.engines[&1].faults.is_empty());
}

#[test]
fn a_written_tavla_log_is_read_back() {
    let log = GameLog {
        game: 2,
        white: "a".to_owned(),
        black: "b".to_owned(),
        winner: Some(Color::Black),
        points: Some(2),
        termination: "mars".to_owned(),
        detail: "mars".to_owned(),
        moves: vec![MoveLog::new("31:8/5,6/5".to_owned(), Color::White, None)],
        date: "2026.01.31".to_owned(),
        ..GameLog::default()
    };
    let text = serde_json::to_string(&log).unwrap();
    let expected =
        r#"{"game":2,"white":"a","black":"b","winner":"black","points":2,"termination":"mars","fault":false,"#
            .to_owned()
            + r#""detail":"mars","moves":[{"move":"31:8/5,6/5","side":"white"}],"date":"2026.01.31"}"#;
    assert_eq!(text, expected);
    assert_eq!(serde_json::from_str::<GameLog>(&text).unwrap(), log);
}
