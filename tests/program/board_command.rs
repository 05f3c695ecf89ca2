//! Tests that `soffio board --out` writes the board together with the engine, or reports how to build the engine for
//! browsers.

use crate::process::command;
use std::fs;
use std::process::Output;

#[test]
fn a_board_without_an_engine_reports_how_to_make_one() {
    // The program is linked into an empty folder, so that it finds no engine next to it. A copy could not be started
    // while another test, which starts a process at the same time, still holds the copy open for writing.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let program = folder.path().join("soffio").with_extension(std::env::consts::EXE_EXTENSION);
    fs::hard_link(env!("CARGO_BIN_EXE_soffio"), &program).expect("the program is linked");
    let page = folder.path().join("board.html");
    let write =
        || -> Output { command(&program).args(["board", "--out"]).arg(&page).output().expect("the program starts") };
    let output = write();
    let error = "soffio: soffio-single.js not found next to the program: build it with `crates/wasm/build` in a \
                 checkout (needs rustup, Node and npm), then pass `--worker dist/npm/soffio-single.js`\n";
    assert_eq!((String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()), (error, Some(1)));
    assert!(!page.exists(), "no empty page is left");
    fs::write(folder.path().join("soffio-single.js"), "// the engine").expect("it is written");
    let output = write();
    assert!(output.status.success(), "{output:?}");
    assert!(fs::read_to_string(&page).expect("a page").contains("// the engine"));
}
