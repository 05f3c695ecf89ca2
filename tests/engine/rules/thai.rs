//! Tests of Thai draughts. Squares are numbered from the top left, so b8 is 1, a1 is 29 and g1 is 32.

use crate::common::assert_legal;
use crate::common::games::{countdown, game};
use soffio::game::Game;
use soffio::rules::{Color, Variant};

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::Thai, fen, expected);
}

#[test]
fn black_moves_first_with_eight_men() {
    let start = Game::new(Variant::Thai);
    assert_eq!(
        (start.side(), start.setup().pieces.values().filter(|piece| piece.color == Color::Black).count()),
        (Color::Black, 8)
    );
}

#[test]
fn men_capture_forwards_only() {
    legal("W:W18:B22", &["18-14", "18-15"]);
}

#[test]
fn a_king_lands_right_behind_the_piece() {
    legal("W:WK29:B18", &["29x15 takes 18"]);
}

#[test]
fn captured_pieces_are_removed_at_once_and_a_king_may_turn_back() {
    legal("W:WK22:B18,25", &["22x15 takes 18 25", "22x29 takes 18 25"]);
}

#[test]
fn promotion_ends_the_move() {
    legal("W:W9:B6,7", &["9x2 takes 6"]);
}

#[test]
fn fifteen_moves_with_kings_only_draw() {
    assert_eq!(countdown(&game(Variant::Thai, "W:WK29:BK4")), 15);
}
