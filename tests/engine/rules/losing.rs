//! Tests of losing draughts, in which a side without a legal move wins.

use crate::common::games::{game, is_on, play, play_all};
use soffio::position::{DrawReason, Status, WinReason};
use soffio::rules::{Color, Variant};

#[test]
fn a_side_without_a_piece_has_won() {
    let mut game = game(Variant::LosingEnglish, "W:W22:B17");
    assert_eq!(game.status(), Status::Playing { countdown: Some(50) });
    play(&mut game, 22, 13);
    assert_eq!(game.status(), Status::Won { winner: Color::Black, reason: WinReason::NoPiece });
}

#[test]
fn a_side_that_cannot_move_has_won() {
    let mut game = game(Variant::LosingEnglish, "W:W17,26:B13");
    play(&mut game, 26, 22);
    assert_eq!(game.status(), Status::Won { winner: Color::Black, reason: WinReason::NoMove });
}

#[test]
fn only_repetition_draws_and_not_the_ending_rules_of_the_base_variant() {
    let mut game = game(Variant::Losing, "W:WK46:BK4");
    let shuffle = [(46, 41), (4, 9), (41, 46), (9, 4)];
    play_all(&mut game, &shuffle);
    play_all(&mut game, &shuffle[..3]);
    assert_eq!(game.status(), Status::Playing { countdown: Some(47) });
    play(&mut game, 9, 4);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Repetition(3)));
}

#[test]
fn repetition_matches_the_base_variant() {
    let mut game = game(Variant::LosingItalian, "W:WK32:BK1");
    let shuffle = [(32, 28), (1, 5), (28, 32), (5, 1)];
    play_all(&mut game, &shuffle);
    play_all(&mut game, &shuffle);
    assert!(is_on(&game));
    play_all(&mut game, &shuffle);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Repetition(4)));
}
