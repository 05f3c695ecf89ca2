//! Few games of few nodes: what a plan promises.

use super::*;
use crate::rules::Variant;
use crate::stop::Stop;
use crate::train::data::{DataFile, TrainingGame};
use crate::train::{TrainingProgress, TrainingSettings, learn};
use std::collections::HashSet;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn plan(variant: Variant) -> Plan {
    let players = vec![Player::Material];
    Plan { variant, limit: Limit::Nodes(30), seed: 1, players, eval_file: None, tables: None, noise: 10 }
}

/// A path of its own for each test.
fn path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("soffio-{}-{name}.played", std::process::id()));
    drop(fs::remove_file(&path));
    path
}

fn play_to(path: &Path, plan: &Plan, part: (u64, Shard), threads: usize) -> Played {
    play(plan, part, path, NonZeroUsize::new(threads).unwrap(), &Stop::new(), &mut |_| {}).unwrap()
}

fn games(path: &Path) -> Vec<TrainingGame> {
    let games = DataFile::open(path).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
    fs::remove_file(path).unwrap();
    games
}

#[test]
fn the_file_does_not_depend_on_the_number_of_threads() {
    let files = [1, 3].map(|threads| {
        let path = path(&format!("threads-{threads}"));
        let played = play_to(&path, &plan(Variant::English), (40, Shard::ALL), threads);
        assert_eq!((played.before, played.now, played.all), (0, 40, 40));
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        bytes
    });
    assert!(files[0].len() > 1000 && files[0] == files[1]);
}

#[test]
fn an_interrupted_plan_goes_on_where_it_was() {
    let (whole, broken) = (path("whole"), path("broken"));
    let plan = plan(Variant::Russian);
    play_to(&whole, &plan, (12, Shard::ALL), 2);
    let stop = Stop::new();
    let one = NonZeroUsize::MIN;
    let played = play(&plan, (12, Shard::ALL), &broken, one, &stop, &mut |_| stop.stop()).unwrap();
    assert!(0 < played.now && played.now < 12, "{played:?}");
    let rest = play_to(&broken, &plan, (12, Shard::ALL), 2);
    assert_eq!((rest.before, rest.before + rest.now), (played.now, 12));
    assert_eq!(games(&whole), games(&broken));
}

#[test]
fn the_parts_of_a_plan_are_the_plan() {
    let plan = plan(Variant::Italian);
    let whole = path("all-parts");
    play_to(&whole, &plan, (7, Shard::ALL), 1);
    let mut parts = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let path = path(&format!("part-{}", &shard[..1]));
        play_to(&path, &plan, (7, shard.parse().unwrap()), 1);
        parts.extend(games(&path));
    }
    parts.sort_by_key(|game| game.number);
    assert_eq!(parts, games(&whole));
    for wrong in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3"] {
        assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
    }
}

#[test]
fn games_differ_and_are_what_they_say() {
    for variant in [Variant::International, Variant::Turkish, Variant::Canadian, Variant::LosingEnglish] {
        let path = path(variant.name());
        play_to(&path, &plan(variant), (8, Shard::ALL), 2);
        let games = games(&path);
        assert_eq!(games.len(), 8);
        let lines: HashSet<_> = games.iter().map(|game| format!("{:?}", game.positions)).collect();
        assert_eq!(lines.len(), 8, "{variant}");
        for game in &games {
            assert!(game.positions.is_sorted_by_key(|position| position.ply), "{variant}");
            // Random moves are not among them.
            assert!(game.positions.iter().all(|position| position.ply >= 6), "{variant}");
            for position in &game.positions {
                assert_eq!(position.setup().check(variant.spec()), Ok(()), "{variant}");
            }
        }
    }
}

#[test]
fn a_file_of_another_plan_is_left_alone() {
    let path = path("another-plan");
    play_to(&path, &plan(Variant::English), (2, Shard::ALL), 1);
    let before = fs::read(&path).unwrap();
    let other = Plan { seed: 2, ..plan(Variant::English) };
    let error = |plan: &Plan| {
        let result = play(plan, (4, Shard::ALL), &path, NonZeroUsize::MIN, &Stop::new(), &mut |_| {});
        result.unwrap_err().to_string()
    };
    let text = error(&other);
    assert!(text.starts_with("the games in it were to be played in another way: english, nodes 30, seed 1"), "{text}");
    let text = error(&plan(Variant::Italian));
    assert_eq!(text, "the games are of another variant or by other rules: english");
    let unused = Plan { players: vec![Player::Material], eval_file: Some("a file".into()), ..other.clone() };
    assert_eq!(error(&unused), "a file: no player uses these weights");
    let text = error(&Plan { players: vec![Player::Learned], eval_file: Some("/no/file".into()), ..other });
    assert!(text.starts_with("/no/file: "), "{text}");
    assert_eq!(fs::read(&path).unwrap(), before);
    fs::remove_file(&path).unwrap();
}

#[test]
fn what_is_played_can_be_learned_from() {
    let path = path("learned-from");
    let plan = plan(Variant::Russian);
    play_to(&path, &plan, (300, Shard::ALL), 2);
    let settings = TrainingSettings { held_out: 0.3, batch: 256, ..TrainingSettings::of(Variant::Russian.spec()) };
    let learned = |variant| {
        let go_on = &mut |_: TrainingProgress| ControlFlow::Continue(());
        learn(variant, std::slice::from_ref(&path), &settings, |_| "a test".into(), go_on)
    };
    let (bytes, trained) = learned(Variant::Russian).unwrap();
    let report = &trained.report;
    assert!(report.best.held_out < report.epochs[0].held_out, "{report:?}");
    assert!(learned(Variant::Russian).is_ok_and(|(again, _)| again == bytes));
    // A new generation is played by what was learned.
    let weights = self::path("weights");
    fs::write(&weights, &bytes).unwrap();
    let next = self::path("next-generation");
    let plan = Plan { players: vec![Player::Learned], eval_file: Some(weights.clone()), ..plan };
    play_to(&next, &plan, (3, Shard::ALL), 1);
    assert_eq!(games(&next).len(), 3);
    let text = learned(Variant::English).unwrap_err().to_string();
    assert!(text.ends_with("the games are of another variant or by other rules: russian"), "{text}");
    [path, weights].iter().for_each(|path| fs::remove_file(path).unwrap());
}
