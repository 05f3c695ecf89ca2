//! Tests that compare perft with published tables.

use crate::common;

use common::data::{PerftTable, perft_tables};
use common::with_rules;
use soffio::position::{CaptureOrder, GameRules, PartialPerft, Position, Setup, divide, paths, perft};
use soffio::rules::{RuleSet, Variant, Word};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Maximum count to verify. Larger counts are skipped to keep the tests fast.
const MAX_NODES: u64 = if cfg!(debug_assertions) { 200_000 } else { 20_000_000 };

/// Compares perft with `table`, which uses the square numbers of the variant `numbers`. All capture orders that the
/// table covers are checked, at all depths with at most `max_nodes` sequences. Returns the number of counts.
fn check_table<W: Word>(rules: &'static GameRules<W>, table: &PerftTable, numbers: Variant, max_nodes: u64) -> usize {
    let variant = rules.variant();
    let position = common::position(rules, &common::setup(numbers, &table.fen_num));
    let mut checked = 0;
    for &order in table.orders() {
        for (depth, expected) in table.counts().into_iter().filter(|&(_, count)| count <= max_nodes) {
            let count = perft(&position, depth, order, &|| false);
            assert_eq!(count, Ok(expected), "{variant} {} depth {depth} {order:?}", table.fen_num);
            checked += 1;
        }
    }
    checked
}

/// Checks all tables of `variant` for counts up to `max_nodes`. Returns the number of counts that were checked.
fn check_tables(variant: Variant, max_nodes: u64) -> usize {
    let tables = perft_tables();
    let own = tables.iter().filter_map(|table| Some((table, common::data_variant(&table.variant, variant)?)));
    // The generator for a mirrored board is the same, and only the square names differ, so smaller counts are
    // sufficient.
    let max_nodes_for =
        |numbers: Variant| if numbers.spec().shape == variant.spec().shape { max_nodes } else { max_nodes / 100 };
    own.map(
        |(table, numbers)| with_rules!(variant, rules => check_table(rules, table, numbers, max_nodes_for(numbers))),
    )
    .sum()
}

#[test]
fn every_variant_matches_the_published_counts() {
    for &variant in Variant::ALL {
        let checked = check_tables(variant, MAX_NODES);
        assert!(checked >= 4, "{variant}: only {checked} counts were checked");
    }
}

#[test]
fn the_tables_cover_both_capture_orders() {
    let mut seen: HashMap<Variant, Vec<CaptureOrder>> = HashMap::new();
    for table in perft_tables() {
        if let Some(variant) = Variant::named(&table.variant) {
            seen.entry(variant).or_default().extend(table.orders());
        }
    }
    assert!(seen.len() >= 17, "the file has an unknown name: {:?}", seen.keys());
    // The only published table for Sri Lankan draughts uses a single capture order.
    seen.remove(&Variant::SriLankan);
    for (variant, orders) in seen {
        assert!(orders.contains(&CaptureOrder::Merged) && orders.contains(&CaptureOrder::Counted), "{variant}");
    }
}

#[test]
#[ignore = "takes half a minute in release"]
fn every_variant_matches_the_deeper_published_counts() {
    for &variant in Variant::ALL {
        assert!(check_tables(variant, 100_000_000) >= 4, "{variant}");
    }
}

#[test]
#[ignore = "takes fifteen seconds in release: one ply deeper than the tables"]
fn start_positions_match_deeper_counts() {
    fn check(variant: Variant, depth: u8, order: CaptureOrder, nodes: u64) {
        let count = with_rules!(variant, rules => perft(&Position::start(rules), depth, order, &|| false));
        assert_eq!(count, Ok(nodes), "{variant} depth {depth} {order:?}");
    }
    // The merged counts come from Rein Halbersma's dctl, and the other English count from Aart Bik (aartbik.com).
    check(Variant::Italian, 12, CaptureOrder::Merged, 367_911_475);
    check(Variant::English, 12, CaptureOrder::Merged, 388_617_999);
    check(Variant::English, 12, CaptureOrder::Counted, 388_623_673);
    check(Variant::International, 10, CaptureOrder::Merged, 258_895_763);
    check(Variant::International, 10, CaptureOrder::Counted, 258_935_682);
}

/// Asserts that perft of the start position is equal to the sum over its moves.
fn compare_sums<W: Word>(rules: &'static GameRules<W>) {
    let start = Position::start(rules);
    for order in [CaptureOrder::Merged, CaptureOrder::Counted] {
        for depth in 1..=6 {
            let parts = divide(&start, depth, order, &|| false).expect("it is not stopped");
            assert_eq!(parts.len(), start.legal_moves().len());
            let sum = parts.iter().map(|&(_, count)| count).sum();
            assert_eq!(perft(&start, depth, order, &|| false), Ok(sum), "{} depth {depth}", rules.variant());
        }
    }
}

#[test]
fn divide_sums_to_perft() {
    for &variant in Variant::ALL {
        with_rules!(variant, rules => compare_sums(rules));
    }
}

fn international_start() -> Position<u64> {
    Position::start(GameRules::for_variant(Variant::International).expect("a board of up to 64 squares"))
}

#[test]
fn depth_0_counts_one_sequence() {
    let start = international_start();
    assert_eq!(perft(&start, 0, CaptureOrder::Merged, &|| false), Ok(1));
}

#[test]
fn a_set_stop_flag_ends_perft_before_it_starts() {
    let start = international_start();
    assert_eq!(perft(&start, 12, CaptureOrder::Merged, &|| true), Err(PartialPerft(0)));
    assert_eq!(divide(&start, 12, CaptureOrder::Merged, &|| true), Err(PartialPerft(0)));
}

#[test]
fn a_stop_flag_ends_a_running_count_promptly() {
    let start = international_start();
    let stop = AtomicBool::new(false);
    let count = std::thread::scope(|scope| {
        // Counting to depth 20 would take months.
        let running = scope.spawn(|| perft(&start, 20, CaptureOrder::Merged, &|| stop.load(Ordering::Relaxed)));
        std::thread::sleep(Duration::from_millis(50));
        stop.store(true, Ordering::Relaxed);
        running.join().expect("the count does not panic")
    });
    assert!(count.is_err_and(|PartialPerft(counted)| counted > 0), "{count:?}");
}

/// Returns the number of sequences that the slow generator finds with the given capture order.
fn slow_perft(spec: &RuleSet, setup: &Setup, depth: u8, order: CaptureOrder) -> u64 {
    let moves = match order {
        CaptureOrder::Merged => paths::legal_moves(spec, setup),
        CaptureOrder::Counted => paths::legal_sequences(spec, setup),
    };
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|sequence| slow_perft(spec, &paths::after(spec, setup, sequence), depth - 1, order)).sum()
}

/// Maximum count that is compared with the slow generator. Larger counts were checked once, when they were added.
const MAX_SLOW_NODES: u64 = 300_000;

/// The source of tables that have not been published elsewhere.
const OWN: &str = "the generators of this project";

#[test]
fn our_own_counts_match_the_slow_generator() {
    let depths = if cfg!(debug_assertions) { 1..=4 } else { 1..=6 };
    for &variant in Variant::ALL {
        let is_own = |table: &&PerftTable| table.source == OWN && table.variant == variant.name();
        for table in perft_tables().iter().filter(is_own) {
            let setup = common::setup(variant, &table.fen_num);
            for &order in table.orders() {
                let counts = table
                    .counts()
                    .into_iter()
                    .filter(|(depth, count)| depths.contains(depth) && *count <= MAX_SLOW_NODES);
                for (depth, count) in counts {
                    let slow = slow_perft(variant.spec(), &setup, depth, order);
                    assert_eq!(slow, count, "{variant} {} depth {depth} {order:?}", table.fen_num);
                }
            }
        }
    }
}
