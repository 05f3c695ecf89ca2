//! Games played by printed numbers.

use super::{fast_moves, position, setup};
use soffio::board::Bits;
use soffio::position::{Game, Move, Status};
use soffio::rules::Rules;

/// A game from `fen`.
pub fn game<R: Rules>(fen: &str) -> Game<R> {
    game_with_clock(fen, 0)
}

/// A game from `fen` with `quiet_plies` on the clock of the move-count rule.
pub fn game_with_clock<R: Rules>(fen: &str, quiet_plies: u16) -> Game<R> {
    let mut setup = setup(R::VARIANT, fen);
    setup.quiet_plies = quiet_plies;
    position::<R>(&setup);
    Game::from_setup(&setup).expect("the position has just been accepted")
}

/// Plays the only legal move from `from` to `to`.
#[track_caller]
pub fn play<R: Rules>(game: &mut Game<R>, from: u8, to: u8) {
    let shape = R::SPEC.shape;
    let moves = game.position().legal_moves();
    let is_it = |mv: &&Move<R>| shape.number(mv.from).get() == from && shape.number(mv.to).get() == to;
    let fitting: Vec<_> = moves.iter().filter(is_it).collect();
    let [mv] = fitting[..] else { panic!("{from}-{to} is not one of {:?}", fast_moves(game.position())) };
    game.play(*mv);
}

/// Plays each of `moves`, given by their squares, while the game goes on, and panics if it ends before the last one.
#[track_caller]
pub fn play_all<R: Rules>(game: &mut Game<R>, moves: &[(u8, u8)]) {
    for &(from, to) in moves {
        assert!(is_on(game), "the game ended before {from}-{to}: {:?}", game.status());
        play(game, from, to);
    }
}

/// Whether the game goes on.
pub fn is_on<R: Rules>(game: &Game<R>) -> bool {
    matches!(game.status(), Status::Playing { .. })
}

/// The moves that are left to each side before a move-count rule draws the game.
#[track_caller]
pub fn countdown<R: Rules>(game: &Game<R>) -> u16 {
    match game.status() {
        Status::Playing { countdown: Some(moves) } => moves,
        other => panic!("nothing is counted: {other:?}"),
    }
}

/// Plays `plies` quiet king moves that repeat no position and offer nothing to capture; the game must go on until the
/// last of them.
#[track_caller]
pub fn wander<R: Rules>(game: &mut Game<R>, plies: usize) {
    let mut seen = game.repeatable_keys();
    for ply in 0..plies {
        assert!(is_on(game), "the game ended before ply {ply}: {:?}", game.status());
        let here = *game.position();
        let moves = here.legal_moves();
        let wanted = moves.iter().find(|mv| {
            let after = here.play(**mv);
            let by_king = here.pieces().kings.contains(mv.from);
            let is_safe = !after.can_capture(after.side()) && !after.can_capture(here.side());
            by_king && !mv.is_capture() && is_safe && !seen.contains(&after.key())
        });
        let mv = *wanted.unwrap_or_else(|| panic!("no quiet way on at ply {ply}: {here:?}"));
        game.play(mv);
        seen.push(game.position().key());
    }
}
