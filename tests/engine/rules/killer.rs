//! Tests of the differences between killer draughts and international draughts.

use crate::common::assert_legal;
use soffio::notation::WrittenGame;
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

#[test]
fn a_king_that_flies_on_is_illegal_and_the_reason_names_the_square() {
    let reason = |variant: Variant, fen: &str, text: &str| {
        let mut game = WrittenGame::at(variant, Some(&fen.parse().unwrap())).unwrap();
        game.play_record(&text.parse().unwrap()).unwrap_err().to_string()
    };
    let expected = "the king must stop directly behind the last captured piece: 46x23";
    assert_eq!(reason(Variant::Killer, "W:WK46:BK28", "46x10"), expected);
    assert_eq!(reason(Variant::Killer, "W:WK46:BK28", "46-10"), expected);
    let expected = "the king must stop directly behind the last captured piece: 29-18";
    assert_eq!(reason(Variant::Thai, "W:WK29:B22", "29x8"), expected);
    assert_eq!(reason(Variant::Killer, "W:WK46:BK28", "46x9"), "the piece on 46 cannot reach 9");
}
