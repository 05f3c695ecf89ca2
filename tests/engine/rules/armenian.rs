//! Tests of Armenian draughts. Squares are numbered from the top left, so a8 is 1 and h1 is 64.

use crate::common::assert_legal;
use crate::common::games::{countdown, game, has_king, play};
use soffio::rules::{Color, Variant};

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::Armenian, fen, expected);
}

#[test]
fn men_move_forwards_diagonally_forwards_and_sideways() {
    legal("W:W28:B1", &["28-19", "28-20", "28-21", "28-27", "28-29"]);
    legal("B:W64:B28", &["28-27", "28-29", "28-35", "28-36", "28-37"]);
    // A move never wraps around the edge of the board.
    legal("W:W25:B8", &["25-17", "25-18", "25-26"]);
    legal("B:W64:B32", &["32-31", "32-39", "32-40"]);
}

#[test]
fn men_capture_forwards_and_sideways_but_never_diagonally() {
    legal("W:W28:B20", &["28x12 takes 20"]);
    legal("W:W28:B27", &["28x26 takes 27"]);
    legal("W:W28:B36", &["28-19", "28-20", "28-21", "28-27", "28-29"]);
    legal("W:W28:B19,21", &["28-20", "28-27", "28-29"]);
}

#[test]
fn kings_move_like_a_queen_and_capture_like_a_rook() {
    legal("W:WK57:BK59", &["57x60 takes 59", "57x61 takes 59", "57x62 takes 59", "57x63 takes 59", "57x64 takes 59"]);
    let row = ["57-58", "57-59", "57-60", "57-61", "57-62", "57-63", "57-64"];
    let column = ["57-49", "57-41", "57-33", "57-25", "57-17", "57-9", "57-1"];
    legal("W:WK57:B5,36", &[&row[..], &column, &["57-50", "57-43"]].concat());
}

#[test]
fn a_king_turns_in_the_middle_of_a_capture_but_not_back() {
    // The king jumps from 4 over 12 to 28, and then sideways over 29.
    legal("W:WK4:B12,29", &["4x30 takes 12 29", "4x31 takes 12 29", "4x32 takes 12 29"]);
    // The king jumps from 60 over 59 to 57 or 58. It may not turn back and jump over 62.
    legal("W:WK60:BK59,K62", &["60x57 takes 59", "60x58 takes 59", "60x63 takes 62", "60x64 takes 62"]);
}

/// Tests the interpretation of a rule that the rule file marks as disputed.
#[test]
fn a_man_that_reaches_the_far_row_in_a_capture_continues_as_a_king() {
    // The man lands on 4 and continues as a king, because a man could not pass over 5.
    legal("W:W20:B12,6", &["20x7 takes 6 12", "20x8 takes 6 12"]);
    let mut game = game(Variant::Armenian, "W:W20:B12,3,27");
    play(&mut game, 20, 2);
    assert!(has_king(&game, Color::White, 2));
}

#[test]
fn one_piece_each_has_no_special_limit() {
    assert_eq!(countdown(&game(Variant::Armenian, "W:WK57:B16")), 25);
}
