//! Tests that compare the selection of positions from tables with a check of every position.

use soffio::position::{Position, Setup, with_width};
use soffio::rules::{Color, Variant, Word};
use soffio::stop::Stop;
use soffio::tables::{AnyTables, Prober, Selection, Selector, Slice, TableOutcome, TableValue, Tables};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;

/// Returns the outcome of `setup` and the position, or `None` if the side to move can capture.
fn outcome<W: Word>(prober: &mut Prober<'_, W>, setup: &Setup) -> Option<(TableOutcome, Position<W>)> {
    let rules = prober.tables.rules();
    let position = Position::from_setup(rules, setup).expect("it can be played");
    let value = prober.value(&position).expect("all tables are there");
    (!position.can_capture(setup.side)).then(|| (value.outcome(rules.spec().objective), position))
}

/// Counts the consecutive turns of the side to move at which exactly one move wins. Turns with a single legal move are
/// not counted.
fn only_moves<W: Word>(prober: &mut Prober<'_, W>, position: &Position<W>) -> usize {
    let objective = position.spec().objective;
    // Moves that lead to the same position count as a single move.
    let mut after_moves = |position: &Position<W>| -> BTreeMap<_, _> {
        let after = position.legal_moves().iter().map(|&mv| position.play(mv)).collect::<Vec<_>>();
        let evaluated =
            |after: Position<W>| (after.key(), (prober.value(&after).expect("all tables are there"), after));
        after.into_iter().map(evaluated).collect()
    };
    let moves = after_moves(position);
    let is_win = |(value, _): &&(TableValue, _)| matches!(value.outcome(objective), TableOutcome::Loss(_));
    let wins: Vec<_> = moves.values().filter(is_win).collect();
    let [(_, after)] = wins[..] else { return 0 };
    let replies = after_moves(after);
    let longest = replies.values().map(|(value, _)| value.plies()).max();
    let defences = replies.values().filter(|(value, _)| Some(value.plies()) == longest);
    usize::from(moves.len() > 1) + defences.map(|(_, next)| only_moves(prober, next)).min().unwrap_or(0)
}

/// Asserts that exactly the qualifying positions with up to three pieces are selected, and that the best come first.
fn check<W: Word>(variant: Variant, tables: &Tables<W>) {
    let materials: Vec<_> = Slice::all(variant.spec(), 3).iter().flat_map(|slice| slice.materials()).collect();
    let threads = NonZeroUsize::new(2).expect("two");
    let select = |selection, most| {
        let (stop, done) = (Stop::new(), AtomicU64::new(0));
        let selector = Selector { tables, selection, max_results: most, threads, stop: &stop, done: &done };
        selector.select(materials.iter().copied()).expect("the threads work")
    };
    let mut prober = Prober::new(tables);
    let mut expected: [BTreeSet<_>; 3] = Default::default();
    for &material in &materials {
        let index = tables.index(material);
        for (number, setup) in (0..index.size()).filter_map(|number| Some((number, index.setup(number)?))) {
            let Some((white, position)) = outcome(&mut prober, &setup) else { continue };
            if let TableOutcome::Win(Some(plies)) = white {
                expected[0].insert((material, number, plies, 0));
                let count = only_moves(&mut prober, &position);
                if count > 1 {
                    expected[2].insert((material, number, plies, count));
                }
            }
            let black = outcome(&mut prober, &Setup { side: Color::Black, ..setup });
            if let Some((TableOutcome::Loss(Some(plies @ 1..)), _)) = black
                && !matches!(white, TableOutcome::Win(_))
                && !position.legal_moves().is_empty()
            {
                expected[1].insert((material, number, plies, 0));
            }
        }
    }
    let two = NonZeroUsize::new(2).expect("two");
    let selections = [Selection::LongestWins, Selection::MutualZugzwang, Selection::OnlyMoves(two)];
    for (selection, expected) in selections.into_iter().zip(expected) {
        let all = select(selection, expected.len() + 1);
        let found = all.iter().map(|found| (found.material, found.number, found.plies, found.only_moves));
        assert_eq!(found.collect::<BTreeSet<_>>(), expected, "{variant} {selection:?}");
        assert!(!all.is_empty() && all.len() == expected.len(), "{variant} {selection:?}");
        assert!(all.is_sorted_by_key(|found| Reverse((found.only_moves, found.plies))), "{variant} {selection:?}");
        assert_eq!(select(selection, 5), all[..5.min(all.len())], "{variant} {selection:?}");
    }
}

#[test]
fn exactly_the_qualifying_positions_are_selected() {
    for variant in [Variant::English, Variant::Russian, Variant::LosingEnglish] {
        with_width!(AnyTables::new(variant), mut tables => {
            super::solve(variant, &mut tables, 3);
            check(variant, &tables);
        });
    }
}
