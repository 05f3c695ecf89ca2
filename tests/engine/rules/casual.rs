//! Tests of casual checkers: the maximum number of pieces must be captured, and a man that captures a king becomes a
//! king.

use crate::common;

use common::assert_legal;
use common::games::{countdown, game, has_king, play};
use soffio::game::Game;
use soffio::position::{Status, WinReason};
use soffio::rules::{Color, Variant};

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::Casual, fen, expected);
}

#[track_caller]
#[test]
fn the_start_position_matches_english_draughts() {
    assert_eq!(Game::new(Variant::Casual).side(), Color::Black);
    legal(
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        &["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"],
    );
}

#[test]
fn the_most_pieces_must_be_captured() {
    legal("W:W22,24:B9,17,19", &["22x6 takes 9 17"]);
    // Kings and men are equivalent, both as capturing pieces and as captured pieces.
    legal("W:W22:B17,K18", &["22x13 takes 17", "22x15 takes 18"]);
    legal("W:W23,K24:B19", &["23x16 takes 19", "24x15 takes 19"]);
}

#[test]
fn men_that_capture_no_king_capture_forwards_and_stop_on_the_far_row() {
    legal("W:W15:B19", &["15-10", "15-11"]);
    legal("W:W22:B18,19", &["22x15 takes 18"]);
    legal("W:W9:B6,7", &["9x2 takes 6"]);
}

#[test]
fn a_man_that_captures_a_king_is_promoted_at_once() {
    let mut game = game(Variant::Casual, "W:W22:B1,K18");
    play(&mut game, 22, 15);
    assert!(has_king(&game, Color::White, 15));
}

#[test]
fn it_continues_as_a_king() {
    legal("W:W22:BK18,19", &["22x24 takes 18 19"]);
    let mut game = game(Variant::Casual, "W:W22:BK18,19");
    play(&mut game, 22, 24);
    assert!(has_king(&game, Color::White, 24));
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::NoPiece });
}

#[test]
fn it_is_a_king_only_after_the_captured_king() {
    legal("W:W26:B15,22,K14", &["26x19 takes 14 15 22"]);
    // The man on 19 is behind the capturing piece as long as this piece is a man.
    legal("W:W22:B18,19,K11", &["22x8 takes 11 18"]);
}

#[test]
fn it_continues_from_the_far_row() {
    legal("W:W9:BK6,7", &["9x11 takes 6 7"]);
    let mut game = game(Variant::Casual, "W:W9:BK6,7,1");
    play(&mut game, 9, 11);
    assert!(has_king(&game, Color::White, 11));
}

#[test]
fn draws_match_english_draughts() {
    assert_eq!(countdown(&game(Variant::Casual, "W:WK29:BK4")), 40);
}
