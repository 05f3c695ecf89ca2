//! Reads the parameters of `go`.

use super::help::Shown;
use super::parse::{next_word, one_move, word};
use super::{CommandError, Go};
use std::time::Duration;

/// What the next words of the line set.
enum Parameter {
    Flag(fn(&mut Go)),
    Number { expected: &'static str, set: fn(&mut Go, i64) -> bool },
    Moves,
}

/// The parameters: the name in error messages, which begins with `go`, what the parameter reads, and how the help shows it.
const PARAMETERS: [(&str, Parameter, Shown); 12] = [
    (
        "go depth",
        number("a depth of at least 1", |go, n| at_least(1, n, |n| go.limits.depth = Some(n.min(255) as u8))),
        Shown("N", None),
    ),
    (
        "go nodes",
        number("a number of nodes of at least 1", |go, n| at_least(1, n, |n| go.limits.nodes = Some(n))),
        Shown("N", None),
    ),
    (
        "go movetime",
        number("whole milliseconds from 0", |go, n| at_least(0, n, |n| go.limits.move_time = Some(ms(n)))),
        Shown("MS", Some("search; without a limit until stop")),
    ),
    ("go wtime", number("whole milliseconds", |go, n| any(n, |n| go.white_time = Some(ms(n)))), Shown("MS", None)),
    ("go btime", number("whole milliseconds", |go, n| any(n, |n| go.black_time = Some(ms(n)))), Shown("MS", None)),
    (
        "go winc",
        number("whole milliseconds from 0", |go, n| at_least(0, n, |n| go.white_increment = Some(ms(n)))),
        Shown("MS", None),
    ),
    (
        "go binc",
        number("whole milliseconds from 0", |go, n| at_least(0, n, |n| go.black_increment = Some(ms(n)))),
        Shown("MS", None),
    ),
    (
        "go movestogo",
        number("a number of moves", |go, n| at_least(0, n, |n| go.moves_to_go = Some(n.min(9999) as u32))),
        Shown("N", Some("")),
    ),
    ("go infinite", Parameter::Flag(|go| go.limits.infinite = true), Shown("", None)),
    ("go ponder", Parameter::Flag(|go| go.limits.ponder = true), Shown("", None)),
    ("go searchmoves", Parameter::Moves, Shown("<m>...", Some(""))),
    (
        "go win",
        number("a number of moves from 1 to 60", |go, n| {
            (1..=60).contains(&n) && any(n, |n| go.limits.win_in = Some(n as u16))
        }),
        Shown("N", Some("look for a win in N moves and nothing else")),
    ),
];

/// The parameters as the help shows them.
pub(super) fn shown() -> impl Iterator<Item = (String, Shown)> {
    PARAMETERS.iter().map(|(name, _, shown)| (shown.usage(name.trim_start_matches("go ")), *shown))
}

const fn number(expected: &'static str, set: fn(&mut Go, i64) -> bool) -> Parameter {
    Parameter::Number { expected, set }
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn at_least(least: i64, number: i64, set: impl FnOnce(u64)) -> bool {
    let valid = number >= least;
    if valid {
        set(number.unsigned_abs());
    }
    valid
}

/// Clocks can have run below zero.
fn any(number: i64, set: impl FnOnce(u64)) -> bool {
    set(number.max(0).unsigned_abs());
    true
}

fn parameter(name: &str) -> Option<(&'static str, &'static Parameter)> {
    let mut known = PARAMETERS.iter().map(|(known, parameter, _)| (*known, parameter));
    known.find(|(known, _)| known.strip_prefix("go ").is_some_and(|known| known.eq_ignore_ascii_case(name)))
}

/// Reads the parameters in any order; of one that is given twice the last counts.
pub(super) fn go(arguments: &str) -> Result<Go, CommandError> {
    let mut go = Go::default();
    let mut input = arguments;
    while let Ok((rest, name)) = word(input) {
        input = rest;
        let Some((name, parameter)) = parameter(name) else {
            let expected = "a limit such as depth, nodes, win, movetime, wtime, infinite";
            return Err(CommandError::expected("go", expected, name));
        };
        match parameter {
            Parameter::Flag(set) => set(&mut go),
            Parameter::Number { expected, set } => {
                let text = next_word(input);
                let valid = text.parse().is_ok_and(|number| set(&mut go, number));
                if !valid {
                    return Err(CommandError::expected(name, expected, text));
                }
                input = word(input).map_or("", |(rest, _)| rest);
            }
            Parameter::Moves => input = search_moves(&mut go, input)?,
        }
    }
    let has_clock = go.white_time.is_some() || go.black_time.is_some();
    let needs_clock = go.white_increment.is_some() || go.black_increment.is_some() || go.moves_to_go.is_some();
    if needs_clock && !has_clock {
        return Err(CommandError::Missing { what: "go", expected: "wtime or btime with winc, binc and movestogo" });
    }
    Ok(go)
}

/// Reads moves up to the next parameter; returns what follows them.
fn search_moves<'a>(go: &mut Go, mut input: &'a str) -> Result<&'a str, CommandError> {
    go.search_moves.clear();
    while let Ok((rest, text)) = word(input) {
        if parameter(text).is_some() {
            break;
        }
        go.search_moves.push(one_move(text)?);
        input = rest;
    }
    if go.search_moves.is_empty() {
        return Err(CommandError::Missing { what: "go searchmoves", expected: "a move" });
    }
    Ok(input)
}
