//! Tests of training: game files, self-play games, and the weights trained from them.
#![cfg(test)]

use soffio::board::Shape;
use soffio::eval::nnue::read_weights;
use soffio::rules::{Identity, Variant};
use soffio::shard::Shard;
use soffio::stop::Stop;
use soffio_training::data::{
    DataError, DataFile, DataHeader, DataReader, DataWriter, GameOutcome, PositionRecord, TrainingGame,
};
use soffio_training::self_play::{Limit, SelfPlayCounts, SelfPlayPlan, SelfPlayer, play};
use soffio_training::{TrainingProgress, TrainingSettings, train};
use std::collections::HashSet;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Returns a different path for each test.
fn path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("soffio-{}-{name}.games", std::process::id()));
    drop(fs::remove_file(&path));
    path
}

fn header(shape: Shape) -> DataHeader {
    DataHeader { shape, identity: Identity::new("some", "rules"), plan: "400 nodes, seed 1".into() }
}

fn random_game(shape: Shape, number: u64, random: &mut fastrand::Rng) -> TrainingGame {
    let count = random.u16(1..200);
    let position = |ply| {
        let pieces = random.u128(..) & shape.mask();
        let white = pieces & random.u128(..);
        PositionRecord {
            white,
            black: pieces & !white,
            kings: pieces & random.u128(..) & random.u128(..),
            white_to_move: random.bool(),
            quiet: random.bool(),
            ply,
            score: random.bool().then_some(random.i16(..)),
        }
    };
    let positions = (0..count).map(position).collect();
    let outcome = [GameOutcome::WhiteLost, GameOutcome::Draw, GameOutcome::WhiteWon][number as usize % 3];
    TrainingGame { number, outcome, positions }
}

fn made_up_games(shape: Shape) -> Vec<TrainingGame> {
    let mut random = fastrand::Rng::with_seed(1);
    (0..60).map(|number| random_game(shape, number, &mut random)).collect()
}

/// Writes a file with artificial games in frames of ten games, and returns its bytes.
fn written(path: &Path, shape: Shape) -> Vec<u8> {
    let mut writer = DataWriter::create(path, header(shape)).unwrap();
    for ten in made_up_games(shape).chunks(10) {
        ten.iter().for_each(|game| writer.write(game).unwrap());
        writer.flush().unwrap();
    }
    fs::read(path).unwrap()
}

fn read(bytes: &[u8]) -> Result<(Vec<TrainingGame>, bool), DataError> {
    let mut reader = DataReader::new(bytes)?;
    let games = (&mut reader).collect::<Result<_, _>>()?;
    Ok((games, reader.is_truncated))
}

#[test]
fn games_are_read_back() {
    for shape in [Shape::BOARD10, Shape::BOARD12, Shape::BOARD14] {
        let path = path(&format!("whole-{}", shape.width));
        let bytes = written(&path, shape);
        assert_eq!(DataFile::open(&path).unwrap().header, header(shape));
        fs::remove_file(path).unwrap();
        assert_eq!(read(&bytes).unwrap(), (made_up_games(shape), false));
    }
}

#[test]
fn a_file_cut_anywhere_is_resumed_after_its_last_whole_frame() {
    let path = path("cut");
    drop(DataWriter::create(&path, header(Shape::BOARD10)).unwrap());
    let head = fs::read(&path).unwrap().len();
    fs::remove_file(&path).unwrap();
    let whole = written(&path, Shape::BOARD10);
    let all = made_up_games(Shape::BOARD10);
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..50 {
        let length = random.usize(head..=whole.len());
        fs::write(&path, &whole[..length]).unwrap();
        let (before, is_truncated) = read(&whole[..length]).unwrap();
        let mut seen = Vec::new();
        let mut writer = DataWriter::resume(&path, header(Shape::BOARD10), |game| seen.push(game.number)).unwrap();
        assert_eq!(seen, (0..before.len() as u64).collect::<Vec<_>>());
        assert_eq!(is_truncated, fs::metadata(&path).unwrap().len() != length as u64);
        all[before.len()..].iter().for_each(|game| writer.write(game).unwrap());
        writer.flush().unwrap();
        assert_eq!(read(&fs::read(&path).unwrap()).unwrap(), (all.clone(), false));
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn every_kind_of_damage_is_detected() {
    let path = path("damage");
    let good = written(&path, Shape::BOARD10);
    fs::remove_file(path).unwrap();
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..1000 {
        let mut bytes = good.clone();
        let place = random.usize(..bytes.len());
        match random.u8(..3) {
            0 => bytes[place] ^= 1 << random.u8(..8),
            1 => bytes.insert(place, !good[place]),
            _ => drop(bytes.remove(place)),
        }
        // At the very end, a missing byte looks like a truncated file, and an extra byte like a frame header.
        if let Ok((games, is_truncated)) = read(&bytes) {
            assert!(is_truncated && games.len() >= 50, "damage at {place} of {}", good.len());
        }
    }
}

#[test]
fn a_foreign_file_is_rejected_with_the_reason() {
    let path = path("foreign");
    let bytes = written(&path, Shape::BOARD10);
    let resume = |header| DataWriter::resume(&path, header, |_| {}).unwrap_err().to_string();
    let good = header(Shape::BOARD10);
    let other = DataHeader { identity: Identity::new("some", "other rules"), ..good.clone() };
    assert_eq!(
        resume(other),
        "the file contains some games, which are of a different variant or follow different rules"
    );
    let other = DataHeader { plan: "500 nodes".into(), ..good.clone() };
    assert_eq!(resume(other), "the games were generated with different settings: 400 nodes, seed 1");
    assert!(
        matches!(DataWriter::create(&path, good.clone()), Err(DataError::Io(_))),
        "existing files are not overwritten"
    );
    assert_eq!(fs::read(&path).unwrap(), bytes, "a rejected file is left alone");
    fs::remove_file(&path).unwrap();
    assert!(matches!(DataFile::open(&path), Err(DataError::Io(_))));
    let error = |bytes: &[u8]| DataReader::new(bytes).unwrap_err().to_string();
    assert_eq!(error(b""), "not a self-play game file");
    assert_eq!(error(b"SOFFDATA\x07\x00\x00\x00\x00\x00"), "unsupported version 7: the current version is 1");
    assert!(error(&bytes[..30]).ends_with("bytes but has 30"));
}

#[test]
fn games_off_the_board_are_rejected() {
    let path = path("off");
    let mut writer = DataWriter::create(&path, header(Shape::BOARD10)).unwrap();
    let mut game = random_game(Shape::BOARD10, 0, &mut fastrand::Rng::with_seed(5));
    game.positions[0].white |= 1 << 100;
    assert!(matches!(writer.write(&game), Err(DataError::Unfit(_))));
    fs::remove_file(path).unwrap();
}

fn plan(variant: Variant) -> SelfPlayPlan {
    let players = vec![SelfPlayer::Material];
    let endings = SelfPlayPlan::DEFAULT_ENDINGS;
    SelfPlayPlan {
        variant,
        limit: Limit::Nodes(30),
        seed: 1,
        players,
        eval_file: None,
        tables: None,
        endings,
        noise: 10,
    }
}

fn play_to(path: &Path, plan: &SelfPlayPlan, part: (u64, Shard), threads: usize) -> SelfPlayCounts {
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
        assert_eq!((played.resumed, played.played, played.total), (0, 40, 40));
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        bytes
    });
    assert!(files[0].len() > 1000 && files[0] == files[1]);
}

#[test]
fn an_interrupted_plan_is_resumed() {
    // Enough games that the first one is reported before the last one has been played.
    const ALL: u64 = 60;
    let (whole, broken) = (path("whole"), path("broken"));
    let plan = plan(Variant::Russian);
    play_to(&whole, &plan, (ALL, Shard::ALL), 2);
    let stop = Stop::new();
    let one = NonZeroUsize::MIN;
    let played = play(&plan, (ALL, Shard::ALL), &broken, one, &stop, &mut |_| stop.stop()).unwrap();
    assert!(0 < played.played && played.played < ALL, "{played:?}");
    let rest = play_to(&broken, &plan, (ALL, Shard::ALL), 2);
    assert_eq!((rest.resumed, rest.resumed + rest.played), (played.played, ALL));
    assert_eq!(games(&whole), games(&broken));
}

#[test]
fn a_finished_plan_with_duplicate_games_stays_finished() {
    const ALL: u64 = 100;
    let path = path("duplicates");
    let plan = SelfPlayPlan { endings: 100, noise: 0, limit: Limit::Nodes(1), ..plan(Variant::Frysk) };
    let played = play_to(&path, &plan, (ALL, Shard::ALL), 2);
    assert!(played.duplicate_games > 0 && played.played == ALL, "{played:?}");
    let again = play_to(&path, &plan, (ALL, Shard::ALL), 2);
    assert_eq!((again.resumed + again.played, again.positions), (ALL, 0));
    assert_eq!(games(&path).len() as u64, ALL - played.duplicate_games);
}

#[test]
fn the_shards_of_a_plan_add_up_to_the_plan() {
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
fn games_differ_and_match_their_header() {
    for variant in [Variant::International, Variant::Turkish, Variant::Canadian, Variant::LosingEnglish] {
        let path = path(variant.name());
        play_to(&path, &plan(variant), (8, Shard::ALL), 2);
        let games = games(&path);
        assert_eq!(games.len(), 8);
        let lines: HashSet<_> = games.iter().map(|game| format!("{:?}", game.positions)).collect();
        assert_eq!(lines.len(), 8, "{variant}");
        for game in &games {
            assert!(game.positions.is_sorted_by_key(|position| position.ply), "{variant}");
            // Random opening moves are not recorded. An endgame with a few pieces starts without random moves.
            let [first, ..] = game.positions.as_slice() else { continue };
            assert!(first.ply >= 6 || (first.white | first.black).count_ones() <= 10, "{variant}");
            for position in &game.positions {
                assert_eq!(position.setup().check(variant.spec()), Ok(()), "{variant}");
            }
        }
    }
}

#[test]
fn a_file_with_a_different_plan_is_not_changed() {
    let path = path("another-plan");
    play_to(&path, &plan(Variant::English), (2, Shard::ALL), 1);
    let before = fs::read(&path).unwrap();
    let other = SelfPlayPlan { seed: 2, ..plan(Variant::English) };
    let error = |plan: &SelfPlayPlan| {
        let result = play(plan, (4, Shard::ALL), &path, NonZeroUsize::MIN, &Stop::new(), &mut |_| {});
        result.unwrap_err().to_string()
    };
    let text = error(&other);
    assert!(text.starts_with("the games were generated with different settings: english, nodes 30, seed 1"), "{text}");
    let text = error(&plan(Variant::Italian));
    assert_eq!(text, "the file contains english games, which are of a different variant or follow different rules");
    let unused =
        SelfPlayPlan { players: vec![SelfPlayer::Material], eval_file: Some("a file".into()), ..other.clone() };
    assert_eq!(error(&unused), "a file: no player uses these weights; add learned to --players");
    let text = error(&SelfPlayPlan { players: vec![SelfPlayer::Nnue], eval_file: Some("/no/file".into()), ..other });
    assert!(text.starts_with("/no/file: "), "{text}");
    assert_eq!(fs::read(&path).unwrap(), before);
    fs::remove_file(&path).unwrap();
}

#[test]
fn self_play_games_can_be_trained_on() {
    let path = path("learned-from");
    let plan = plan(Variant::Russian);
    play_to(&path, &plan, (300, Shard::ALL), 2);
    let settings =
        TrainingSettings { held_out: 0.3, batch: 256, ..TrainingSettings::for_rules(Variant::Russian.spec()) };
    let learned = |variant| {
        let go_on = &mut |_: TrainingProgress| ControlFlow::Continue(());
        train(variant, std::slice::from_ref(&path), &settings, None, &|_| "a test".into(), go_on)
    };
    let (bytes, trained) = learned(Variant::Russian).unwrap();
    let report = &trained.report;
    assert!(report.best.held_out < report.epochs[0].held_out, "{report:?}");
    assert!(learned(Variant::Russian).is_ok_and(|(again, _)| again == bytes));
    // Use the trained weights to play the next generation.
    let weights = self::path("weights");
    fs::write(&weights, &bytes).unwrap();
    let next = self::path("next-generation");
    let plan = SelfPlayPlan { players: vec![SelfPlayer::Nnue], eval_file: Some(weights.clone()), ..plan };
    play_to(&next, &plan, (3, Shard::ALL), 1);
    assert_eq!(games(&next).len(), 3);
    let text = learned(Variant::English).unwrap_err().to_string();
    assert!(
        text.ends_with("the file contains russian games, which are of a different variant or follow different rules"),
        "{text}"
    );
    [path, weights].iter().for_each(|path| fs::remove_file(path).unwrap());
}

#[test]
fn training_can_start_from_weights_of_a_different_variant() {
    let path = path("killer");
    play_to(&path, &plan(Variant::KillerRussian), (300, Shard::ALL), 2);
    let weights_of = |game: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/weights");
        read_weights(&folder.join(game).with_extension("weights")).unwrap()
    };
    let learned = |start| {
        let settings =
            TrainingSettings { held_out: 0.3, start, ..TrainingSettings::for_rules(Variant::KillerRussian.spec()) };
        let mut losses = Vec::new();
        let go_on = &mut |progress: TrainingProgress| {
            if let TrainingProgress::Epoch(epoch) = progress {
                losses.push(epoch.held_out);
            }
            ControlFlow::Continue(())
        };
        let note = &|_: &_| "a test".to_owned();
        let end = train(Variant::KillerRussian, std::slice::from_ref(&path), &settings, None, note, go_on);
        (end.map(drop), losses)
    };
    let ((_, from_russian), (_, from_nothing)) = (learned(Some(weights_of("russian"))), learned(None));
    assert!(from_russian[0] < from_nothing[0], "{from_russian:?} {from_nothing:?}");
    let text = learned(Some(weights_of("international"))).0.unwrap_err().to_string();
    assert_eq!(text, "initial weights: the weights do not match the board");
    fs::remove_file(path).unwrap();
}
