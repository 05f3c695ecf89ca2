//! A second, slow builder. It uses the moves of the reference generator and stores every position, including positions
//! with a pending capture.

use super::recorded::{compare_samples, counts_of, recorded_counts};
use crate::common::position;
use fastrand::Rng;
use soffio::board::Square;
use soffio::game::Game;
use soffio::position::{EndingAges, Piece, Setup, paths, with_width};
use soffio::rules::{Color, Objective, RuleSet, Variant, Word};
use soffio::tables::{AnyTables, Material, Prober, SideMaterial, Slice, TableOutcome, Tables};
use std::collections::HashMap;

type Key = (Color, Vec<(Square, bool, bool)>);

fn key(setup: &Setup) -> Key {
    let piece = |(&square, piece): (&Square, &Piece)| (square, piece.color == Color::White, piece.king);
    (setup.side, setup.pieces.iter().map(piece).collect())
}

/// All positions, with their keys, successors and outcomes.
#[derive(Default)]
struct Slow {
    setups: Vec<Setup>,
    numbers: HashMap<Key, usize>,
    /// Indices of the positions after each legal move.
    after: Vec<Vec<usize>>,
    outcomes: Vec<Option<TableOutcome>>,
}

/// Extends `so_far` with the pieces in `left` in every possible way, and adds the positions to `found`. Pieces of the
/// first kind are placed only on squares from `least` on.
fn place(spec: &RuleSet, left: &[(Piece, u8)], least: u8, so_far: &Setup, found: &mut Vec<Setup>) {
    let Some((&(piece, count), others)) = left.split_first() else {
        found.push(so_far.clone());
        return;
    };
    if count == 0 {
        return place(spec, others, 0, so_far, found);
    }
    for (number, square) in (0..).zip(spec.shape.all_squares()) {
        let is_crowning = !piece.king && spec.shape.row(square) == spec.far_row(piece.color);
        if number < least || is_crowning || so_far.pieces.contains_key(&square) {
            continue;
        }
        let mut next = so_far.clone();
        next.pieces.insert(square, piece);
        let mut rest = left.to_vec();
        rest[0].1 -= 1;
        place(spec, &rest, number + 1, &next, found);
    }
}

/// Returns all positions of `material` with `side` to move. White has the pieces of `material.own`.
fn setups(spec: &RuleSet, material: Material, side: Color) -> Vec<Setup> {
    let pieces = |color, SideMaterial { men, kings }: SideMaterial| {
        [(Piece { color, king: false }, men), (Piece { color, king: true }, kings)]
    };
    let left = [pieces(Color::White, material.own), pieces(Color::Black, material.other)].concat();
    let mut found = Vec::new();
    place(spec, &left, 0, &Setup { side, pieces: [].into(), ..Setup::start(spec) }, &mut found);
    found
}

impl Slow {
    /// Returns the index of `setup`, and adds it if it is new.
    fn number(&mut self, setup: Setup) -> usize {
        let Self { setups, numbers, .. } = self;
        *numbers.entry(key(&setup)).or_insert_with(|| {
            setups.push(setup);
            setups.len() - 1
        })
    }

    /// Evaluates all positions of `slices`, and all positions that can be reached from them.
    fn new(spec: &RuleSet, slices: &[Slice]) -> Self {
        let mut slow = Self::default();
        for material in slices.iter().flat_map(|slice| slice.materials()) {
            for side in [Color::White, Color::Black] {
                for setup in setups(spec, material, side) {
                    slow.number(setup);
                }
            }
        }
        let mut next = 0;
        while let Some(setup) = slow.setups.get(next).cloned() {
            let moves = paths::legal_moves(spec, &setup);
            let after = moves.iter().map(|mv| {
                let after = paths::after(spec, &setup, mv);
                let plain = Setup { quiet_plies: 0, move_number: 1, ages: EndingAges::default(), ..after };
                slow.number(Setup { king_runs: [None; 2], ..plain })
            });
            let after: Vec<_> = after.collect();
            slow.after.push(after);
            next += 1;
        }
        slow.find_outcomes(spec);
        slow
    }

    /// Finds the outcomes at zero plies, one ply, two plies and so on until no more are found. The remaining positions
    /// are draws.
    fn find_outcomes(&mut self, spec: &RuleSet) {
        self.outcomes = vec![None; self.setups.len()];
        let mut before = vec![Vec::new(); self.setups.len()];
        for (number, after) in self.after.iter().enumerate() {
            after.iter().for_each(|&after| before[after].push(number));
        }
        // For each position, the number of moves that are not known to lose.
        let mut saving_moves: Vec<_> = self.after.iter().map(Vec::len).collect();
        let mut found: Vec<_> = (0..self.setups.len()).filter(|&number| saving_moves[number] == 0).collect();
        let end = Some(0);
        let of_end = if spec.objective == Objective::Losing { TableOutcome::Win(end) } else { TableOutcome::Loss(end) };
        found.iter().for_each(|&number| self.outcomes[number] = Some(of_end));
        for plies in 1..=u8::MAX {
            let mut next = Vec::new();
            for &number in &found {
                let is_lost = matches!(self.outcomes[number], Some(TableOutcome::Loss(_)));
                for &earlier in &before[number] {
                    saving_moves[earlier] -= usize::from(!is_lost);
                    let outcome = match is_lost {
                        true => TableOutcome::Win(Some(plies)),
                        false if saving_moves[earlier] == 0 => TableOutcome::Loss(Some(plies)),
                        false => continue,
                    };
                    if self.outcomes[earlier].is_none() {
                        self.outcomes[earlier] = Some(outcome);
                        next.push(earlier);
                    }
                }
            }
            found = next;
        }
    }
}

/// Compares every position of `slices` with the slow builder, with either side to move. Positions with a pending
/// capture are included.
fn compare<W: Word>(variant: Variant, tables: &Tables<W>, slices: &[Slice]) {
    let spec = variant.spec();
    let slow = Slow::new(spec, slices);
    let mut prober = Prober::new(tables);
    let mut compared = [0; 3];
    for slice in slices {
        for material in slice.materials() {
            for side in [Color::White, Color::Black] {
                for setup in setups(spec, material, side) {
                    let expected = slow.outcomes[slow.numbers[&key(&setup)]].unwrap_or(TableOutcome::Draw);
                    let value = prober.value(&position(tables.rules(), &setup));
                    let found = value.map(|value| value.outcome(spec.objective));
                    assert_eq!(found, Some(expected), "{variant} {setup:?}");
                    compared[match expected {
                        TableOutcome::Win(_) => 0,
                        TableOutcome::Draw => 1,
                        TableOutcome::Loss(_) => 2,
                    }] += 1;
                }
            }
        }
    }
    assert!(compared[0] > 0 && compared[1] + compared[2] > 0, "{variant}: {compared:?}");
}

fn agree(variant: Variant, pieces: u8) {
    with_width!(AnyTables::new(variant), mut tables => {
        super::solve(variant, &mut tables, pieces);
        compare(variant, &tables, &Slice::all(variant.spec(), pieces));
        if pieces == 3 {
            assert_eq!(counts_of(variant, &tables), recorded_counts(variant));
        }
    });
}

#[test]
fn every_position_of_two_pieces_matches_the_slow_builder() {
    use Variant::{
        Breakthrough, Canadian, Casual, CasualOptional, English, EnglishOptional, Frisian, Killer, Losing,
        LosingEnglish, LosingItalian, LosingRussian, SriLankan, Turkish,
    };
    for variant in [
        English, Casual, CasualOptional, EnglishOptional, LosingEnglish, LosingItalian, LosingRussian, Losing, Killer,
        Frisian, Breakthrough, Canadian, SriLankan, Turkish,
    ] {
        agree(variant, 2);
    }
}

pub fn squares(variant: Variant) -> usize {
    variant.spec().shape.all_squares().count()
}

/// Covers positions of three pieces on boards with 32 squares.
#[test]
#[ignore = "takes many minutes"]
fn every_position_of_three_pieces_matches_the_slow_builder_on_8x8() {
    for &variant in Variant::ALL.iter().filter(|&&variant| squares(variant) == 32) {
        agree(variant, 3);
        println!("{variant}");
    }
}

/// Covers positions of three pieces on larger boards.
#[test]
#[ignore = "takes hours"]
fn every_position_of_three_pieces_matches_the_slow_builder_on_larger_boards() {
    for &variant in Variant::ALL.iter().filter(|&&variant| squares(variant) > 32) {
        agree(variant, 3);
        println!("{variant}");
    }
}

/// Returns a position with `pieces` men and kings on random squares.
pub fn random_setup(spec: &RuleSet, pieces: usize, random: &mut Rng) -> Setup {
    let squares: Vec<_> = spec.shape.all_squares().collect();
    let color = |is_white| if is_white { Color::White } else { Color::Black };
    let mut setup = Setup { side: color(random.bool()), pieces: [].into(), ..Setup::start(spec) };
    while setup.pieces.len() < pieces {
        let piece = Piece { color: color(random.bool()), king: random.bool() };
        setup.pieces.insert(squares[random.usize(..squares.len())], piece);
    }
    setup
}

/// Returns the outcome of `setup` that follows from the moves of the reference generator, or `None` if there is no
/// table for a successor.
pub fn outcome_by_moves<W: Word>(prober: &mut Prober<'_, W>, setup: &Setup, spec: &RuleSet) -> Option<TableOutcome> {
    let rules = prober.tables.rules();
    let mut outcomes = Vec::new();
    for mv in paths::legal_moves(spec, setup) {
        let after = Setup { king_runs: [None; 2], ..paths::after(spec, setup, &mv) };
        outcomes.push(prober.value(&position(rules, &after))?.outcome(spec.objective).before());
    }
    let rank = |outcome: &TableOutcome| match *outcome {
        TableOutcome::Win(plies) => (2, -plies.map_or(0, i32::from)),
        TableOutcome::Draw => (1, 0),
        TableOutcome::Loss(plies) => (0, plies.map_or(0, i32::from)),
    };
    let end = Some(0);
    let of_end = if spec.objective == Objective::Losing { TableOutcome::Win(end) } else { TableOutcome::Loss(end) };
    Some(outcomes.into_iter().max_by_key(rank).unwrap_or(of_end))
}

/// Tests random positions of four pieces on all boards except the largest. The outcome of each position must follow
/// from its moves.
#[test]
#[ignore = "takes many minutes"]
fn random_positions_of_four_pieces_match_their_moves() {
    for &variant in Variant::ALL.iter().filter(|&&variant| squares(variant) <= 50) {
        let spec = variant.spec();
        let mut compared = 0;
        with_width!(AnyTables::new(variant), mut tables => {
            super::solve(variant, &mut tables, 4);
            compare_samples(variant, &tables);
            let (mut prober, mut random) = (Prober::new(&tables), Rng::with_seed(9));
            for _ in 0..20_000 {
                let setup = random_setup(spec, 4, &mut random);
                if Game::from_setup(variant, &setup).is_err() {
                    continue;
                }
                // Some slices have no table.
                let Some(value) = prober.value(&position(tables.rules(), &setup)) else { continue };
                let Some(expected) = outcome_by_moves(&mut prober, &setup, spec) else { continue };
                assert_eq!(value.outcome(spec.objective), expected, "{variant} {setup:?}");
                compared += 1;
            }
        });
        println!("{variant}: {compared} positions");
    }
}
