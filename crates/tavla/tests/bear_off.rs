//! Tests how searches use the bear-off table before it is complete. They need a process without the table.
#![cfg(test)]

use soffio::clock::Stopwatch;
use soffio_tavla::game::{TavlaGame, TavlaState};
use soffio_tavla::learned::BearOff;
use soffio_tavla::notation::read_xgid;
use soffio_tavla::player::{PlayEvaluation, TavlaLimits, TavlaSettings, think};
use soffio_tavla::rules::Rules;
use std::time::{Duration, Instant};

#[test]
fn a_search_with_little_time_or_a_stop_does_not_wait_for_the_table() {
    let state: TavlaState = read_xgid("XGID=-BBBBBB------------bbbbbb-:0:0:1:31:0:0:0:0:10").unwrap();
    let game = TavlaGame::new(Rules::default(), state);
    let settings = TavlaSettings::default();
    // Loads the weights.
    settings.weights();
    let search = |time, is_stopped: &dyn Fn() -> bool| -> Vec<PlayEvaluation> {
        let limits = TavlaLimits { depth: Some(1), time, ..TavlaLimits::default() };
        let mut last = Vec::new();
        let report = &mut |report: soffio_tavla::player::TavlaReport| last = report.findings;
        think(&settings, game.legal(), limits, Stopwatch::start(), is_stopped, report);
        last
    };
    let started = Instant::now();
    let limited = search(Some(Duration::from_millis(10)), &|| false);
    let stopped = search(None, &|| true);
    let without_table = started.elapsed();
    let unlimited = search(None, &|| false);
    BearOff::get();
    let building = started.elapsed();
    assert!(without_table * 4 < building, "{without_table:?} of {building:?}");
    assert_eq!(limited, stopped, "both use the networks");
    assert_ne!(limited, unlimited);
    assert_eq!(unlimited, search(None, &|| false), "a search without a time limit waits for the table");
    assert_eq!(unlimited, search(Some(Duration::from_secs(9)), &|| false), "the table is complete");
}
