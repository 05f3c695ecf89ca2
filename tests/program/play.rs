//! Tests of `soffio play` in a pipe, of completions, and of manual pages.

use crate::process::{program, run_to_end};

#[test]
fn an_unsaved_game_is_reported_on_standard_error() {
    let note = "soffio: the game was not saved; use \"save FILE\" before the end of the input\n";
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
        let (_, errors, is_success) = run_to_end(program(arguments), input);
        assert_eq!((errors.as_str(), is_success), (expected, true), "{arguments:?} {input:?}");
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
        let (text, _, is_success) = run_to_end(program(arguments), "");
        assert!(is_success && text.contains(part), "{arguments:?}: {text}");
    }
    let (_, errors, is_success) = run_to_end(program(&["man", "chess"]), "");
    assert!(errors.contains("unknown command 'chess'") && !is_success, "{errors}");
}
