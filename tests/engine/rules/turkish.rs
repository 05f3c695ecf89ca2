//! Tests of Turkish draughts. Squares are numbered from the top left, so a8 is 1 and h1 is 64.

use crate::common::data::turkish_promotions;
use crate::common::games::{countdown, game, has_king, play, play_all};
use crate::common::{assert_legal, fast, reference_moves, setup, square};
use soffio::position::{DrawReason, Status};
use soffio::rules::{Color, Variant};

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::Turkish, fen, expected);
}

#[test]
fn men_move_forwards_and_sideways() {
    legal("W:W28:B1", &["28-20", "28-27", "28-29"]);
    legal("B:W64:B28", &["28-27", "28-29", "28-36"]);
    // A move never wraps around the edge of the board.
    legal("W:W25:B8", &["25-17", "25-26"]);
}

#[test]
fn men_capture_forwards_and_sideways() {
    legal("W:W28:B20", &["28x12 takes 20"]);
    legal("W:W28:B27", &["28x26 takes 27"]);
    legal("W:W28:B36", &["28-20", "28-27", "28-29"]);
}

#[test]
fn kings_move_and_capture_like_a_rook() {
    legal("W:WK57:BK59", &["57x60 takes 59", "57x61 takes 59", "57x62 takes 59", "57x63 takes 59", "57x64 takes 59"]);
}

#[test]
fn the_capture_of_most_pieces() {
    // Capturing the pieces on 20 and 11 takes precedence over capturing only the piece on 29.
    legal("W:W28:B11,20,29", &["28x10 takes 11 20"]);
}

#[test]
fn a_man_turns_in_the_middle_of_a_capture() {
    legal("W:W55:B47,38", &["55x37 takes 38 47"]);
}

#[test]
fn two_jumps_in_a_row_never_go_in_opposite_directions() {
    // The king jumps from 60 over 59 to 57 or 58. It may not turn back and jump over 62.
    legal("W:WK60:BK59,K62", &["60x57 takes 59", "60x58 takes 59", "60x63 takes 62", "60x64 takes 62"]);
}

/// Returns the number of a square such as `a8`.
fn number(name: &str) -> u8 {
    let [file, rank] = name.as_bytes() else { panic!("{name} is not a square") };
    (b'8' - rank) * 8 + (file - b'a') + 1
}

/// Parses a move such as `d3xd1 (1, crowned)`. Returns its origin and destination, the number of captured pieces, and
/// whether it promotes.
fn answer(text: &str) -> (u8, u8, usize, bool) {
    let (squares, rest) = text.split_once(" (").unwrap_or_else(|| panic!("{text} has no count"));
    let (from, to) = squares.split_once('x').unwrap_or_else(|| panic!("{text} is not a capture"));
    let rest = rest.trim_end_matches(')');
    let count = rest.trim_end_matches(", crowned");
    (number(from), number(to), count.parse().expect("a number"), rest.ends_with("crowned"))
}

#[test]
fn a_man_that_reaches_the_far_row_in_a_capture_continues_as_a_man() {
    let cases = turkish_promotions();
    assert_eq!(cases.len(), 20);
    for case in cases {
        let setup = setup(Variant::Turkish, &case.fen_num);
        let mut expected: Vec<_> = case.a_goes_on_as_man.iter().map(|text| answer(text)).collect();
        expected.sort();
        let shape = Variant::Turkish.spec().shape;
        let far_row = shape.row_mask(Variant::Turkish.spec().far_row(setup.side));
        for moves in [fast(Variant::Turkish, &setup).0, reference_moves(Variant::Turkish, &setup)] {
            let answers = moves.iter().map(|mv| {
                let by_man = !setup.pieces[&square(Variant::Turkish, mv.from)].king;
                let on_far_row = far_row >> square(Variant::Turkish, mv.to).index() & 1 == 1;
                (mv.from, mv.to, mv.captured.len(), by_man && on_far_row)
            });
            assert_eq!(answers.collect::<Vec<_>>(), expected, "{}", case.fen_num);
        }
    }
}

#[test]
fn a_capture_that_ends_on_the_far_row_promotes() {
    let mut game = game(Variant::Turkish, "W:W20:B12,40");
    play(&mut game, 20, 4);
    assert!(has_king(&game, Color::White, 4));
}

#[test]
fn one_piece_each_is_a_draw() {
    assert_eq!(countdown(&game(Variant::Turkish, "W:WK57:BK8")), 2);
    assert_eq!(countdown(&game(Variant::Turkish, "W:WK57:B16")), 2);
    assert_eq!(countdown(&game(Variant::Turkish, "W:W57:B16")), 2);
    assert_eq!(countdown(&game(Variant::Turkish, "W:WK57,50:BK8")), 25);
    let mut game = game(Variant::Turkish, "W:WK57:B16");
    for (from, to) in [(57, 58), (16, 15), (58, 57)] {
        play(&mut game, from, to);
    }
    play(&mut game, 15, 14);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Ending(2)));
}

#[test]
fn a_sideways_step_is_not_progress() {
    let mut game = game(Variant::Turkish, "W:W33,K1:B32,K64");
    for (from, to) in [(33, 34), (32, 31), (34, 33), (31, 32)] {
        play(&mut game, from, to);
    }
    assert_eq!(game.setup().quiet_plies, 4);
    play_all(&mut game, &[(33, 34), (32, 31), (34, 33), (31, 32)]);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Repetition(3)));
}
