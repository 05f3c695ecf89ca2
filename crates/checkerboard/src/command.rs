//! Parses CheckerBoard's engine commands, and answers those that need no engine.

use super::board::{MAX_LONG_REPLY, TOO_LONG, UNKNOWN};
use super::convert::{listed_move, renamed_position};
use super::history::read_history;
use anyhow::{Result, anyhow, bail, ensure};
use soffio::notation::printed_moves;
use soffio::{FenRecord, Game, Variant};

const HELP_FILE: &str = "soffio.htm";

#[derive(Debug)]
pub enum EngineCommand {
    Answer(String),
    Get(String),
    Set(String, String),
    /// The game so far, as sent with `set gamehist`.
    History(Box<Game>),
}

pub fn read(game: Variant, text: &str) -> Result<EngineCommand> {
    let (verb, rest) = split(text);
    let (topic, value) = split(rest);
    let answer = |text: String| Ok(EngineCommand::Answer(text));
    match (verb, topic) {
        ("name", "") => answer(name()),
        ("about", "") => answer(about(game)),
        ("help", "") => answer(HELP_FILE.to_owned()),
        ("get", "protocolversion") => answer("2".to_owned()),
        ("get", "gametype") => answer(game.game_type().unwrap_or_default().to_string()),
        ("get", "movelist") => answer(move_list(game, value)?),
        ("set", "gamehist") => {
            let history = read_history(game, value).map_err(|error| anyhow!("gamehist {error}"))?;
            Ok(EngineCommand::History(Box::new(history)))
        }
        ("get", name) => Ok(EngineCommand::Get(name.to_owned())),
        ("set", name) => Ok(EngineCommand::Set(name.to_owned(), value.to_owned())),
        _ => bail!(UNKNOWN),
    }
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).map_or((text, ""), |(first, rest)| (first, rest.trim_start()))
}

pub fn name() -> String {
    concat!("Soffio ", env!("CARGO_PKG_VERSION")).to_owned()
}

fn about(game: Variant) -> String {
    let name = name();
    format!("{name}, {game} draughts\n\nThe Soffio developers\nMIT or Apache 2.0, at your option")
}

/// Lists the legal moves in the position `fen`. The position is not checked for legality, because CheckerBoard tests
/// whether the command is supported with a position in which the side to move has no pieces.
fn move_list(game: Variant, fen: &str) -> Result<String> {
    let record: FenRecord = fen.parse()?;
    let spec = game.spec();
    let setup = renamed_position(game, record).to_setup(spec)?;
    let moves = printed_moves(spec, &setup);
    let mut text = format!("movelist {}", moves.len());
    for (index, sequence) in moves.iter().enumerate() {
        text += if index == 0 { "," } else { "" };
        text += &listed_move(game, &setup, sequence);
        text.push(';');
    }
    ensure!(text.len() <= MAX_LONG_REPLY, TOO_LONG);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{MAX_SHORT_REPLY, SUPPORTED_GAMES};
    use crate::settings::EngineSettings;
    use soffio::engine::Options;

    fn answer(game: Variant, text: &str) -> String {
        match read(game, text) {
            Ok(EngineCommand::Answer(answer)) => answer,
            Ok(other) => format!("{other:?}"),
            Err(error) => format!("no: {error}"),
        }
    }

    #[test]
    fn queries_are_answered() {
        assert!(answer(Variant::English, "name").starts_with("Soffio "));
        assert!(answer(Variant::Spanish, "about").contains("spanish draughts"));
        assert_eq!(answer(Variant::English, " get  protocolversion "), "2");
        for game in SUPPORTED_GAMES {
            assert_eq!(answer(game, "get gametype"), game.game_type().unwrap_or_default().to_string());
            assert_eq!(answer(game, "get movelist B:W1:B"), "movelist 0", "the probe of CheckerBoard");
        }
    }

    #[test]
    fn move_lists_match_the_position() {
        for end in ["", "."] {
            let text = format!("get movelist B:W31:B3{end}");
            assert_eq!(answer(Variant::Italian, &text), "movelist 2,0,6,6,3,6;0,6,6,3,7;");
        }
        let captures = answer(Variant::Italian, "get movelist B:W11,13,19,21:B6,9");
        assert_eq!(captures, "movelist 2,2,6,6,6,22,15,11,5,22,19,5;2,6,6,9,25,18,13,5,25,21,5;");
        assert!(answer(Variant::English, "get movelist W:W99:B1").starts_with("no: "));
        assert!(answer(Variant::English, "get movelist").starts_with("no: "));
    }

    #[test]
    fn a_list_too_long_for_its_buffer_is_rejected() {
        let long = answer(Variant::Russian, "get movelist W:WK3,K4,K27,K30:BK6,K26,K14,K13,K15,K24,K7,K28");
        assert!(long.starts_with("movelist ") && (900..=MAX_LONG_REPLY).contains(&long.len()), "{long}");
        let longer = answer(Variant::Russian, "get movelist W:WK20,K12,K32:BK29,K4,K27,K14,K16,K15,K22,K6");
        assert_eq!(longer, "no: too long for CheckerBoard's buffer");
    }

    #[test]
    fn settings_are_parsed_within_their_range() {
        let before = EngineSettings {
            options: Options { hash: 1, table_memory: 1, own_book: false, ..Options::default() },
            all_scores: false,
            solves: true,
            uses_tables: true,
            table_folder: None,
            book_file: None,
        };
        let set = |text: &str| match read(Variant::English, text) {
            Ok(EngineCommand::Set(name, value)) => {
                let mut settings = before.clone();
                let done = settings.set(&name, &value).map_err(|error| error.to_string());
                assert!(done.is_ok() || settings == before, "{text}");
                done.map(|()| settings.get(&name).unwrap())
            }
            other => panic!("{text}: {other:?}"),
        };
        let folder = std::env::current_dir().unwrap().to_string_lossy().into_owned();
        for (text, value) in [
            ("set hashsize 128", "128"),
            ("set searchthreads 3", "3"),
            ("set allscores 1", "1"),
            ("set solve 0", "0"),
            ("set enable_wld 0", "0"),
            ("set max_dbpieces 5", "5"),
            ("set max_dbpieces 10", "8"),
            ("set dbmbytes 0", "0"),
            ("set book 0", "0"),
            ("set book 3", "3"),
            ("set bookfile", ""),
            ("set dbpath", ""),
            ("set dbpath .", &folder),
        ] {
            assert_eq!(set(text).as_deref(), Ok(value), "{text}");
        }
        assert_eq!(set("set allscores 2"), Err("allscores must be 0 or 1, not '2'".to_owned()));
        for text in [
            "set hashsize", "set hashsize 0", "set hashsize -1", "set searchthreads 1000", "set hashsize x",
            "set max_dbpieces -1", "set max_dbpieces many", "set dbmbytes -1", "set enable_wld on", "set book 4",
            "set bookfile no such folder", "set dbpath no such folder",
        ] {
            let error = set(text).unwrap_err();
            assert!(!error.is_empty() && error != "?" && error.len() <= MAX_SHORT_REPLY, "{text}: {error}");
            assert!(!text.contains("folder") || error.contains("no such folder"), "{error}");
        }
    }

    #[test]
    fn a_game_is_parsed_with_checkerboards_numbers() {
        let read = |game, text: &str| match read(game, text) {
            Ok(EngineCommand::History(game)) => Ok(game.ply()),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.to_string()),
        };
        let english = "set gamehist B:WK12,K27,30,32:B21,K24,28,K31 24-19 27-24 19-15 12-16";
        assert_eq!(read(Variant::English, english), Ok(4));
        assert_eq!(read(Variant::Russian, "set gamehist W:WK32:BK5 32-28 5-1"), Ok(2));
        assert!(read(Variant::English, "set gamehist").is_err());
        let error = read(Variant::English, "set gamehist B:W30:B21 21-30").unwrap_err();
        assert!(error.starts_with("gamehist move"), "{error}");
    }
}
