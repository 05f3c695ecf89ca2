//! Tests of an engine whose tables contain only wins, draws and losses.

use super::{engine, perfect_move, probe, random_game};
use fastrand::Rng;
use soffio::engine::{Engine, Limits, Probed, Setting, TableOutcome, Verdict};
use soffio::game::Game;
use soffio::position::{Piece, Status, with_width};
use soffio::rules::{Color, Variant};
use soffio::score::Value;
use soffio::stop::Stop;
use soffio::tables::wld::SliceResults;
use soffio::tables::{AnyTables, Slice, Solver, distances, wld};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use tempfile::tempdir;

const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

/// Writes the results of `slices` to `folder`, and their distances to another folder inside it.
fn write_tables(folder: &Path, variant: Variant, slices: &[Slice]) {
    let distances = distances(folder);
    fs::create_dir(&distances).expect("a folder");
    with_width!(AnyTables::new(variant), mut tables => for &slice in slices {
        let solver = Solver { tables: &tables, threads: TWO, is_stopped: &|| false, done: &AtomicU64::new(0) };
        let table = solver.solve(slice).expect("a slice");
        let results = SliceResults::from_table(&table, TWO, &Stop::new()).expect("results");
        wld::write(folder, variant, &results, TWO, &Stop::new()).expect("a file");
        distances::write(&distances, variant, &table, TWO, &Stop::new()).expect("a file");
        tables.add(table);
    });
}

fn distances(folder: &Path) -> PathBuf {
    folder.join("distances")
}

/// Creates an engine that uses the files in `folder`, and solves further tables if they fit into `memory` MiB.
fn engine_with(folder: &Path, variant: Variant, memory: usize) -> Engine {
    let mut engine = engine(variant);
    engine.apply(Setting::TableMemory(memory)).expect("it is only a limit");
    engine.apply(Setting::TablePath(Some(folder.to_owned()))).expect("the folder has tables");
    engine
}

fn without_distance(outcome: TableOutcome) -> TableOutcome {
    match outcome {
        TableOutcome::Win(_) => TableOutcome::Win(None),
        TableOutcome::Draw => TableOutcome::Draw,
        TableOutcome::Loss(_) => TableOutcome::Loss(None),
    }
}

#[test]
fn results_match_the_distances() {
    for variant in [Variant::English, Variant::Russian, Variant::International, Variant::LosingRussian] {
        let place = tempdir().expect("a folder");
        write_tables(place.path(), variant, &Slice::all(variant.spec(), 3));
        let (mut with_results, mut with_distances) = (engine_with(place.path(), variant, 0), engine(variant));
        let mut random = Rng::with_seed(9);
        let mut sure = 0;
        for _ in 0..400 {
            let Some(game) = random_game(variant, 3, &mut random) else { continue };
            let Some(Probed { position: expected, .. }) = probe(&mut with_distances, &game) else { continue };
            let fen = format!("{variant} {:?}", game.setup().pieces);
            let found = with_results.probe(&game).expect("a result").position;
            match (found, expected) {
                (Verdict::Sure(found), Verdict::Sure(expected)) => {
                    assert_eq!(without_distance(found), without_distance(expected), "{fen}");
                    sure += 1;
                }
                // Without the distance, it is less often certain that no draw rule can apply.
                (Verdict::Cursed(found), Verdict::Sure(expected) | Verdict::Cursed(expected)) => {
                    assert_eq!(without_distance(found), without_distance(expected), "{fen}");
                }
                (Verdict::Sure(_), Verdict::Cursed(_)) => panic!("{fen}: a draw rule may apply"),
            }
        }
        assert!(sure > 50, "{variant}: {sure}");
    }
}

/// Plays won endings against perfect defence. They have the pieces of the last of `slices`, or any pieces of the same
/// number if `is_any`. The player has only the results of `slices`. Returns the number of endings, and how many of them
/// were won.
fn play_wins(variant: Variant, (slices, is_any): (&[Slice], bool), endings: usize, nodes: u64) -> (usize, usize) {
    let place = tempdir().expect("a folder");
    write_tables(place.path(), variant, slices);
    let last = *slices.last().expect("a slice");
    let pieces = last.material().pieces().into();
    let mut player = engine_with(place.path(), variant, 0);
    let mut defender = engine_with(&distances(place.path()), variant, 0);
    let mut random = Rng::with_seed(3);
    let (mut played, mut won) = (0, 0);
    while played < endings {
        let Some(mut game) = random_game(variant, pieces, &mut random) else { continue };
        if !is_any && slice_of(&game) != last {
            continue;
        }
        let found = probe(&mut defender, &game).map(|found| found.position);
        let Some(Verdict::Sure(TableOutcome::Win(Some(_)))) = found else { continue };
        played += 1;
        let winner = game.side();
        while let Status::Playing { .. } = game.status() {
            let mv = if game.side() == winner {
                let limits = Limits { nodes: Some(nodes), ..player.limits() };
                player.go(&game, limits).expect("enough memory").best.expect("the game continues")
            } else {
                defence(&mut defender, &game)
            };
            assert!(game.play(mv));
        }
        let is_won = matches!(game.status(), Status::Won { winner: side, .. } if side == winner);
        won += usize::from(is_won);
        if !is_won {
            println!("{variant}: not won: {:?}", game.setup());
        }
    }
    (played, won)
}

fn slice_of(game: &Game) -> Slice {
    let count = |color, king| game.setup().pieces.values().filter(|piece| **piece == Piece { color, king }).count();
    let [white, black] =
        [Color::White, Color::Black].map(|color| format!("{}m{}k", count(color, false), count(color, true)));
    Slice::containing(format!("{white}-{black}").parse().expect("a material"))
}

fn defence(defender: &mut Engine, game: &Game) -> soffio::game::Move {
    super::stubborn_move(defender, game).unwrap_or_else(|| perfect_move(defender, game))
}

#[test]
fn wins_without_distances_are_won() {
    let endings = if cfg!(debug_assertions) { 3 } else { 12 };
    for variant in [Variant::English, Variant::Italian, Variant::International] {
        let (played, won) = play_wins(variant, (&Slice::all(variant.spec(), 3), true), endings, 20_000);
        assert_eq!(won, played, "{variant}");
    }
}

/// The first win that the search finds is often not the shortest.
#[test]
#[cfg_attr(debug_assertions, ignore = "solving the tables takes minutes")]
fn short_wins_are_found_without_distances() {
    let place = tempdir().expect("a folder");
    write_tables(place.path(), Variant::English, &Slice::all(Variant::English.spec(), 4));
    let mut player = engine_with(place.path(), Variant::English, 0);
    let mut with_distances = engine_with(&distances(place.path()), Variant::English, 0);
    let mut random = Rng::with_seed(5);
    let (mut wins, mut found) = (0, 0);
    while wins < 100 {
        let Some(game) = random_game(Variant::English, 4, &mut random) else { continue };
        let value = probe(&mut with_distances, &game).map(|found| found.position);
        let Some(Verdict::Sure(TableOutcome::Win(Some(plies @ ..=11)))) = value else { continue };
        let limits = Limits { nodes: Some(20_000), ..player.limits() };
        let answer = player.go(&game, limits).expect("enough memory");
        wins += 1;
        found += u32::from(answer.value == Value::Win(u16::from(plies).div_ceil(2)));
    }
    assert!(found >= 90, "{found} of {wins}");
}

/// The win takes up to 40 plies without a capture, far more than such a search can see.
#[test]
#[cfg_attr(debug_assertions, ignore = "solving the tables takes minutes")]
fn three_kings_beat_two_without_distances() {
    let names = ["0m1k-0m1k", "0m2k-0m1k", "0m2k-0m2k", "0m3k-0m1k", "0m3k-0m2k"];
    let slices = names.map(|name| Slice::containing(name.parse().expect("a material")));
    let (played, won) = play_wins(Variant::English, (&slices, false), 40, 5_000);
    assert_eq!(won, played);
}
