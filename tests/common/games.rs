//! Helpers for games whose moves are given by printed square numbers.

use super::{Listed, fast_moves, setup, square};
use soffio::game::{Game, Move};
use soffio::position::{Key, Piece, Position, Status, with_width};
use soffio::rules::{Color, Variant, Word};

pub fn game(variant: Variant, fen: &str) -> Game {
    game_with_clock(variant, fen, 0)
}

/// Starts a game from `fen` in which `quiet_plies` plies have already been counted for the move-count rule.
pub fn game_with_clock(variant: Variant, fen: &str, quiet_plies: u16) -> Game {
    let mut setup = setup(variant, fen);
    setup.quiet_plies = quiet_plies;
    Game::from_setup(variant, &setup).unwrap_or_else(|error| panic!("{error} in {fen}"))
}

pub fn moves_of(game: &Game) -> Vec<Listed> {
    with_width!(game.history(), history => fast_moves(history.position()))
}

/// Returns whether there are men of `color` on all squares with these printed numbers.
pub fn has_men(game: &Game, color: Color, mut numbers: impl Iterator<Item = u8>) -> bool {
    let pieces = game.setup().pieces;
    numbers.all(|number| pieces.get(&square(game.variant(), number)) == Some(&Piece { color, king: false }))
}

/// Returns whether there is a king of `color` on the square with this printed number.
pub fn has_king(game: &Game, color: Color, number: u8) -> bool {
    game.setup().pieces.get(&square(game.variant(), number)) == Some(&Piece { color, king: true })
}

pub fn is_without_kings(game: &Game) -> bool {
    game.setup().pieces.values().all(|piece| !piece.king)
}

/// Plays the legal move from `from` to `to`, and asserts that there is exactly one.
#[track_caller]
pub fn play(game: &mut Game, from: u8, to: u8) {
    let shape = game.spec().shape;
    let is_it = |mv: &Move| shape.number(mv.from).get() == from && shape.number(mv.to).get() == to;
    let fitting: Vec<_> = game.legal_moves().into_iter().filter(is_it).collect();
    let [mv] = fitting[..] else { panic!("{from}-{to} is not one of {:?}", moves_of(game)) };
    assert!(game.play(mv), "{from}-{to} is legal but was not played");
}

/// Plays `moves`, which are given by their squares. Panics if the game ends before the last move.
#[track_caller]
pub fn play_all(game: &mut Game, moves: &[(u8, u8)]) {
    for &(from, to) in moves {
        assert!(is_on(game), "the game ended before {from}-{to}: {:?}", game.status());
        play(game, from, to);
    }
}

pub fn is_on(game: &Game) -> bool {
    matches!(game.status(), Status::Playing { .. })
}

/// Returns the number of moves that each side has left before a move-count rule draws the game.
#[track_caller]
pub fn countdown(game: &Game) -> u16 {
    match game.status() {
        Status::Playing { countdown: Some(moves) } => moves,
        other => panic!("nothing is counted: {other:?}"),
    }
}

/// Plays `plies` quiet king moves that do not repeat a position and leave nothing to capture. Panics if the game ends
/// before the last move.
#[track_caller]
pub fn wander(game: &mut Game, plies: usize) {
    let mut seen = with_width!(game.history(), history => history.repeatable_keys());
    for ply in 0..plies {
        assert!(is_on(game), "the game ended before ply {ply}: {:?}", game.status());
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
