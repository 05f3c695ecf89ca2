//! Game records: what is printed is read back, whatever is in it, and no bytes whatever make the reader fail badly.

use crate::common::thread_time;
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use soffio::notation::pdn::{GameRecord, GameResult, PdnMove, PdnReader, Variation, decode, read_games};
use std::time::Duration;

fn comment() -> impl Strategy<Value = Option<String>> {
    let word = prop_oneof![
        "[a-z0-9+./=-]{1,12}",
        "[a-z(){}\\[\\]$;%*!\"]{1,8}",
        Just("[Event".to_owned()),
        Just("\"x\"]".to_owned()),
        "\\[%clk 1:[0-5][0-9]:00\\]",
        "[^\\s\\pC{}]{1,90}",
    ];
    let text = vec(word, 1..30).prop_map(|words| words.join(" ").replace('{', "[").replace('}', "]"));
    option::of(text.prop_filter("a comment has words", |text| !text.trim().is_empty()))
}

fn move_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[1-9][0-9]?[-x][1-9][0-9]",
        "[1-9][0-9](x[1-9][0-9]){1,9}",
        "[a-h][1-8][-:][a-h][1-8]",
        "[a-h][1-8][a-h][1-8]",
        Just("/FEN \"W:W31,K32:B1\"/".to_owned()),
    ]
}

fn annotated(variations: impl Strategy<Value = Vec<Variation>>) -> impl Strategy<Value = PdnMove> {
    let glyphs = btree_set(any::<u16>(), 0..3).prop_map(|glyphs| glyphs.into_iter().collect());
    (move_text(), glyphs, comment(), variations).prop_map(|(text, glyphs, comment, variations)| PdnMove {
        text,
        glyphs,
        comment,
        variations,
    })
}

fn variation() -> impl Strategy<Value = Variation> {
    let leaf = || {
        (comment(), vec(annotated(Just(Vec::new())), 0..4)).prop_map(|(comment, moves)| Variation { comment, moves })
    };
    leaf().prop_recursive(4, 16, 3, move |inner| {
        let moves = vec(annotated(vec(inner, 0..3)), 0..4);
        (comment(), moves).prop_map(|(comment, moves)| Variation { comment, moves })
    })
}

fn record() -> impl Strategy<Value = GameRecord> {
    let result = proptest::sample::select(&[
        GameResult::First,
        GameResult::Second,
        GameResult::Draw,
        GameResult::BothLost,
        GameResult::Unknown,
    ]);
    let value = prop_oneof!["[a-zA-Z0-9 \"\\\\]{0,20}", "[^\\pC]{0,20}"];
    let tags = vec(("[A-Z][A-Za-z0-9_]{0,10}".prop_map(|name| name + "_"), value), 1..5);
    let moves = vec(annotated(vec(variation(), 0..3)), 0..12);
    (tags, comment(), moves, result, any::<bool>()).prop_map(|(mut tags, comment, moves, result, has_tag)| {
        if has_tag {
            tags.push(("Result".to_owned(), result.to_string()));
        }
        GameRecord { tags, comment, moves, result }
    })
}

/// Text of the pieces that records are made of, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(&[
        "[Event \"a\"]",
        "[",
        "]",
        "\"",
        "{",
        "}",
        "(",
        ")",
        ";",
        "%",
        "$1",
        "$",
        "!",
        "?",
        "(!)",
        "*",
        "1-0",
        "1/2-1/2",
        "1.",
        "...",
        "12",
        "32-28",
        "19x23",
        "c3:e5",
        "/FEN \"W:W1:B2\"/",
        "/",
        "\\",
        " ",
        "\n",
        "\r\n",
        "\n\n",
        "é",
        "½",
        "\u{feff}",
        "\n[Event \"b\"]\n",
        "\u{0}",
        "{a}",
        "(1-5)",
        "- 7",
        " x",
        "\t",
    ]);
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn printed(games: &[GameRecord]) -> String {
    games.iter().map(ToString::to_string).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn printed_games_are_read_back(games in vec(record(), 1..4)) {
        let text = printed(&games);
        prop_assert_eq!(read_games(&text), Ok(games.clone()), "{}", text);
        let crlf = text.replace('\n', "\r\n");
        prop_assert_eq!(read_games(&crlf), Ok(games), "{}", text);
    }

    #[test]
    fn lines_of_moves_are_not_long(game in record()) {
        let text = game.to_string();
        let (_, moves) = text.split_once("\n\n").expect("an empty line ends the tags");
        for line in moves.lines() {
            // No word is broken, and a command is one word.
            let is_one_word = line.trim_start().split(' ').count() == 1 || line.contains("[%");
            prop_assert!(line.chars().count() < 80 || is_one_word, "{}", line);
        }
    }

    #[test]
    fn what_is_read_from_any_pieces_is_printed_and_read_again(text in pieces()) {
        let games: Vec<_> = PdnReader::new(&text).filter_map(Result::ok).collect();
        for (game, number) in games.iter().zip(1..) {
            prop_assert!(game.number >= number && game.moves.len() == game.record.moves.len());
        }
        // Without tags the end of a game is not always to be seen.
        let games: Vec<_> = games.into_iter().map(|game| game.record).filter(|game| !game.tags.is_empty()).collect();
        prop_assert_eq!(read_games(&printed(&games)), Ok(games), "{}", text);
    }

    #[test]
    fn any_bytes_are_answered(bytes in prop_oneof![vec(any::<u8>(), 0..200), any::<String>().prop_map(String::into_bytes)]) {
        let read = decode(&bytes);
        for game in PdnReader::new(&read.text) {
            match game {
                Ok(game) => prop_assert_eq!(read_games(&game.record.to_string()).map(|games| games.len()), Ok(1)),
                Err(error) => {
                    let error = error.to_string();
                    prop_assert!(error.chars().count() < 160 && !error.contains(char::is_control), "{}", error);
                }
            }
        }
    }
}

#[test]
fn long_files_are_read_in_linear_time() {
    const LENGTH: usize = 1 << 20;
    let limit = Duration::from_secs(10);
    let units = [
        "1. 32-28 19-23 ",
        "1-5 (",
        "1-5 (1-9) ",
        "{",
        "{\n",
        "{a} ",
        "[A \"\"]\n",
        "[A \"\"]\n\n",
        "[A \"\"]\n{\n",
        "[A \"\"]\n\n{",
        "(",
        ")",
        "*\n",
        "1-5 * ",
        "1-5*",
        ";",
        ";\n",
        "%",
        "%\n",
        "$",
        "$1",
        "!",
        "/",
        "/ ",
        "é",
        "\u{feff}",
        "[",
        "[A \"",
        "[A \"\\",
        "\n",
        "1-5 *\n{",
        "[A \"\"]\n1-5 <\n",
        "0",
    ];
    for unit in units {
        for start in ["", "[A \"\"] 1-5 (1-5 "] {
            let text = format!("{start}{}", unit.repeat(LENGTH / unit.len()));
            let started = thread_time();
            let games = PdnReader::new(&text).count();
            let time = thread_time() - started;
            assert!(time < limit, "{start}{unit}: {games} games, {time:?}");
        }
    }
}
