//! Tests of Russian draughts according to the rules of FMJD-64. Squares are numbered from the top left, so b8 is 1, a1
//! is 29 and g1 is 32.

use crate::common::assert_legal;
use crate::common::games::{countdown, game, has_king, is_on, play, play_all, wander};
use soffio::position::{DrawReason, Status};
use soffio::rules::{Color, Variant};

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::Russian, fen, expected);
}

#[test]
fn men_move_forwards_and_capture_both_ways() {
    legal("W:W18:B1", &["18-14", "18-15"]);
    legal("W:W18:B22", &["18x25 takes 22"]);
}

#[test]
fn a_man_that_touches_the_far_row_continues_as_a_king() {
    legal("W:W9:B6,7", &["9x11 takes 6 7", "9x16 takes 6 7", "9x20 takes 6 7"]);
    let mut game = game(Variant::Russian, "W:W9:B6,7");
    play(&mut game, 9, 16);
    assert!(has_king(&game, Color::White, 16));
}

#[test]
fn any_capture_may_be_chosen_but_must_be_completed() {
    legal("W:W22:B11,17,18", &["22x13 takes 17", "22x8 takes 11 18"]);
}

#[test]
fn art_4_6_a_king_lands_where_it_can_continue() {
    // The king jumps over d4 and must land on f6, not on e5, g7 or h8, because only from f6 can it also capture e7.
    legal("W:WK29:B7,18", &["29x2 takes 7 18"]);
}

#[test]
fn art_7_2_three_kings_against_one_have_fifteen_moves() {
    assert_eq!(countdown(&game(Variant::Russian, "W:WK30,K31,K32:BK1")), 15);
    let mut game = game(Variant::Russian, "W:WK30,K31,K32:BK1");
    wander(&mut game, 2);
    assert_eq!(countdown(&game), 14);
}

#[test]
fn art_7_2_a_lone_king_on_the_main_road_is_a_draw_after_five_moves() {
    for fen in ["W:WK30,K31,K32:BK4", "W:WK30,K31,21:BK4", "W:WK30,21,24:BK4"] {
        assert_eq!(countdown(&game(Variant::Russian, fen)), 5, "{fen}");
    }
    assert_eq!(countdown(&game(Variant::Russian, "W:WK30,K31,21:BK1")), 15, "it is not on the main road");
    assert_eq!(countdown(&game(Variant::Russian, "W:WK30,K31,K32,21:BK4")), 15, "four pieces are too many");
    assert_eq!(countdown(&game(Variant::Spantsiretti, "W:WK37,K38,K39:BK36")), 15, "that board has no main road");
}

#[test]
fn art_7_2_the_main_road_counts_while_the_king_stands_on_it() {
    let mut game = game(Variant::Russian, "W:WK30,K31,K3:BK4");
    play_all(&mut game, &[(30, 26), (4, 29)]);
    assert_eq!(countdown(&game), 4);
    play_all(&mut game, &[(26, 30), (29, 8)]);
    assert_eq!(countdown(&game), 3);
}

#[test]
fn art_7_2_two_or_one_against_a_lone_king_have_five_moves() {
    for fen in ["W:WK30,K31:BK1", "W:WK30,21:BK1", "W:WK30:BK1"] {
        assert_eq!(countdown(&game(Variant::Russian, fen)), 5, "{fen}");
    }
    let mut game = game(Variant::Russian, "W:WK30,K31:BK1");
    wander(&mut game, 9);
    assert!(is_on(&game));
    wander(&mut game, 1);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Ending(5)));
}
