//! `soffio play` in a pipe, and what the program says about itself.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// What the program says to `input`.
fn soffio(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soffio"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program can be started");
    child.stdin.take().expect("the input is a pipe").write_all(input.as_bytes()).expect("the input is read");
    child.wait_with_output().expect("the program ends")
}

#[test]
fn in_a_pipe_standard_error_says_that_a_game_was_not_saved() {
    let note = "soffio: the game was not saved; \"save FILE\" before the end of the input saves it\n";
    let draughts = ["play", "--variant", "english", "--black", "human"];
    let tavla = ["play", "--variant", "tavla", "--black", "human"];
    for (arguments, input, expected) in [
        (&draughts, "22-18\nquit\n", ""),
        (&draughts, "11-15\nquit\n", note),
        (&draughts, "11-15\n", note),
        (&tavla, "quit\n", ""),
        (&tavla, "dice 31\n8/5,6/5\nquit\n", note),
        (&tavla, "dice 31\n8/5,6/5\n", note),
    ] {
        let output = soffio(arguments, input);
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected, "{arguments:?} {input:?}");
        assert!(output.status.success());
    }
}

#[test]
fn completions_and_manual_pages_are_printed() {
    for (arguments, part) in [
        (&["completions", "bash"][..], "complete -F _soffio"),
        (&["completions", "zsh"], "#compdef soffio"),
        (&["man"], "soffio\\-match"),
        (&["man", "match"], "soffio\\-match"),
    ] {
        let output = soffio(arguments, "");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains(part), "{arguments:?}: {text}");
    }
    let refused = soffio(&["man", "chess"], "");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no command is called 'chess'"));
    assert!(!refused.status.success());
}
