//! Tests of the engine as a library: blocking searches, searches with reports, a caller's clock, and weights from a
//! file.

use crossbeam_channel::unbounded;
use soffio::clock::TimeSource;
use soffio::engine::{Bound, EvaluationKind, Event, PlainKind, Setting, Signal, Value};
use soffio::eval::Chances;
use soffio::eval::nnue::{Inputs, OUTPUT_SCALE, Weights, WeightsFile};
use soffio::rules::{Identity, Variant};
use soffio::{Engine, Game, Limits};
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

fn to_depth(depth: u8) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn a_stopped_search_reports_each_of_its_best_moves_once() {
    let game = Game::new(Variant::English);
    let mut is_partial = false;
    for nodes in (1..40).map(|count| 700 * count) {
        let mut engine = Engine::new();
        let limits = Limits { nodes: Some(nodes), lines: NonZeroUsize::new(3).unwrap(), ..engine.limits() };
        let mut last = [const { None }; 3];
        let answer = engine.go_with_reports(&game, limits, &Signal::default(), &mut |report| {
            last[report.rank] = Some(report.clone());
        });
        let [first, second, third] = last.map(|report| report.expect("every line has been reported"));
        let moves = [&first, &second, &third].map(|report| report.line[0]);
        assert_eq!(Some(moves[0]), answer.unwrap().best);
        assert!(moves[0] != moves[1] && moves[0] != moves[2] && moves[1] != moves[2], "{nodes}: {moves:?}");
        assert!(first.depth >= second.depth && second.depth >= third.depth, "{nodes}");
        // The iteration has completed the first line, but has not changed the last one.
        is_partial |= first.bound == Bound::Exact && first.depth > third.depth;
    }
    assert!(is_partial, "some search stops between two lines");
}

#[test]
fn both_forms_of_a_search_agree() {
    for variant in [Variant::Italian, Variant::Canadian] {
        let (events, found) = unbounded();
        let [mut blocking, mut running] = [Engine::new(), Engine::new()];
        let game = Game::new(variant);
        let answer = blocking.go(&game, to_depth(7)).unwrap();
        running.start(&game, to_depth(7), std::time::Instant::now(), &events).unwrap();
        let mut last = None;
        for event in found {
            match event {
                Event::Report(report) => last = Some(report),
                Event::BestMove { best, reply } => {
                    assert_eq!((best, reply), (answer.best, answer.reply));
                    break;
                }
                _ => {}
            }
        }
        let report = last.unwrap();
        assert_eq!((report.line, report.nodes), (answer.line.clone(), answer.nodes));
        assert_eq!((report.value, report.depth), (answer.value, answer.depth));
        assert_eq!((answer.line.first(), answer.line.get(1)), (answer.best.as_ref(), answer.reply.as_ref()));
    }
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut game = Game::new(Variant::Losing);
    let mut random = fastrand::Rng::with_seed(3);
    while let Some(&mv) = random.choice(&game.legal_moves()) {
        assert!(game.play(mv));
    }
    let answer = Engine::new().go(&game, to_depth(3)).unwrap();
    assert_eq!((answer.best, answer.line, answer.value), (None, Vec::new(), Value::Win(0)));
}

#[test]
fn an_engine_and_its_signal_can_be_sent_to_a_thread() {
    fn is_send<T: Send>(_: &T) {}
    let mut engine = Engine::new();
    is_send(&engine);
    is_send(&engine.signal());
    engine.apply(Setting::Hash(1)).unwrap();
    let (events, found) = unbounded();
    let limits = Limits { infinite: true, ..Limits::default() };
    engine.start(&Game::new(Variant::International), limits, std::time::Instant::now(), &events).unwrap();
    let signal = engine.signal();
    std::thread::spawn(move || signal.stop());
    assert!(found.iter().any(|event| matches!(event, Event::BestMove { best: Some(_), .. })));
}

#[test]
fn a_search_uses_the_callers_clock() {
    // Each reading advances the clock by a tenth of a second, so the time for the move has passed after ten readings.
    let looks = Arc::new(std::sync::atomic::AtomicU64::new(0));
    let counted = Arc::clone(&looks);
    let tick = move || Duration::from_millis(100 * counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
    let mut engine = Engine::with_clock(TimeSource::new(tick));
    let limits = Limits { move_time: Some(Duration::from_secs(1)), ..engine.limits() };
    let answer = engine.go(&Game::new(Variant::English), limits).unwrap();
    let looks = looks.load(std::sync::atomic::Ordering::Relaxed);
    assert!(answer.best.is_some() && answer.time >= Duration::from_secs(1), "{answer:?}");
    assert!((8..40).contains(&looks), "{looks}");
}

/// Returns weights that evaluate every position as 100 for the side to move, before conversion to the common scale.
fn weights(variant: Variant) -> Vec<u8> {
    let inputs = Inputs::new(variant.spec().shape).count();
    let mut weights = Weights::zero(inputs);
    weights.buckets.iter_mut().for_each(|bucket| bucket.last_bias = 100 * OUTPUT_SCALE);
    WeightsFile { identity: Identity::for_variant(variant), note: "a test".into(), weights }.to_bytes()
}

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("soffio-{}-{name}.weights", std::process::id()))
}

fn engine(variant: Variant) -> Engine {
    let mut engine = Engine::new();
    engine.apply(Setting::Variant(variant)).unwrap();
    engine
}

#[test]
fn weights_from_a_file_are_used_until_they_are_reset() {
    let (mut engine, game, path) = (engine(Variant::Frisian), Game::new(Variant::Frisian), path("used"));
    let before = engine.evaluation(&game);
    fs::write(&path, weights(Variant::Frisian)).unwrap();
    engine.apply(Setting::EvalFile(Some(path.clone()))).unwrap();
    fs::remove_file(&path).unwrap();
    let parts = engine.evaluation(&game).0;
    assert_eq!(parts, [("network", Chances::for_pieces(Variant::Frisian, 40).score(100)), ("hard-to-win", 0)]);
    engine.apply(Setting::Evaluation(EvaluationKind::Plain(PlainKind::Material))).unwrap();
    assert_ne!(engine.evaluation(&game).0, parts);
    engine.apply(Setting::Evaluation(EvaluationKind::Nnue)).unwrap();
    engine.apply(Setting::Variant(Variant::Frysk)).unwrap();
    assert_ne!(engine.evaluation(&Game::new(Variant::Frysk)).0, parts, "the file is for a different variant");
    engine.apply(Setting::Variant(Variant::Frisian)).unwrap();
    assert_eq!(engine.evaluation(&game).0, parts);
    engine.apply(Setting::EvalFile(None)).unwrap();
    assert_eq!(engine.evaluation(&game), before);
}

#[test]
fn a_rejected_file_changes_nothing() {
    let (mut engine, game, path) = (engine(Variant::Russian), Game::new(Variant::Russian), path("refused"));
    let good = weights(Variant::Russian);
    fs::write(&path, &good).unwrap();
    engine.apply(Setting::EvalFile(Some(path.clone()))).unwrap();
    let before = engine.evaluation(&game);
    let mut refuse = |bytes: &[u8], reason: &str| {
        fs::write(&path, bytes).unwrap();
        let error = engine.apply(Setting::EvalFile(Some(path.clone()))).unwrap_err().to_string();
        assert_eq!(error, format!("option EvalFile {}: {reason}", path.display()));
        assert_eq!(engine.evaluation(&game), before);
    };
    let mut damaged = good.clone();
    damaged[40] ^= 1;
    refuse(&damaged, "the file is damaged: checksum mismatch");
    let length = good.len();
    refuse(&good[..length / 2], &format!("the file should have {length} bytes but has {}", length / 2));
    refuse(&weights(Variant::Brazilian), "the weights are for a different variant: \"brazilian\"");
    refuse(b"", "not a weights file");
    fs::remove_file(&path).unwrap();
    let error = engine.apply(Setting::EvalFile(Some(path.clone()))).unwrap_err().to_string();
    assert!(error.starts_with(&format!("option EvalFile {}: ", path.display())), "{error}");
    assert_eq!(engine.evaluation(&game), before);
}

#[path = "../../examples/analyse_position.rs"]
mod analyse_position;
#[path = "../../examples/play_game.rs"]
mod play_game;
#[path = "../../examples/read_pdn.rs"]
mod read_pdn;
#[path = "../../examples/time_control.rs"]
mod time_control;

#[test]
fn the_examples_run() {
    analyse_position::main().unwrap();
    play_game::main().unwrap();
    read_pdn::main().unwrap();
    time_control::main().unwrap();
}
