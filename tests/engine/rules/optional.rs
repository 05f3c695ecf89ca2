//! Tests of English draughts and casual checkers with optional captures.

use crate::common::assert_legal;
use crate::common::games::{game, play};
use soffio::position::{Status, WinReason};
use soffio::rules::{Color, Variant};

#[test]
fn quiet_moves_are_legal_besides_captures() {
    let expected = ["22x13 takes 17", "22-18", "32-27", "32-28"];
    assert_legal(Variant::EnglishOptional, "W:W22,32:B17", &expected);
    assert_legal(Variant::CasualOptional, "W:W22,32:B17", &expected);
}

#[test]
fn a_started_capture_must_be_completed() {
    assert_legal(Variant::EnglishOptional, "W:W22:B9,17", &["22x6 takes 9 17", "22-18"]);
    assert_legal(Variant::CasualOptional, "W:W22:BK18,19", &["22x24 takes 18 19", "22-17"]);
}

#[test]
fn the_maximum_capture_is_optional_too() {
    let expected = ["22x6 takes 9 17", "24x15 takes 19", "22-18", "24-20"];
    assert_legal(Variant::CasualOptional, "W:W22,24:B9,17,19", &expected);
}

#[test]
fn a_side_that_can_only_capture_still_has_a_move() {
    assert_legal(Variant::EnglishOptional, "W:W17,22:B13,14,18", &["17x10 takes 14", "22x15 takes 18"]);
    let mut game = game(Variant::EnglishOptional, "W:W17,26:B13");
    play(&mut game, 26, 22);
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::NoMove });
}
