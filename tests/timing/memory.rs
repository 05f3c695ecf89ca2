//! Tests of the memory that the engine allocates and frees.

use crate::common::slowness;
use crate::races::alone;

use crate::process::{Engine, beginning};

#[test]
fn changing_the_table_leaks_no_memory() {
    let _alone = alone();
    let mut engine = Engine::start();
    let mut resident = Vec::new();
    for round in 0..200_u32 {
        // The search touches the table, because an untouched table uses no memory.
        engine.send(&format!("setoption name Hash value {}\ngo nodes 20000", 1 + round * 29 % 64));
        engine.until("bestmove ");
        if round % 50 == 49 {
            engine.send("setoption name Hash value 1");
            engine.assert_silent();
            let Some(kib) = engine.resident_kib() else { return };
            resident.push(kib);
        }
    }
    println!("resident KiB after 50, 100, 150, 200 tables: {resident:?}");
    assert!(resident[3] <= resident[0] + 8 * 1024, "{resident:?}");
}

/// Starts many engines and calls `prepare` with each of them. Returns the median time in milliseconds until the first
/// iteration after the last `go` was completed.
fn median_of_first_iterations(prepare: impl Fn(&mut Engine)) -> u64 {
    let time = |_| {
        let mut engine = Engine::start();
        prepare(&mut engine);
        let lines = engine.until("bestmove ").1;
        let first = lines.iter().rfind(|line| line.starts_with("info depth 1 ")).expect("a first iteration");
        let time = first.split_once(" time ").and_then(|(_, rest)| rest.split(' ').next());
        time.and_then(|time| time.parse().ok()).expect("a number of milliseconds")
    };
    let mut times: Vec<u64> = (0..15).map(time).collect();
    times.sort_unstable();
    times[times.len() / 2]
}

#[test]
#[ignore = "measures time: run it on a quiet machine"]
fn a_search_does_not_wait_for_its_memory() {
    let _alone = alone();
    // Clearing a table of this size takes ten times as long.
    let hash = "setoption name Hash value 512";
    let first = median_of_first_iterations(|engine| {
        engine.send(&format!("{hash}\ngo movetime 20"));
    });
    let after_new_game = median_of_first_iterations(|engine| {
        engine.request(&format!("{hash}\ngo nodes 1000"), "bestmove ");
        engine.send("ucinewgame\ngo movetime 20");
    });
    println!("the first iteration ends after {first} ms, after ucinewgame {after_new_game} ms");
    assert!(first.max(after_new_game) <= 2 * u64::from(slowness()), "{first} {after_new_game}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_ready_engine_has_allocated_its_table() {
    let _alone = alone();
    let mut engine = Engine::with_options(&[("Hash", "64")]);
    for line in ["isready", "ucinewgame", "go depth 1", "ucinewgame"] {
        engine.send(line);
        // During a search, `isready` allocates no memory.
        if line.starts_with("go") {
            engine.until("bestmove ");
        }
        engine.request("isready", "readyok");
        let kib = engine.resident_kib().expect("Linux reports it");
        assert!(kib >= 64 * 1024, "{kib} KiB after {line}");
    }
}

#[test]
fn the_engine_needs_little_more_memory_than_its_table() {
    let _alone = alone();
    for variant in ["italian", "english", "international"] {
        let mut engine = Engine::with_options(&[("UCI_Variant", variant), ("Hash", "16")]);
        // The depth is sufficient to touch most of the table, except in the slow debug build.
        let depth = if cfg!(debug_assertions) { 9 } else { 12 };
        engine.request(&format!("go depth {depth}"), "bestmove ");
        let Some(kib) = engine.resident_kib() else { return };
        println!("{variant}: {kib} KiB with a table of 16 MiB after depth 12");
        assert!(kib <= (16 + 10) * 1024, "{variant}: {kib} KiB");
    }
}

#[test]
fn a_table_larger_than_any_machine_is_rejected() {
    let mut engine = Engine::with_options(&[("Hash", "2")]);
    for (mib, error) in [
        ("33554433", "error option Hash must be a number from 1 to 33554432, not '33554433'"),
        ("18446744073709551616", "error option Hash must be a number from 1 to 33554432, not '18446744073709551616'"),
    ] {
        assert_eq!(engine.request(&format!("setoption name Hash value {mib}\nisready"), "readyok"), [error, "readyok"]);
    }
    // Whether such a large size is accepted depends on the system, but the engine must survive.
    let answers = engine.request("setoption name Hash value 33554432\nisready", "readyok");
    let refused = "error option Hash: cannot allocate a table of 33554432 MiB";
    assert!(answers == ["readyok"] || answers == [refused, "readyok"], "{answers:?}");
    let answers = engine.request("go depth 3", "bestmove ");
    assert!(beginning(&answers, "error").is_empty(), "{answers:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn more_memory_than_is_free_is_rejected() {
    let text = std::fs::read_to_string("/proc/meminfo").expect("Linux reports it");
    let kib = text.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB"));
    let mib: usize = kib.and_then(|kib| kib.trim().parse().ok()).map(|kib: usize| kib >> 10).expect("a number");
    let mut engine = Engine::start();
    // The sizes are twice and half of the free memory, because other processes may allocate and free memory in the
    // meantime. A wrong unit would still be detected.
    let twice = 2 * mib;
    let answers = engine.request(&format!("setoption name Hash value {twice}\nisready"), "readyok");
    assert_eq!(answers, [format!("error option Hash: cannot allocate a table of {twice} MiB").as_str(), "readyok"]);
    let half = mib / 2;
    assert_eq!(engine.request(&format!("setoption name Hash value {half}\nucinewgame\nstatus"), "status ").len(), 1);
}

// The shell cannot limit the memory on other systems.
#[cfg(target_os = "linux")]
#[test]
fn a_new_table_may_need_the_memory_of_the_old_one() {
    // The limit is in KiB of address space. It is sufficient for the program and one such table.
    let engine = env!("CARGO_BIN_EXE_soffio");
    let mut engine = Engine::run("bash", &["-c", &format!("ulimit -v 1200000 && exec '{engine}'")]);
    for mib in [800, 700, 800] {
        let answers = engine.request(&format!("setoption name Hash value {mib}\ngo depth 3"), "bestmove ");
        assert!(beginning(&answers, "error").is_empty(), "{answers:?}");
    }
    let answers = engine.request("setoption name Hash value 1300\nisready", "readyok");
    assert_eq!(answers, ["error option Hash: cannot allocate a table of 1300 MiB", "readyok"]);
    assert!(!beginning(&engine.request("go depth 3", "bestmove "), "info depth 3").is_empty());
}
