//! Helpers for files of game records.

use soffio::notation::pdn::{GameRecord, GameResult, read_games};
use soffio::notation::{WrittenGame, full_path};
use soffio::position::Status;
use soffio::rules::Variant;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the path for a file of the test `name`, and removes the file if it exists.
pub fn new_file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

#[track_caller]
pub fn records(path: &Path) -> Vec<GameRecord> {
    read_games(&fs::read_to_string(path).expect("it is written"))
}

/// Replays the moves of `record`, and asserts that they are legal and lead to the recorded result.
#[track_caller]
pub fn replay(variant: Variant, record: &GameRecord) {
    let start = record.start().expect("the FEN can be read");
    let mut game = WrittenGame::from_start(variant, start.as_ref()).expect("the position is possible");
    for mv in &record.moves {
        let played = game.play_record(&mv.text.parse().expect("a move")).expect("it is legal");
        assert_eq!(full_path(variant.spec(), &played), mv.text);
    }
    let result = match game.status() {
        Status::Playing { .. } => panic!("the game has not ended: {record}"),
        Status::Drawn(_) => GameResult::Draw,
        Status::Won { winner, .. } if winner == variant.spec().starts => GameResult::First,
        Status::Won { .. } => GameResult::Second,
    };
    assert_eq!(record.result, result);
}
