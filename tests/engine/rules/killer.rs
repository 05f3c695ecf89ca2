//! Tests of the differences between killer draughts and international draughts.

use crate::common::assert_legal;
use soffio::rules::Variant;

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::Killer, fen, expected);
}

#[test]
fn a_king_that_captures_a_king_last_stops_right_behind_it() {
    legal("W:WK46:BK28", &["46x23 takes 28"]);
}

#[test]
fn behind_a_man_it_stops_on_any_square() {
    legal("W:WK46:B28", &["46x10 takes 28", "46x14 takes 28", "46x19 takes 28", "46x23 takes 28", "46x5 takes 28"]);
}

#[test]
fn in_the_middle_of_a_capture_a_king_limits_it_no_more_than_a_man() {
    // The king jumps over the king on 28 to 19, and from there over the man on 13 to 8 or 2.
    legal("W:WK46:B13,K28", &["46x2 takes 13 28", "46x8 takes 13 28"]);
}
