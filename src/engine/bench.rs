//! The bench, which searches fixed positions of every variant to a fixed depth. The total node count is the signature
//! of the search: a commit that changes it must state the new total.

use crate::clock::{Stopwatch, TimeSource};
use crate::eval::Evaluation;
use crate::notation::{FenRecord, WrittenGame};
use crate::position::with_width;
use crate::rules::Variant;
use crate::search::{Limits, Signal, Silent, Tools, TranspositionTable, search};
use std::num::NonZeroUsize;
use std::time::Duration;

const TABLE_MIB: usize = 16;

/// The bench result for one variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// The variant whose positions were searched.
    pub variant: Variant,
    /// Total number of nodes for all positions.
    pub nodes: u64,
    /// Total time for all positions.
    pub time: Duration,
}

/// Bench settings. The defaults produce the signature of the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchSettings {
    /// Variants to search. If empty, all listed variants are searched.
    pub variants: Vec<Variant>,
    /// Search depth in plies, or `None` for the default depth of each variant.
    pub depth: Option<u8>,
    /// Number of threads per search, or `None` for one thread. Node counts are not reproducible with several threads.
    pub threads: Option<NonZeroUsize>,
}

/// Runs the bench and calls `report` after each variant. Returns whether all variants were searched.
pub fn bench(
    settings: &BenchSettings,
    time: &TimeSource,
    signal: &Signal,
    report: &mut dyn FnMut(BenchResult),
) -> bool {
    let listed: Vec<_> = Variant::listed().collect();
    let chosen = if settings.variants.is_empty() { &listed } else { &settings.variants };
    for &variant in chosen {
        let Some(result) = run(variant, settings, time, signal) else { return false };
        report(result);
    }
    true
}

fn run(variant: Variant, settings: &BenchSettings, time: &TimeSource, signal: &Signal) -> Option<BenchResult> {
    let (depth, positions) = positions(variant);
    let usual = Limits::default();
    let threads = settings.threads.unwrap_or(usual.threads);
    let limits = Limits { depth: Some(settings.depth.unwrap_or(depth)), threads, ..usual };
    let watch = || Stopwatch::new(time.clone(), time.now());
    let started = watch();
    let mut nodes = 0;
    for fen in std::iter::once(None).chain(positions.iter().map(Some)) {
        let start = fen.map(|fen| fen.parse::<FenRecord>()).transpose().ok()?;
        let game = WrittenGame::from_start(variant, start.as_ref()).ok()?;
        let table = TranspositionTable::new(TABLE_MIB).ok()?;
        let outcome = with_width!(game.game().history(), history => {
            let evaluation = Evaluation::best(history.position().rules());
            let tools = Tools { table: &table, evaluation: &evaluation, endgames: None };
            search(history, &limits, tools, signal, watch(), &mut Silent)
        });
        if signal.is_stopped() {
            return None;
        }
        nodes += outcome.nodes;
    }
    Some(BenchResult { variant, nodes, time: started.elapsed() })
}

/// The main variants, each with its depth in plies and its opening, middlegame and endgame positions. These positions
/// are searched in addition to the start position.
const MAIN: [(Variant, u8, &[&str]); 3] = [
    (
        Variant::Italian,
        17,
        &[
            "W:W17,18,20,22,23,24,26,27,30:B1,3,5,6,9,11,14,15,16",
            "W:W24,25,26,29,30,31,32:B1,4,5,8,12,16,19",
            "W:WK6,9,17,32:B8,14,16,K31",
            "B:WK2,K14,23,25,27,28,32:B4,8,13,16,26",
        ],
    ),
    (
        Variant::English,
        17,
        &[
            "W:W18,21,22,24,25,26,28,29,30,31,32:B1-4,6-8,10-12,16",
            "W:WK6,22,24,26,29,31:B3,7,10,11,15,K32",
            "B:WK12,24,29:B5,9,18,28,K30",
            "W:WK1,K2:B4,5,K19,24",
        ],
    ),
    (
        Variant::International,
        15,
        &[
            "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
            "W:W26,34,37,40,43,44,46,49:B5,11,14,16,19,28",
            "B:W29,31,32,33,34,36,37,38,40,41,42,43,45,47,48:B2,3,5,7,9,10,11,12,13,14,15,16,17,19,20,24,26",
            "W:WK2,31,37:B9,14,22,34,K35",
        ],
    ),
];

/// Returns the depth and the additional positions for a variant. The depth depends on the size of the board, except for
/// the main variants and for Armenian draughts, whose search trees are the widest.
fn positions(variant: Variant) -> (u8, &'static [&'static str]) {
    let main = MAIN.into_iter().find(|&(known, ..)| known == variant);
    let depth = match variant.spec().shape.squares() {
        _ if variant == Variant::Armenian => 10,
        0..=32 => 15,
        33..=64 => 12,
        _ => 11,
    };
    main.map_or((depth, &[]), |(_, depth, positions)| (depth, positions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bench_position_is_valid() {
        for variant in Variant::listed() {
            for fen in positions(variant).1 {
                let setup = fen.parse::<FenRecord>().unwrap().to_setup(variant.spec()).unwrap();
                assert_eq!(setup.check(variant.spec()), Ok(()), "{variant} {fen}");
            }
        }
    }

    /// This test takes minutes in debug builds.
    #[test]
    #[cfg_attr(debug_assertions, ignore)]
    fn the_measuring_page_has_the_bench_signature() {
        let page = include_str!("../../docs/measuring.md");
        let nodes = |variant: &str| {
            let line = page.lines().find_map(|line| line.strip_prefix(&format!("{variant} "))?.split_once(" time "));
            line.and_then(|(nodes, _)| nodes.parse::<u64>().ok())
        };
        let signal = Signal::default();
        let found = [Variant::Italian, Variant::English, Variant::International]
            .map(|variant| run(variant, &BenchSettings::default(), &TimeSource::default(), &signal));
        let found = found.map(|result| result.map(|result| result.nodes));
        assert_eq!(["italian", "english", "international"].map(nodes), found);
    }

    #[test]
    fn a_stopped_bench_reports_that_it_is_not_finished() {
        let signal = Signal::default();
        signal.stop();
        assert!(!bench(&BenchSettings::default(), &TimeSource::default(), &signal, &mut |_| {}));
    }

    #[test]
    fn variants_depth_and_threads_can_be_chosen() {
        let nodes = |variants: &[Variant], depth, threads| {
            let settings =
                BenchSettings { variants: variants.to_vec(), depth: Some(depth), threads: NonZeroUsize::new(threads) };
            let mut found = Vec::new();
            assert!(bench(&settings, &TimeSource::default(), &Signal::default(), &mut |result| found
                .push((result.variant, result.nodes))));
            found
        };
        let two = [Variant::Thai, Variant::Czech];
        let shallow = nodes(&two, 3, 0);
        assert_eq!(shallow.iter().map(|(variant, _)| *variant).collect::<Vec<_>>(), two);
        assert_eq!(nodes(&two, 3, 1), shallow, "one thread is the usual number");
        assert!(nodes(&two, 5, 0).iter().zip(&shallow).all(|(deep, shallow)| deep.1 > shallow.1));
        assert_eq!(nodes(&two, 5, 2).len(), 2);
    }
}
