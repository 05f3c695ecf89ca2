//! Tests of the experiments of `soffio seeds` on a small scale.

use crate::process::run_in;
use soffio::rules::Color;
use soffio_match::{GameLog, MatchFormat, MatchPlan, MatchResults, Schedule};
use std::path::Path;

/// Four games for each pair of players.
const PLAN: MatchPlan = MatchPlan { rounds: 1, games: 4, repeat: 2, swaps: true };

/// Runs `soffio seeds` with these arguments. Returns its standard output, its standard error, and whether it succeeded.
fn seeds(arguments: &str) -> (String, String, bool) {
    run_in(Path::new("."), &format!("seeds {arguments}"), "")
}

/// Returns the word at `index` (counted from 0) in the line that starts with `start`, as a number.
fn number(output: &str, start: &str, index: usize) -> f64 {
    let line = output.lines().map(str::trim).find(|line| line.starts_with(start));
    let word = line.and_then(|line| line.split_whitespace().nth(index));
    word.and_then(|word| word.trim_end_matches(['x', ',']).parse().ok()).unwrap_or_else(|| panic!("{start}: {output}"))
}

#[test]
fn each_step_to_the_full_search_saves_nodes() {
    let (output, _, is_success) = seeds("nodes --positions 6 --seed 3");
    assert!(is_success);
    let nodes = |name: &str| number(&output, &format!("{name} material, depth 8"), 4);
    assert!(nodes("minimax") > 10.0 * nodes("alphabeta"), "{output}");
    assert!(nodes("alphabeta") > nodes("ordered"), "{output}");
    assert!(nodes("ordered") > nodes("memory"), "{output}");
}

#[test]
fn times_are_compared_with_the_published_ones() {
    let (output, _, is_success) = seeds("times --positions 1");
    assert!(is_success);
    assert_eq!(output.matches("published").count(), 2, "{output}");
    assert_eq!(output.lines().filter(|line| line.trim_end().ends_with('x')).count(), 3 + 7 + 7, "{output}");
}

#[test]
fn minimax_beats_random_moves() {
    let (output, _, is_success) = seeds("random --games 4");
    assert!(is_success);
    assert!(output.contains("minimax material, depth 7 - random: +4 =0 -0"), "{output}");
}

#[test]
fn games_are_reproduced_from_their_seed() {
    let (first, _, is_success) = seeds("self-play --games 6 --seed 9");
    assert!(is_success);
    assert_eq!(seeds("self-play --games 6 --seed 9 --concurrency 1").0, first);
    assert!(first.contains("white wins "), "{first}");
}

#[test]
fn wrong_arguments_are_rejected_with_the_reason() {
    for (arguments, reason) in [
        ("chess", "possible values: times, nodes, random, round-robin, self-play, tavla, full"),
        ("nodes --positions 0", "expected a whole number from 1 to 65535"),
    ] {
        let (_, errors, is_success) = seeds(arguments);
        assert!(!is_success && errors.contains(reason), "{arguments}: {errors}");
    }
}

#[test]
fn all_players_meet() {
    // Seven players, as in the reports.
    let schedule = Schedule::new(MatchFormat::RoundRobin, 7, PLAN, 2);
    let mut results = MatchResults::default();
    // The first player of every pair wins, so the first of all players wins all its games, and the last player wins
    // none.
    for pairing in schedule.pairings() {
        let winner = Some(if pairing.white < pairing.black { Color::White } else { Color::Black });
        results.add(&pairing, &GameLog { winner, ..GameLog::default() });
    }
    assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|index| results.engine_tally(index).games[2]), [24, 20, 16, 12, 8, 4, 0]);
    assert!((0..7).all(|index| results.engine_tally(index).count() == 24));
}
