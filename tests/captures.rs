//! Positions that each exercise one rule, with their complete move lists.

use crate::common;

use common::data::{CaptureCase, capture_cases};
use common::{Listed, fast, reference_moves, setup};
use soffio::position::reference;
use soffio::rules::Variant;
use std::collections::BTreeSet;

/// The cases of `variant`; an empty list would prove nothing.
fn cases(variant: Variant) -> Vec<CaptureCase> {
    let mut cases = capture_cases();
    cases.retain(|case| Variant::named(&case.variant) == Some(variant));
    assert!(cases.len() >= 10, "{variant} has only {} cases", cases.len());
    cases
}

/// A move as the list of wrong answers writes it; crowning is left out, it never is the only difference.
fn as_answer(mv: &Listed) -> String {
    match mv.captured.len() {
        0 => mv.to_string(),
        count => format!("{}x{} ({count} captured)", mv.from, mv.to),
    }
}

fn check(variant: Variant) {
    let mut answers_refused = 0;
    for case in cases(variant) {
        let name = format!("{variant} {}: {}", case.fen_num, case.theme);
        let setup = setup(variant, &case.fen_num);
        let mut expected: Vec<Listed> = case.moves.iter().map(Listed::from).collect();
        expected.sort();
        let (moves, paths) = fast(variant, &setup);
        assert_eq!(moves, expected, "fast generator, {name}");
        assert_eq!(moves.len(), case.n_unique, "{name}");
        assert_eq!(paths, case.n_paths, "ways of the fast generator, {name}");
        assert_eq!(reference_moves(variant, &setup), expected, "reference generator, {name}");
        let ways = reference::legal_sequences(variant.spec(), &setup).len() as u64;
        assert_eq!(ways, case.n_paths, "ways of the reference generator, {name}");
        if let Some(wrong) = &case.wrong_if {
            let answer: BTreeSet<_> = moves.iter().map(as_answer).collect();
            let wrong: BTreeSet<_> = wrong.moves.iter().map(|text| text.replace(", promotes", "")).collect();
            assert_ne!(answer, wrong, "{name}");
            answers_refused += 1;
        }
    }
    assert!(answers_refused >= 5, "{variant}: only {answers_refused} cases know a wrong answer");
}

#[test]
fn italian_cases() {
    check(Variant::Italian);
}

#[test]
fn english_cases() {
    check(Variant::English);
}

#[test]
fn international_cases() {
    check(Variant::International);
}
