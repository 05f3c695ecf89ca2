//! What is written is read, and what is damaged is not.

use super::*;
use crate::board::Shape;
use crate::rules::Identity;
use std::fs;
use std::path::PathBuf;

/// A path of its own for each test.
fn path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("soffio-{}-{name}.games", std::process::id()));
    drop(fs::remove_file(&path));
    path
}

fn header(shape: Shape) -> Header {
    Header { shape, identity: Identity::new("some", "rules"), plan: "400 nodes, seed 1".into() }
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

fn games(shape: Shape) -> Vec<TrainingGame> {
    let mut random = fastrand::Rng::with_seed(1);
    (0..60).map(|number| random_game(shape, number, &mut random)).collect()
}

/// A file with the games, in frames of ten.
fn written(path: &std::path::Path, shape: Shape) -> Vec<u8> {
    let mut writer = DataWriter::create(path, header(shape)).unwrap();
    for ten in games(shape).chunks(10) {
        ten.iter().for_each(|game| writer.write(game).unwrap());
        writer.flush().unwrap();
    }
    fs::read(path).unwrap()
}

fn read(bytes: &[u8]) -> Result<(Vec<TrainingGame>, bool), DataError> {
    let mut reader = DataReader::new(bytes)?;
    let games = (&mut reader).collect::<Result<_, _>>()?;
    Ok((games, reader.is_cut()))
}

#[test]
fn games_are_read_as_they_were_written() {
    for shape in [Shape::BOARD10, Shape::BOARD12, Shape::BOARD14] {
        let path = path(&format!("whole-{}", shape.width));
        let bytes = written(&path, shape);
        assert_eq!(DataFile::open(&path).unwrap().header(), &header(shape));
        fs::remove_file(path).unwrap();
        assert_eq!(read(&bytes).unwrap(), (games(shape), false));
    }
}

#[test]
fn a_file_cut_anywhere_goes_on_where_it_was_whole() {
    let path = path("cut");
    let whole = written(&path, Shape::BOARD10);
    let all = games(Shape::BOARD10);
    let mut random = fastrand::Rng::with_seed(2);
    let head = header(Shape::BOARD10).to_bytes().unwrap().len();
    for _ in 0..50 {
        let length = random.usize(head..=whole.len());
        fs::write(&path, &whole[..length]).unwrap();
        let (before, is_cut) = read(&whole[..length]).unwrap();
        let mut seen = Vec::new();
        let mut writer = DataWriter::resume(&path, header(Shape::BOARD10), |game| seen.push(game.number)).unwrap();
        assert_eq!(seen, (0..before.len() as u64).collect::<Vec<_>>());
        assert_eq!(is_cut, fs::metadata(&path).unwrap().len() != length as u64);
        all[before.len()..].iter().for_each(|game| writer.write(game).unwrap());
        writer.flush().unwrap();
        assert_eq!(read(&fs::read(&path).unwrap()).unwrap(), (all.clone(), false));
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn every_damage_is_noticed() {
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
        // At the very end a missing byte looks like a file that was cut, and a byte more like the start of a frame.
        if let Ok((games, is_cut)) = read(&bytes) {
            assert!(is_cut && games.len() >= 50, "damage at {place} of {}", good.len());
        }
    }
}

#[test]
fn a_foreign_file_is_refused_with_the_reason() {
    let path = path("foreign");
    let bytes = written(&path, Shape::BOARD10);
    let resume = |header| DataWriter::resume(&path, header, |_| {}).unwrap_err().to_string();
    let good = header(Shape::BOARD10);
    let other = Header { identity: Identity::new("some", "other rules"), ..good.clone() };
    assert_eq!(resume(other), "the games are of another variant or by other rules: some");
    let other = Header { plan: "500 nodes".into(), ..good.clone() };
    assert_eq!(resume(other), "the games in it were to be played in another way: 400 nodes, seed 1");
    assert!(matches!(DataWriter::create(&path, good.clone()), Err(DataError::Io(_))), "no file is overwritten");
    assert_eq!(fs::read(&path).unwrap(), bytes, "a refused file is left alone");
    fs::remove_file(&path).unwrap();
    assert!(matches!(DataFile::open(&path), Err(DataError::Io(_))));
    let error = |bytes: &[u8]| DataReader::new(bytes).unwrap_err().to_string();
    assert_eq!(error(b""), "this is no file of games");
    assert_eq!(error(b"SOFFDATA\x07\x00\x00\x00\x00\x00"), "version 7 of the format is unknown");
    assert_eq!(error(&bytes[..30]), "the header is damaged");
}

#[test]
fn games_off_the_board_are_refused() {
    let path = path("off");
    let mut writer = DataWriter::create(&path, header(Shape::BOARD10)).unwrap();
    let mut game = random_game(Shape::BOARD10, 0, &mut fastrand::Rng::with_seed(5));
    game.positions[0].white |= 1 << 100;
    assert!(matches!(writer.write(&game), Err(DataError::Unfit(_))));
    fs::remove_file(path).unwrap();
}
