//! Tests of the articles in the FID's technical rules of Italian draughts.

use crate::common;

use common::assert_legal;
use common::games::{countdown, game, game_with_clock, has_king, has_men, is_on, play, play_all};
use soffio::game::Game;
use soffio::position::{DrawReason, Status, WinReason};
use soffio::rules::{Color, Variant};

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::Italian, fen, expected);
}

#[test]
fn art_2_3_a_dark_square_in_the_bottom_right_corner_and_numbers_from_the_top_left() {
    let shape = Variant::Italian.spec().shape;
    let number = |row, column| shape.square_at(row, column).map(|square| shape.number(square).get());
    assert_eq!((shape.width, shape.height), (8, 8));
    assert_eq!((number(7, 7), number(7, 0)), (Some(32), None));
    assert_eq!((number(0, 0), number(0, 6), number(1, 1), number(1, 7)), (Some(1), Some(4), Some(5), Some(8)));
}

#[test]
fn art_3_4_white_starts_with_twelve_men_on_21_to_32() {
    let start = Game::new(Variant::Italian);
    assert_eq!(start.side(), Color::White);
    assert!(has_men(&start, Color::White, 21..=32));
    assert!(has_men(&start, Color::Black, 1..=12));
    legal(
        "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        &["21-17", "21-18", "22-18", "22-19", "23-19", "23-20", "24-20"],
    );
}

#[test]
fn art_5_3a_men_move_forwards_only() {
    legal("W:W18:B1", &["18-13", "18-14"]);
    legal("B:W32:B14", &["14-18", "14-19"]);
}

#[test]
fn art_5_3a_men_capture_forwards_only() {
    legal("W:W14:B18", &["14-10", "14-11"]);
    legal("B:W11:B15", &["15-19", "15-20"]);
}

#[test]
fn art_5_3b_a_man_does_not_take_a_king() {
    legal("W:W22:BK18", &["22-19"]);
    // A man may not capture a king in the middle of a capture either.
    legal("W:W22:BK10,18", &["22x13 takes 18"]);
}

#[test]
fn art_5_3c_a_king_moves_one_step_in_four_directions() {
    legal("W:WK14:B1", &["14-10", "14-11", "14-18", "14-19"]);
}

#[test]
fn art_5_3d_a_king_captures_adjacent_pieces_in_four_directions() {
    legal("W:WK14:B19", &["14x23 takes 19"]);
    legal("W:WK14:B10", &["14x5 takes 10"]);
    // A king does not capture from a distance.
    legal("W:WK18:B11", &["18-13", "18-14", "18-21", "18-22"]);
    // A king captures both men and kings.
    legal("W:WK14:BK19", &["14x23 takes 19"]);
}

#[test]
fn capture_is_compulsory() {
    legal("W:W22,29:B18", &["22x13 takes 18"]);
}

#[test]
fn a_capture_is_played_to_its_end() {
    legal("W:W22:B10,18", &["22x6 takes 10 18"]);
}

#[test]
fn art_6_6_the_capture_of_most_pieces() {
    legal("W:W22,24:B10,18,20", &["22x6 takes 10 18"]);
    // The larger number of pieces takes precedence, even if a man captures men and a king could capture a king.
    legal("W:W22,K24:B10,18,K20", &["22x6 takes 10 18"]);
}

#[test]
fn art_6_7_with_the_king_rather_than_with_the_man() {
    legal("W:WK23,24:B19,20", &["23x14 takes 19", "23x16 takes 20"]);
}

#[test]
fn art_6_8_the_capture_of_most_kings() {
    legal("W:WK22:B18,K19", &["22x15 takes 19"]);
}

#[test]
fn art_6_9_the_capture_that_takes_a_king_first() {
    legal("W:WK31:B18,K20,K27,28", &["31x13 takes 18 27"]);
}

#[test]
fn art_6_9_if_the_first_kings_come_equally_early_the_next_ones_decide() {
    legal("W:WK31:B10,K12,K18,20,K27,K28", &["31x6 takes 10 18 27"]);
}

#[test]
fn art_6_10_otherwise_the_choice_is_free() {
    legal("W:WK22:B18,19", &["22x13 takes 18", "22x15 takes 19"]);
    legal("W:WK31:B18,20,K27,K28", &["31x13 takes 18 27", "31x15 takes 20 28"]);
}

#[test]
fn promotion_ends_the_move() {
    legal("W:W9:B5,6", &["9x2 takes 5"]);
    let mut game = game(Variant::Italian, "W:W9:B5,6");
    play(&mut game, 9, 2);
    assert!(has_king(&game, Color::White, 2));
}

#[test]
fn the_square_that_the_moving_piece_left_counts_as_empty() {
    legal("W:WK22:B10,11,18,19", &["22x22 takes 10 11 18 19"]);
}

#[test]
fn a_side_without_a_piece_has_lost() {
    let mut game = game(Variant::Italian, "W:W22:B18");
    assert!(is_on(&game));
    play(&mut game, 22, 13);
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::NoPiece });
}

#[test]
fn a_side_that_cannot_move_has_lost() {
    let mut game = game(Variant::Italian, "W:W20,27:B16");
    play(&mut game, 27, 23);
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::NoMove });
}

const SHUFFLE: [(u8, u8); 4] = [(32, 28), (1, 5), (28, 32), (5, 1)];

#[test]
fn art_9_3_b1_the_fourth_occurrence_of_a_position_draws() {
    let mut game = game(Variant::Italian, "W:WK32:BK1");
    play_all(&mut game, &SHUFFLE);
    play_all(&mut game, &SHUFFLE);
    assert!(is_on(&game), "the third occurrence does not draw");
    play_all(&mut game, &SHUFFLE);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Repetition(4)));
}

#[test]
fn art_10_4_forty_moves_by_each_side_without_a_capture_or_a_mans_move_draw() {
    assert_eq!(countdown(&game(Variant::Italian, "W:WK32:BK1")), 40);
    let mut game = game_with_clock(Variant::Italian, "W:WK32:BK1", 78);
    assert_eq!(countdown(&game), 1);
    play_all(&mut game, &SHUFFLE[..2]);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Quiet(40)));
}

#[test]
fn art_10_4_a_mans_move_and_a_capture_restart_the_count() {
    let mut game = game_with_clock(Variant::Italian, "W:W21,K32:BK1", 78);
    play(&mut game, 21, 17);
    assert_eq!(countdown(&game), 40);
    let mut game = game_with_clock(Variant::Italian, "W:WK22:B18,K1", 79);
    play(&mut game, 22, 13);
    assert_eq!(countdown(&game), 40);
    let mut game = game_with_clock(Variant::Italian, "W:WK22:B21,K1", 60);
    play(&mut game, 22, 18);
    assert_eq!(countdown(&game), 10, "a king's move continues the count: 61 plies, 19 left");
}

#[test]
fn a_win_by_the_last_move_stands_before_the_draw() {
    let mut game = game_with_clock(Variant::Italian, "W:W20,K27:B16", 79);
    play(&mut game, 27, 23);
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::NoMove });
    let mut game = game_with_clock(Variant::Italian, "W:W20,K27:B1,16", 79);
    play(&mut game, 27, 23);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Quiet(40)));
}
