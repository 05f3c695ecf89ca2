//! Tests of individual capture rules in positions with complete move lists.

use crate::common;

use common::data::{CaptureCase, capture_cases};
use common::{Listed, fast, reference_moves, setup, square};
use soffio::position::paths;
use soffio::rules::Variant;
use std::collections::BTreeSet;

/// Returns the cases for `variant`, each with the variant whose square numbers the case uses. Asserts that there are
/// enough cases.
fn cases(variant: Variant) -> Vec<(CaptureCase, Variant)> {
    let own = |case: CaptureCase| common::data_variant(&case.variant, variant).map(|numbers| (case, numbers));
    let cases: Vec<_> = capture_cases().into_iter().filter_map(own).collect();
    assert!(cases.len() >= 6, "{variant} has only {} cases", cases.len());
    cases
}

/// Formats a move as in the `wrong_if` lists of the data file, but without promotion: a wrong list never differs from
/// the correct one in promotion alone.
fn as_answer(mv: &Listed) -> String {
    match mv.captured.len() {
        0 => mv.to_string(),
        count => format!("{}x{} ({count} captured)", mv.from, mv.to),
    }
}

/// Translates `moves` from the square numbers of `variant` to those of `numbers`.
fn renumbered(moves: Vec<Listed>, variant: Variant, numbers: Variant) -> Vec<Listed> {
    let number = |own| numbers.spec().shape.number(square(variant, own)).get();
    let in_numbers = |mv: Listed| Listed {
        from: number(mv.from),
        to: number(mv.to),
        captured: mv.captured.into_iter().map(number).collect(),
    };
    let mut moves: Vec<_> = moves.into_iter().map(in_numbers).collect();
    moves.sort();
    moves
}

fn check(variant: Variant) {
    let mut answers_refused = 0;
    for (case, numbers) in cases(variant) {
        let name = format!("{variant} {}: {}", case.fen_num, case.theme);
        let setup = setup(numbers, &case.fen_num);
        let mut expected: Vec<Listed> = case.moves.iter().map(Listed::from).collect();
        expected.sort();
        let (moves, paths) = fast(variant, &setup);
        let moves = renumbered(moves, variant, numbers);
        assert_eq!(moves, expected, "fast generator, {name}");
        assert_eq!(moves.len(), case.n_unique, "{name}");
        assert_eq!(paths, case.n_paths, "paths of the fast generator, {name}");
        let by_reference = renumbered(reference_moves(variant, &setup), variant, numbers);
        assert_eq!(by_reference, expected, "reference generator, {name}");
        let n_paths = paths::legal_sequences(variant.spec(), &setup).len() as u64;
        assert_eq!(n_paths, case.n_paths, "paths of the reference generator, {name}");
        if let Some(wrong) = &case.wrong_if {
            let answer: BTreeSet<_> = moves.iter().map(as_answer).collect();
            let wrong: BTreeSet<_> = wrong.moves.iter().map(|text| text.replace(", promotes", "")).collect();
            assert_ne!(answer, wrong, "{name}");
            answers_refused += 1;
        }
    }
    assert!(answers_refused >= 5, "{variant}: only {answers_refused} cases have a wrong answer");
}

#[test]
fn every_variant_in_the_file() {
    let names: BTreeSet<_> = capture_cases().into_iter().map(|case| case.variant).collect();
    assert!(names.len() >= 12, "{names:?}");
    for name in &names {
        check(Variant::named(name).unwrap_or_else(|| panic!("{name} is not in the registry")));
    }
}

#[test]
fn variants_that_move_alike() {
    let cases = capture_cases();
    let by_another = |variant: &&Variant| {
        let is_of_another = |case: &CaptureCase| {
            case.variant != variant.name() && common::data_variant(&case.variant, **variant).is_some()
        };
        cases.iter().any(is_of_another)
    };
    let variants: Vec<Variant> = Variant::ALL.iter().filter(by_another).copied().collect();
    assert!(variants.len() >= 6, "{variants:?}");
    variants.into_iter().for_each(check);
}
