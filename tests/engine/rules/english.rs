//! Tests of English draughts (American checkers) according to the rules of the WCDF.

use crate::common;

use common::assert_legal;
use common::games::{countdown, game, game_with_clock, has_king, has_men, is_on, play, play_all};
use soffio::game::Game;
use soffio::position::{DrawReason, Status, WinReason};
use soffio::rules::{Color, Variant};

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::English, fen, expected);
}

#[test]
fn a_dark_square_in_the_bottom_left_corner_and_numbers_from_the_top_left() {
    let shape = Variant::English.spec().shape;
    let number = |row, column| shape.square_at(row, column).map(|square| shape.number(square).get());
    assert_eq!((shape.width, shape.height), (8, 8));
    assert_eq!((number(7, 0), number(7, 7)), (Some(29), None));
    assert_eq!((number(0, 1), number(0, 7), number(1, 0), number(1, 6)), (Some(1), Some(4), Some(5), Some(8)));
}

#[test]
fn black_starts_with_twelve_men_on_1_to_12() {
    let start = Game::new(Variant::English);
    assert_eq!(start.side(), Color::Black);
    assert!(has_men(&start, Color::Black, 1..=12));
    assert!(has_men(&start, Color::White, 21..=32));
    legal(
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        &["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"],
    );
}

#[test]
fn men_move_and_capture_forwards_only() {
    legal("W:W18:B1", &["18-14", "18-15"]);
    legal("B:W32:B15", &["15-18", "15-19"]);
    legal("W:W15:B19", &["15-10", "15-11"]);
}

#[test]
fn a_man_takes_a_king() {
    legal("W:W18:BK14", &["18x9 takes 14"]);
}

#[test]
fn a_king_moves_one_step_in_four_directions() {
    legal("W:WK15:B1", &["15-10", "15-11", "15-18", "15-19"]);
}

#[test]
fn a_king_captures_adjacent_pieces_in_four_directions() {
    legal("W:WK10:B15", &["10x19 takes 15"]);
    legal("W:WK19:B15", &["19x10 takes 15"]);
    // A king does not capture from a distance.
    legal("W:WK18:B11", &["18-14", "18-15", "18-22", "18-23"]);
}

#[test]
fn art_1_20_capture_is_compulsory() {
    legal("W:W22,32:B17", &["22x13 takes 17"]);
}

#[test]
fn art_1_20_any_capture_may_be_chosen() {
    legal("W:W22,24:B9,17,19", &["22x6 takes 9 17", "24x15 takes 19"]);
    // Kings take no precedence, either as capturing pieces or as captured pieces.
    legal("W:W23,K24:B19", &["23x16 takes 19", "24x15 takes 19"]);
    legal("W:W22:B17,K18", &["22x13 takes 17", "22x15 takes 18"]);
}

#[test]
fn art_1_20_a_capture_must_be_completed() {
    legal("W:W22:B9,17", &["22x6 takes 9 17"]);
}

#[test]
fn art_1_19_a_man_that_reaches_the_king_row_ends_its_move_there() {
    legal("W:W9:B6,7", &["9x2 takes 6"]);
    let mut game = game(Variant::English, "W:W9:B6,7");
    play(&mut game, 9, 2);
    assert!(has_king(&game, Color::White, 2));
    // A king on the same square continues its capture.
    legal("W:WK9:B6,7", &["9x11 takes 6 7"]);
}

#[test]
fn the_square_that_the_moving_piece_left_counts_as_empty() {
    legal("W:WK22:B9,10,17,18", &["22x22 takes 9 10 17 18"]);
}

#[test]
fn captures_of_different_pieces_between_the_same_squares_are_two_moves() {
    legal("W:W26:B14,15,22,23", &["26x10 takes 14 22", "26x10 takes 15 23"]);
}

#[test]
fn a_side_without_a_piece_has_lost() {
    let mut game = game(Variant::English, "W:W22:B17");
    assert!(is_on(&game));
    play(&mut game, 22, 13);
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::NoPiece });
}

#[test]
fn a_side_that_cannot_move_has_lost() {
    let mut game = game(Variant::English, "W:W17,26:B13");
    play(&mut game, 26, 22);
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::NoMove });
}

const SHUFFLE: [(u8, u8); 4] = [(29, 25), (4, 8), (25, 29), (8, 4)];

#[test]
fn the_third_occurrence_of_a_position_draws() {
    let mut game = game(Variant::English, "W:WK29:BK4");
    play_all(&mut game, &SHUFFLE);
    play_all(&mut game, &SHUFFLE[..3]);
    assert!(is_on(&game), "every position occurred at most twice");
    play(&mut game, 8, 4);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Repetition(3)));
}

#[test]
fn the_same_pieces_with_the_other_side_to_move_are_not_a_repetition() {
    // White loses a tempo with a triangle, so that the same pieces occur with either side to move.
    let mut game = game(Variant::English, "W:WK15:BK4");
    play_all(&mut game, &[(15, 18), (4, 8), (18, 15), (8, 4)]);
    play_all(&mut game, &[(15, 19), (4, 8), (19, 15)]);
    assert!(is_on(&game), "king 15 against king 8 occurred only once with each side to move");
}

#[test]
fn art_1_32_forty_moves_by_each_side_without_a_capture_or_a_mans_move_draw() {
    assert_eq!(countdown(&game(Variant::English, "W:WK29:BK4")), 40);
    let mut game = game_with_clock(Variant::English, "W:WK29:BK4", 78);
    assert_eq!(countdown(&game), 1);
    play_all(&mut game, &SHUFFLE[..2]);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Quiet(40)));
}

#[test]
fn art_1_32_a_mans_move_and_a_capture_restart_the_count() {
    let mut game = game_with_clock(Variant::English, "W:W21,K29:BK4", 79);
    play(&mut game, 21, 17);
    assert_eq!(countdown(&game), 40);
    let mut game = game_with_clock(Variant::English, "W:WK22:B17,K4", 79);
    play(&mut game, 22, 13);
    assert_eq!(countdown(&game), 40);
}

#[test]
fn a_win_by_the_last_move_stands_before_the_draw() {
    let mut game = game_with_clock(Variant::English, "W:W17,K26:B13", 79);
    play(&mut game, 26, 22);
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::NoMove });
    let mut game = game_with_clock(Variant::English, "W:W17,K26:B4,13", 79);
    play(&mut game, 26, 22);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Quiet(40)));
}
