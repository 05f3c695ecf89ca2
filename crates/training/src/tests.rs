//! Tests that train on artificial games with a known ground truth.

use super::data::{DataHeader, DataWriter, GameOutcome, PositionRecord, TrainingGame};
use super::samples::{outcome_of, sigmoid};
use super::*;
use soffio::board::{Bits, Shape};
use soffio::eval::nnue::{GameKind, Nnue, Weights, WeightsError, WeightsFile};
use soffio::notation::FenRecord;
use soffio::position::{History, with_width};
use soffio::rules::{Color, Identity, Variant};
use soffio::stop::Stop;
use soffio::tables::wld::{self, SliceResults};
use soffio::tables::{Adjudicator, AnyTables, Slice, Solver, TableOutcome, distances};
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

const KIND: GameKind = GameKind::for_rules(Variant::Russian.spec());

const MAN: f32 = 0.69;

fn random_position(random: &mut fastrand::Rng, ply: u16) -> PositionRecord {
    let [mut white, mut black, mut kings] = [0; 3];
    let of_ten = random.u8(3..8);
    for square in Shape::BOARD8.all_squares() {
        if random.u8(..10) >= of_ten {
            continue;
        }
        *if random.bool() { &mut white } else { &mut black } |= 1 << square.index();
        if random.u8(..40) == 0 {
            kings |= 1 << square.index();
        }
    }
    PositionRecord { white, black, kings, white_to_move: random.bool(), quiet: true, ply, score: None }
}

/// The ground truth, which determines the results of the artificial games. It defines the value of a position in cp
/// from the point of view of the side to move.
struct Truth {
    /// Value of a man on each square, from its owner's point of view.
    men: Vec<f32>,
}

impl Truth {
    fn new() -> Self {
        let mut random = fastrand::Rng::with_seed(1);
        Self { men: (0..Shape::BOARD8.all_squares().count()).map(|_| 50.0 + 100.0 * random.f32()).collect() }
    }

    fn value(&self, position: &PositionRecord) -> f32 {
        let mut squares: Vec<_> = Shape::BOARD8.all_squares().collect();
        squares.sort();
        let last = squares.len() - 1;
        let mut value = 0.0;
        for (place, square) in squares.into_iter().enumerate() {
            match (position.white >> square.index() & 1, position.black >> square.index() & 1) {
                (1, _) => value += self.men[place],
                (_, 1) => value -= self.men[last - place],
                _ => {}
            }
        }
        if position.white_to_move { value } else { -value }
    }
}

fn value(evaluation: &Nnue, position: &PositionRecord) -> f32 {
    let [white, black, kings] = [position.white, position.black, position.kings].map(u64::from_mask);
    evaluation.evaluate(white, black, kings, position.white_to_move) as f32
}

fn game(truth: &Truth, number: u64, random: &mut fastrand::Rng) -> TrainingGame {
    let mut position = random_position(random, 20);
    let score = truth.value(&position);
    let is_won = random.f32() < sigmoid(score / 100.0 * MAN);
    position.score = Some(score as i16);
    TrainingGame {
        number,
        outcome: if is_won == position.white_to_move { GameOutcome::WhiteWon } else { GameOutcome::WhiteLost },
        positions: vec![position],
    }
}

fn settings() -> TrainingSettings {
    TrainingSettings { batch: 128, rate: 0.005, decay: 0.01, ..TrainingSettings::default() }
}

fn samples(games: u64, settings: &TrainingSettings) -> Samples<u64> {
    let truth = Truth::new();
    let mut random = fastrand::Rng::with_seed(2);
    let mut samples = Samples::default();
    (0..games).for_each(|number| samples.add(&game(&truth, number, &mut random), None, settings));
    samples
}

fn continue_training(_: TrainingProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn correlation(pairs: &[(f32, f32)]) -> f32 {
    let count = pairs.len() as f32;
    let mean = |of: fn(&(f32, f32)) -> f32| pairs.iter().map(of).sum::<f32>() / count;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f32, f32) -> f32| pairs.iter().map(|pair| of(pair.0 - x, pair.1 - y)).sum::<f32>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

/// Returns the correlation of the trained values with the truth in positions with equal material, in which only the
/// squares of the men matter.
fn likeness(weights: &Weights) -> f32 {
    let (truth, nnue) = (Truth::new(), Nnue::new(KIND, weights.clone()).unwrap());
    let mut random = fastrand::Rng::with_seed(3);
    let even = std::iter::repeat_with(|| random_position(&mut random, 20))
        .filter(|position| position.kings == 0 && position.white.count_ones() == position.black.count_ones());
    let values = |position| (truth.value(&position), value(&nnue, &position));
    correlation(&even.take(2000).map(values).collect::<Vec<_>>())
}

#[test]
fn training_recovers_the_ground_truth() {
    let learned = |games, score_share| {
        let settings = TrainingSettings { score_share, ..settings() };
        let (weights, report) = fit(KIND, &samples(games, &settings), &settings, &mut continue_training).unwrap();
        assert!(report.best.held_out < report.epochs[0].held_out - 0.02, "{report:?}");
        assert_eq!(report.clamped, 0);
        likeness(&weights)
    };
    let [few, many, scores] = [learned(2000, 0.0), learned(30_000, 0.0), learned(30_000, 1.0)];
    assert!(many > 0.75 && many > few + 0.1, "{few} {many}");
    assert!(scores > 0.95, "{scores}");
}

#[test]
fn the_weights_do_not_depend_on_the_number_of_threads() {
    let settings = settings();
    let samples = samples(3000, &settings);
    let fitted = |threads| {
        let settings = TrainingSettings { threads: NonZeroUsize::new(threads).unwrap(), ..settings.clone() };
        fit(KIND, &samples, &settings, &mut continue_training).unwrap()
    };
    let alone = fitted(1);
    assert_eq!(alone, fitted(2));
    assert_eq!(alone, fitted(5));
    let other = fit(KIND, &samples, &TrainingSettings { seed: 2, ..settings }, &mut continue_training).unwrap();
    assert_ne!(alone.0, other.0);
}

#[test]
fn training_without_improvement_has_no_result() {
    let settings = TrainingSettings { rate: 1e30, ..settings() };
    let result = fit(KIND, &samples(500, &settings), &settings, &mut continue_training);
    assert!(result.unwrap_err().to_string().starts_with("no epoch improved on"));
}

#[test]
fn training_starts_from_given_weights() {
    let settings = settings();
    let samples = samples(20_000, &settings);
    let short = TrainingSettings { epochs: 1, ..settings.clone() };
    let (weights, report) = fit(KIND, &samples, &short, &mut continue_training).unwrap();
    let start = WeightsFile { identity: Identity::for_variant(Variant::Russian), note: String::new(), weights };
    let settings =
        TrainingSettings { start: Some(start), man_logits: report.man_logits as f32, rate: 0.002, ..settings };
    let (_, next) = fit(KIND, &samples, &settings, &mut continue_training).unwrap();
    let begun = next.epochs[0].held_out;
    assert!((begun - report.best.held_out).abs() < 0.001, "{begun} after {}", report.best.held_out);
    assert!(next.best.held_out < begun, "{:?}", next.best);
    let other = GameKind::for_rules(Variant::International.spec());
    let refused = fit(other, &samples, &settings, &mut continue_training).unwrap_err();
    assert_eq!(refused.to_string(), format!("initial weights: {}", WeightsError::Board));
}

#[test]
fn a_larger_decay_keeps_weights_small() {
    let samples = samples(2000, &settings());
    let size = |decay| {
        let settings = TrainingSettings { decay, ..settings() };
        let (weights, _) = fit(KIND, &samples, &settings, &mut continue_training).unwrap();
        weights.first.iter().flatten().map(|value| f64::from(*value).powi(2)).sum::<f64>()
    };
    assert!(size(10.0) < size(0.01) / 2.0);
}

#[test]
fn a_game_and_its_mirror_image_are_trained_alike() {
    let kind = GameKind { shape: Shape::BOARD8_EVERY, lone_king_holds: false, men: 16 };
    let mut random = fastrand::Rng::with_seed(9);
    // The further left White's men are, the better White does. Mirroring moves the men to the right in half of the
    // positions.
    let mut samples = Samples::<u64>::default();
    let settings = TrainingSettings { first_ply: 0, ..settings() };
    let left = 0x0f0f_0f0f_0f0f_0f0f_u64;
    let mut place =
        |set: u64| 1u64 << std::iter::repeat_with(|| random.u8(..64)).find(|&bit| set >> bit & 1 == 1).unwrap();
    for number in 0..2000 {
        let is_left = number % 2 == 0;
        let white = place(if is_left { left } else { !left });
        let black = place(!white);
        let position = PositionRecord {
            white: white.into(),
            black: black.into(),
            kings: 0,
            white_to_move: true,
            quiet: true,
            ply: 9,
            score: None,
        };
        let outcome = if is_left { GameOutcome::WhiteWon } else { GameOutcome::Draw };
        samples.add(&TrainingGame { number, outcome, positions: vec![position] }, None, &settings);
    }
    let (weights, report) = fit(kind, &samples, &settings, &mut continue_training).unwrap();
    let nnue = Nnue::new(kind, weights).unwrap();
    // With random mirroring, left and right carry no information, and the minimum loss is 0.562. Without it, the
    // minimum loss would be 0.347.
    assert!(report.best.held_out > 0.53, "{report:?}");
    let values: Vec<i32> = (0..64).map(|bit| nnue.evaluate(1u64 << bit, 1 << (63 - bit), 0, true)).collect();
    let mean = |is_left: bool| {
        (0..64).filter(|bit| (left >> bit & 1 == 1) == is_left).map(|bit| values[bit]).sum::<i32>() / 32
    };
    assert!((mean(true) - mean(false)).abs() < 40, "{values:?}");
}

#[test]
fn a_score_of_100_is_the_value_of_an_extra_man() {
    let settings = settings();
    let samples = samples(40_000, &settings);
    let (_, report) = fit(KIND, &samples, &settings, &mut continue_training).unwrap();
    assert!((0.5..0.9).contains(&report.man_logits), "{}", report.man_logits);
    let settings = TrainingSettings { fixed_scale: true, man_logits: 0.25, ..settings };
    let (_, report) = fit(KIND, &samples, &settings, &mut continue_training).unwrap();
    assert_eq!(report.man_logits, 0.25);
}

#[test]
fn only_some_positions_are_sampled() {
    let settings = TrainingSettings { score_share: 0.5, ..settings() };
    let mut random = fastrand::Rng::with_seed(4);
    let good = PositionRecord { score: Some(50), ..random_position(&mut random, 20) };
    let positions = vec![
        good,
        PositionRecord { quiet: false, ..good },
        PositionRecord { ply: 3, ..good },
        PositionRecord { score: None, ..good },
        PositionRecord { ply: 40, ..good },
        PositionRecord { white_to_move: !good.white_to_move, ..good },
    ];
    let mut samples = Samples::<u64>::default();
    samples.add(&TrainingGame { number: 0, outcome: GameOutcome::WhiteWon, positions }, None, &settings);
    let counts = samples.counts;
    let found = [counts.positions, counts.not_quiet, counts.early, counts.unscored, counts.duplicates];
    assert_eq!(found, [6, 1, 1, 1, 1]);
    assert_eq!((counts.games, counts.fit + counts.held_out), (1, 2));
    let kept: Vec<_> = samples.fit.iter().chain(&samples.held_out).collect();
    let chance = sigmoid(if good.white_to_move { 0.5 } else { -0.5 } * settings.man_logits);
    assert!((kept[0].target - (1.0 + chance) / 2.0).abs() < 1e-6);
    assert!((kept[1].target - (2.0 - chance) / 2.0).abs() < 1e-6);
}

#[test]
fn large_scores_are_limited() {
    let settings = TrainingSettings { score_share: 1.0, held_out: 0.0, ..settings() };
    let mut random = fastrand::Rng::with_seed(4);
    let scores = [-32_000, -601, -600, 600, 700];
    let positions = scores.map(|score| PositionRecord { score: Some(score), ..random_position(&mut random, 20) });
    let mut samples = Samples::<u64>::default();
    let game = TrainingGame { number: 0, outcome: GameOutcome::Draw, positions: positions.to_vec() };
    samples.add(&game, None, &settings);
    let chance = |score: f32| sigmoid(score / 100.0 * settings.man_logits);
    let targets: Vec<_> = samples.fit.iter().map(TrainingSample::target_of_mover).collect();
    let expected = [-600.0, -600.0, -600.0, 600.0, 600.0].map(chance);
    assert!(targets.iter().zip(expected).all(|(target, expected)| (target - expected).abs() < 1e-6), "{targets:?}");
    assert_eq!(targets.len(), scores.len());
}

#[test]
fn endgame_tables_correct_earlier_results() {
    let folder = std::env::temp_dir().join(format!("soffio-train-tables-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let spec = Variant::English.spec();
    with_width!(AnyTables::new(Variant::English), mut tables => {
        for slice in Slice::all(spec, 2) {
            let done = &AtomicU64::new(0);
            let table = Solver { tables: &tables, threads: NonZeroUsize::MIN, is_stopped: &|| false, done }.solve(slice).unwrap();
            distances::write(&folder, Variant::English, &table, NonZeroUsize::MIN, &Stop::new()).unwrap();
            tables.add(table);
        }
    });
    let tables = Adjudicator::open(&folder, Variant::English).unwrap();
    let record = |fen: &str, ply| {
        let setup = fen.parse::<FenRecord>().unwrap().to_setup(spec).unwrap();
        let [mut white, mut black, mut kings] = [0u128; 3];
        for (square, piece) in &setup.pieces {
            let bit = u128::from_square(*square);
            *if piece.color == Color::White { &mut white } else { &mut black } |= bit;
            kings |= if piece.king { bit } else { 0 };
        }
        PositionRecord { white, black, kings, white_to_move: setup.side == Color::White, quiet: true, ply, score: None }
    };
    // Three pieces, then a king against a king, then a king that has trapped a man, and then three pieces again.
    let positions = [("W:WK18,K32:BK1", 20), ("W:WK32:BK14", 21), ("B:WK14:B5", 22), ("W:WK18,K32:BK1", 23)];
    let positions: Vec<_> = positions.into_iter().map(|(fen, ply)| record(fen, ply)).collect();
    let known: Vec<_> = positions.iter().map(|position| outcome_of(position, &tables)).collect();
    assert_eq!(known, [None, Some(GameOutcome::Draw), Some(GameOutcome::WhiteWon), None]);
    let mut samples = Samples::<u64>::default();
    let settings = TrainingSettings { held_out: 0.0, first_ply: 0, score_share: 0.0, ..settings() };
    samples.add(&TrainingGame { number: 0, outcome: GameOutcome::WhiteLost, positions }, Some(&tables), &settings);
    let targets: Vec<f32> = samples.fit.iter().map(|sample| sample.target).collect();
    assert_eq!((targets, samples.counts.corrected), (vec![0.5, 0.5, 1.0], 3));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn tables_without_distances_correct_wins_that_may_be_late() {
    let folder = tempfile::tempdir().unwrap();
    with_width!(AnyTables::new(Variant::Thai), mut tables => {
        for slice in Slice::all(Variant::Thai.spec(), 3) {
            let done = &AtomicU64::new(0);
            let table = Solver { tables: &tables, threads: NonZeroUsize::MIN, is_stopped: &|| false, done }.solve(slice).unwrap();
            let results = SliceResults::from_table(&table, NonZeroUsize::MIN, &Stop::new()).unwrap();
            wld::write(folder.path(), Variant::Thai, &results, NonZeroUsize::MIN, &Stop::new()).unwrap();
            tables.add(table);
        }
    });
    let tables = Adjudicator::open(folder.path(), Variant::Thai).unwrap();
    // The win takes 23 plies, but another win with the same pieces takes 37, and the game is drawn after 30 plies.
    let outcomes = |fen: &str| {
        let setup = fen.parse::<FenRecord>().unwrap().to_setup(Variant::Thai.spec()).unwrap();
        let outcome = with_width!(&tables.tables, found => {
            tables.outcome(&History::from_setup(found.rules(), &setup).unwrap())
        });
        (outcome, tables.likely_outcome_of(&setup))
    };
    assert_eq!(outcomes("W:WK31,9:BK4"), (None, Some(TableOutcome::Win(None))));
    assert_eq!(outcomes("W:WK31,9:BK4:H1"), (None, None), "29 plies are left");
}

#[test]
fn no_game_is_in_both_parts_of_the_split() {
    let settings = TrainingSettings { held_out: 0.3, ..settings() };
    let mut random = fastrand::Rng::with_seed(5);
    let mut samples = Samples::<u64>::default();
    for number in 0..400 {
        let before = (samples.fit.len(), samples.held_out.len());
        let positions = (0..5).map(|_| random_position(&mut random, 20)).collect();
        samples.add(&TrainingGame { number, outcome: GameOutcome::Draw, positions }, None, &settings);
        let added = (samples.fit.len() - before.0, samples.held_out.len() - before.1);
        assert!(added == (5, 0) || added == (0, 5), "{added:?}");
    }
    assert!((80 * 5..160 * 5).contains(&samples.held_out.len()), "{}", samples.held_out.len());
}

fn write(path: &Path, (variant, plan): (Variant, &str), numbers: std::ops::Range<u64>) {
    let mut writer = DataWriter::create(path, DataHeader::new(variant, plan.to_owned())).unwrap();
    let (truth, mut random) = (Truth::new(), fastrand::Rng::with_seed(numbers.start));
    numbers.for_each(|number| writer.write(&game(&truth, number, &mut random)).unwrap());
    writer.flush().unwrap();
}

#[test]
fn several_files_are_trained_together() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["one", "two", "three"].map(|name| folder.path().join(name));
    write(&paths[0], (Variant::Russian, "a plan"), 0..500);
    write(&paths[1], (Variant::Russian, "another plan"), 500..900);
    write(&paths[2], (Variant::English, "a plan"), 0..10);
    let mut bytes = fs::read(&paths[1]).unwrap();
    bytes.extend([7; 5]);
    fs::write(&paths[1], bytes).unwrap();
    let train = |files: &[PathBuf], settings: &TrainingSettings| {
        train(Variant::Russian, files, settings, None, &|_| "a test".into(), &mut continue_training)
    };

    let (_, trained) = train(&paths[..2], &settings()).unwrap();
    assert_eq!((trained.report.counts.games, trained.report.counts.positions), (900, 900));
    assert_eq!(trained.truncated, [paths[1].clone()]);
    assert_eq!(trained.plans, [("a plan".to_owned(), 500), ("another plan".to_owned(), 400)]);
    assert!(Nnue::new(KIND, trained.weights.clone()).is_ok());
    assert_eq!(trained.report.epochs[0].epoch, 0);

    let error = |files: &[PathBuf], settings: &TrainingSettings| train(files, settings).unwrap_err().to_string();
    let foreign = "the file contains english games, which are of a different variant or follow different rules";
    assert_eq!(error(&paths, &settings()), format!("{}: {foreign}", paths[2].display()));
    assert_eq!(error(&[], &settings()), "no training files");
    let all_held_out = TrainingSettings { held_out: 1.1, ..settings() };
    assert_eq!(error(&paths[..1], &all_held_out), "too few positions: 0 for training and 500 held out; use more games");
    let stop = &mut |_| ControlFlow::Break(());
    let stopped = super::train(Variant::Russian, &paths[..1], &settings(), None, &|_| String::new(), stop);
    assert_eq!(stopped.unwrap_err().to_string(), "stopped before the end: no weights were written");
}
