//! The evaluation against one that looks square by square, on random positions of every board.

use super::*;
use crate::board::{Bits, Board8, Board8Every, Board10, Board10x8, Board12, Corner, Geometry, Shape, Square};
use crate::eval::MAX_EVALUATION;
use std::cmp::Ordering;

/// [`Shape::BOARD8_MIRRORED`], which the generators need no type for.
#[derive(Clone, Copy)]
struct Board8Mirrored;

impl Geometry for Board8Mirrored {
    type Bits = u64;
    const SHAPE: Shape = Shape::BOARD8_MIRRORED;
}

/// [`Shape::BOARD12_MIRRORED`].
#[derive(Clone, Copy)]
struct Board12Mirrored;

impl Geometry for Board12Mirrored {
    type Bits = u128;
    const SHAPE: Shape = Shape::BOARD12_MIRRORED;
}

/// Positions of each board.
const POSITIONS: usize = 2000;

/// Pieces on a board.
#[derive(Clone, Copy, Debug)]
struct Pieces<B> {
    white: B,
    black: B,
    kings: B,
}

fn random_pieces<G: Geometry>(random: &mut fastrand::Rng) -> Pieces<G::Bits> {
    let [mut white, mut black, mut kings] = [G::Bits::EMPTY; 3];
    let (of_ten, of_kings) = (random.u8(1..=9), random.u8(0..=4));
    for square in G::SHAPE.all_squares() {
        if random.u8(..10) >= of_ten {
            continue;
        }
        *if random.bool() { &mut white } else { &mut black } |= G::Bits::of(square);
        if random.u8(..10) < of_kings {
            kings |= G::Bits::of(square);
        }
    }
    Pieces { white, black, kings }
}

/// The board turned by 180 degrees.
fn turned<G: Geometry>(squares: G::Bits) -> G::Bits {
    let all: Vec<Square> = G::SHAPE.all_squares().collect();
    let image =
        |(square, image): (&Square, &Square)| if squares.contains(*square) { 1u128 << image.index() } else { 0 };
    G::Bits::from_mask(all.iter().zip(all.iter().rev()).map(image).sum())
}

/// The board mirrored from left to right, where all squares are playing squares.
fn mirrored<G: Geometry>(squares: G::Bits) -> G::Bits {
    let shape = G::SHAPE;
    let image = |square| shape.square_at(shape.row(square), shape.width - 1 - shape.column(square)).unwrap();
    squares.squares().fold(G::Bits::EMPTY, |all, square| all | G::Bits::of(image(square)))
}

/// The position turned by 180 degrees with the colors swapped.
fn turned_pieces<G: Geometry>(pieces: &Pieces<G::Bits>) -> Pieces<G::Bits> {
    Pieces { white: turned::<G>(pieces.black), black: turned::<G>(pieces.white), kings: turned::<G>(pieces.kings) }
}

/// The position mirrored from left to right.
fn mirrored_pieces<G: Geometry>(pieces: &Pieces<G::Bits>) -> Pieces<G::Bits> {
    Pieces {
        white: mirrored::<G>(pieces.white),
        black: mirrored::<G>(pieces.black),
        kings: mirrored::<G>(pieces.kings),
    }
}

fn layouts(shape: Shape) -> Vec<Layout> {
    let layout = |columns, rows, step| Layout { columns, rows, step };
    let all =
        [Layout::standard(shape), layout(2, 4, 1), layout(1, 8, 1), layout(4, 2, 2), layout(2, 5, 1), layout(2, 2, 2)];
    all.into_iter().filter(|layout| layout.fits(shape)).collect()
}

fn random_weights(features: &Features, random: &mut fastrand::Rng) -> Weights {
    let values = (0..features.count()).map(|_| [random.i16(-900..900), random.i16(-900..900)]).collect();
    Weights { layout: features.layout, values }
}

fn kind(shape: Shape, lone_king_holds: bool) -> GameKind {
    GameKind { shape, men: shape.row_length() * (shape.height / 2 - 1), lone_king_holds }
}

/// Calls a function that is generic over the board for every board.
macro_rules! on_every_board {
    ($function:ident) => {
        $function::<Board8>();
        $function::<Board8Mirrored>();
        $function::<Board8Every>();
        $function::<Board10>();
        $function::<Board10x8>();
        $function::<Board12>();
        $function::<Board12Mirrored>();
    };
}

/// The squares in the order of the layout, which on a mirrored board runs from right to left.
fn ordered<G: Geometry>() -> Vec<Square> {
    let mut squares: Vec<Square> = G::SHAPE.all_squares().collect();
    squares.sort();
    squares
}

/// The place of a square in this order.
fn order<G: Geometry>(square: Square) -> usize {
    ordered::<G>().iter().position(|&other| other == square).unwrap()
}

/// The number of table and entry of the pattern whose first square is the one number `column` of `row`, as its owner sees it.
fn entry<G: Geometry>(layout: Layout, pieces: &Pieces<G::Bits>, row: u8, column: u8) -> usize {
    let squares = ordered::<G>();
    let (mut entry, mut digit) = (0, 1);
    for (down, across) in (0..layout.rows).flat_map(|down| (0..layout.columns).map(move |across| (down, across))) {
        let square = squares[usize::from((row + down) * G::SHAPE.row_length() + column + across)];
        let is_man = !pieces.kings.contains(square);
        if is_man && pieces.white.contains(square) {
            entry += digit;
        } else if is_man && pieces.black.contains(square) {
            entry += 2 * digit;
        }
        digit *= 3;
    }
    entry
}

/// The value of the patterns for White, by the definition: each pattern of the board is read at its place, of each position that
/// looks the same or the opposite.
fn slow_patterns<G: Geometry>(weights: &Weights, pieces: &Pieces<G::Bits>) -> [i32; 2] {
    let layout = weights.layout;
    let mut views = vec![(*pieces, 1), (turned_pieces::<G>(pieces), -1)];
    if G::SHAPE.corner == Corner::Both {
        views.extend(views.clone().iter().map(|(pieces, sign)| (mirrored_pieces::<G>(pieces), *sign)));
    }
    let last_row = G::SHAPE.height - layout.rows;
    let last_column = G::SHAPE.row_length() - layout.columns;
    let mut seen = Vec::new();
    let mut sum = [0; 2];
    for row in (0..=last_row).step_by(layout.step.into()) {
        for column in 0..=last_column {
            let mut images = vec![(row, column), (last_row - row, last_column - column)];
            if G::SHAPE.corner == Corner::Both {
                images.extend([(row, last_column - column), (last_row - row, column)]);
            }
            if images.iter().any(|image| seen.contains(image)) {
                continue;
            }
            let table = seen.len();
            seen.push((row, column));
            for (pieces, sign) in &views {
                let weight = weights.values[table * layout.table_size() + entry::<G>(layout, pieces, row, column)];
                (0..2).for_each(|phase| sum[phase] += sign * i32::from(weight[phase]));
            }
        }
    }
    sum
}

/// The features of the kings of White with each other piece, and how often each counts, by the definition.
fn slow_pairs<G: Geometry>(features: &Features, pieces: &Pieces<G::Bits>) -> Vec<(usize, i32)> {
    let (shape, kings) = (G::SHAPE, &features.kings);
    let mut pairs = Vec::new();
    for king in (pieces.white & pieces.kings).squares() {
        let is_right = shape.corner == Corner::Both && shape.column(king) >= shape.width / 2;
        let place = |square: Square| {
            let column = if is_right { shape.width - 1 - shape.column(square) } else { shape.column(square) };
            order::<G>(shape.square_at(shape.row(square), column).unwrap())
        };
        for other in (pieces.white | pieces.black).squares() {
            let (own, is_king) = (pieces.white.contains(other), pieces.kings.contains(other));
            let relation = match (own, is_king, pieces.white.count().cmp(&pieces.black.count())) {
                (true, false, _) => Relation::OwnMan,
                (false, false, _) => Relation::OtherMan,
                (false, true, Ordering::Greater) => Relation::Chased,
                (false, true, Ordering::Equal) => Relation::Facing,
                (true, true, _) | (false, true, Ordering::Less) => continue,
            };
            pairs.push((kings.pair(relation, place(king), place(other)), 1));
        }
    }
    pairs
}

/// The value of a position for the side to move, by the definition.
fn slow_value<G: Geometry>(
    features: &Features,
    weights: &Weights,
    pieces: &Pieces<G::Bits>,
    white_to_move: bool,
) -> i32 {
    let shape = G::SHAPE;
    let mut men = slow_patterns::<G>(weights, pieces);
    let mut kings = [0; 2];
    let [mut white_kings, mut black_kings] = [0i32; 2];
    let add = |sum: &mut [i32; 2], feature: usize, times: i32| {
        (0..2).for_each(|phase| sum[phase] += times * i32::from(weights.values[feature][phase]));
    };
    for square in (pieces.white | pieces.black).squares() {
        let is_white = pieces.white.contains(square);
        if !pieces.kings.contains(square) {
            add(&mut men, features.man(), if is_white { 1 } else { -1 });
            continue;
        }
        *if is_white { &mut white_kings } else { &mut black_kings } += 1;
        let (mut row, mut column) = (shape.row(square), shape.column(square));
        if !is_white {
            (row, column) = (shape.height - 1 - row, shape.width - 1 - column);
        }
        if shape.corner == Corner::Both {
            column = column.min(shape.width - 1 - column);
        }
        let place = order::<G>(shape.square_at(row, column).unwrap());
        add(&mut kings, features.first_of_kings() + Kings::NUMBERS + place, if is_white { 1 } else { -1 });
    }
    for (pieces, side) in [(*pieces, 1), (turned_pieces::<G>(pieces), -1)] {
        for (feature, times) in slow_pairs::<G>(features, &pieces) {
            add(&mut kings, features.first_of_kings() + feature, side * times);
        }
    }
    let numbers = [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)];
    let (most, least, side) =
        if white_kings > black_kings { (white_kings, black_kings, 1) } else { (black_kings, white_kings, -1) };
    if let Some(pair) = numbers.iter().position(|&pair| pair == (most.min(3), least.min(3))) {
        add(&mut kings, features.first_of_kings() + pair, side);
    }
    add(&mut kings, features.first_of_kings() + 6, (white_kings - 3).max(0) - (black_kings - 3).max(0));
    add(&mut men, features.turn(), if white_to_move { 1 } else { -1 });
    let shares = features.phases.at((pieces.white | pieces.black).count());
    let at = |sum: [i32; 2], share| sum[0] * share + sum[1] * (256 - share);
    let mut value = (at(men, shares.men) + at(kings, shares.kings)) / 2048;
    if features.kind.lone_king_holds {
        value = value * kept_parts(pieces.white, pieces.black, pieces.kings, value > 0) / 8;
    }
    value.clamp(-MAX_EVALUATION, MAX_EVALUATION) * if white_to_move { 1 } else { -1 }
}

fn the_slow_value_of<G: Geometry>() {
    let mut random = fastrand::Rng::with_seed(1);
    for layout in layouts(G::SHAPE) {
        let features = Features::new(kind(G::SHAPE, random.bool()), layout).unwrap();
        let weights = random_weights(&features, &mut random);
        let learned = Learned::new(features.kind, &weights).unwrap();
        for _ in 0..POSITIONS / 10 {
            let pieces = random_pieces::<G>(&mut random);
            let side = random.bool();
            let value = learned.evaluate(pieces.white, pieces.black, pieces.kings, side);
            assert_eq!(value, slow_value::<G>(&features, &weights, &pieces, side), "{layout:?} {pieces:?}");
        }
    }
}

#[test]
fn values_are_those_of_the_definition() {
    on_every_board!(the_slow_value_of);
}

fn the_other_side_of<G: Geometry>() {
    let mut random = fastrand::Rng::with_seed(2);
    for layout in layouts(G::SHAPE) {
        let features = Features::new(kind(G::SHAPE, true), layout).unwrap();
        let learned = Learned::new(features.kind, &random_weights(&features, &mut random)).unwrap();
        for _ in 0..POSITIONS {
            let pieces = random_pieces::<G>(&mut random);
            let side = random.bool();
            let Pieces { white, black, kings } = pieces;
            let value = learned.evaluate(white, black, kings, side);
            let other = learned.evaluate(turned::<G>(black), turned::<G>(white), turned::<G>(kings), !side);
            assert_eq!(value, other, "{layout:?} {pieces:?}");
            if G::SHAPE.corner == Corner::Both {
                let image = learned.evaluate(mirrored::<G>(white), mirrored::<G>(black), mirrored::<G>(kings), side);
                assert_eq!(value, image, "{layout:?} {pieces:?}");
            }
            assert!(value.abs() <= MAX_EVALUATION);
            let parts = learned.parts(white, black, kings, side);
            assert_eq!(value, parts.iter().map(|(_, part)| part).sum::<i32>(), "{parts:?}");
        }
    }
}

#[test]
fn values_are_those_of_the_turned_board_and_the_sum_of_their_parts() {
    on_every_board!(the_other_side_of);
}

#[test]
fn a_mirrored_board_has_the_values_of_the_mirror_images() {
    let mut random = fastrand::Rng::with_seed(4);
    let of = |shape| Features::new(kind(shape, true), Layout::standard(shape)).unwrap();
    let [plain, image] = [Board8::SHAPE, Board8Mirrored::SHAPE].map(of);
    let weights = random_weights(&plain, &mut random);
    let learned = [plain.kind, image.kind].map(|kind| Learned::new(kind, &weights).unwrap());
    for _ in 0..POSITIONS {
        let pieces = random_pieces::<Board8>(&mut random);
        let mirror = |squares: u64| {
            let place = |square: Square| (Board8::SHAPE.row(square), 7 - Board8::SHAPE.column(square));
            let image = |(row, column)| Board8Mirrored::SHAPE.square_at(row, column).unwrap();
            squares.squares().fold(0, |all, square| all | u64::of(image(place(square))))
        };
        let values = [
            learned[0].evaluate(pieces.white, pieces.black, pieces.kings, true),
            learned[1].evaluate(mirror(pieces.white), mirror(pieces.black), mirror(pieces.kings), true),
        ];
        assert_eq!(values[0], values[1], "{pieces:?}");
    }
}

#[test]
fn extreme_weights_stay_in_bounds() {
    for extreme in [i16::MIN, i16::MAX] {
        let features = Features::new(kind(Board12::SHAPE, false), Layout::standard(Board12::SHAPE)).unwrap();
        let weights = Weights { layout: features.layout, values: vec![[extreme; 2]; features.count()] };
        let learned = Learned::new(features.kind, &weights).unwrap();
        let all = Board12::all();
        assert_eq!(learned.evaluate(all, 0, 0, true).abs(), MAX_EVALUATION);
        assert_eq!(learned.evaluate(all, 0, all, true).abs(), MAX_EVALUATION);
    }
}

#[test]
fn the_standard_tables_are_few() {
    let tables = |shape| Windows::new(shape, Layout::standard(shape)).tables();
    let shapes = [Board8::SHAPE, Board10::SHAPE, Board12::SHAPE, Board10x8::SHAPE, Board8Every::SHAPE];
    assert_eq!(shapes.map(tables), [5, 8, 13, 6, 9]);
}

#[test]
fn weights_of_another_board_are_refused() {
    let features = Features::new(kind(Board8::SHAPE, false), Layout::standard(Board8::SHAPE)).unwrap();
    let weights = random_weights(&features, &mut fastrand::Rng::with_seed(3));
    assert!(Learned::new(features.kind, &weights).is_some());
    assert!(Learned::new(kind(Board10::SHAPE, false), &weights).is_none());
    assert!(Learned::new(kind(Board8Every::SHAPE, false), &weights).is_none());
}
