//! Tests of breakthrough draughts, which is international draughts in which the first king wins.

use crate::common::games::{game, play};
use soffio::position::{Status, WinReason};
use soffio::rules::{Color, Variant};

#[test]
fn the_first_king_wins() {
    // Black could capture the man on 33, but the game ends with White's promotion.
    let mut game = game(Variant::Breakthrough, "W:W7,33:B22,28");
    assert_eq!(game.status(), Status::Playing { countdown: None });
    play(&mut game, 7, 1);
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::FirstKing });
    assert_eq!(WinReason::FirstKing.to_string(), "first king");
    assert!(game.legal_moves().is_empty());
}

#[test]
fn a_man_that_only_passes_the_far_row_is_not_promoted() {
    let mut game = game(Variant::Breakthrough, "W:W11:B7,8,45");
    play(&mut game, 11, 13);
    assert_eq!(game.status(), Status::Playing { countdown: None });
}

#[test]
fn the_side_that_cannot_move_has_lost() {
    let mut game = game(Variant::Breakthrough, "W:W31,42:B26");
    play(&mut game, 42, 37);
    assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::NoMove });
}

#[test]
fn a_set_up_with_a_king_is_a_win_for_its_owner() {
    for (fen, winner) in [
        ("W:WK1:B22", Color::White),
        ("B:WK1:B22", Color::White),
        ("W:W33:BK22", Color::Black),
        // It is unknown which king was first. The last move is assumed to have made a king.
        ("W:WK1:BK22", Color::Black),
    ] {
        assert_eq!(
            game(Variant::Breakthrough, fen).status(),
            Status::Won { winner, reason: WinReason::FirstKing },
            "{fen}"
        );
    }
}
