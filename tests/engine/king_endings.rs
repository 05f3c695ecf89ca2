//! Tests of endings with flying kings under the draw rules: wins that a search must find, draws that it must not lose,
//! and counters that are stored in a FEN.

use fastrand::Rng;
use soffio::board::Square;
use soffio::engine::{Answer, Engine, Limits, Setting, Value};
use soffio::game::Game;
use soffio::notation::{EndingAges, FenRecord, WrittenGame};
use soffio::position::{Piece, Setup, Status};
use soffio::rules::{Color, Variant};
use std::collections::BTreeMap;

/// Won positions from random play, each with the length of the shortest win. The file was generated with
/// [`make_the_won_positions`].
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
    WrittenGame::at(variant, Some(&record(fen))).unwrap_or_else(|error| panic!("{fen}: {error}")).game().clone()
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
    let watch = &mut |report: &soffio::engine::Report| {
        is_seen |= report.bound != soffio::engine::Bound::Upper && matches!(report.value, Value::Win(_));
    };
    engine.watch(&game(variant, fen), limits, &soffio::engine::Signal::default(), watch).expect("it finds a move");
    is_seen
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
        let watch = &mut |report: &soffio::engine::Report| depths.push(report.depth);
        let game = game(Variant::Russian, fen);
        engine.watch(&game, limits, &soffio::engine::Signal::default(), watch).expect("it finds a move");
        assert!(depths.is_sorted(), "{fen}: {depths:?}");
    }
}

#[test]
fn a_win_search_uses_tables() {
    let petrov = game(Variant::Russian, "W:WKh8,Ka7,Kc5:BKc7");
    for (moves, is_won) in [(7, false), (8, true), (30, true)] {
        let answer = search(&petrov, |limits| Limits { win_in: Some(moves), ..limits });
        assert_eq!((answer.value == Value::Win(8), answer.has_no_win), (is_won, !is_won), "{moves}: {answer:?}");
        assert!(answer.nodes < 10_000, "{answer:?}");
    }
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

fn won() -> Vec<(Variant, &'static str)> {
    let line = |line: &'static str| {
        let mut words = line.split(' ');
        let variant = words.next().and_then(Variant::named).expect("a variant");
        (variant, words.next().expect("a FEN"))
    };
    WON.lines().map(line).collect()
}

#[test]
fn wins_with_few_kings_are_found() {
    let some: Vec<_> = won().into_iter().step_by(10).collect();
    let seen = some.iter().filter(|(variant, fen)| finds_win(*variant, fen, 100_000)).count();
    assert!(some.len() == 20 && seen >= 18, "{seen} of {}", some.len());
}

#[test]
fn wins_missed_in_games_are_found() {
    assert!(MISSED[..3].iter().all(|fen| finds_win(Variant::Russian, fen, 200_000)));
}

/// Takes minutes in builds without optimisation.
#[test]
#[ignore = "only a measurement"]
fn nearly_all_wins_with_few_kings_are_found() {
    let seen = won().into_iter().filter(|(variant, fen)| finds_win(*variant, fen, 100_000)).count();
    println!("{seen} of 200 within 100000 nodes");
    assert!(seen >= 190);
    let seen = MISSED[..7].iter().filter(|fen| finds_win(Variant::Russian, fen, 1_200_000)).count();
    assert_eq!(seen, 7);
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

/// Returns the number of moves that each side has left before a draw by move count, or `None` if no rule counts moves
/// or the game has ended.
fn countdown(variant: Variant, fen: &str) -> Option<u16> {
    match game(variant, fen).status() {
        Status::Playing { countdown } => countdown,
        _ => None,
    }
}

#[test]
fn an_ending_has_the_age_of_the_clock() {
    for (clock, left) in [(0, Some(5)), (1, Some(5)), (8, Some(1)), (9, Some(1)), (10, None), (11, None)] {
        assert_eq!(countdown(Variant::International, &format!("W:WK1,K2:BK50:H{clock}:F5")), left, "{clock}");
    }
    assert_eq!(countdown(Variant::International, "W:WK1,K2:BK50:H2:E7"), Some(2));
    assert_eq!(countdown(Variant::International, "W:WK1,K2:BK50:E9"), Some(1));
    assert_eq!(countdown(Variant::Russian, "W:WKa3,Kb2,c1:BKh8:E0,4,0"), Some(3));
}

#[test]
fn impossible_ages_are_rejected() {
    let error = |fen: &str| WrittenGame::at(Variant::Russian, Some(&record(fen))).map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        error("W:WKa3,Kb2:BKh8:H6:E4"),
        "ending age 4 is too low: expected 0 or at least 6, the number of plies since the last capture or advance of a man"
    );
    for (fen, expected) in [
        ("W:WKa3:BKh8:E", "ending ages: expected a number"),
        ("W:WKa3:BKh8:E3,4", "ending ages: expected ','"),
        ("W:WKa3:BKh8:E999", "ending ages"),
        ("W:WKa3:BKh8:E1:E1", "ending ages"),
    ] {
        let error = fen.parse::<FenRecord>().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{fen}: {error}");
    }
}

#[test]
fn ages_are_printed_if_they_differ_from_the_clock() {
    for (fen, printed) in [
        ("W:WKa3,Kb2:BKh8:H6:F3", "W:WKa3,Kb2:BKh8:H6:F3"),
        ("W:WKa3,Kb2:BKh8:H6:F3:E6", "W:WKa3,Kb2:BKh8:H6:F3"),
        ("W:WKa3,b2:BKh8:E4", "W:WKa3,b2:BKh8:E4"),
        // For an ending with three pieces, only the main road rule sets a limit.
        ("W:WKa3,b2,c1:BKh8:H2:F9:E7,3,0", "W:WKa3,b2,c1:BKh8:H2:F9:E0,3,0"),
    ] {
        let game = WrittenGame::at(Variant::Russian, Some(&record(fen))).expect("it is a position");
        assert_eq!(game.fen().to_string(), printed);
    }
}

#[test]
fn on_the_main_road_age_0_means_a_king_that_has_just_arrived() {
    let mut game = game(Variant::Brazilian, "W:WKf2:BKh8,Kf4,h4");
    let way = game.legal_moves().into_iter().find(|mv| !mv.is_capture()).expect("the lone king moves");
    assert!(game.play(way));
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
        && let Some(way) = game.sequences().into_iter().next()
    {
        assert!(game.play_found(soffio::notation::bitboard_move(&way)));
        plies += 1;
        let number = 1 + plies / 2;
        let fen = game.fen();
        assert_eq!(fen.move_number.unwrap_or(1), number, "{fen}");
    }
    assert!(plies > 10, "{plies}");
}

#[test]
fn a_zero_king_move_count_has_no_square() {
    let error = "W:WK31,40:B1:+031+0".parse::<FenRecord>().unwrap_err().to_string();
    assert_eq!(error, "king move counts: expected a count from 1 to 3 before a square, found '031+0' at column 15");
    assert!("W:WK31,40:B1:+0+0".parse::<FenRecord>().is_ok());
}

/// Returns a random set-up with a few pieces on each side, most of them kings, or `None` if it is not legal.
fn few_pieces(variant: Variant, rng: &mut Rng, strong: usize, weak: usize) -> Option<Setup> {
    let spec = variant.spec();
    let mut squares: Vec<Square> = spec.shape.all_squares().collect();
    rng.shuffle(&mut squares);
    let mut pieces = BTreeMap::new();
    for (color, count) in [(Color::White, strong), (Color::Black, weak)] {
        for index in 0..count {
            pieces.insert(squares.pop()?, Piece { color, king: index == 0 || rng.f64() < 0.7 });
        }
    }
    let side = if rng.bool() { Color::White } else { Color::Black };
    let setup = Setup { side, pieces, ..Setup::start(spec) };
    setup.check(spec).is_ok().then_some(setup)
}

#[test]
fn a_printed_fen_restores_the_state_of_the_game() {
    let mut rng = Rng::with_seed(7);
    for &variant in Variant::ALL {
        for _ in 0..60 {
            let (strong, weak) = (rng.usize(1..=4), rng.usize(1..=3));
            let Some(setup) = few_pieces(variant, &mut rng, strong, weak) else { continue };
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

#[test]
fn killer_variants_have_no_special_limit_in_won_king_endings() {
    assert_eq!(countdown(Variant::Killer, "W:WK24,K42:BK23"), Some(25));
    assert_eq!(countdown(Variant::Killer, "W:WK24,K42,K1:BK23"), Some(25));
    assert_eq!(countdown(Variant::KillerRussian, "W:WKa3,Kc5:BKc7"), Some(15));
    assert_eq!(countdown(Variant::KillerBrazilian, "W:WKa3,Kc5:BKc7"), Some(20));
    assert_eq!(countdown(Variant::KillerBrazilian, "W:WKa3,Kc5,Kf2:BKc7"), Some(15));
    assert_eq!(countdown(Variant::KillerBrazilian, "W:WKa3,Kc5:BKc7,Kb8"), Some(20));
    let problem = game(Variant::Killer, "W:WK24,K42:BK23");
    let answer = search(&problem, |limits| Limits { win_in: Some(6), ..limits });
    assert_eq!(answer.value, Value::Win(6));
}

#[test]
fn three_of_four_kings_have_fifteen_moves() {
    let mut game = game(Variant::Russian, "B:WKc1,Ka3,Ke1,Ke5:BKb8:H20");
    assert_eq!(game.status(), Status::Playing { countdown: Some(5) });
    let captures: Vec<_> = game.legal_moves().into_iter().filter(|mv| mv.is_capture()).collect();
    assert!(game.play(captures[0]));
    assert_eq!(game.status(), Status::Playing { countdown: Some(15) });
}

#[test]
fn in_international_draughts_a_capture_does_not_restart_a_drawn_ending() {
    let mut game = game(Variant::International, "B:WK46,K31:BK4:E6");
    let capture = game.legal_moves().into_iter().find(|mv| mv.is_capture());
    assert!(game.play(capture.expect("the king on 31 is captured")));
    assert_eq!(game.status(), Status::Playing { countdown: Some(2) });
}

/// Prints won positions with few pieces from random play in the format of `tests/data/king_endings.txt`. That file was
/// generated by an older version, which had no win search.
#[test]
#[ignore = "generates the test data"]
fn make_the_won_positions() {
    let mut rng = Rng::with_seed(18);
    let variants = [Variant::Russian, Variant::International, Variant::Russian, Variant::Brazilian, Variant::Pool];
    let mut made = 0;
    while made < 200 {
        let variant = variants[made % variants.len()];
        let (strong, weak) = (rng.usize(3..=5), if rng.f64() < 0.7 { 1 } else { 2 });
        let Some(setup) = few_pieces(variant, &mut rng, strong, weak) else { continue };
        let mut game = Game::from_setup(variant, &setup).expect("it was checked");
        for _ in 0..rng.usize(4..20) {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            assert!(game.play(moves[rng.usize(..moves.len())]));
        }
        let setup = Setup { quiet_plies: 0, move_number: 1, ages: EndingAges::default(), ..game.setup() };
        let count = |color: Color, kings: bool| {
            setup.pieces.values().filter(|piece| piece.color == color && (piece.king || !kings)).count()
        };
        let (own, other) = (setup.side, setup.side.opponent());
        let game = Game::from_setup(variant, &setup).expect("it is a position");
        let is_hunt = count(own, true) > 0 && count(other, true) > 0 && count(own, false) > count(other, false);
        if !is_hunt || game.can_capture() || !matches!(game.status(), Status::Playing { .. }) {
            continue;
        }
        let answer = search(&game, |limits| Limits { win_in: Some(6), nodes: Some(150_000), ..limits });
        if let Value::Win(moves @ 3..=6) = answer.value
            && u16::from(answer.depth) + 2 >= 2 * moves
        {
            println!("{variant} {} win {moves}", FenRecord::from_setup(variant.spec(), &setup));
            made += 1;
        }
    }
}
