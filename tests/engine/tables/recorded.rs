//! Tests that compare tables with recorded results, which the campaigns in `reference.rs` confirmed. The recorded
//! results are the counts for all materials of two and three pieces under every rule set, and positions of four pieces
//! with their outcomes.

use super::reference::{outcome_by_moves, random_setup, squares};
use crate::common::position;
use fastrand::Rng;
use soffio::game::Game;
use soffio::notation::FenRecord;
use soffio::position::{Setup, with_width};
use soffio::rules::{Identity, Variant, Word};
use soffio::tables::{AnyTables, Prober, Slice, Tables};
use std::collections::BTreeSet;

/// Lines of the form `variant material wins draws losses plies-of-the-longest-win`. The last field is `-` if there is
/// no win. The counts include only positions without a capture in which the first-named side is to move.
const COUNTS: &str = include_str!("../../data/endings_of_three.txt");

/// Lines of the form `variant|FEN|outcome`.
const SAMPLES: &str = include_str!("../../data/endings_of_four.txt");

/// Number of recorded positions per rule set.
const RECORDED: usize = 10;

/// Returns the variant whose data apply to `variant`. This is either `variant` or another variant with the same rules.
fn recorded(variant: Variant) -> Variant {
    let has_data = |other: Variant| COUNTS.lines().any(|line| line.split(' ').next() == Some(other.name()));
    let has_same_rules = |other: &Variant| Identity::for_variant(*other).rules == Identity::for_variant(variant).rules;
    let same = || Variant::ALL.iter().copied().filter(has_same_rules).find(|&other| has_data(other));
    if has_data(variant) { variant } else { same().unwrap_or(variant) }
}

/// Returns the recorded lines with counts for `variant`.
pub fn recorded_counts(variant: Variant) -> BTreeSet<String> {
    let name = recorded(variant).name();
    let line = |line: &str| {
        Some(format!("{variant}{}", line.strip_prefix(name)?)).filter(|_| line[name.len()..].starts_with(' '))
    };
    COUNTS.lines().filter_map(line).collect()
}

/// Returns the counts of `tables` in the same format as the recorded lines.
pub fn counts_of<W: Word>(variant: Variant, tables: &Tables<W>) -> BTreeSet<String> {
    let materials = Slice::all(variant.spec(), 3).into_iter().flat_map(Slice::materials);
    let line = |material| {
        let counts = tables.counts(material)?;
        let longest = counts.longest_win.map_or("-".to_owned(), |(plies, _)| plies.to_string());
        Some(format!("{variant} {material} {} {} {} {longest}", counts.wins, counts.draws, counts.losses))
    };
    materials.filter_map(line).collect()
}

/// Returns the recorded positions of `variant` with their outcomes.
fn recorded_samples(variant: Variant) -> Vec<(Setup, &'static str)> {
    let read = |line: &'static str| {
        let (_, rest) = line.split_once('|').filter(|(name, _)| *name == recorded(variant).name())?;
        let (fen, outcome) = rest.split_once('|')?;
        let record: FenRecord = fen.parse().expect("the data have positions");
        Some((record.to_setup(variant.spec()).expect("they belong to the variant"), outcome))
    };
    SAMPLES.lines().filter_map(read).collect()
}

/// Compares the outcomes of the recorded positions with four-piece `tables`, and with the outcomes that follow from the
/// moves of the reference generator.
pub fn compare_samples<W: Word>(variant: Variant, tables: &Tables<W>) {
    let (mut prober, samples) = (Prober::new(tables), recorded_samples(variant));
    assert_eq!(samples.len(), RECORDED, "{variant}");
    for (setup, expected) in samples {
        let value = prober.value(&position(tables.rules(), &setup)).expect("there is a table");
        assert_eq!(value.outcome(variant.spec().objective).to_string(), expected, "{variant} {setup:?}");
        let by_moves = outcome_by_moves(&mut prober, &setup, variant.spec()).expect("its successors have tables");
        assert_eq!(by_moves.to_string(), expected, "{variant} {setup:?}");
    }
}

#[test]
fn the_counts_of_three_pieces_match_the_recorded_ones() {
    // Unoptimised code is many times slower.
    let variants = if cfg!(debug_assertions) { &[Variant::English][..] } else { Variant::ALL };
    let has_own_data = |variant: &&Variant| recorded(**variant) == **variant;
    for &variant in variants.iter().filter(has_own_data) {
        with_width!(AnyTables::new(variant), mut tables => {
            super::solve(variant, &mut tables, 3);
            let kept = recorded_counts(variant);
            assert!(kept.len() >= 3, "{variant}");
            assert_eq!(counts_of(variant, &tables), kept);
        });
    }
}

#[test]
fn positions_of_four_pieces_match_their_moves() {
    // Tests only a few variants; the campaign covers all of them.
    let variants = [Variant::English, Variant::Russian, Variant::LosingEnglish];
    let count = if cfg!(debug_assertions) { 1 } else { variants.len() };
    for variant in variants.into_iter().take(count) {
        with_width!(AnyTables::new(variant), mut tables => {
            super::solve(variant, &mut tables, 4);
            compare_samples(variant, &tables);
        });
    }
}

#[test]
#[ignore = "prints the test data of some variants"]
fn make_the_data() {
    let (mut counts, mut samples) = (String::new(), String::new());
    for variant in crate::common::selected_variants() {
        with_width!(AnyTables::new(variant), mut tables => {
            let pieces = if squares(variant) <= 50 { 4 } else { 3 };
            super::solve(variant, &mut tables, pieces);
            counts.extend(counts_of(variant, &tables).into_iter().map(|line| line + "\n"));
            let (mut prober, mut random) = (Prober::new(&tables), Rng::with_seed(27));
            let mut left = if pieces == 4 { RECORDED } else { 0 };
            while left > 0 {
                let setup = random_setup(variant.spec(), 4, &mut random);
                let Ok(game) = Game::from_setup(variant, &setup) else { continue };
                let Some(value) = prober.value(&position(tables.rules(), &setup)) else { continue };
                if outcome_by_moves(&mut prober, &setup, variant.spec()).is_none() {
                    continue;
                }
                let fen = FenRecord::from_setup(variant.spec(), &game.setup());
                samples += &format!("{variant}|{fen}|{}\n", value.outcome(variant.spec().objective));
                left -= 1;
            }
        });
    }
    println!("endings_of_three.txt:\n{counts}\nendings_of_four.txt:\n{samples}");
}
