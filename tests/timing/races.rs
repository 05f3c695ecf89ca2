//! Tests of commands that arrive at awkward times. Every search must have exactly one answer, which must arrive in
//! time.

use crate::common::slowness;
use crate::process::{Engine, TIMEOUT, beginning};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

const MS: Duration = Duration::from_millis(1);

/// Makes the tests that measure time run one after another, so that they do not disturb each other.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn median_and_worst(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort();
    (times[times.len() / 2], times[times.len() - 1])
}

/// Starts infinite searches and stops each after its first iteration. Returns the times from `stop` to the answer.
fn stops(engine: &mut Engine, count: usize, [go, first, answer]: [&str; 3]) -> Vec<Duration> {
    let stop = |_| {
        engine.send(go);
        engine.until(first);
        let sent = engine.send("stop");
        engine.until(answer).0.saturating_duration_since(sent)
    };
    (0..count).map(stop).collect()
}

fn stopped_searches(count: usize) -> Vec<Duration> {
    let mut engine = Engine::start();
    let times = stops(&mut engine, count, ["go infinite", "info depth 1 ", "bestmove "]);
    // A second answer to any of the searches would arrive before the answer to `isready`.
    engine.assert_silent();
    times
}

fn stopped_analyses(count: usize) -> Vec<Duration> {
    let mut engine = Engine::started(&["hub"]);
    let times = stops(&mut engine, count, ["level infinite\ngo analyze", "info depth=1 ", "done "]);
    assert_eq!(engine.request("ping", "pong"), ["pong"], "there is no second answer");
    times
}

#[test]
fn every_stop_has_one_answer() {
    let _alone = alone();
    assert_eq!(stopped_searches(1000).len(), 1000);
    assert_eq!(stopped_analyses(300).len(), 300);
}

#[test]
#[ignore = "measures time: run it on a quiet machine"]
fn a_stop_is_answered_at_once() {
    let _alone = alone();
    let limits = [("bestmove", stopped_searches(1000), [5, 20]), ("done", stopped_analyses(300), [10, 30])];
    for (answer, times, most) in limits {
        let (median, worst) = median_and_worst(times);
        println!("stop to {answer}: median {median:?}, worst {worst:?}");
        let [most_median, most_worst] = most.map(|most| most * MS * slowness());
        assert!(median <= most_median && worst <= most_worst, "{answer}: median {median:?}, worst {worst:?}");
    }
}

#[test]
fn ten_thousand_searches_with_two_threads_leave_none_behind() {
    let _alone = alone();
    let mut engine = Engine::with_options(&[("Threads", "2"), ("Hash", "1")]);
    // The search thread is started with the first search and reused for later searches.
    engine.request("go depth 1", "bestmove ");
    let before = engine.threads();
    for _ in 0..10_000 {
        engine.send("go infinite\nstop");
        engine.until("bestmove ");
    }
    engine.assert_silent();
    // A helper thread reports its completion shortly before the system removes the thread.
    let deadline = Instant::now() + TIMEOUT;
    // For the same reason, the first count may have included one thread that was about to end.
    while engine.threads() > before && Instant::now() < deadline {
        thread::sleep(MS);
    }
    assert!(engine.threads() <= before);
    let Some(memory) = engine.resident_kib() else { return };
    println!("resident after 10000 searches: {memory} KiB");
    assert!(memory < 36 * 1024, "{memory} KiB");
}

#[test]
fn a_game_can_be_browsed_without_waiting_for_answers() {
    let _alone = alone();
    for gap in [0, 1, 10].map(|gap| gap * MS) {
        let (mut native, mut hub) = (Engine::start(), Engine::started(&["hub"]));
        let board = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";
        for step in 0..100 {
            let (from, to) = [("22-18", "32-28"), ("23-19", "33-29")][step % 2];
            native.send(&format!("stop\nposition startpos moves {from}\ngo infinite"));
            hub.send(&format!("stop\npos pos={board} moves={to}\nlevel infinite\ngo analyze"));
            thread::sleep(gap);
        }
        for (mut engine, start) in [(native, "bestmove "), (hub, "done ")] {
            engine.send("stop");
            let answers: Vec<_> = (0..100).map(|_| engine.until(start).1).collect();
            assert!(answers.iter().all(|lines| beginning(lines, "error").is_empty()), "gap {gap:?}: {answers:?}");
            engine.send("quit");
            assert!(beginning(&engine.rest(), start).is_empty(), "gap {gap:?}: more answers than searches");
        }
    }
}

#[test]
fn a_search_stopped_before_it_starts_has_one_answer() {
    let _alone = alone();
    let mut engine = Engine::start();
    for go in ["go infinite\nstop", "go depth 9\nstop\nstop", "go movetime 5000\nstop", "go ponder\nstop"].repeat(50) {
        engine.send(&format!("{go}\nisready"));
        let (_, mut lines) = engine.until("bestmove ");
        if !lines.iter().any(|line| line == "readyok") {
            lines.extend(engine.until("readyok").1);
        }
        assert_eq!(beginning(&lines, "bestmove ").len(), 1, "{go}: {lines:?}");
        assert!(beginning(&lines, "error").is_empty(), "{go}: {lines:?}");
    }
    engine.assert_silent();
}

#[test]
fn a_stop_does_not_affect_the_next_search() {
    let mut engine = Engine::start();
    for _ in 0..20 {
        engine.send("stop\ngo depth 4");
        let lines = engine.until("bestmove ").1;
        assert_eq!(beginning(&lines, "info depth 4 ").len(), 1, "{lines:?}");
    }
    engine.assert_silent();
}

#[test]
fn stop_prints_nothing_when_nothing_runs() {
    let mut engine = Engine::start();
    engine.send("stop\nstop");
    engine.assert_silent();
    engine.request("go depth 3", "bestmove ");
    engine.send("stop");
    engine.assert_silent();
}

#[test]
fn quit_ends_a_search_and_the_process() {
    for go in ["go infinite", "go ponder", "go depth 90", "go movetime 60000"] {
        let mut engine = Engine::start();
        engine.send(go);
        engine.until("info depth 3 ");
        engine.send("quit");
        assert!(engine.exit_within(TIMEOUT).success());
        assert_eq!(beginning(&engine.rest(), "bestmove ").len(), 1, "{go}");
    }
    for count in ["perft 70", "bench", "divide 70"] {
        let mut engine = Engine::start();
        engine.send(&format!("{count}\nstatus\nquit\nlegal"));
        assert!(engine.exit_within(TIMEOUT).success());
        let lines = engine.rest();
        assert_eq!(beginning(&lines, "status").len(), 1, "{count}: lines before the end are executed");
        assert!(beginning(&lines, "legal").is_empty(), "{count}: lines after the end are not");
    }
}

#[test]
fn the_end_of_input_stops_an_infinite_search() {
    for go in ["go infinite", "go", "go ponder depth 3", "go ponder\nponderhit", "go searchmoves 22-18"] {
        let mut engine = Engine::start();
        engine.send(go);
        engine.until("info depth 2 ");
        engine.end_input();
        assert!(engine.exit_within(TIMEOUT).success());
        assert_eq!(beginning(&engine.rest(), "bestmove ").len(), 1, "{go}");
    }
}

#[test]
fn the_end_of_input_lets_a_finite_search_finish() {
    for (go, last) in [("go depth 8", "info depth 8 "), ("perft 5\ngo depth 8", "info depth 8 ")] {
        let mut engine = Engine::start();
        engine.send(go);
        engine.end_input();
        let lines = engine.rest();
        assert!(lines.iter().any(|line| line.starts_with(last)), "{lines:?}");
        assert_eq!(beginning(&lines, "bestmove ").len(), 1, "{lines:?}");
        assert!(engine.exit_within(TIMEOUT).success());
    }
    let mut engine = Engine::start();
    let begun = engine.send("go movetime 200");
    engine.end_input();
    assert_eq!(beginning(&engine.rest(), "bestmove ").len(), 1);
    assert!(begun.elapsed() >= 180 * MS, "the time was used");
}

/// Sends `ponderhit` at different times after `go ponder` with 100 ms on the clock. Returns the times from `ponderhit`
/// to the answer.
fn ponder_hits() -> Vec<Duration> {
    let mut engine = Engine::start();
    let go = "go ponder wtime 100 btime 100 winc 0 binc 0";
    let mut times = Vec::new();
    for round in 0..100_u32 {
        engine.send(go);
        let pause = match round % 4 {
            0 => Duration::ZERO,
            1 => Duration::from_micros(u64::from(round) * 20),
            2 => MS,
            _ => 5 * MS,
        };
        std::thread::sleep(pause);
        let hit = engine.send(if round % 5 == 4 { "ponderhit\nstop" } else { "ponderhit" });
        let (answered, _) = engine.until("bestmove ");
        times.push(answered.saturating_duration_since(hit));
    }
    engine.assert_silent();
    times
}

#[test]
fn a_ponder_hit_at_any_moment_leads_to_one_answer() {
    let _alone = alone();
    assert_eq!(ponder_hits().len(), 100);
}

#[test]
#[ignore = "measures time: run it on a quiet machine"]
fn after_a_ponder_hit_the_clock_is_respected() {
    let _alone = alone();
    let (median, worst) = median_and_worst(ponder_hits());
    println!("ponderhit to bestmove: median {median:?}, worst {worst:?} of 100 ms");
    assert!(worst <= 90 * MS, "median {median:?}, worst {worst:?}");
}

#[test]
fn options_and_new_games_can_flood_in_between_searches() {
    let mut engine = Engine::start();
    for round in 0..60 {
        let variant = ["italian", "english", "international"][round % 3];
        let mib = 1 + round % 7;
        engine.send(&format!(
            "setoption name UCI_Variant value {variant}\nucinewgame\nsetoption name Hash value {mib}\n\
             setoption name Clear Hash\nucinewgame\ngo depth 3"
        ));
        let mut lines = engine.until("bestmove ").1;
        lines.extend(engine.request("ucinewgame\ngo infinite\nstop", "bestmove "));
        assert!(beginning(&lines, "error").is_empty(), "{lines:?}");
    }
    engine.assert_silent();
}

#[test]
#[ignore = "measures time: run it on a quiet machine"]
fn the_engine_starts_at_once() {
    let _alone = alone();
    let times = (0..20).map(|_| {
        let started = Instant::now();
        let mut engine = Engine::start();
        engine.request("uci", "uciok");
        started.elapsed()
    });
    let (median, worst) = median_and_worst(times.collect());
    println!("start to uciok: median {median:?}, worst {worst:?}");
    assert!(median <= 20 * MS * slowness(), "median {median:?}");
}

#[test]
fn lines_of_any_length_are_answered() {
    let mut engine = Engine::start();
    engine.send(&"x".repeat(3 << 20));
    assert_eq!(engine.request("isready", "readyok"), ["error skipped a line longer than 1048576 bytes", "readyok"]);
    engine.send(&format!("position startpos moves {}", "22-18 ".repeat(50_000)));
    let answers = engine.request("isready", "readyok");
    assert!(answers.len() == 2 && answers[0].starts_with("error move 22-18: "), "{answers:?}");
    engine.send_bytes(b"\xff\xfe\0\x01\x80 isready\n\0\n");
    let answers = engine.request("isready", "readyok");
    assert!(
        answers.len() == 3 && answers[..2].iter().all(|line| line.starts_with("error unknown command ")),
        "{answers:?}"
    );
}
