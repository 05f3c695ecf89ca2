//! Tests of the time that the match runner needs per move.

use crate::common::slowness;
use soffio::rules::Variant;
use soffio::stop::Stop;
use soffio_match::{
    Draughts, EngineSpec, GameLog, MatchFormat, MatchPlan, MatchSettings, Opening, Schedule, Timeouts, run,
};
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

const GAMES: usize = 40;

/// Runs a match with searches of one node, in which the engines use hardly any time. Returns, for each game, the number
/// of requested moves, the elapsed time, and the time that the log records for the moves.
fn games() -> Vec<(u32, Duration, Duration)> {
    let engine = |name: &str| {
        let words = [format!("cmd={}", env!("CARGO_BIN_EXE_soffio")), format!("name={name}")];
        let limits = ["nodes=1", "option.Hash=1"].map(str::to_owned);
        Arc::new(EngineSpec::parse(&words, &limits).expect("an engine"))
    };
    let openings: Vec<_> = ["23-19 10-14", "22-18 12-16", "21-17 11-14", "24-20 9-13"]
        .map(|line| Opening { start: None, moves: line.split(' ').map(str::to_owned).collect() })
        .into();
    let plan = MatchPlan { rounds: GAMES, games: 1, repeat: 1, swaps: true };
    let schedule = Schedule::new(MatchFormat::RoundRobin, 2, plan, openings.len());
    let (variant, max_moves) = (Variant::Italian, 500);
    let game = Draughts { variant, openings, draw: None, win: None, tables: None, max_moves, checks_lines: false };
    let settings = MatchSettings {
        engines: vec![engine("a"), engine("b")],
        timeouts: Timeouts { margin: Duration::from_millis(20), stall: Duration::from_secs(60) },
        schedule,
        played: HashSet::new(),
        concurrency: NonZeroUsize::MIN,
        cores: Vec::new(),
        wait: Duration::ZERO,
    };
    let mut games = Vec::new();
    let mut began = Instant::now();
    let mut take = |_, log: GameLog| {
        let times = log.moves.iter().filter_map(|mv| mv.us).map(Duration::from_micros);
        let used = times.clone().sum();
        games.push((u32::try_from(times.count()).expect("few moves"), began.elapsed(), used));
        began = Instant::now();
        ControlFlow::Continue(())
    };
    run(&game, &settings, &Stop::new(), &mut take).expect("a match");
    games
}

#[test]
#[ignore = "measures time: run it on a quiet machine"]
fn a_move_costs_little_besides_its_search() {
    let _alone = crate::races::alone();
    let games = games();
    assert_eq!(games.len(), GAMES);
    // Other work on the machine only increases the times, so the fastest game shows the overhead per move.
    let cost = games.iter().map(|&(moves, passed, used)| passed.saturating_sub(used) / moves.max(1)).min();
    let cost = cost.expect("there are games");
    let speed = games.iter().map(|&(moves, passed, _)| f64::from(moves) / passed.as_secs_f64()).fold(0.0, f64::max);
    println!("{cost:?} per move outside the search, {speed:.0} moves/s in the quickest game");
    assert!(cost < Duration::from_micros(300) * slowness(), "{cost:?}");
    assert!(speed > 500.0 / f64::from(slowness()), "{speed}");
}
