//! What each reader must keep to.

use super::{FEW, assert_one_line, many, run};
use crate::arena::{Control, GameLog, game_record, read_openings};
use crate::dxp;
use soffio::notation::pdn::{GameRecord, read_games};
use soffio::notation::{FenRecord, MoveRecord, WrittenGame};
use soffio::rules::Variant;
use soffio::wire::{hub, native};

/// The second part of every line of a table with columns.
fn column(table: &str, number: usize) -> String {
    let cells = table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split(" | ").nth(number));
    cells.map(|cell| format!("{cell}\n")).collect()
}

fn commands(inputs: u64) {
    let corpus = concat!(
        include_str!("../../../../tests/data/commands_valid.txt"),
        include_str!("../../../../tests/data/commands_invalid.txt")
    );
    run("commands", corpus, inputs, |text| {
        // A line of the conversation has no end of line in it.
        if let Err(error) = native::Command::read(&text.replace(['\n', '\r'], " ")) {
            assert_one_line(&error);
        }
    });
}

fn fens(inputs: u64) {
    let corpus = column(include_str!("../../../../tests/data/fen_valid.txt"), 1)
        + &column(include_str!("../../../../tests/data/fen_invalid.txt"), 1);
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
        match WrittenGame::at(variant, Some(&record)) {
            Err(error) => assert_one_line(&error),
            Ok(game) => {
                let fen = game.fen();
                let again = WrittenGame::at(variant, Some(&fen)).map(|game| game.fen());
                assert_eq!(again.as_ref(), Ok(&fen), "{variant}");
            }
        }
    });
}

fn moves(inputs: u64) {
    let corpus = column(include_str!("../../../../tests/data/moves_valid.txt"), 2)
        + &column(include_str!("../../../../tests/data/moves_invalid.txt"), 2);
    let start = |(variant, fen): (Variant, &str)| {
        let fen: FenRecord = fen.parse().unwrap();
        WrittenGame::at(variant, Some(&fen)).unwrap()
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
        if let Err(error) = game.play_way(&record) {
            assert_one_line(&error);
        }
    });
}

fn records(inputs: u64) {
    run("pdn", include_str!("../../../../tests/data/fuzz/pdn.txt"), inputs, |text| {
        // A line of the corpus has its ends of lines written as `~`.
        let text = text.replace('~', "\n");
        match read_games(&text) {
            Err(error) => assert_one_line(&error),
            Ok(games) => {
                let printed: String = games.iter().map(ToString::to_string).collect();
                let again = read_games(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
                // A reader need not keep what no move can be, and may take it together with what follows it.
                let is_whole = |game: &GameRecord| game.moves.iter().all(|mv| mv.text.parse::<MoveRecord>().is_ok());
                let are_whole = games.iter().all(is_whole);
                assert!(again.len() == games.len() || !are_whole, "{printed}");
                for (one, other) in games.iter().zip(&again).filter(|_| are_whole) {
                    assert_eq!(one.tags, other.tags);
                    let texts = |record: &GameRecord| record.moves.iter().map(|mv| mv.text.clone()).collect::<Vec<_>>();
                    assert_eq!((texts(one), one.result), (texts(other), other.result), "{printed}");
                }
            }
        }
        if let Err(error) = read_openings(&text, Some(4)) {
            assert_one_line(&error);
        }
    });
}

fn hub_lines(inputs: u64) {
    let corpus = column(include_str!("../../../../tests/data/hub_malformed.txt"), 0)
        + include_str!("../../../../tests/data/fuzz/hub.txt");
    run("hub", &corpus, inputs, |text| {
        let text = text.replace(['\n', '\r'], " ");
        match hub::Command::read(&text) {
            Err(error) => assert_one_line(&error),
            // Hub cannot write a quotation mark in a value, which a value without quotes can have all the same.
            Ok(Some(command)) if format!("{command:?}").contains("\\\"") => {}
            Ok(Some(command)) => {
                let printed = command.to_string();
                let again = hub::Command::read(&printed);
                assert_eq!(again.as_ref().map(|read| read.as_ref().map(ToString::to_string)), Ok(Some(printed)));
            }
            Ok(None) => {}
        }
        if let Some(reply) = hub::Reply::read(&text) {
            reply.to_string();
        }
    });
}

fn dxp_messages(inputs: u64) {
    run("dxp", include_str!("../../../../tests/data/fuzz/dxp.txt"), inputs, |text| match dxp::Message::read(text) {
        Err(error) => assert_one_line(&error),
        Ok(message) => {
            let printed = message.to_string();
            assert_eq!(dxp::Message::read(&printed).map(|again| again.to_string()), Ok(printed));
        }
    });
}

fn journals(inputs: u64) {
    run("journals", include_str!("../../../../tests/data/fuzz/journal.txt"), inputs, |text| {
        let Ok(log) = serde_json::from_str::<GameLog>(text) else { return };
        let again = serde_json::to_string(&log).ok().and_then(|text| serde_json::from_str::<GameLog>(&text).ok());
        assert_eq!(again.as_ref(), Some(&log));
        let none = Control::default();
        let record = game_record(&log, Variant::English, ("fuzz", "?"), [&none, &none]);
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
