//! Tests of endings with kings under the draw rules: wins that a search must find or refute, draws that it must not
//! lose, and counters that a FEN must keep.

use crate::common::random::random_setup;
use fastrand::Rng;
use soffio::engine::{Answer, Engine, Limits, Setting, Value};
use soffio::game::Game;
use soffio::notation::{FenRecord, WrittenGame};
use soffio::position::Status;
use soffio::rules::Variant;

/// Won positions from random play.
const WON: &str = include_str!("../data/king_endings.txt");

/// Positions from games of Russian draughts in which a win was missed, and Petrov's triangle.
const MISSED: [&str; 8] = [
    "B:WKb4:BKd8,Kg7,Kc1,b2:H7", "B:WKa7:BKe7,Kg7,Ka5,b2:H17", "B:WKg1:BKe7,Kg7,Ka5,b2:H19",
    "B:WKd6:BKd8,Kg7,Kh6,b2:H5", "B:WKa7:BKd8,Kg7,Kg5,b2:H13", "B:WKg3:BKe7,Ka5,Kg5,Kg7:H13",
    "B:WKb8:BKd8,Kh6,Kd4,b2:H3", "W:WKh8,Ka7,Kc5:BKc7",
];

fn record(fen: &str) -> FenRecord {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn game(variant: Variant, fen: &str) -> Game {
    WrittenGame::from_start(variant, Some(&record(fen))).unwrap_or_else(|error| panic!("{fen}: {error}")).game().clone()
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.apply(Setting::Hash(16)).expect("there is enough memory for a small table");
    engine
}

fn search(game: &Game, limits: impl FnOnce(Limits) -> Limits) -> Answer {
    let mut engine = engine();
    let limits = limits(engine.limits());
    engine.go(game, limits).expect("it finds a move")
}

/// Returns whether a new engine finds a win within `nodes` nodes.
fn finds_win(variant: Variant, fen: &str, nodes: u64) -> bool {
    let mut engine = engine();
    let limits = Limits { nodes: Some(nodes), ..engine.limits() };
    let mut is_seen = false;
    let on_report = &mut |report: &soffio::engine::Report| {
        is_seen |= report.bound != soffio::engine::Bound::Upper && matches!(report.value, Value::Win(_));
    };
    engine
        .go_with_reports(&game(variant, fen), limits, &soffio::engine::Signal::default(), on_report)
        .expect("it finds a move");
    is_seen
}

/// Regression test: if a search for a win found none, the value of its answer was only an upper bound. After 14-17, the
/// search refutes a win in 12 moves with 23-18, which loses in 20, but 22-26 draws.
#[test]
fn the_value_after_a_refuted_win_is_not_a_bound() {
    let start = record("B:WK22,K23:B13,K14,K15");
    let game = WrittenGame::from_start(Variant::English, Some(&start)).expect("it is a position");
    let offered = game.game().legal_moves().into_iter().filter(|&mv| game.text(mv) == "14-17").collect();
    let answer = search(game.game(), |limits| Limits { win_in: Some(12), root_moves: offered, ..limits });
    assert!(answer.has_no_win && matches!(answer.value, Value::Cp(_)), "{answer:?}");
}

#[test]
fn the_search_after_a_refuted_win_keeps_the_node_limit() {
    let start = Game::new(Variant::English);
    let answer = search(&start, |limits| Limits { win_in: Some(1), nodes: Some(500), ..limits });
    assert!(answer.has_no_win && answer.nodes < 600, "{answer:?}");
}

/// Regression test: a win search that found a win used to report its own depth, which could be lower than the depth
/// that the main search had already reported.
#[test]
fn printed_depths_never_fall_within_a_search() {
    for fen in MISSED {
        let mut engine = engine();
        engine.apply(Setting::TablePieces(0)).expect("it is only a limit");
        let limits = Limits { nodes: Some(150_000), ..engine.limits() };
        let mut depths = Vec::new();
        let on_report = &mut |report: &soffio::engine::Report| depths.push(report.depth);
        let game = game(Variant::Russian, fen);
        engine.go_with_reports(&game, limits, &soffio::engine::Signal::default(), on_report).expect("it finds a move");
        assert!(depths.is_sorted(), "{fen}: {depths:?}");
    }
}

#[test]
fn a_win_search_uses_tables() {
    let petrov = game(Variant::Russian, "W:WKh8,Ka7,Kc5:BKc7");
    for (moves, has_no_win) in [(7, true), (8, false), (30, false)] {
        let answer = search(&petrov, |limits| Limits { win_in: Some(moves), ..limits });
        assert_eq!((answer.value, answer.has_no_win), (Value::Win(8), has_no_win), "{moves}: {answer:?}");
        assert!(answer.nodes < 10_000, "{answer:?}");
    }
}

#[test]
fn killer_kings_win_by_a_capture_that_stops_behind_the_last_king() {
    let problem = game(Variant::Killer, "W:WK24,K42:BK23");
    let answer = search(&problem, |limits| Limits { win_in: Some(6), ..limits });
    assert_eq!(answer.value, Value::Win(6));
}

#[test]
fn a_win_search_that_runs_out_answers_like_a_normal_search() {
    let mut is_first = true;
    for fen in [
        "W:W22,26,27,31,32:B8,12,14,15,19",
        "W:W17,21,25,29,30:B5,9,10,12,14",
        "B:W25,21,19,18,14:B11,7,6,2,1",
        "B:W28,24,23,21,19:B16,12,8,4,3",
    ] {
        let game = game(Variant::English, fen);
        let normal = search(&game, |limits| Limits { nodes: Some(30_000), ..limits });
        let answer = search(&game, |limits| Limits { nodes: Some(30_000), win_in: Some(20), ..limits });
        assert!(!answer.has_no_win && answer.nodes <= 32_000, "{answer:?}");
        assert_eq!(answer.best, normal.best);
        is_first &= answer.best == game.legal_moves().first().copied();
    }
    assert!(!is_first, "not only the first of the legal moves");
}

#[test]
fn wins_with_few_kings_are_found() {
    let is_found = |line: &&str| {
        let (variant, fen) = line.split_once(' ').expect("a variant and a FEN");
        finds_win(Variant::named(variant).expect("a variant"), fen, 100_000)
    };
    let seen = WON.lines().filter(is_found).count();
    assert!(seen >= 18, "{seen} of 20");
}

#[test]
fn wins_missed_in_games_are_found() {
    assert!(MISSED[..3].iter().all(|fen| finds_win(Variant::Russian, fen, 200_000)));
}

#[test]
fn a_found_win_ends_a_deep_search_early() {
    for fen in &MISSED[..3] {
        let answer = search(&game(Variant::Russian, fen), |limits| Limits { depth: Some(40), ..limits });
        assert!(matches!(answer.value, Value::Win(_)) && answer.nodes < 4_000_000, "{fen}: {answer:?}");
    }
}

#[test]
fn a_fixed_depth_search_with_kings_stays_small() {
    for (pieces, most) in [(0, 1_000_000), (8, 1_500_000)] {
        for fen in ["B:WK34:BK8,K9,K11,K41", "W:WK8,K10,K11,K25:BK18"] {
            let mut engine = engine();
            engine.apply(Setting::TablePieces(pieces)).expect("tables are not opened yet");
            let limits = Limits { depth: Some(9), ..engine.limits() };
            let answer = engine.go(&game(Variant::International, fen), limits).expect("it finds a move");
            assert!(answer.nodes < most, "{fen}: {} nodes with tables of {pieces} pieces", answer.nodes);
        }
    }
}

/// Returns the minimum number of pieces that the side to move in `fen` can have after its best move and the opponent's
/// reply.
fn fewest_after(variant: Variant, fen: &str, depth: u8) -> usize {
    let mut game = game(variant, fen);
    let own = game.side();
    let answer = search(&game, |limits| Limits { depth: Some(depth), ..limits });
    assert!(game.play(answer.best.expect("there is a move")));
    let pieces = |game: &Game| game.setup().pieces.values().filter(|piece| piece.color == own).count();
    let replies = game.legal_moves().into_iter().map(|reply| {
        let mut after = game.clone();
        assert!(after.play(reply));
        pieces(&after)
    });
    replies.min().unwrap_or_else(|| pieces(&game))
}

#[test]
fn no_king_is_sacrificed_near_a_draw_by_rule() {
    for clock in [70, 76, 77, 78, 79, 80, 90, 500] {
        for depth in [1, 6, 12] {
            let fen = format!("W:WK10,K11,K18:BK1,K27:H{clock}");
            assert_eq!(fewest_after(Variant::English, &fen, depth), 3, "{fen} depth {depth}");
        }
    }
    for clock in [0, 8, 9, 10, 30, 60] {
        for (variant, fen) in [(Variant::International, "W:WK47:BK4"), (Variant::Russian, "W:WKc1:BKh6")] {
            assert_eq!(fewest_after(variant, &format!("{fen}:H{clock}"), 8), 1, "{fen} {clock}");
        }
    }
}

#[test]
fn a_win_is_found_if_the_root_is_drawn_by_rule() {
    let game = game(Variant::Russian, "B:WKa7:BKe7,Kg7,Ka5,b2:H40");
    assert!(matches!(game.status(), Status::Drawn(_)));
    let answer = search(&game, |limits| Limits { nodes: Some(200_000), ..limits });
    assert!(matches!(answer.value, Value::Win(_)), "{answer:?}");
}

#[test]
fn the_weaker_side_chooses_the_draw_by_rule() {
    // Any king move ends the game in a draw. A move by the man would restart the count, but White is three kings down.
    let game = game(Variant::English, "W:WK32,28:BK1,K2,K3,K6,19:H79");
    let answer = search(&game, |limits| Limits { depth: Some(9), ..limits });
    let Value::Cp(score) = answer.value else { panic!("{answer:?}") };
    assert!((-15..=0).contains(&score), "{answer:?}");
}

#[test]
fn a_game_keeps_only_ages_that_set_a_limit() {
    for (fen, printed) in [
        ("W:WKa3,Kb2:BKh8:H6:F3:E6", "W:WKa3,Kb2:BKh8:H6:F3"),
        // For an ending with three pieces, only the main road rule sets a limit.
        ("W:WKa3,b2,c1:BKh8:H2:F9:E7,3,0", "W:WKa3,b2,c1:BKh8:H2:F9:E0,3,0"),
    ] {
        let game = WrittenGame::from_start(Variant::Russian, Some(&record(fen))).expect("it is a position");
        assert_eq!(game.fen().to_string(), printed);
    }
}

#[test]
fn on_the_main_road_age_0_means_a_king_that_has_just_arrived() {
    let mut game = game(Variant::Brazilian, "W:WKf2:BKh8,Kf4,h4");
    let mv = game.legal_moves().into_iter().find(|mv| !mv.is_capture()).expect("the lone king moves");
    assert!(game.play(mv));
    let fen = FenRecord::from_setup(Variant::Brazilian.spec(), &game.setup()).to_string();
    let again =
        Game::from_setup(Variant::Brazilian, &record(&fen).to_setup(Variant::Brazilian.spec()).unwrap()).unwrap();
    assert_eq!((again.setup(), again.status()), (game.setup(), game.status()), "{fen}");
}

#[test]
fn a_printed_fen_keeps_the_move_number() {
    let mut game = WrittenGame::new(Variant::Spanish);
    let mut plies = 0;
    while plies < 60
        && let Some(sequence) = game.sequences().into_iter().next()
    {
        assert!(game.play_found(soffio::notation::bitboard_move(&sequence)));
        plies += 1;
        let number = 1 + plies / 2;
        let fen = game.fen();
        assert_eq!(fen.move_number.unwrap_or(1), number, "{fen}");
    }
    assert!(plies > 10, "{plies}");
}

#[test]
fn a_printed_fen_restores_the_state_of_the_game() {
    let mut rng = Rng::with_seed(7);
    for &variant in Variant::ALL {
        for _ in 0..60 {
            let setup = random_setup(&mut rng, variant.spec(), 4, 0.7);
            let mut game = Game::from_setup(variant, &setup).expect("it was checked");
            for _ in 0..60 {
                let fen = FenRecord::from_setup(variant.spec(), &game.setup()).to_string();
                let read = record(&fen).to_setup(variant.spec()).expect("it is a position");
                let again = Game::from_setup(variant, &read).expect("it is a position");
                assert_eq!(again.setup(), game.setup(), "{variant} {fen}");
                if !matches!(game.status(), Status::Drawn(soffio::position::DrawReason::Repetition(_))) {
                    assert_eq!(again.status(), game.status(), "{variant} {fen}");
                }
                let moves = game.legal_moves();
                if moves.is_empty() {
                    break;
                }
                assert!(game.play(moves[rng.usize(..moves.len())]));
            }
        }
    }
}
