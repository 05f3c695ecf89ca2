//! Tests of the differences between Brazilian draughts and international draughts, apart from the size of the board.
//! Squares are numbered from the top left, so b8 is 1, a1 is 29 and g1 is 32.

use crate::common::assert_legal;
use crate::common::games::{countdown, game, is_without_kings, play};
use soffio::rules::Variant;

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::Brazilian, fen, expected);
}

#[test]
fn the_capture_of_most_pieces() {
    legal("W:W22:B11,17,18", &["22x8 takes 11 18"]);
}

#[test]
fn a_man_that_passes_the_far_row_stays_a_man() {
    legal("W:W9:B6,7", &["9x11 takes 6 7"]);
    let mut game = game(Variant::Brazilian, "W:W9:B6,7,12");
    play(&mut game, 9, 11);
    assert!(is_without_kings(&game));
}

#[test]
fn twenty_moves_with_kings_only_draw() {
    assert_eq!(countdown(&game(Variant::Brazilian, "W:WK30,K31,K32,21:BK1,5")), 20);
}

#[test]
fn short_endings_match_russian_draughts() {
    assert_eq!(countdown(&game(Variant::Brazilian, "W:WK30,K31,K32:BK1")), 15);
    assert_eq!(countdown(&game(Variant::Brazilian, "W:WK30,K31,K32:BK4")), 5);
    assert_eq!(countdown(&game(Variant::Brazilian, "W:WK30,21:BK1")), 5);
}
