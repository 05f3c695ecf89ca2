//! Tests of the articles in the Official Rules of Frisian draughts of 2011.

use crate::common::data::{KingRuleCase, king_rule_cases};
use crate::common::games::{countdown, game, moves_of, play, play_all};
use crate::common::{assert_legal, reference_moves, setup, square};
use soffio::game::Game;
use soffio::position::{DrawReason, KingRun, Setup, Status, paths, with_width};
use soffio::rules::Variant;

#[track_caller]
fn legal(fen: &str, expected: &[&str]) {
    assert_legal(Variant::Frisian, fen, expected);
}

#[test]
fn men_move_diagonally_and_capture_along_rows_and_columns_too() {
    legal("W:W33:B1", &["33-28", "33-29"]);
    // The man captures along the column over 23, and along the row over 32.
    legal("W:W33:B23", &["33x13 takes 23"]);
    legal("W:W33:B32", &["33x31 takes 32"]);
    // Captures can also go backwards, but never wrap around the edge of the board.
    legal("W:W23:B33", &["23x43 takes 33"]);
    legal("W:W33:B43", &["33-28", "33-29"]);
}

#[test]
fn kings_move_diagonally_and_capture_at_a_distance_in_eight_directions() {
    legal("W:WK50:BK4", &["50-6", "50-11", "50-17", "50-22", "50-28", "50-33", "50-39", "50-44", "50-45"]);
    legal("W:WK48:B28", &["48x18 takes 28", "48x8 takes 28"]);
    legal("W:WK46:BK48", &["46x49 takes 48", "46x50 takes 48"]);
    legal("W:WK46:B23", &["46x10 takes 23", "46x14 takes 23", "46x19 takes 23", "46x5 takes 23"]);
}

#[test]
fn art_11_the_capture_of_the_greatest_value() {
    // A king is worth more than a man.
    legal("W:W28:B22,K23", &["28x19 takes 23"]);
}

#[test]
fn art_12_at_equal_value_with_a_king() {
    legal("W:WK28,29:B22,24", &["28x17 takes 22", "28x11 takes 22", "28x6 takes 22"]);
}

/// Parses the two squares of a move such as `11-7` or `22x10`.
fn squares(text: &str) -> (u8, u8) {
    let (from, to) = text.split_once(['-', 'x']).unwrap_or_else(|| panic!("{text} is not a move"));
    (from.parse().expect("a number"), to.parse().expect("a number"))
}

/// Parses the counts in a suffix such as `+348+335`. The digit after each sign is the count; for `+0`, the result is
/// `None`.
fn runs(suffix: &str) -> [Option<KingRun>; 2] {
    let mut counts = suffix.trim_start_matches(':').split('+').skip(1).map(|part| {
        let (moves, number) = part.split_at(1);
        let moves = moves.parse().expect("a digit");
        (moves > 0).then(|| KingRun { square: square(Variant::Frisian, number.parse().expect("a number")), moves })
    });
    [counts.next().flatten(), counts.next().flatten()]
}

/// Returns the set-up after the moves of `case`, calculated with the reference generator.
fn reference_after(case: &KingRuleCase) -> Setup {
    let spec = Variant::Frisian.spec();
    let mut setup = setup(Variant::Frisian, &case.start_fen);
    for text in &case.moves {
        let number = |square| spec.shape.number(square).get();
        let ways = paths::legal_moves(spec, &setup);
        let way = ways.iter().find(|way| (number(way.from), number(way.to())) == squares(text));
        setup = paths::after(spec, &setup, way.unwrap_or_else(|| panic!("{text} is not legal in {setup:?}")));
    }
    setup
}

#[test]
fn art_17_three_moves_in_a_row_with_the_same_king() {
    let cases = king_rule_cases();
    assert_eq!(cases.len(), 12);
    for case in cases {
        let mut game = game(Variant::Frisian, &case.start_fen);
        play_all(&mut game, &case.moves.iter().map(|text| squares(text)).collect::<Vec<_>>());
        let name = format!("{} {:?}", case.start_fen, case.moves);
        let reached = game.setup();
        assert_eq!(reached.pieces, setup(Variant::Frisian, &case.fen_after).pieces, "{name}");
        assert_eq!(reference_after(&case), reached, "{name}");
        assert_eq!(reached.king_runs, runs(&case.lidraughts_suffix), "{name}");

        let mut expected: Vec<_> = case.legal.iter().map(|text| squares(text)).collect();
        expected.sort();
        // A position that is set up with the counts has the same legal moves as one that is reached by play.
        let set_up = Game::from_setup(Variant::Frisian, &reached).expect("the position is possible");
        for game in [&game, &set_up] {
            let moves: Vec<_> = moves_of(game).iter().map(|mv| (mv.from, mv.to)).collect();
            assert_eq!(moves, expected, "fast generator, {name}");
        }
        let moves = reference_moves(Variant::Frisian, &reached);
        assert_eq!(moves.iter().map(|mv| (mv.from, mv.to)).collect::<Vec<_>>(), expected, "{name}");
        if let Some(banned) = case.banned_king {
            assert!(expected.iter().all(|&(from, _)| from != banned), "{name}");
        }
    }
}

#[test]
fn art_17_a_side_whose_only_movable_king_is_barred_has_lost() {
    // The man on 6 is blocked by the man on 1.
    let mut barred = setup(Variant::Frisian, "W:WK50,6:B1");
    barred.king_runs[0] = Some(KingRun { square: square(Variant::Frisian, 50), moves: 3 });
    let game = Game::from_setup(Variant::Frisian, &barred).expect("the position is possible");
    assert!(!with_width!(game.history(), history => history.position().has_move()));
    assert!(game.legal_moves().is_empty());
}

#[test]
fn art_18_two_kings_against_one_have_seven_moves() {
    assert_eq!(countdown(&game(Variant::Frisian, "W:WK46,K47:BK4")), 7);
    assert_eq!(countdown(&game(Variant::Frisian, "W:WK46,43:BK4")), 25, "a king and a man are not this ending");
}

#[test]
fn art_21_one_king_each_is_a_draw_unless_a_capture_follows() {
    let mut game = game(Variant::Frisian, "W:WK46:BK4");
    assert_eq!(countdown(&game), 2);
    play_all(&mut game, &[(46, 41), (4, 9), (41, 46)]);
    assert_eq!(countdown(&game), 1);
    play(&mut game, 9, 3);
    assert_eq!(game.status(), Status::Drawn(DrawReason::Ending(2)));
}
