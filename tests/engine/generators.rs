//! Tests that compare the fast move generator with the slow reference generator.

use crate::common;

use common::random::random_setup;
use common::{counted_paths, fast_moves, reference_moves, with_rules};
use fastrand::Rng;
use soffio::position::{GameRules, History, Move, Position, Setup, paths};
use soffio::rules::{Color, Objective, Variant, Word};

/// Debug builds do only part of the work. The ignored test does ten times as much.
const GAMES: usize = if cfg!(debug_assertions) { 8 } else { 25 };
const SETUPS: usize = if cfg!(debug_assertions) { 300 } else { 1_500 };
/// Maximum length of a random game. It is long enough for both sides to get kings.
const MAX_PLIES: usize = 160;

/// Asserts that both generators agree on everything they report about a position.
fn compare<W: Word>(position: &Position<W>, setup: &Setup) {
    let (spec, variant) = (position.spec(), position.rules().variant());
    let moves = fast_moves(position);
    assert_eq!(moves, reference_moves(variant, setup), "{variant} {setup:?}");
    // The path counts ignore the limit on king moves.
    let sequences = paths::legal_sequences(spec, &Setup { king_runs: [None; 2], ..setup.clone() });
    assert_eq!(counted_paths(position), sequences.len() as u64, "paths, {variant} {setup:?}");
    assert_eq!(position.has_move(), !moves.is_empty(), "has_move, {variant} {setup:?}");
    for side in [Color::White, Color::Black] {
        let can = !paths::captures(spec, &Setup { side, ..setup.clone() }).is_empty();
        assert_eq!(position.can_capture(side), can, "can_capture, {variant} {side} {setup:?}");
    }
}

/// Asserts that playing any legal move gives the same position with both generators.
fn compare_moves<W: Word>(position: &Position<W>, setup: &Setup) {
    let (rules, spec) = (position.rules(), position.spec());
    let sequences = paths::legal_sequences(spec, setup);
    for &mv in position.legal_moves().iter() {
        let after = position.play(mv);
        let sequence = sequences.iter().find(|sequence| is_path_of(sequence, mv)).expect("the move lists are equal");
        let expected = paths::after(spec, setup, sequence);
        // The slow generator does not track how long an ending has lasted.
        let ages = after.to_setup(expected.move_number).ages;
        let expected = Setup { ages, ..expected };
        assert_eq!(after.to_setup(expected.move_number), expected, "{} {setup:?} {mv:?}", rules.variant());
        // A legal move never leaves an unpromoted man on its promotion row, which only a setup position can contain.
        // The position can therefore be rebuilt from its description.
        let rebuilt = Position::from_setup(rules, &expected).expect("a legal move leads to a legal position");
        assert_eq!(after.key(), rebuilt.key());
        assert_eq!(after.pieces(), rebuilt.pieces());
        assert_eq!(after.quiet_plies(), rebuilt.quiet_plies());
    }
}

fn is_path_of<W: Word>(sequence: &paths::Sequence, mv: Move<W>) -> bool {
    let same_squares = sequence.from == mv.from && sequence.to() == mv.to;
    same_squares
        && sequence.captured.len() == mv.captured.count() as usize
        && sequence.captured.iter().all(|&square| mv.captured.contains(square))
}

/// Compares both generators in the positions of random games. Returns the number of positions.
fn compare_games<W: Word>(rules: &'static GameRules<W>, games: usize) -> usize {
    let mut rng = Rng::with_seed(1);
    let mut positions = 0;
    for _ in 0..games {
        let mut game = History::new(rules);
        for _ in 0..MAX_PLIES {
            compare(game.position(), &game.setup());
            compare_moves(game.position(), &game.setup());
            positions += 1;
            let Some(&mv) = rng.choice(game.position().legal_moves().iter()) else { break };
            game.play(mv);
        }
    }
    positions
}

#[test]
fn generators_agree_in_random_games() {
    for &variant in Variant::ALL {
        let positions = with_rules!(variant, rules => compare_games(rules, GAMES));
        assert!(positions > GAMES * 30, "{variant}: only {positions} positions");
    }
}

/// Compares both generators on random positions. Returns the number of positions with a capture, and the number of
/// positions in which a move has two paths.
fn compare_random_positions<W: Word>(rules: &'static GameRules<W>, count: usize) -> (usize, usize) {
    let mut rng = Rng::with_seed(2);
    let (mut captures, mut merged) = (0, 0);
    for index in 0..count {
        let max_pieces = 2 + index % usize::from(rules.spec().men() - 2);
        let setup = random_setup(&mut rng, rules.spec(), max_pieces, 0.6);
        let position = common::position(rules, &setup);
        assert_eq!(position.to_setup(setup.move_number), setup);
        compare(&position, &setup);
        compare_moves(&position, &setup);
        captures += usize::from(position.can_capture(position.side()));
        merged += usize::from(counted_paths(&position) > position.legal_moves().len() as u64);
    }
    (captures, merged)
}

#[test]
fn generators_agree_on_positions_with_many_kings() {
    let mut merged = 0;
    for &variant in Variant::ALL {
        let (captures, merged_here) = with_rules!(variant, rules => compare_random_positions(rules, SETUPS));
        assert!(captures > SETUPS / 4, "{variant}: only {captures} of {SETUPS} have a capture");
        merged += merged_here;
    }
    assert!(merged > SETUPS / 10, "only {merged} positions have a move with two paths");
}

#[test]
#[ignore = "takes minutes: ten times the games and positions of the other tests"]
fn generators_agree_on_many_more_positions() {
    for &variant in Variant::ALL {
        with_rules!(variant, rules => { compare_games(rules, 10 * GAMES); compare_random_positions(rules, 10 * SETUPS) });
    }
}

/// A random game, and its positions from the start.
struct Track<W: Word> {
    game: History<W>,
    positions: Vec<Position<W>>,
}

fn random_game<W: Word>(rng: &mut Rng, mut game: History<W>) -> Track<W> {
    let mut positions = vec![*game.position()];
    for _ in 0..MAX_PLIES {
        let Some(&mv) = rng.choice(game.position().legal_moves().iter()) else { break };
        game.play(mv);
        positions.push(*game.position());
    }
    Track { game, positions }
}

/// Asserts that undoing and redoing the moves of random games restores their positions.
fn undo_and_redo<W: Word>(rules: &'static GameRules<W>) {
    let mut rng = Rng::with_seed(3);
    for _ in 0..GAMES {
        let Track { mut game, positions } = random_game(&mut rng, History::new(rules));
        let status = game.status();
        for (played, position) in positions.iter().enumerate().rev() {
            assert_eq!((game.position(), game.ply()), (position, played));
            assert_eq!(game.redo_count(), positions.len() - 1 - played);
            game.undo();
        }
        // Nothing is left to undo.
        assert_eq!(game.position(), &positions[0]);
        for position in &positions {
            assert_eq!(game.position(), position);
            game.redo();
        }
        assert_eq!((game.redo_count(), game.status()), (0, status));
        game.undo();
        game.undo();
        if let Some(&mv) = game.position().legal_moves().first() {
            game.play(mv);
            assert_eq!(game.redo_count(), 0, "a new move discards the undone moves");
        }
    }
}

#[test]
fn undo_and_redo_restore_every_position() {
    for &variant in Variant::ALL {
        with_rules!(variant, rules => undo_and_redo(rules));
    }
}

/// Checks the keys of the positions that can be repeated, after every ply of random games. Returns the maximum number
/// of keys.
fn compare_keys<W: Word>(rules: &'static GameRules<W>) -> usize {
    let mut rng = Rng::with_seed(4);
    let mut longest = 0;
    for _ in 0..100 {
        // The position contains kings, and its draw counter may have started already, because the moves before it are
        // unknown.
        let setup = random_setup(&mut rng, rules.spec(), 4, 0.7);
        let start = History::from_setup(rules, &setup).expect("the position is legal");
        let Track { mut game, positions } = random_game(&mut rng, start);
        for played in (0..positions.len()).rev() {
            let is_last_change = |&index: &usize| index == 0 || positions[index].quiet_plies() == 0;
            let first = (0..=played).rev().find(is_last_change).expect("0 is valid");
            let expected: Vec<_> = positions[first..=played].iter().map(Position::key).collect();
            assert_eq!(game.repeatable_keys(), expected, "{} after {played} plies", rules.variant());
            longest = longest.max(expected.len());
            game.undo();
        }
    }
    longest
}

#[test]
fn repeatable_keys_start_after_the_last_capture_or_move_by_a_man() {
    for &variant in Variant::ALL {
        let longest = with_rules!(variant, rules => compare_keys(rules));
        // If the first king ends the game, no position can occur twice.
        let ends_early = variant.spec().objective == Objective::FirstKing;
        assert!(longest > 10 || ends_early, "{variant}: at most {longest} keys, which proves little");
    }
}
