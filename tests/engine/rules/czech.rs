//! Tests of Czech draughts. Squares are numbered from the top left, so b8 is 1, a1 is 29 and g1 is 32.

use crate::common::assert_legal;
use crate::common::games::{countdown, game};
use soffio::rules::Variant;

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::Czech, fen, expected);
}

#[test]
fn men_capture_forwards_only() {
    legal("W:W18:B22", &["18-14", "18-15"]);
}

#[test]
fn a_king_captures_before_a_man() {
    legal("W:WK24,21:B15,17", &["24x1 takes 15", "24x10 takes 15", "24x6 takes 15"]);
}

#[test]
fn otherwise_any_capture_may_be_chosen() {
    legal("W:W22:B11,17,18", &["22x13 takes 17", "22x8 takes 11 18"]);
}

#[test]
fn promotion_ends_the_move() {
    legal("W:W9:B6,7", &["9x2 takes 6"]);
}

#[test]
fn fifteen_moves_with_kings_only_draw() {
    assert_eq!(countdown(&game(Variant::Czech, "W:WK30,K31:BK1")), 15);
}
