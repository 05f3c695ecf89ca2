//! Tests that compare the evaluation with a slow reference implementation, for random positions on every board.

use super::*;
use crate::board::{Bits, Shape, Square};
use crate::eval::MAX_EVALUATION;

const POSITIONS: usize = 2000;

#[derive(Clone, Copy, Debug)]
struct Pieces<B> {
    white: B,
    black: B,
    kings: B,
}

fn random_pieces<B: Bits>(shape: Shape, random: &mut fastrand::Rng) -> Pieces<B> {
    let [mut white, mut black, mut kings] = [B::EMPTY; 3];
    let (of_ten, of_kings) = (random.u8(1..=9), random.u8(0..=4));
    for square in shape.all_squares() {
        if random.u8(..10) >= of_ten {
            continue;
        }
        *if random.bool() { &mut white } else { &mut black } |= B::from_square(square);
        if random.u8(..10) < of_kings {
            kings |= B::from_square(square);
        }
    }
    Pieces { white, black, kings }
}

fn flipped<B: Bits>(shape: Shape, squares: B) -> B {
    let all: Vec<Square> = shape.all_squares().collect();
    let image =
        |(square, image): (&Square, &Square)| if squares.contains(*square) { 1u128 << image.index() } else { 0 };
    B::from_mask(all.iter().zip(all.iter().rev()).map(image).sum())
}

fn mirrored<B: Bits>(shape: Shape, squares: B) -> B {
    let image = |square| shape.square_at(shape.row(square), shape.width - 1 - shape.column(square)).unwrap();
    squares.squares().fold(B::EMPTY, |all, square| all | B::from_square(image(square)))
}

macro_rules! on_every_board {
    ($function:ident) => {
        $function::<u64>(Shape::BOARD8);
        $function::<u64>(Shape::BOARD8_MIRRORED);
        $function::<u64>(Shape::BOARD8_EVERY);
        $function::<u64>(Shape::BOARD10);
        $function::<u64>(Shape::BOARD10X8);
        $function::<u128>(Shape::BOARD12);
        $function::<u128>(Shape::BOARD12_MIRRORED);
        $function::<u128>(Shape::BOARD14);
    };
}

/// Returns the squares in input order, which runs from right to left on a mirrored board.
fn ordered(shape: Shape) -> Vec<Square> {
    let mut squares: Vec<Square> = shape.all_squares().collect();
    squares.sort();
    squares
}

fn random_weights(shape: Shape, random: &mut fastrand::Rng) -> Weights {
    Weights::random(Inputs::new(shape).count(), random)
}

fn kind(shape: Shape, lone_king_holds: bool) -> GameKind {
    GameKind { shape, lone_king_holds, men: shape.row_length() * 3 }
}

fn slow_value<B: Bits>(kind: GameKind, weights: &Weights, pieces: &Pieces<B>, white_to_move: bool) -> i32 {
    let mut squares = ordered(kind.shape);
    let (mut own, mut other) = (pieces.white, pieces.black);
    if !white_to_move {
        squares.reverse();
        std::mem::swap(&mut own, &mut other);
    }
    let mut units: Vec<i32> = weights.first_bias.iter().map(|&bias| bias.into()).collect();
    for (place, &square) in squares.iter().enumerate() {
        let is_king = usize::from(pieces.kings.contains(square));
        let kind = match (own.contains(square), other.contains(square)) {
            (true, _) => is_king,
            (_, true) => 2 + is_king,
            _ => continue,
        };
        let input = kind * squares.len() + place;
        (0..FIRST_UNITS).for_each(|unit| units[unit] += i32::from(weights.first[input][unit]));
    }
    let units: Vec<i64> = units.into_iter().map(|sum| i64::from(sum.clamp(0, 508) / 4)).collect();
    // With 24 initial pieces, the quarters are 1 to 6, 7 to 12, 13 to 18 and 19 to 24 pieces.
    let quarter = (pieces.white | pieces.black).count().saturating_sub(1) * 4 / (2 * u32::from(kind.men));
    let bucket = &weights.buckets[quarter.min(3) as usize];
    let mut value = i64::from(bucket.last_bias) * 127 * 512;
    for hidden in 0..SECOND_UNITS {
        let products = (0..FIRST_UNITS).map(|unit| units[unit] * i64::from(bucket.second[hidden][unit]));
        let unit = (products.sum::<i64>() + i64::from(bucket.second_bias[hidden])).clamp(0, 127 * 512);
        value += unit * i64::from(bucket.last[hidden]);
    }
    let mut value = (value / (127 * 512 * 256)) as i32;
    if kind.lone_king_holds {
        let is_white_ahead = (value > 0) == white_to_move;
        value = value * scale_factor(pieces.white, pieces.black, pieces.kings, is_white_ahead) / 8;
    }
    value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

fn check_slow_value<B: Bits>(shape: Shape) {
    let mut random = fastrand::Rng::with_seed(1);
    let mut different = std::collections::HashSet::new();
    for lone_king_holds in [false, true] {
        let kind = kind(shape, lone_king_holds);
        let weights = random_weights(shape, &mut random);
        let nnue = Nnue::new(kind, weights.clone()).unwrap();
        let mut accumulators = Accumulators::default();
        for _ in 0..POSITIONS / 10 {
            let pieces = random_pieces::<B>(shape, &mut random);
            let side = random.bool();
            let value = nnue.evaluate(pieces.white, pieces.black, pieces.kings, side);
            assert_eq!(value, slow_value(kind, &weights, &pieces, side), "{pieces:?}");
            different.insert(value);
            // Test incremental updates: one piece disappears, and a different piece changes between man and king.
            let Pieces { mut white, mut black, mut kings } = pieces;
            while let Some(square) = (white | black).squares().next() {
                let side = random.bool();
                let value = nnue.evaluate_with(&mut accumulators, white, black, kings, side);
                assert_eq!(value, nnue.evaluate(white, black, kings, side), "{white:?} {black:?} {kings:?}");
                let all = (white | black).without_first();
                (white, black) = (white & !B::from_square(square), black & !B::from_square(square));
                kings = all.squares().next().map_or(kings, |next| (kings ^ B::from_square(next)) & all);
            }
        }
    }
    assert!(different.len() > POSITIONS / 20, "{} values", different.len());
}

#[test]
fn values_match_the_definition() {
    on_every_board!(check_slow_value);
}

fn check_other_side<B: Bits>(shape: Shape) {
    let mut random = fastrand::Rng::with_seed(2);
    let nnue = Nnue::new(kind(shape, true), random_weights(shape, &mut random)).unwrap();
    for _ in 0..POSITIONS {
        let pieces = random_pieces::<B>(shape, &mut random);
        let side = random.bool();
        let Pieces { white, black, kings } = pieces;
        let value = nnue.evaluate(white, black, kings, side);
        let other = nnue.evaluate(flipped(shape, black), flipped(shape, white), flipped(shape, kings), !side);
        assert_eq!(value, other, "{pieces:?}");
        assert!(value.abs() <= MAX_EVALUATION);
        let terms = nnue.terms(white, black, kings, side);
        assert_eq!(value, terms.iter().map(|(_, term)| term).sum::<i32>(), "{terms:?}");
    }
}

#[test]
fn values_match_the_rotated_board_and_the_sum_of_their_parts() {
    on_every_board!(check_other_side);
}

#[test]
fn a_mirrored_board_has_the_values_of_the_mirror_image() {
    let mut random = fastrand::Rng::with_seed(4);
    let weights = random_weights(Shape::BOARD8, &mut random);
    let nnue =
        [Shape::BOARD8, Shape::BOARD8_MIRRORED].map(|shape| Nnue::new(kind(shape, true), weights.clone()).unwrap());
    for _ in 0..POSITIONS {
        let pieces = random_pieces::<u64>(Shape::BOARD8, &mut random);
        let mirror = |squares: u64| {
            let place = |square: Square| (Shape::BOARD8.row(square), 7 - Shape::BOARD8.column(square));
            let image = |(row, column)| Shape::BOARD8_MIRRORED.square_at(row, column).unwrap();
            squares.squares().fold(0, |all, square| all | u64::from_square(image(place(square))))
        };
        let values = [
            nnue[0].evaluate(pieces.white, pieces.black, pieces.kings, true),
            nnue[1].evaluate(mirror(pieces.white), mirror(pieces.black), mirror(pieces.kings), true),
        ];
        assert_eq!(values[0], values[1], "{pieces:?}");
    }
}

#[test]
fn mirrored_inputs_match_the_mirror_image() {
    let shape = Shape::BOARD8_EVERY;
    let inputs = Inputs::new(shape);
    let images = inputs.mirrored(shape).unwrap();
    let all = |inputs: &Inputs, pieces: &Pieces<u64>| {
        let mut all = Vec::new();
        inputs.for_each(pieces.white, pieces.black, pieces.kings, true, |input| all.push(input));
        all.sort_unstable();
        all
    };
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..POSITIONS {
        let pieces = random_pieces::<u64>(shape, &mut random);
        let [white, black, kings] = [pieces.white, pieces.black, pieces.kings].map(|squares| mirrored(shape, squares));
        assert_eq!(all(&images, &pieces), all(&inputs, &Pieces { white, black, kings }));
    }
    assert!(Inputs::new(Shape::BOARD8).mirrored(Shape::BOARD8).is_none());
}

#[test]
fn extreme_weights_stay_in_bounds() {
    let shape = Shape::BOARD12;
    let inputs = Inputs::new(shape).count();
    let most = ACCUMULATOR_LIMIT / ((inputs / Inputs::KINDS) as i16 + 1);
    for (sign, last) in [(1, i32::MAX), (-1, i32::MAX), (1, i32::MIN)] {
        let weights = Weights {
            first: vec![[most; FIRST_UNITS]; inputs],
            first_bias: [most; FIRST_UNITS],
            buckets: [(); OUTPUT_BUCKETS].map(|()| OutputBucket {
                second: [[sign * i16::MAX; FIRST_UNITS]; SECOND_UNITS],
                second_bias: [i32::from(sign) * SECOND_BIAS_LIMIT; SECOND_UNITS],
                last: [last; SECOND_UNITS],
                last_bias: last,
            }),
        };
        let nnue = Nnue::new(kind(shape, false), weights.clone()).unwrap();
        let all = Shape::BOARD12.mask();
        let expected = MAX_EVALUATION * last.signum();
        assert_eq!(nnue.evaluate(all, 0, 0, true), expected);
        assert_eq!(nnue.evaluate(all, 0, all, false), expected);
        let mut too_large = weights.clone();
        too_large.first_bias[3] = ACCUMULATOR_LIMIT;
        assert!(matches!(Nnue::new(kind(shape, false), too_large), Err(WeightsError::Sums)));
        let mut too_large = weights;
        too_large.buckets[2].second_bias[1] = SECOND_BIAS_LIMIT + 1;
        assert!(matches!(Nnue::new(kind(shape, false), too_large), Err(WeightsError::Sums)));
    }
}

#[test]
fn weights_for_a_different_board_are_rejected() {
    let weights = random_weights(Shape::BOARD8, &mut fastrand::Rng::with_seed(3));
    assert!(Nnue::new(kind(Shape::BOARD8, false), weights.clone()).is_ok());
    for shape in [Shape::BOARD10, Shape::BOARD8_EVERY] {
        assert!(matches!(Nnue::new(kind(shape, false), weights.clone()), Err(WeightsError::Board)));
    }
}
