//! Tests that write each move of random games in every format and read it back.

use super::resolved;
use crate::common::with_rules;
use soffio::notation::{
    bitboard_move, captured_mask, full_path, hub_form, legal_move, move_text, printed_moves, printed_sequence, resolve,
    written,
};
use soffio::position::paths::Sequence;
use soffio::position::{GameRules, History, Piece, Position, Setup, Status};
use soffio::rules::{Notation, RuleSet, Variant, Word};
use std::collections::HashSet;

const GAMES: u32 = 2;

fn walk<W: Word>(rules: &'static GameRules<W>) {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..GAMES {
        let mut game = History::new(rules);
        while matches!(game.status(), Status::Playing { .. }) && game.ply() < 120 {
            check_moves(game.position());
            let moves = game.position().legal_moves();
            game.play(moves[random.usize(..moves.len())]);
        }
    }
}

fn check_moves<W: Word>(position: &Position<W>) {
    let (spec, setup) = (position.spec(), position.to_setup(1));
    let moves = printed_moves(spec, &setup);
    let fast = position.legal_moves();
    assert_eq!(moves.len(), fast.len());
    for mv in fast.iter() {
        let sequence = printed_sequence(spec, &setup, |sequence| {
            sequence.from == mv.from
                && sequence.to() == mv.to
                && captured_mask(sequence) == mv.captured.mask()
                && sequence.crowned_in_passing == mv.crowned_in_passing
        });
        for hub_moves in [false, true] {
            let spec = RuleSet { notation: Notation { hub_moves, ..spec.notation }, ..*spec };
            assert_eq!(
                sequence.as_ref().map(|sequence| written(&spec, sequence)),
                Some(move_text(&spec, position, *mv))
            );
        }
        assert!(sequence.is_some_and(|sequence| moves.contains(&sequence)));
    }
    let other_style = Notation { algebraic: !spec.notation.algebraic, ..spec.notation };
    let other_style = RuleSet { notation: other_style, ..*spec };
    let mut texts = HashSet::new();
    for sequence in &moves {
        let text = full_path(spec, sequence);
        let read = |written: &str| resolved(position.rules().variant(), &setup, written);
        assert!(texts.insert(text.clone()), "{text} is printed twice");
        assert_eq!(read(&text), Ok(text.clone()));
        assert_eq!(read(&full_path(&other_style, sequence)), Ok(text.clone()));
        assert_eq!(read(&hub_form(spec, sequence)), Ok(text.clone()));
        let short = format!("{}-{}", spec.square_name(sequence.from), spec.square_name(sequence.to()));
        match same_ends(&moves, sequence).as_slice() {
            [_] => assert_eq!(read(&short), Ok(text)),
            // Several captures share these squares. The short form is accepted only if one of them is a single jump,
            // because it is the full path of that jump.
            several => assert_eq!(read(&short).is_ok(), several.iter().any(|other| other.landings.len() == 1)),
        }
        for text in [full_path(spec, sequence), hub_form(spec, sequence), short.replace('-', "x"), short] {
            check_fast_parser(position, &setup, &text);
        }
    }
    if let Some(sequence) = moves.first() {
        for to in spec.shape.all_squares().step_by(7) {
            let text = format!("{}-{}", spec.square_name(sequence.from), spec.square_name(to));
            check_fast_parser(position, &setup, &text);
        }
    }
}

/// Asserts that the fast parser for plain text gives the same result as the general parser.
fn check_fast_parser<W: Word>(position: &Position<W>, setup: &Setup, text: &str) {
    let record = text.parse().expect("a move");
    let full = resolve(position.spec(), setup, &record).map(|sequence| bitboard_move(&sequence));
    assert_eq!(legal_move(position.spec(), position, &record), full, "{text}");
}

/// Returns the moves with the same origin and destination as `sequence`.
fn same_ends<'a>(moves: &'a [Sequence], sequence: &Sequence) -> Vec<&'a Sequence> {
    moves.iter().filter(|other| other.from == sequence.from && other.to() == sequence.to()).collect()
}

#[test]
fn every_move_of_random_games_is_written_and_read() {
    for &variant in Variant::ALL {
        with_rules!(variant, rules => walk(rules));
    }
}

/// Returns a random position full of kings, in which several captures often have the same origin and destination.
fn crowded(spec: &RuleSet, random: &mut fastrand::Rng) -> Setup {
    let mut squares: Vec<_> = spec.shape.all_squares().collect();
    random.shuffle(&mut squares);
    let mut setup = Setup::start(spec);
    setup.pieces.clear();
    for square in squares.into_iter().take(random.usize(4..13).min(spec.men().into())) {
        let color = if random.u8(..3) == 0 { setup.side } else { setup.side.opponent() };
        setup.pieces.insert(square, Piece { color, king: true });
    }
    setup
}

/// Returns the number of captures that have the same origin and destination as another capture, in crowded positions.
fn ambiguous_captures<W: Word>(rules: &'static GameRules<W>) -> usize {
    let spec = rules.spec();
    let mut random = fastrand::Rng::with_seed(11);
    let mut ambiguous = 0;
    for _ in 0..50 {
        let setup = crowded(spec, &mut random);
        check_moves(&Position::from_setup(rules, &setup).unwrap());
        let moves = printed_moves(spec, &setup);
        ambiguous += moves.iter().filter(|sequence| same_ends(&moves, sequence).len() > 1).count();
    }
    ambiguous
}

#[test]
fn captures_with_one_departure_and_arrival_are_distinguished() {
    let ambiguous: usize =
        Variant::ALL.iter().map(|&variant| with_rules!(variant, rules => ambiguous_captures(rules))).sum();
    assert!(ambiguous > 0, "no two such captures occurred");
}
