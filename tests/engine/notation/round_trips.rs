//! Tests that printed text is read back correctly.

use super::{resolved, setup};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use soffio::board::{Number, Square};
use soffio::notation::{FenKingRun, FenPiece, FenRecord, MoveRecord, SquareName};
use soffio::position::{EndingAges, KingRun, Piece, Setup};
use soffio::rules::{Color, Notation, RuleSet, Variant};
use std::collections::BTreeMap;

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Color::White), Just(Color::Black)]
}

/// The files of all boards except the eleventh file `k`, because in a FEN this letter stands for a king.
const FILES: &[char] = &['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'l'];

fn square_name() -> impl Strategy<Value = SquareName> {
    prop_oneof![
        (1..=u8::MAX).prop_map(|number| SquareName::Number(Number::new(number).unwrap())),
        (proptest::sample::select(FILES), 1..=u8::MAX).prop_map(|(file, rank)| SquareName::Algebraic { file, rank }),
    ]
}

fn fen_record() -> impl Strategy<Value = FenRecord> {
    let pieces = || vec((any::<bool>(), square_name()).prop_map(|(king, square)| FenPiece { king, square }), 0..40);
    let king_run =
        || option::of((1..=3u8, option::of(square_name())).prop_map(|(moves, square)| FenKingRun { moves, square }));
    let counters = (option::of(any::<u16>()), option::of(1..=u16::MAX), [king_run(), king_run()]);
    (color(), pieces(), pieces(), counters).prop_map(|(side, white, black, counters)| {
        let (half_moves, move_number, king_runs) = counters;
        FenRecord { side, white, black, half_moves, move_number, king_runs, ages: EndingAges::default() }
    })
}

fn variant() -> impl Strategy<Value = Variant> {
    proptest::sample::select(Variant::ALL)
}

/// Returns the rules of `variant`. If `other_style` is true, squares are named with letters instead of numbers, or vice
/// versa.
fn spec(variant: Variant, other_style: bool) -> RuleSet {
    let spec = *variant.spec();
    let algebraic = spec.notation.algebraic != other_style;
    RuleSet { notation: Notation { algebraic, ..spec.notation }, ..spec }
}

/// Returns, for each side, a count of two moves for its first king. Returns `None` for a side without a man or a king,
/// and for both sides if the variant does not count king moves.
fn king_runs(variant: Variant, pieces: &BTreeMap<Square, Piece>) -> [Option<KingRun>; 2] {
    [Color::White, Color::Black].map(|color| {
        let king = pieces.iter().find(|&(_, &piece)| piece == Piece { color, king: true });
        let has_man = pieces.values().any(|&piece| piece == Piece { color, king: false });
        let is_counted = has_man && variant.spec().king_moves.is_some();
        king.filter(|_| is_counted).map(|(&square, _)| KingRun { square, moves: 2 })
    })
}

fn possible_setup() -> impl Strategy<Value = (Variant, Setup)> {
    (variant(), vec((any::<u8>(), color(), any::<bool>()), 1..24), color(), 0..100u16).prop_filter_map(
        "a possible position",
        |(variant, placed, side, quiet_plies)| {
            let squares: Vec<_> = variant.spec().shape.all_squares().collect();
            let piece = |(at, color, king)| (squares[usize::from(at) % squares.len()], Piece { color, king });
            let pieces: BTreeMap<_, _> = placed.into_iter().map(piece).collect();
            let move_number = if quiet_plies == 0 { 1 } else { quiet_plies };
            let king_runs = king_runs(variant, &pieces);
            let setup = Setup { side, pieces, quiet_plies, move_number, king_runs, ages: EndingAges::default() };
            setup.check(variant.spec()).is_ok().then_some((variant, setup))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_printed_fen_is_read_back(record in fen_record()) {
        prop_assert_eq!(record.to_string().parse(), Ok(record));
    }

    #[test]
    fn a_printed_position_is_read_back((variant, position) in possible_setup(), other_style in any::<bool>()) {
        let printed = FenRecord::from_setup(&spec(variant, other_style), &position).to_string();
        prop_assert_eq!(setup(variant, &printed), Ok(position));
    }

    #[test]
    fn a_printed_move_is_read_back(
        from in square_name(),
        path in vec(square_name(), 1..20),
        capture in any::<bool>(),
    ) {
        let record = MoveRecord { from, path: path.into(), capture };
        prop_assert_eq!(record.to_string().parse(), Ok(record));
    }

    #[test]
    fn any_move_is_legal_or_explained(
        (variant, position) in possible_setup(),
        numbers in vec(1..=50u8, 2..5),
        sign in "[-x]",
    ) {
        let written = numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(&sign);
        match resolved(variant, &position, &written) {
            Ok(printed) => prop_assert_eq!(resolved(variant, &position, &printed), Ok(printed)),
            Err(error) => prop_assert!(!error.is_empty()),
        }
    }
}

#[test]
fn long_texts_are_read_in_linear_time() {
    const LENGTH: usize = 1 << 20;
    const VARIANT: Variant = Variant::International;
    let position = Setup::start(VARIANT.spec());
    for unit in ["1-255,", "1,", "K", "0", "é", "W:W1:", " ", "1x", ":", "\u{0}", "\""] {
        for start in ["", "W:W", "W:W31:B", "32x"] {
            let text = format!("{start}{}", unit.repeat(LENGTH / unit.len()));
            for error in [setup(VARIANT, &text).err(), resolved(VARIANT, &position, &text).err()].into_iter().flatten()
            {
                assert!(error.len() < 200, "{error}");
            }
        }
    }
}
