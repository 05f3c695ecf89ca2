//! Tests of the articles in the FMJD rules of international draughts about the moves of the pieces.
//! `international_draws.rs` tests the articles about the end of the game.

use crate::common;

use common::assert_legal;
use common::games::{game, has_king, has_men, is_without_kings, moves_of, play};
use soffio::game::Game;
use soffio::rules::{Color, Variant};

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::International, fen, expected);
}

#[test]
fn a_dark_square_in_the_bottom_left_corner_and_numbers_from_the_top_left() {
    let shape = Variant::International.spec().shape;
    let number = |row, column| shape.square_at(row, column).map(|square| shape.number(square).get());
    assert_eq!((shape.width, shape.height), (10, 10));
    assert_eq!((number(9, 0), number(9, 9)), (Some(46), None));
    assert_eq!((number(0, 1), number(0, 9), number(1, 0), number(1, 8)), (Some(1), Some(5), Some(6), Some(10)));
}

#[test]
fn white_starts_with_twenty_men_on_31_to_50() {
    let start = Game::new(Variant::International);
    assert_eq!(start.side(), Color::White);
    assert!(has_men(&start, Color::White, 31..=50));
    assert!(has_men(&start, Color::Black, 1..=20));
    let moves = moves_of(&start);
    let text: Vec<_> = moves.iter().map(ToString::to_string).collect();
    let expected = ["31-26", "31-27", "32-27", "32-28", "33-28", "33-29", "34-29", "34-30", "35-30"];
    assert_eq!(text, expected);
}

#[test]
fn art_3_4_men_move_forwards_only() {
    legal("W:W28:B1", &["28-22", "28-23"]);
    legal("B:W50:B23", &["23-28", "23-29"]);
}

#[test]
fn art_3_9_a_king_moves_any_distance() {
    let up = ["28-22", "28-17", "28-11", "28-6", "28-23", "28-19", "28-14", "28-10", "28-5"];
    let down = ["28-32", "28-37", "28-41", "28-46", "28-33", "28-39", "28-44", "28-50"];
    legal("W:WK28:B1", &[&up[..], &down[..]].concat());
}

#[test]
fn art_4_1_men_capture_forwards_and_backwards() {
    legal("W:W28:B22,23,32,33", &["28x17 takes 22", "28x19 takes 23", "28x37 takes 32", "28x39 takes 33"]);
    legal("B:W22,33:B28", &["28x17 takes 22", "28x39 takes 33"]);
}

#[test]
fn capture_is_compulsory() {
    legal("W:W28,50:B23", &["28x19 takes 23"]);
}

#[test]
fn a_man_takes_a_king() {
    legal("W:W28:BK23", &["28x19 takes 23"]);
}

#[test]
fn art_4_3_and_4_6_a_king_captures_at_a_distance_and_lands_on_any_free_square_behind() {
    legal("W:WK46:B28", &["46x23 takes 28", "46x19 takes 28", "46x14 takes 28", "46x10 takes 28", "46x5 takes 28"]);
    // Continuing straight on is a single move, no matter where the king could stop in between.
    legal("W:WK46:B28,10", &["46x5 takes 10 28"]);
}

#[test]
fn art_4_6_two_pieces_behind_each_other_stop_a_king() {
    legal("W:WK46:B23,28", &["46-41", "46-37", "46-32"]);
}

#[test]
fn art_4_7_own_pieces_are_not_jumped() {
    legal("W:W37,K46:B23", &["37-31", "37-32", "46-41"]);
}

#[test]
fn art_4_5_a_capture_must_be_completed() {
    legal("W:W33:B17,28", &["33x11 takes 17 28"]);
    // A king must choose a landing square from which it can continue. It can capture the piece on 20 only from 14.
    legal("W:WK46:B19,20", &["46x25 takes 19 20"]);
}

#[test]
fn art_4_8_an_empty_square_may_be_crossed_more_than_once() {
    let ends = ["46x16", "46x21", "46x27", "46x32"].map(|text| format!("{text} takes 19 20 38 39"));
    legal("W:WK46:B19,20,38,39", &ends.each_ref().map(String::as_str));
}

#[test]
fn art_4_8_and_4_11_a_piece_is_captured_once_and_removed_after_the_move() {
    // When the king is on 38, the captured piece on 33 is still on the board and blocks the path to the piece on 20.
    let ends = ["47x38", "47x43", "47x49"].map(|text| format!("{text} takes 19 22 32 33"));
    legal("W:WK47:B19,20,22,32,33", &ends.each_ref().map(String::as_str));
}

#[test]
fn art_4_13_the_capture_of_most_pieces() {
    legal("W:W33,35:B17,28,30", &["33x11 takes 17 28"]);
    // Capturing two men takes precedence over capturing one king.
    legal("W:W33,35:B17,28,K30", &["33x11 takes 17 28"]);
}

#[test]
fn art_4_14_kings_and_men_count_the_same() {
    legal("W:W28:B22,K23", &["28x17 takes 22", "28x19 takes 23"]);
    let by_king = ["27x18 takes 22", "27x13 takes 22", "27x9 takes 22", "27x4 takes 22"];
    legal("W:WK27,28:B22", &[&["28x17 takes 22"], &by_king[..]].concat());
}

#[test]
fn art_4_15_a_man_that_only_passes_the_far_row_stays_a_man() {
    legal("W:W11:B7,8", &["11x13 takes 7 8"]);
    let mut game = game(Variant::International, "W:W11:B7,8,40");
    play(&mut game, 11, 13);
    assert!(is_without_kings(&game));
}

#[test]
fn a_man_that_ends_its_move_on_the_far_row_is_crowned() {
    for (fen, from, to) in [("W:W11:B7,40", 11, 2), ("W:W6:B40", 6, 1), ("B:W6:B45", 45, 50)] {
        let mut game = game(Variant::International, fen);
        play(&mut game, from, to);
        let mover = if fen.starts_with('W') { Color::White } else { Color::Black };
        assert!(has_king(&game, mover, to), "{fen}");
    }
}

#[test]
fn the_square_that_the_moving_piece_left_counts_as_empty() {
    legal("W:W28:B12,13,22,23", &["28x28 takes 12 13 22 23"]);
}

#[test]
fn dumm_is_the_same_on_14x14_with_forty_two_men_per_side() {
    let start = Game::new(Variant::Dumm);
    assert_eq!(start.side(), Color::White);
    assert!(has_men(&start, Color::White, 57..=98) && has_men(&start, Color::Black, 1..=42));
    assert_eq!(moves_of(&start).len(), 13);
    let legal = |fen, expected: &[&str]| assert_legal(Variant::Dumm, fen, expected);
    legal("W:W50:B1", &["50-43"]);
    legal("W:W92:B71,72,85", &["92x64 takes 71 85", "92x66 takes 72 85"]);
    // The king captures along the main diagonal from corner to corner.
    legal("W:WK92:B14", &["92x7 takes 14"]);
    let mut game = game(Variant::Dumm, "W:W15:B9,10,60");
    play(&mut game, 15, 17);
    assert!(is_without_kings(&game), "a man that only passes the far row stays a man");
}
