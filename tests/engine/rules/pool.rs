//! Tests of American pool checkers according to the rules of the APCA. Squares are numbered from the top left, so b8 is
//! 1, a1 is 29 and g1 is 32.

use crate::common::assert_legal;
use crate::common::games::{countdown, game, is_without_kings, play};
use soffio::WrittenGame;
use soffio::game::Game;
use soffio::rules::{Color, Variant};

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::Pool, fen, expected);
}

#[test]
fn black_moves_first() {
    assert_eq!(Game::new(Variant::Pool).side(), Color::Black);
}

#[test]
fn men_capture_backwards() {
    legal("W:W18:B22", &["18x25 takes 22"]);
}

#[test]
fn any_capture_may_be_chosen_but_must_be_completed() {
    legal("W:W22:B11,17,18", &["22x13 takes 17", "22x8 takes 11 18"]);
    legal("W:WK29:B7,18", &["29x2 takes 7 18"]);
}

#[test]
fn a_man_that_continues_from_the_king_row_stays_a_man() {
    legal("W:W9:B6,7", &["9x11 takes 6 7"]);
    let mut game = game(Variant::Pool, "W:W9:B6,7,12");
    play(&mut game, 9, 11);
    assert!(is_without_kings(&game));
}

#[test]
fn three_kings_against_one_have_thirteen_moves() {
    assert_eq!(countdown(&game(Variant::Pool, "W:WK30,K31,K32:BK1")), 13);
    assert_eq!(countdown(&game(Variant::Pool, "W:WK30,K31,21:BK1")), 15, "the limit applies only to kings");
}

/// Unified pool checkers has the same moves as pool checkers, but White moves first and squares are named with letters.
#[test]
fn unified_pool_is_pool_checkers_with_letters() {
    assert_eq!(
        WrittenGame::at(Variant::UnifiedPool, Some(&"W:Wc5:Bd6".parse().unwrap())).unwrap().legal_moves(),
        ["c5xe7"]
    );
    assert_eq!(Game::new(Variant::UnifiedPool).side(), Color::White);
    assert_eq!(countdown(&game(Variant::UnifiedPool, "W:WK30,K31,K32:BK1")), 13);
    assert_eq!(
        Variant::UnifiedPool
            .spec()
            .square_name(Variant::UnifiedPool.spec().shape.all_squares().next().unwrap())
            .to_string(),
        "b8"
    );
}

/// Jamaican draughts is played on a mirrored board, where square 32 is at h1. In Jamaican notation, however, square 1
/// is a1.
#[test]
fn jamaican_draughts_are_pool_checkers_in_a_mirror() {
    let legal = |fen, expected: &[&str]| assert_legal(Variant::Jamaican, fen, expected);
    legal("W:W18:B22", &["18x27 takes 22"]);
    legal("W:W18:B21", &["18x25 takes 21"]);
    assert_eq!(Game::new(Variant::Jamaican).side(), Color::Black);
    assert_eq!(countdown(&game(Variant::Jamaican, "W:WK30,K31,K32:BK1")), 13);
    let names: Vec<_> = Variant::Jamaican
        .spec()
        .shape
        .all_squares()
        .map(|square| Variant::Jamaican.spec().square_name(square).to_string())
        .collect();
    assert_eq!(names[..6], ["a1", "a3", "a5", "a7", "b2", "b4"]);
    assert_eq!(names[31], "h8");
}
