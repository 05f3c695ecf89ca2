//! Tests that endgame tables are loaded from files in the folder that CheckerBoard sets.
#![cfg(test)]

use soffio::Variant;
use soffio::engine::Options;
use soffio::position::with_width;
use soffio::stop::Stop;
use soffio::tables::distances::write;
use soffio::tables::{AnyTables, Slice, Solver};
use soffio_checkerboard::board::{BLACK, BoardArray, BoardMove, KING, WHITE};
use soffio_checkerboard::settings::Forgetful;
use soffio_checkerboard::{Instance, TimeRequest};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicI32, AtomicU64};

/// Builds the English draughts tables with two and three pieces and writes them to `folder`.
fn build(folder: &Path) {
    let variant = Variant::English;
    with_width!(AnyTables::new(variant), mut tables => {
        for slice in Slice::all(variant.spec(), 3) {
            let solver = Solver {
                tables: &tables,
                threads: NonZeroUsize::MIN,
                is_stopped: &|| false,
                done: &AtomicU64::new(0),
            };
            let solved = solver.solve(slice).unwrap();
            write(folder, variant, &solved, NonZeroUsize::MIN, &Stop::new()).unwrap();
            tables.add(solved);
        }
    });
}

/// Returns the status after a search of 1 ms with two kings against a king in the double corner.
fn status(instance: &Instance) -> String {
    let mut board = BoardArray::default();
    // White's kings are far away from Black's king in the double corner, so the win is long.
    for (x, y, piece) in [(7, 1, BLACK | KING), (2, 6, WHITE | KING), (4, 6, WHITE | KING)] {
        board[x][y] = piece;
    }
    let request = TimeRequest { seconds: 0.001, info: 3, more_info: 0 };
    let played = instance.play(&board, WHITE, request, &AtomicI32::new(0), &mut |_| {});
    assert_ne!(played.mv, BoardMove::default(), "{}", played.status);
    played.status
}

#[test]
fn table_files_are_used_according_to_the_settings() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("end games");
    std::fs::create_dir_all(&folder).unwrap();
    build(&folder);
    let instance = Instance::new(Variant::English, Box::new(Forgetful));
    let set = |text: &str| {
        let reply = instance.command(&format!("set {text}"));
        assert!(reply.is_handled, "{text}: {}", reply.text);
    };
    let knows = || status(&instance).contains("value win in ");
    set("dbmbytes 0");
    assert!(!knows(), "a search without time finds it");
    set(&format!("dbpath {}", folder.display()));
    assert!(knows(), "{}", status(&instance));
    set("max_dbpieces 2");
    assert!(!knows());
    set(&format!("max_dbpieces {}", Options::MAX_TABLE_PIECES));
    set("enable_wld 0");
    assert!(!knows());
    set("enable_wld 1");
    assert!(knows());
    let refused = instance.command("set dbpath no such folder");
    assert!(!refused.is_handled && refused.text.contains("no such folder"), "{}", refused.text);
    assert!(knows(), "a rejected setting changes nothing");
    set("dbpath");
    assert!(!knows());
}
