//! Every move of random games, written in every form.

use super::resolved;
use soffio::board::Bits;
use soffio::notation::{
    captured_mask, fast_move, full_path, hub_form, legal_move, move_text, printed_moves, printed_sequence, resolve,
    written,
};
use soffio::position::reference::Sequence;
use soffio::position::{Game, Piece, Position, Setup, Status};
use soffio::rules::{Notation, RuleSet, Rules, Variant, Visitor};
use std::collections::HashSet;

const GAMES: u32 = 4;

struct Walk;

impl Visitor for Walk {
    type Output = ();

    fn visit<R: Rules>(self) {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..GAMES {
            let mut game = Game::<R>::new();
            while matches!(game.status(), Status::Playing { .. }) && game.undoable() < 120 {
                moves_are_written_and_read(game.position());
                let moves = game.position().legal_moves();
                game.play(moves[random.usize(..moves.len())]);
            }
        }
    }
}

fn moves_are_written_and_read<R: Rules>(position: &Position<R>) {
    let setup = position.to_setup(1);
    let moves = printed_moves(&R::SPEC, &setup);
    let fast = position.legal_moves();
    assert_eq!(moves.len(), fast.len());
    for mv in fast.iter() {
        let way = printed_sequence(&R::SPEC, &setup, |way| {
            way.from == mv.from
                && way.to() == mv.to
                && captured_mask(way) == mv.captured.mask()
                && way.crowned_in_passing == mv.crowned_in_passing
        });
        for hub_moves in [false, true] {
            let spec = RuleSet { notation: Notation { hub_moves, ..R::SPEC.notation }, ..R::SPEC };
            assert_eq!(way.as_ref().map(|way| written(&spec, way)), Some(move_text(&spec, position, *mv)));
        }
        assert!(way.is_some_and(|way| moves.contains(&way)));
    }
    let other_style = Notation { algebraic: !R::SPEC.notation.algebraic, ..R::SPEC.notation };
    let other_style = RuleSet { notation: other_style, ..R::SPEC };
    let mut texts = HashSet::new();
    for way in &moves {
        let text = full_path(&R::SPEC, way);
        let read = |written: &str| resolved(R::VARIANT, &setup, written);
        assert!(texts.insert(text.clone()), "{text} is printed twice");
        assert_eq!(read(&text), Ok(text.clone()));
        assert_eq!(read(&full_path(&other_style, way)), Ok(text.clone()));
        assert_eq!(read(&hub_form(&R::SPEC, way)), Ok(text.clone()));
        let short = format!("{}-{}", R::SPEC.square_name(way.from), R::SPEC.square_name(way.to()));
        match same_ends(&moves, way).as_slice() {
            [_] => assert_eq!(read(&short), Ok(text)),
            // The full path of a single step is a short form too, and then it comes first.
            several => assert_eq!(read(&short).is_ok(), several.iter().any(|other| other.landings.len() == 1)),
        }
        for text in [full_path(&R::SPEC, way), hub_form(&R::SPEC, way), short.replace('-', "x"), short] {
            quick_reading_is_the_full_one(position, &setup, &text);
        }
    }
    if let Some(way) = moves.first() {
        for to in R::SPEC.shape.all_squares().step_by(7) {
            let text = format!("{}-{}", R::SPEC.square_name(way.from), R::SPEC.square_name(to));
            quick_reading_is_the_full_one(position, &setup, &text);
        }
    }
}

/// What is plain is read in a quick way, with the same result.
fn quick_reading_is_the_full_one<R: Rules>(position: &Position<R>, setup: &Setup, text: &str) {
    let record = text.parse().expect("a move");
    let full = resolve(&R::SPEC, setup, &record).map(|way| fast_move(&way));
    assert_eq!(legal_move(&R::SPEC, position, &record), full, "{text}");
}

/// The moves of the same departure and arrival as `way`.
fn same_ends<'a>(moves: &'a [Sequence], way: &Sequence) -> Vec<&'a Sequence> {
    moves.iter().filter(|other| other.from == way.from && other.to() == way.to()).collect()
}

#[test]
fn every_move_of_random_games_is_written_and_read() {
    for &variant in Variant::ALL {
        variant.with(Walk);
    }
}

/// Positions full of kings, where several captures go from one square to another.
fn crowded<R: Rules>(random: &mut fastrand::Rng) -> Setup {
    let mut squares: Vec<_> = R::SPEC.shape.all_squares().collect();
    random.shuffle(&mut squares);
    let mut setup = Setup::start(&R::SPEC);
    setup.pieces.clear();
    for square in squares.into_iter().take(random.usize(4..13).min(R::SPEC.men().into())) {
        let color = if random.u8(..3) == 0 { setup.side } else { setup.side.opponent() };
        setup.pieces.insert(square, Piece { color, king: true });
    }
    setup
}

struct Crowds;

impl Visitor for Crowds {
    type Output = usize;

    fn visit<R: Rules>(self) -> usize {
        let mut random = fastrand::Rng::with_seed(11);
        let mut ambiguous = 0;
        for _ in 0..400 {
            let setup = crowded::<R>(&mut random);
            moves_are_written_and_read(&Position::<R>::from_setup(&setup).unwrap());
            let moves = printed_moves(&R::SPEC, &setup);
            ambiguous += moves.iter().filter(|way| same_ends(&moves, way).len() > 1).count();
        }
        ambiguous
    }
}

#[test]
fn captures_with_one_departure_and_arrival_are_told_apart() {
    let ambiguous: usize = Variant::ALL.iter().copied().map(|variant| variant.with(Crowds)).sum();
    assert!(ambiguous > 0, "no two such captures were met");
}
