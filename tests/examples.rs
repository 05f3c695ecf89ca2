//! The scripts in `examples/` do what the README says.
#![cfg(unix)]

use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// Far longer than a game at five milliseconds a move takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs the script and waits for the end of its output. Both engines inherit its standard error, which therefore ends
/// only when they are gone.
fn self_play(arguments: &[&str]) -> Output {
    let child = Command::new("bash")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/self_play.sh"))
        .args(arguments)
        .env("SOFFIO", env!("CARGO_BIN_EXE_soffio"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(child.wait_with_output().unwrap()));
    receiver.recv_timeout(PATIENCE).expect("the script or one of its engines does not end")
}

fn plays_a_whole_game(variant: &str) {
    let output = self_play(&[variant, "5"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let (status, moves) =
        text.lines().collect::<Vec<_>>().split_last().map(|(last, rest)| (*last, rest.len())).unwrap();
    assert!(status.starts_with("status ") && !status.starts_with("status playing"), "{status}");
    assert!(moves > 10, "{text}");
}

#[test]
fn two_engines_play_italian_draughts() {
    plays_a_whole_game("italian");
}

#[test]
fn two_engines_play_english_draughts() {
    plays_a_whole_game("english");
}

#[test]
fn two_engines_play_international_draughts() {
    plays_a_whole_game("international");
}

#[test]
fn an_unknown_variant_ends_the_script_and_both_engines() {
    let output = self_play(&["chess", "5"]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("error option UCI_Variant cannot be 'chess'"), "{error}");
}
