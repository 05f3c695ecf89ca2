//! Tests with random lines.

use crate::common::driver::Driver;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use soffio::session::Native;
use soffio::wire::native::{COMMANDS, GO_PARAMETERS, NativeCommand};

/// Values that some command or parameter accepts, and values that none accepts.
const VALUES: &[&str] = &[
    "Hash", "Clear", "UCI_Variant", "italian", "english", "international", "Move", "Overhead", "0", "1", "3", "-7",
    "99", "18446744073709551616", "22-18", "21-17", "11-15", "9-14", "32-28", "22x15x8", "c3-d4", "x", "22-",
    "W:WK22:B19", "W:W31-50:B1-20", "B:WK1:BK32:H79:F9", "W:W:B", "\u{0}", "é", "\u{202e}", "\t",
];

/// Returns all words that occur in any command. Random lines made of these words test more code than random bytes.
fn words() -> Vec<&'static str> {
    let commands = COMMANDS.iter().flat_map(|row| [row.name, row.syntax]);
    let parameters = GO_PARAMETERS.iter().flat_map(|row| [row.name, row.syntax]);
    let words = commands.chain(parameters).flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
    words.filter(|word| !word.is_empty()).chain(VALUES.iter().copied()).collect()
}

fn sentence() -> impl Strategy<Value = String> {
    vec(select(words()), 0..10).prop_map(|words| words.join(" "))
}

/// Generates lines from random bytes, and decodes them as the line reader does.
fn noise() -> impl Strategy<Value = String> {
    vec(any::<u8>(), 0..60).prop_map(|bytes| String::from_utf8_lossy(&bytes).replace('\n', " "))
}

/// Generates a sentence and replaces one of its characters.
fn mutated() -> impl Strategy<Value = String> {
    (sentence(), any::<prop::sample::Index>(), any::<char>()).prop_map(|(text, index, noise)| {
        let at = if text.is_empty() { 0 } else { index.index(text.chars().count()) };
        text.chars().enumerate().map(|(index, c)| if index == at && noise != '\n' { noise } else { c }).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_lines_leave_the_session_alive(lines in vec(prop_oneof![4 => sentence(), 1 => noise(), 1 => mutated()], 1..12)) {
        let mut driver = Driver::<Native>::new();
        for line in &lines {
            let command = NativeCommand::read(line);
            match &command {
                // `quit` ends the session, and `bench` intentionally takes a long time.
                Ok(Some(NativeCommand::Quit | NativeCommand::Bench)) => continue,
                // A large table would need too much memory for a test.
                Ok(Some(NativeCommand::SetOption { name, .. })) if name.eq_ignore_ascii_case("hash") => continue,
                _ => {}
            }
            let replies = driver.send(line);
            match command {
                Err(error) => prop_assert_eq!(replies, [format!("error {error}")]),
                Ok(None) => prop_assert!(replies.is_empty()),
                Ok(Some(command)) => {
                    let is_accepted_search = matches!(command, NativeCommand::Go(_)) && !replies.iter().any(|reply| reply.starts_with("error "));
                    prop_assert_eq!(driver.send("isready"), ["readyok"], "during {:?}", line);
                    let answers = driver.stop();
                    let bestmoves = answers.iter().filter(|answer| answer.starts_with("bestmove ")).count();
                    prop_assert_eq!(bestmoves, usize::from(is_accepted_search), "{:?}", line);
                }
            }
            prop_assert_eq!(driver.send("isready"), ["readyok"], "after {:?}", line);
            for reply in driver.send("status") {
                prop_assert!(!reply.contains('\n'));
            }
        }
    }
}
