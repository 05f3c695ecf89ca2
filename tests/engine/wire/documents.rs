//! Tests that `protocol.md` describes all commands and parameters in the parser's tables.

use soffio::wire::native::{COMMANDS, GO_PARAMETERS, WhileSearching};
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../protocol.md");

/// Formats a command or parameter in the same way as the page.
fn usage(name: &str, syntax: &str) -> String {
    format!("{name} {syntax}").trim_end().to_owned()
}

#[test]
fn every_command_has_a_heading_with_its_syntax() {
    let headings = PAGE.lines().filter_map(|line| line.strip_prefix("### ")).map(|heading| heading.replace('\\', ""));
    let described: BTreeSet<String> =
        headings.flat_map(|heading| heading.split(", ").map(str::to_owned).collect::<Vec<_>>()).collect();
    for row in COMMANDS {
        let usage = usage(row.name, row.syntax);
        assert!(described.contains(&usage), "protocol.md has no heading for '{usage}'");
    }
}

#[test]
fn every_parameter_of_go_is_in_the_table() {
    for row in GO_PARAMETERS {
        let usage = usage(row.name, row.syntax);
        assert!(PAGE.contains(&format!("`{usage}`")), "protocol.md does not list `{usage}`");
    }
}

#[test]
fn the_lists_of_commands_allowed_during_a_search_are_complete() {
    for (start, kind) in [
        ("- Executed immediately: ", WhileSearching::Allowed),
        ("- Stop the search first: ", WhileSearching::StopsSearch),
        ("- Rejected with an error: ", WhileSearching::Rejected),
    ] {
        let (_, list) = PAGE.split_once(start).unwrap_or_else(|| panic!("protocol.md has no list '{start}'"));
        let (list, _) = list.split_once('.').unwrap();
        let listed: BTreeSet<&str> = list.split('`').skip(1).step_by(2).collect();
        let expected: BTreeSet<&str> =
            COMMANDS.iter().filter(|row| row.while_searching == kind).map(|row| row.name).collect();
        assert_eq!(listed, expected, "{start}");
    }
}
