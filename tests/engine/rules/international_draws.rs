//! Tests of the articles in the FMJD rules of international draughts about the end of the game.

use crate::common;

use common::games::{countdown, game, game_with_clock, is_on, play, play_all, wander};
use soffio::position::{DrawReason, Status, WinReason};
use soffio::rules::{Color, Variant};

const SHUFFLE: [(u8, u8); 4] = [(46, 41), (4, 9), (41, 46), (9, 4)];
const KINGS_AND_MEN: &str = "W:W35,K46:BK4,6";

#[test]
fn a_side_without_a_piece_has_lost() {
    let mut game = game(Variant::International, "W:W28:B23");
    assert!(is_on(&game));
    play(&mut game, 28, 19);
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::NoPiece });
}

#[test]
fn a_side_that_cannot_move_has_lost() {
    let mut game = game(Variant::International, "W:W31,42:B26");
    play(&mut game, 42, 37);
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::NoMove });
}

#[test]
fn art_6_1_the_third_occurrence_of_a_position_draws() {
    let mut game = game(Variant::International, KINGS_AND_MEN);
    play_all(&mut game, &SHUFFLE);
    play_all(&mut game, &SHUFFLE[..3]);
    assert!(is_on(&game), "every position occurred at most twice");
    play(&mut game, 9, 4);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Repetition(3)));
}

#[test]
fn art_6_2_twenty_five_moves_by_each_side_with_kings_only_draw() {
    let mut game = game(Variant::International, KINGS_AND_MEN);
    assert_eq!(countdown(&game), 25);
    wander(&mut game, 49);
    assert_eq!(countdown(&game), 1);
    wander(&mut game, 1);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Quiet(25)));
}

#[test]
fn art_6_2_a_mans_move_and_a_capture_restart_the_count() {
    let mut game = game_with_clock(Variant::International, KINGS_AND_MEN, 49);
    play(&mut game, 35, 30);
    assert_eq!(countdown(&game), 25);
    let mut game = game_with_clock(Variant::International, "W:W35,K46:B10,K3,6", 49);
    play(&mut game, 46, 5);
    assert_eq!(countdown(&game), 25);
}

#[test]
fn art_6_2_a_win_by_the_last_move_precedes_the_draw() {
    let mut game = game_with_clock(Variant::International, "W:W31,K42:B26", 49);
    play(&mut game, 42, 37);
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::NoMove });
    let mut game = game_with_clock(Variant::International, "W:W31,K42:B1,26", 49);
    play(&mut game, 42, 37);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Quiet(25)));
}

#[test]
fn art_6_3_three_pieces_against_a_lone_king_have_sixteen_moves() {
    for fen in ["W:WK46,K47,K48:BK4", "W:WK46,K47,43:BK4", "W:WK46,43,48:BK4", "B:WK4:BK46,K47,K48"] {
        assert_eq!(countdown(&game(Variant::International, fen)), 16, "{fen}");
    }
    let mut game = game(Variant::International, "W:WK46,K47,K48:BK4");
    wander(&mut game, 31);
    assert_eq!(countdown(&game), 1);
    wander(&mut game, 1);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Ending(16)));
}

#[test]
fn art_6_3_other_material_has_no_special_limit() {
    for fen in ["W:W47,48,43:BK4", "W:WK46,K47,K48,43:BK4", "W:WK46,K47,K48:B4", "W:WK46,K47,43:BK4,6"] {
        assert_eq!(countdown(&game(Variant::International, fen)), 25, "{fen}");
    }
}

#[test]
fn art_6_3_the_count_starts_when_the_material_arises() {
    // White captures the man on 10, which leaves three kings against one king.
    let mut game = game_with_clock(Variant::International, "W:WK46,K47,K48:BK3,10", 40);
    assert_eq!(countdown(&game), 5);
    play(&mut game, 46, 5);
    assert_eq!(countdown(&game), 16);
}

#[test]
fn art_6_3_a_promotion_does_not_restart_the_count() {
    let mut game = game(Variant::International, "W:WK46,K47,6:BK4");
    wander(&mut game, 6);
    assert_eq!(countdown(&game), 13);
    play(&mut game, 6, 1);
    assert_eq!(countdown(&game), 13, "7 plies have been played, 25 are left");
    wander(&mut game, 1);
    assert_eq!(countdown(&game), 12);
}

#[test]
fn art_6_3_a_promotion_that_makes_the_ending_starts_the_count() {
    // Three men against a king do not have a limit of 16 moves. The limit applies from the first promotion.
    let mut game = game_with_clock(Variant::International, "W:W6,47,48:BK4", 20);
    assert_eq!(countdown(&game), 15);
    play(&mut game, 6, 1);
    assert_eq!(countdown(&game), 16);
}

#[test]
fn art_6_4_two_pieces_or_one_against_a_lone_king_have_five_moves() {
    for fen in ["W:WK46,K47:BK4", "W:WK46,43:BK4", "W:WK46:BK4", "B:WK4:BK46,K47"] {
        assert_eq!(countdown(&game(Variant::International, fen)), 5, "{fen}");
    }
    assert_eq!(countdown(&game(Variant::International, "W:W47,48:BK4")), 25, "two men are not this ending");
    let mut game = game(Variant::International, "W:WK46,K47:BK4");
    wander(&mut game, 9);
    assert_eq!(countdown(&game), 1);
    wander(&mut game, 1);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Ending(5)));
}

#[test]
fn art_6_4_a_capture_by_the_lone_king_starts_the_count() {
    // In this ending there is a limit of 16 moves. After 4x36, two kings are left.
    let mut game = game(Variant::International, "B:WK46,K26,K31:BK4");
    assert_eq!(countdown(&game), 16);
    play(&mut game, 4, 36);
    assert_eq!(countdown(&game), 5);
}

/// White's king on 26 moves to a square where Black captures it with 4x36 on the sixth ply.
const FROM_TWO_KINGS_TO_ONE: [(u8, u8); 6] = [(46, 41), (4, 15), (41, 46), (15, 4), (26, 31), (4, 36)];

#[test]
fn art_6_4_a_capture_that_leaves_king_against_king_does_not_restart_the_count() {
    let mut game = game(Variant::International, "W:WK46,K26:BK4");
    play_all(&mut game, &FROM_TWO_KINGS_TO_ONE);
    assert_eq!(countdown(&game), 2, "6 plies have been played, 4 are left");
    wander(&mut game, 4);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Ending(5)));
}

#[test]
fn art_6_4_a_win_by_the_last_move_precedes_the_draw() {
    let mut game = game(Variant::International, "B:WK46,K26:BK4");
    play_all(&mut game, &[(4, 15), (46, 41), (15, 4), (41, 46), (4, 15), (46, 41), (15, 4)]);
    // Black moves its king to 10, where the king on the long diagonal must capture it.
    play_all(&mut game, &[(41, 37), (4, 10)]);
    assert_eq!(countdown(&game), 1);
    play(&mut game, 37, 5);
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::NoPiece });
}
