//! Tests for the evaluation as a whole.

use super::*;
use crate::board::{Number, Shape, Square};
use crate::position::{GameRules, Piece, Position, Setup, any_rules, with_width};
use crate::rules::Variant::International;
use crate::rules::{Color, Variant, Word};
use std::collections::BTreeMap;

const POSITIONS: usize = 3_000;

/// Parses a position. For example, "w12 W17 b1 B5" is a white man, a white king, a black man and a black king.
pub(crate) fn position(variant: Variant, side: Color, notation: &str) -> Position<u64> {
    let piece = |word: &str| {
        let (kind, number) = word.split_at(1);
        let number = number.parse().ok().and_then(Number::new).expect("a number");
        let color = if kind.eq_ignore_ascii_case("w") { Color::White } else { Color::Black };
        let square = variant.spec().shape.numbered(number).expect("a square");
        (square, Piece { color, king: kind == kind.to_uppercase() })
    };
    let pieces = notation.split_whitespace().map(piece).collect();
    let setup = Setup::new(side, pieces);
    Position::from_setup(narrow(variant), &setup).expect("a position")
}

fn narrow(variant: Variant) -> &'static GameRules<u64> {
    GameRules::for_variant(variant).expect("a board of up to 64 squares")
}

fn random_position<W: Word>(rules: &'static GameRules<W>, random: &mut fastrand::Rng) -> Position<W> {
    let spec = rules.spec();
    loop {
        let fill = random.u8(5..60);
        let king = random.u8(0..100);
        let mut pieces = BTreeMap::new();
        for square in spec.shape.all_squares() {
            if random.u8(0..100) >= fill {
                continue;
            }
            let color = if random.bool() { Color::White } else { Color::Black };
            let is_king = random.u8(0..100) < king || spec.shape.row(square) == spec.far_row(color);
            pieces.insert(square, Piece { color, king: is_king });
        }
        let side = if random.bool() { Color::White } else { Color::Black };
        let setup = Setup::new(side, pieces);
        if let Ok(position) = Position::from_setup(rules, &setup) {
            return position;
        }
    }
}

fn flipped<W: Word>(position: &Position<W>) -> Position<W> {
    let setup = position.to_setup(1);
    let turn = |(&square, piece): (&Square, &Piece)| {
        let flipped = Piece { color: piece.color.opponent(), king: piece.king };
        (opposite_square(position.spec().shape, square), flipped)
    };
    let pieces = setup.pieces.iter().map(turn).collect();
    let flipped = Setup { side: setup.side.opponent(), pieces, ..setup };
    Position::from_setup(position.rules(), &flipped).expect("the position is still possible")
}

fn opposite_square(shape: Shape, square: Square) -> Square {
    let number = Number::new(shape.squares() + 1 - shape.number(square).get());
    number.and_then(|number| shape.numbered(number)).expect("the board is symmetric")
}

fn check_random_positions<W: Word>(rules: &'static GameRules<W>) {
    let evaluation = Evaluation::best(rules);
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..POSITIONS {
        let position = random_position(rules, &mut random);
        let value = evaluation.evaluate(&position);
        assert_eq!(value, evaluation.evaluate(&flipped(&position)), "{}", position.to_setup(1).draw(rules.spec()));
        assert!(value.abs() <= MAX_EVALUATION);
        assert_eq!(value, evaluation.terms(&position).iter().map(|(_, part)| *part).sum::<i32>());
    }
}

#[test]
fn values_are_symmetric_bounded_and_the_sum_of_their_terms() {
    for &variant in Variant::ALL {
        with_width!(any_rules(variant), rules => check_random_positions(rules));
    }
}

#[test]
fn three_pieces_are_hardly_a_lead_against_a_flying_king() {
    let evaluation = Evaluation::best(narrow(International));
    let three = evaluation.evaluate(&position(International, Color::White, "W46 W47 W48 B5"));
    let four = evaluation.evaluate(&position(International, Color::White, "W46 W47 W48 W49 B5"));
    assert!(0 < three && three * 3 < four);
}

#[test]
fn noise_is_small_and_depends_on_position_and_seed() {
    let rules = GameRules::<u64>::for_variant(Variant::English).unwrap();
    let (base, start) = (Evaluation::best(rules), Position::start(rules));
    let mut values = Vec::new();
    for seed in 0..200 {
        let noisy = Noisy::new(base.clone(), seed, 10);
        let value = || noisy.evaluate_with(&mut Accumulators::default(), &start);
        let offset = value() - base.evaluate(&start);
        assert_eq!(value(), value());
        assert_eq!(noisy.terms(&start).iter().map(|(_, value)| value).sum::<i32>(), value());
        values.push(offset);
    }
    let (least, most) = (values.iter().min().unwrap(), values.iter().max().unwrap());
    assert_eq!((*least, *most), (-10, 10));
    assert!(values.iter().sum::<i32>().abs() < 400, "{values:?}");
}
