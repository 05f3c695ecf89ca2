//! Tests of Spanish and Portuguese draughts. Squares are numbered from the top left, so a8 is 1 and h1 is 32.

use crate::common::assert_legal;
use crate::common::games::{countdown, game, play_all};
use soffio::rules::Variant;

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::Spanish, fen, expected);
}

#[test]
fn men_capture_forwards_only() {
    legal("W:W14:B18", &["14-10", "14-11"]);
}

#[test]
fn kings_fly() {
    legal("W:WK32:B19", &["32x1 takes 19", "32x10 takes 19", "32x14 takes 19", "32x5 takes 19"]);
}

#[test]
fn the_law_of_quantity() {
    legal("W:W22:B10,18,K19", &["22x6 takes 10 18"]);
}

#[test]
fn the_law_of_quality() {
    legal("W:W22:B18,K19", &["22x15 takes 19"]);
    // The type of the capturing piece does not matter.
    legal(
        "W:WK32,17:B13,28",
        &[
            "17x10 takes 13", "32x1 takes 28", "32x10 takes 28", "32x14 takes 28", "32x19 takes 28", "32x23 takes 28",
            "32x5 takes 28",
        ],
    );
}

#[test]
fn twelve_moves_for_three_kings_against_one_on_the_river() {
    assert_eq!(countdown(&game(Variant::Spanish, "W:WK25,K26,K27:BK1")), 12);
    assert_eq!(countdown(&game(Variant::Spanish, "W:WK25,K26,K27:BK4")), 20);
    let mut game = game(Variant::Spanish, "W:WK29,K30,K25:BK1");
    play_all(&mut game, &[(29, 26), (1, 5)]);
    assert_eq!(countdown(&game), 11);
}
