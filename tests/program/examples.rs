//! Tests that the scripts in `examples/` work as described on the pages in `docs/`, and that the test scripts fail if a
//! step of a release would be skipped.
#![cfg(unix)]

use crate::process::{command, output};
use std::process::Output;

/// Runs a script and reads its output to the end. Both engines inherit the script's standard error, so the output ends
/// only when the engines have exited.
fn run(script: &str, arguments: &[&str]) -> Output {
    let mut bash = command("bash");
    bash.arg(format!("{}/examples/{script}", concat!(env!("CARGO_MANIFEST_DIR"), "/../..")));
    bash.args(arguments).env("SOFFIO", env!("CARGO_BIN_EXE_soffio"));
    output(bash, "")
}

#[test]
fn two_engines_play_a_whole_game() {
    let output = run("self_play.sh", &["english", "5"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let (status, moves) =
        text.lines().collect::<Vec<_>>().split_last().map(|(last, rest)| (*last, rest.len())).unwrap();
    assert!(status.starts_with("status ") && !status.starts_with("status playing"), "{status}");
    assert!(moves > 10, "{text}");
}

#[test]
fn an_unknown_variant_ends_the_script_and_both_engines() {
    let output = run("self_play.sh", &["chess", "5"]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("error option UCI_Variant: invalid value 'chess'"), "{error}");
}

#[test]
fn two_engines_play_over_a_network() {
    let output = run("dxp_match.sh", &["breakthrough", "3", "0.005"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<_> = text.lines().collect();
    assert!(lines.len() == 5 && lines[0].starts_with("connected to 127.0.0.1:"), "{text}");
    assert!(lines[1].starts_with("game 1: initiator - follower "), "{text}");
    assert!(lines[2].starts_with("game 2: follower - initiator "), "{text}");
    assert_eq!(lines[4], "connection closed: all games have been played");
}

#[test]
fn missing_tools_are_skipped_except_for_a_release() {
    let tools = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/tools.sh");
    let with_missing_tools = |strict: &str| {
        let script = format!("set -e; . '{tools}'; missing 'the target'; echo on; skip 'wine'; echo not here");
        let output = command("bash").args(["-c", &script]).env("STRICT", strict).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (status, output, errors) = with_missing_tools("");
    assert_eq!((status, &*output, &*errors), (Some(0), "on\n", "skipped: the target\nskipped: wine\n"));
    let (status, output, errors) = with_missing_tools("1");
    assert_eq!((status, &*output, &*errors), (Some(1), "", "missing: the target\n"));
}

#[test]
fn the_site_client_handles_all_kinds_of_work() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut command = command("python3");
    command.arg(format!("{root}/tests/clients/draughtsnet_site.py")).arg(env!("CARGO_BIN_EXE_soffio"));
    let output = command.output().expect("Python is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
