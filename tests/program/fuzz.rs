//! Fuzz tests of all parsers for external text: commands, FEN, moves, PDN, Hub, DXP and journals.
//!
//! An input is a line from a corpus with few or many mutations. No input may cause a panic or a hang, each error must
//! fit on one line, printed output must parse to the same value, and a session must still answer. Each test has a short
//! run and a long run. The long run is ignored by default, and an environment variable sets its number of inputs.
//! `tests/campaigns/fuzz` starts the long runs.

use crate::common::driver::Driver;
use fastrand::Rng;
use soffio::notation::pdn::{PdnReader, Tokens, read_games};
use soffio::notation::{FenRecord, MoveRecord, WrittenGame};
use soffio::rules::Variant;
use soffio::session::{Hub, Native};
use soffio::wire::{hub, native};
use soffio_match::dxp;
use soffio_match::{Control, GameLog, game_record, read_openings};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Number of inputs in a short run.
const FEW: u64 = 5_000;

/// Calls `check` with inputs that are derived from the lines of `corpus`. If `check` panics, the input is printed.
fn run(name: &str, corpus: &str, inputs: u64, mut check: impl FnMut(&str)) {
    let lines: Vec<&str> = corpus.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")).collect();
    assert!(lines.len() >= 5, "the corpus of {name} has {} lines", lines.len());
    let mut mutator = Mutator::new(&lines, Rng::with_seed(inputs));
    for number in 0..inputs {
        let input = mutator.next();
        if catch_unwind(AssertUnwindSafe(|| check(&input))).is_err() {
            panic!("{name}, input {number} of {inputs}: {input:?}");
        }
    }
}

/// Returns the number of inputs in a long run, which is `FUZZ_INPUTS` or, by default, ten million.
fn many() -> u64 {
    std::env::var("FUZZ_INPUTS").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000_000)
}

/// Asserts that `error` fits on one line of the protocol.
fn assert_one_line(error: &dyn std::fmt::Display) {
    let text = error.to_string();
    assert!(!text.contains(char::is_control) && text.len() < 1000, "{text:?}");
}

/// Characters that are significant in at least one format, and other characters.
const SIGNS: &[char] = &[
    ' ', '\t', '\n', '\r', ':', ',', '.', '-', 'x', '=', '"', '\\', '[', ']', '{', '}', '(', ')', '*', '/', '+', '%',
    ';', '$', '?', '!', '#', '~', '|', '<', '>', '0', '1', '9', 'W', 'B', 'K', 'w', 'b', 'e', 'a', 'h', '\0', '\u{7f}',
    'é', 'ш', '黑', '\u{feff}', '\u{202e}', '\u{fffd}', '😀',
];

/// Numbers that are close to overflows and other limits.
const NUMBERS: &[&str] =
    &["0", "-1", "1", "50", "51", "255", "256", "65535", "65536", "4294967296", "18446744073709551616", "1e300", "nan"];

/// Maximum length of an input in characters.
const LONGEST: usize = 4000;

struct Mutator<'a> {
    corpus: &'a [&'a str],
    rng: Rng,
}

impl<'a> Mutator<'a> {
    fn new(corpus: &'a [&'a str], rng: Rng) -> Self {
        Self { corpus, rng }
    }

    fn line(&mut self) -> Vec<char> {
        self.rng.choice(self.corpus).map(|line| line.chars().collect()).unwrap_or_default()
    }

    /// Returns the next input, which is a line with no, a few or many mutations.
    fn next(&mut self) -> String {
        let mut text = self.line();
        let changes = [0, 1, 1, 1, 2, 3, 5, 20];
        for _ in 0..changes[self.rng.usize(..changes.len())] {
            self.change(&mut text);
        }
        text.truncate(LONGEST);
        text.into_iter().collect()
    }

    fn change(&mut self, text: &mut Vec<char>) {
        let rng = &mut self.rng;
        let at = rng.usize(..=text.len());
        let end = (at + rng.usize(..=8)).min(text.len());
        match rng.u8(..9) {
            0 => drop(text.drain(at..end)),
            1 => text.insert(at, SIGNS[rng.usize(..SIGNS.len())]),
            2 if at < text.len() => text[at] = SIGNS[rng.usize(..SIGNS.len())],
            3 => {
                let part = text[at..end].to_vec();
                (0..rng.usize(1..4)).for_each(|_| drop(text.splice(at..at, part.iter().copied())));
            }
            4 => text.truncate(at),
            5 => drop(text.splice(at..end, NUMBERS[rng.usize(..NUMBERS.len())].chars())),
            6 => text[at..end].reverse(),
            7 if at < text.len() => text[at] = char::from_u32(rng.u32(..0x250)).unwrap_or(' '),
            _ => {
                let other = self.line();
                let from = self.rng.usize(..=other.len());
                text.truncate(at);
                text.extend(&other[from..]);
            }
        }
    }
}

/// Returns the cells in column `number` of a table, one per line.
fn column(table: &str, number: usize) -> String {
    let cells = table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split(" | ").nth(number));
    cells.map(|cell| format!("{cell}\n")).collect()
}

fn commands(inputs: u64) {
    let rows = native::COMMANDS.iter().map(|row| format!("{} {}\n", row.name, row.syntax));
    let parameters = native::GO_PARAMETERS.iter().map(|row| format!("go {} {}\n", row.name, row.syntax));
    let corpus =
        concat!(include_str!("../data/commands_valid.txt"), include_str!("../data/commands_invalid.txt")).to_owned();
    let corpus = corpus + &rows.chain(parameters).collect::<String>();
    let (mut driver, mut number) = (Driver::<Native>::new(), 0);
    run("commands", &corpus, inputs, |text| {
        // A command line cannot contain a line break.
        let line = text.replace(['\n', '\r'], " ");
        let command = native::NativeCommand::read(&line);
        match &command {
            Err(error) => assert_one_line(error),
            Ok(None) => {}
            Ok(Some(command)) => {
                let printed = command.to_string();
                assert_eq!(native::NativeCommand::read(&printed).as_ref(), Ok(&Some(command.clone())), "{printed}");
            }
        }
        number += 1;
        if number <= FEW {
            command_in_session(&mut driver, &line, command);
        }
    });
}

/// Sends a command line to a session. Asserts that the session prints one best move per search, and can still answer.
fn command_in_session(
    driver: &mut Driver<Native>,
    line: &str,
    command: Result<Option<native::NativeCommand>, native::CommandError>,
) {
    let is_go = match &command {
        // `quit` ends the session, `bench` takes a long time, and a large table would need too much memory.
        Ok(Some(native::NativeCommand::Quit | native::NativeCommand::Bench)) => return,
        Ok(Some(native::NativeCommand::SetOption { name, .. })) if name.eq_ignore_ascii_case("hash") => return,
        Ok(Some(native::NativeCommand::Go(_))) => true,
        _ => false,
    };
    let replies = driver.send(line);
    match &command {
        Err(error) => {
            let text = native::NativeReply::Error(error.to_string()).to_string();
            assert!(text.is_ascii(), "{text}");
            assert_eq!(replies, [text]);
        }
        Ok(None) => assert!(replies.is_empty(), "{replies:?}"),
        Ok(Some(_)) => assert_eq!(driver.send("isready"), ["readyok"]),
    }
    let is_refused = replies.iter().any(|reply| reply.starts_with("error "));
    let answers = driver.stop();
    let bestmoves = answers.iter().filter(|answer| answer.starts_with("bestmove ")).count();
    assert_eq!(bestmoves, usize::from(is_go && !is_refused), "{answers:?}");
    assert_eq!(driver.send("isready"), ["readyok"]);
    assert!(driver.send("status").iter().all(|reply| !reply.contains('\n')));
}

fn fens(inputs: u64) {
    let corpus = column(include_str!("../data/fen_valid.txt"), 1) + &column(include_str!("../data/fen_invalid.txt"), 1);
    let variants: Vec<_> = Variant::listed().collect();
    let mut number = 0;
    run("fen", &corpus, inputs, |text| {
        let record = match text.parse::<FenRecord>() {
            Ok(record) => record,
            Err(error) => return assert_one_line(&error),
        };
        assert_eq!(record.to_string().parse::<FenRecord>().as_ref(), Ok(&record));
        number += 1;
        let variant = variants[number % variants.len()];
        match WrittenGame::from_start(variant, Some(&record)) {
            Err(error) => assert_one_line(&error),
            Ok(game) => {
                let fen = game.fen();
                let again = WrittenGame::from_start(variant, Some(&fen)).map(|game| game.fen());
                assert_eq!(again.as_ref(), Ok(&fen), "{variant}");
            }
        }
    });
}

fn moves(inputs: u64) {
    let corpus =
        column(include_str!("../data/moves_valid.txt"), 2) + &column(include_str!("../data/moves_invalid.txt"), 2);
    let start = |(variant, fen): (Variant, &str)| {
        let fen: FenRecord = fen.parse().unwrap();
        WrittenGame::from_start(variant, Some(&fen)).unwrap()
    };
    let games = [
        (Variant::International, "W:W31-50:B1-20"),
        (Variant::International, "W:W31,K50:B18,19,22"),
        (Variant::Russian, "W:Wa1,Kd2:Be3,g5"),
        (Variant::Italian, "B:WK6,9,17,32:B8,14,16,K31"),
    ]
    .map(start);
    let mut number = 0;
    run("moves", &corpus, inputs, |text| {
        let record = match text.parse::<MoveRecord>() {
            Ok(record) => record,
            Err(error) => return assert_one_line(&error),
        };
        assert_eq!(record.to_string().parse::<MoveRecord>().as_ref(), Ok(&record));
        number += 1;
        let mut game = games[number % games.len()].clone();
        if let Err(error) = game.play_record(&record) {
            assert_one_line(&error);
        }
    });
}

fn records(inputs: u64) {
    run("pdn", include_str!("../data/fuzz/pdn.txt"), inputs, |text| {
        // In the corpus, `~` stands for a line break in a record.
        let text = text.replace('~', "\n");
        assert_eq!(Tokens::new(&text).map(|token| token.text).collect::<String>(), text);
        let games: Vec<_> = PdnReader::new(&text).collect();
        assert!(games.is_empty() || games.iter().map(|game| game.source).collect::<String>() == text);
        for game in &games {
            game.notes.iter().for_each(|note| assert_one_line(note));
            let printed = game.record.to_string();
            let again = read_games(&printed);
            assert!(again.len() == 1 || game.record.tags.is_empty(), "{printed}");
            let count: usize = again.iter().map(|game| game.moves.len()).sum();
            assert!(again.len() != 1 || count == game.moves.len(), "{printed}");
        }
        if let Err(error) = read_openings(&text, Some(4), Variant::Italian) {
            assert_one_line(&error);
        }
    });
}

fn hub_lines(inputs: u64) {
    let corpus = column(include_str!("../data/hub_malformed.txt"), 0) + include_str!("../data/fuzz/hub.txt");
    let (mut driver, mut number) = (Driver::<Hub>::new(), 0);
    run("hub", &corpus, inputs, |text| {
        let text = text.replace(['\n', '\r'], " ");
        match hub::HubCommand::read(&text) {
            Err(error) => assert_one_line(&error),
            // Hub values cannot be printed with a quotation mark, although an unquoted value may contain one.
            Ok(Some(command)) if format!("{command:?}").contains("\\\"") => {}
            Ok(Some(command)) => {
                let printed = command.to_string();
                let again = hub::HubCommand::read(&printed);
                assert_eq!(again.as_ref().map(|read| read.as_ref().map(ToString::to_string)), Ok(Some(printed)));
            }
            Ok(None) => {}
        }
        if let Some(reply) = hub::HubReply::read(&text) {
            reply.to_string();
        }
        number += 1;
        // `quit` ends the session, and a large table would need too much memory.
        let is_skipped = ["quit", "hash", "tt-size"].iter().any(|word| text.contains(word));
        if number <= FEW && !is_skipped {
            let output = driver.send(&text);
            assert_eq!(driver.send("ping"), ["pong"]);
            let answers: Vec<_> = output.into_iter().chain(driver.stop()).collect();
            let done = answers.iter().filter(|answer| answer.starts_with("done")).count();
            assert_eq!(done, usize::from(text.split_whitespace().next() == Some("go")), "{answers:?}");
            assert!(answers.iter().all(|answer| !answer.contains('\n')));
            assert_eq!(driver.send("ping"), ["pong"]);
        }
    });
}

fn dxp_messages(inputs: u64) {
    run("dxp", include_str!("../data/fuzz/dxp.txt"), inputs, |text| match dxp::DxpMessage::read(text) {
        Err(error) => assert_one_line(&error),
        Ok(message) => {
            let printed = message.to_string();
            assert_eq!(dxp::DxpMessage::read(&printed).map(|again| again.to_string()), Ok(printed));
        }
    });
}

fn journals(inputs: u64) {
    run("journals", include_str!("../data/fuzz/journal.txt"), inputs, |text| {
        let Ok(log) = serde_json::from_str::<GameLog>(text) else { return };
        let again = serde_json::to_string(&log).ok().and_then(|text| serde_json::from_str::<GameLog>(&text).ok());
        assert_eq!(again.as_ref(), Some(&log));
        let none = Control::default();
        let record = game_record(&log, Variant::English, "fuzz", "?", [&none, &none]);
        assert!(record.to_string().ends_with("\n\n"));
    });
}

macro_rules! runs {
    ($($reader:ident, $few:ident, $many:ident;)*) => {
        $(
            #[test]
            fn $few() {
                $reader(FEW);
            }

            #[test]
            #[ignore = "takes minutes: millions of inputs"]
            fn $many() {
                $reader(many());
            }
        )*
    };
}

runs! {
    commands, commands_few, commands_many;
    fens, fens_few, fens_many;
    moves, moves_few, moves_many;
    records, records_few, records_many;
    hub_lines, hub_few, hub_many;
    dxp_messages, dxp_few, dxp_many;
    journals, journals_few, journals_many;
}

#[test]
fn inputs_are_varied_and_reproducible() {
    let corpus = ["W:W31-50:B1-20", "go depth 3"];
    let inputs = |seed| {
        let mut mutator = Mutator::new(&corpus, Rng::with_seed(seed));
        (0..1000).map(|_| mutator.next()).collect::<Vec<_>>()
    };
    let one = inputs(1);
    assert_eq!(one, inputs(1));
    let different: std::collections::HashSet<_> = one.iter().collect();
    assert!(different.len() > 700 && one.contains(&corpus[0].to_owned()), "{}", different.len());
}
