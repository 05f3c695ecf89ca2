//! Tests of the rules of each variant in small positions, with the rows of `tests/data/rules.txt`.

mod frisian;
mod turkish;

use crate::common::{self, Listed, fast_moves, reference_moves};
use soffio::game::{Game, Move};
use soffio::notation::WrittenGame;
use soffio::position::{Key, Position, Setup, Status, with_width};
use soffio::rules::{Variant, Word};
use soffio::wire::native::NativeReply;
use std::collections::BTreeSet;
use std::panic::catch_unwind;

/// Returns the position in the second column of a row, in which squares have the numbers of the board.
fn start(variant: Variant, fen: &str) -> Game {
    if fen == "start" {
        return Game::new(variant);
    }
    // The parser of the tests does not support these fields.
    if [":E", ":F", ":+"].iter().any(|field| fen.contains(field)) {
        return WrittenGame::from_start(variant, Some(&fen.parse().expect("a FEN")))
            .expect("a position")
            .game()
            .clone();
    }
    let (pieces, clock) = fen.split_once(":H").unwrap_or((fen, "0"));
    let setup = Setup { quiet_plies: clock.parse().expect("a clock"), ..common::setup(variant, pieces) };
    Game::from_setup(variant, &setup).unwrap_or_else(|error| panic!("{error}"))
}

fn moves_of(game: &Game) -> Vec<Listed> {
    with_width!(game.history(), history => fast_moves(history.position()))
}

/// Plays the legal move from `from` to `to`. Panics unless there is exactly one, or if the game has ended.
fn play(game: &mut Game, from: u8, to: u8) {
    assert!(matches!(game.status(), Status::Playing { .. }), "the game ended before {from}-{to}: {:?}", game.status());
    let shape = game.spec().shape;
    let is_it = |mv: &Move| shape.number(mv.from).get() == from && shape.number(mv.to).get() == to;
    let fitting: Vec<_> = game.legal_moves().into_iter().filter(is_it).collect();
    let [mv] = fitting[..] else { panic!("{from}-{to} is not one of {:?}", moves_of(game)) };
    assert!(game.play(mv), "{from}-{to} is legal but was not played");
}

/// Plays `plies` quiet king moves that do not repeat a position and leave nothing to capture.
fn wander(game: &mut Game, plies: usize) {
    let mut seen = with_width!(game.history(), history => history.repeatable_keys());
    for ply in 0..plies {
        assert!(
            matches!(game.status(), Status::Playing { .. }),
            "the game ended before ply {ply}: {:?}",
            game.status()
        );
        let mv = with_width!(game.history(), history => quiet_king_move(history.position(), &seen));
        let mv = mv.unwrap_or_else(|| panic!("no quiet king move at ply {ply}: {game:?}"));
        assert!(game.play(mv), "a legal move is played");
        seen.push(game.key());
    }
}

/// Finds a king move to a position that is not in `seen` and in which neither side can capture, or returns `None`.
fn quiet_king_move<W: Word>(here: &Position<W>, seen: &[Key]) -> Option<Move> {
    let moves = here.legal_moves();
    let quiet = moves.iter().find(|mv| {
        let after = here.play(**mv);
        let by_king = here.pieces().kings.contains(mv.from);
        let is_safe = !after.can_capture(after.side()) && !after.can_capture(here.side());
        by_king && !mv.is_capture() && is_safe && !seen.contains(&after.key())
    });
    quiet.map(|mv| mv.widened())
}

/// Returns the squares of a move such as `22-18`.
fn squares(text: &str) -> (u8, u8) {
    let (from, to) = text.split_once(['-', 'x']).unwrap_or_else(|| panic!("{text} is not a move"));
    (from.parse().expect("a number"), to.parse().expect("a number"))
}

/// Asserts that a game from `fen` with these moves has the `expected` legal moves, position or status.
fn check(variant: Variant, fen: &str, moves: &str, expected: &str) {
    let mut game = start(variant, fen);
    for text in moves.split_whitespace() {
        match text.strip_prefix('~') {
            Some(plies) => wander(&mut game, plies.parse().expect("a number")),
            None => {
                let (from, to) = squares(text);
                play(&mut game, from, to);
            }
        }
    }
    let setup = game.setup();
    match expected.split_once(' ').unwrap_or((expected, "")) {
        ("legal", list) => {
            let expected: BTreeSet<_> = list.split(", ").filter(|text| !text.is_empty()).map(str::to_owned).collect();
            for moves in [moves_of(&game), common::fast(variant, &setup).0, reference_moves(variant, &setup)] {
                assert_eq!(moves.iter().map(Listed::to_string).collect::<BTreeSet<_>>(), expected);
                assert_eq!(moves.len(), expected.len(), "no move is listed twice");
            }
        }
        ("position", fen) => {
            let expected = common::setup(variant, fen);
            assert_eq!((setup.side, setup.pieces), (expected.side, expected.pieces));
        }
        _ => assert_eq!(NativeReply::Status(game.status()).to_string(), format!("status {expected}")),
    }
}

#[test]
fn positions_have_the_listed_moves_and_results() {
    let rows = include_str!("../data/rules.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    assert!(rows.clone().count() > 250, "the rows are there");
    let is_wrong = |row: &&str| {
        let columns: Vec<_> = row.split('|').map(str::trim).collect();
        let [name, fen, moves, expected] = columns[..] else { panic!("columns of {row:?}") };
        let variant = Variant::called(name).unwrap_or_else(|| panic!("variant {name:?}"));
        catch_unwind(|| check(variant, fen, moves, expected)).is_err()
    };
    // The reasons are printed above.
    assert_eq!(rows.filter(is_wrong).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn squares_are_numbered_from_the_top_left_of_the_dark_squares() {
    for (variant, size, corners) in [
        (Variant::Italian, 8, [Some(1), None, None, Some(32)]),
        (Variant::English, 8, [None, Some(4), Some(29), None]),
        (Variant::International, 10, [None, Some(5), Some(46), None]),
    ] {
        let shape = variant.spec().shape;
        let number = |row, column| shape.square_at(row, column).map(|square| shape.number(square).get());
        assert_eq!((shape.width, shape.height), (size, size));
        let end = size - 1;
        assert_eq!([number(0, 0), number(0, end), number(end, 0), number(end, end)], corners, "{variant}");
    }
}

/// Jamaican draughts is played on a mirrored board, where square 32 is at h1. In Jamaican notation, however, square 1
/// is a1.
#[test]
fn pool_checkers_are_written_with_letters_in_two_variants() {
    let names = |variant: Variant| {
        let squares = variant.spec().shape.all_squares();
        squares.map(|square| variant.spec().square_name(square).to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(Variant::UnifiedPool)[0], "b8");
    let jamaican = names(Variant::Jamaican);
    assert_eq!(jamaican[..6], ["a1", "a3", "a5", "a7", "b2", "b4"]);
    assert_eq!(jamaican[31], "h8");
}
