//! Files of game records, and checks of their results.

use soffio::notation::pdn::{GameRecord, GameResult, read_games};
use soffio::notation::{WrittenGame, full_path};
use soffio::position::Status;
use soffio::rules::Variant;
use std::fs;
use std::path::{Path, PathBuf};

/// A place for a file of the test `name`, where no file is.
pub fn new_file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// The games of the file `path`.
#[track_caller]
pub fn records(path: &Path) -> Vec<GameRecord> {
    read_games(&fs::read_to_string(path).expect("it is written")).expect("it is PDN")
}

/// Plays the moves of `record` by the rules, and checks that the result is what it says.
#[track_caller]
pub fn replay(variant: Variant, record: &GameRecord) {
    let start = record.start().expect("the FEN can be read");
    let mut game = WrittenGame::at(variant, start.as_ref()).expect("the position is possible");
    for mv in &record.moves {
        let played = game.play_record(&mv.text.parse().expect("a move")).expect("it is legal");
        assert_eq!(full_path(variant.spec(), &played), mv.text);
    }
    let result = match game.status() {
        Status::Playing { .. } => panic!("the game is not over: {record}"),
        Status::Drawn(_) => GameResult::Draw,
        Status::Won { winner, .. } if winner == variant.spec().starts => GameResult::First,
        Status::Won { .. } => GameResult::Second,
    };
    assert_eq!(record.result, result);
}
