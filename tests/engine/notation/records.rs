//! Tests that printed game records are read back correctly, and that no part of a text is lost.

use crate::common::thread_time;
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use soffio::notation::pdn::{GameRecord, GameResult, PdnMove, PdnReader, Tokens, Variation, decode, read_games};
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
        // A move does not begin where the previous move may have ended, because it would be read as another jump of the
        // same capture.
        "[1-9]?[2468][-x][1-9][13579]",
        "[1-9][02468](x[1-9][13579]){1,9}",
        "[a-h][2468][-:][a-h][1357]",
        "[a-h][1-8][a-h][1-8]",
        Just("/FEN \"W:W31,K32:B1\"/".to_owned()),
    ]
}

/// Generates text that the parser does not understand.
fn extra() -> impl Strategy<Value = Vec<String>> {
    let text =
        prop_oneof!["[+=<>#~][+=<>/#~,a-z]{0,5}", "[a-z]{3,9}", Just("% [a] {b".to_owned()), Just("[a b]".to_owned())];
    prop_oneof![5 => Just(Vec::new()), 1 => vec(text, 1..3)]
}

fn annotated(variations: impl Strategy<Value = Vec<Variation>>) -> impl Strategy<Value = PdnMove> {
    let glyphs = btree_set(any::<u16>(), 0..3).prop_map(|glyphs| glyphs.into_iter().collect());
    (move_text(), glyphs, comment(), variations, extra())
        .prop_map(|(text, glyphs, comment, variations, extra)| PdnMove { text, glyphs, comment, variations, extra })
}

fn variation() -> impl Strategy<Value = Variation> {
    let leaf = || {
        (comment(), vec(annotated(Just(Vec::new())), 0..4), extra()).prop_map(|(comment, moves, extra)| Variation {
            comment,
            moves,
            extra,
        })
    };
    leaf().prop_recursive(4, 16, 3, move |inner| {
        let moves = vec(annotated(vec(inner, 0..3)), 0..4);
        (comment(), moves, extra()).prop_map(|(comment, moves, extra)| Variation { comment, moves, extra })
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
    (tags, comment(), moves, result, any::<bool>(), extra()).prop_map(
        |(mut tags, comment, moves, result, has_tag, extra)| {
            if has_tag {
                tags.push(("Result".to_owned(), result.to_string()));
            }
            GameRecord { tags, comment, moves, result, extra, ..GameRecord::default() }
        },
    )
}

/// Generates text from the parts of records, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(&[
        "[Event \"a\"]", "[", "]", "\"", "{", "}", "(", ")", ";", "%", "$1", "$", "!", "?", "(!)", "*", "1-0",
        "1/2-1/2", "1.", "...", "12", "32-28", "19x23", "c3:e5", "/FEN \"W:W1:B2\"/", "/", "\\", " ", "\n", "\r\n",
        "\n\n", "é", "½", "\u{feff}", "\n[Event \"b\"]\n", "\u{0}", "{a}", "(1-5)", "- 7", " x", "\t",
    ]);
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Results and numbers that are not move numbers.
const WORDS: [&str; 11] = ["1-0", "0-1", "1-0F", "1/2-1/2", "4-6", "20-0", "0.5-0.5", "2.5-0", "777", "0.25", "12.30"];

/// Generates printed games with additional results and numbers between their words.
fn with_words() -> impl Strategy<Value = String> {
    let words = vec((any::<prop::sample::Index>(), proptest::sample::select(&WORDS)), 1..8);
    (vec(record(), 1..3), words).prop_map(|(games, words)| {
        let printed = printed(&games);
        let mut pieces: Vec<_> = printed.split_inclusive([' ', '\n']).map(str::to_owned).collect();
        words.into_iter().for_each(|(place, word)| {
            let piece = place.get_mut(&mut pieces);
            // Inside a position, `1/2-1/2` would end the position.
            if !piece.ends_with("/FEN ") {
                *piece = format!("{piece}{word} ");
            }
        });
        pieces.concat()
    })
}

/// Checks that each printed game contains the additional words of its source.
fn check_words(text: &str) -> Result<(), TestCaseError> {
    for game in PdnReader::new(text) {
        let printed = game.record.to_string();
        for word in WORDS {
            let is_separator = |c: char| !c.is_alphanumeric() && !matches!(c, '.' | '/' | '-');
            let count = |text: &str| text.split(is_separator).filter(|&found| found == word).count();
            prop_assert!(count(game.source) <= count(&printed), "{} {} {}", word, game.source, printed);
        }
    }
    Ok(())
}

fn printed(games: &[GameRecord]) -> String {
    games.iter().map(ToString::to_string).collect()
}

proptest! {
    // The seed is fixed, so that every run tests the same texts.
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::with_cases(64)
    })]

    #[test]
    fn printed_games_are_read_back(games in vec(record(), 1..4)) {
        let text = printed(&games);
        prop_assert_eq!(read_games(&text), games.clone(), "{}", text);
        let crlf = text.replace('\n', "\r\n");
        prop_assert_eq!(read_games(&crlf), games, "{}", text);
    }

    #[test]
    fn lines_of_moves_are_not_long(game in record()) {
        let text = game.to_string();
        let (_, moves) = text.split_once("\n\n").expect("an empty line ends the tags");
        for line in moves.lines() {
            // Words are not split between lines, and a command counts as one word.
            let is_one_word = line.trim_start().split(' ').count() == 1 || line.contains("[%");
            prop_assert!(line.chars().count() < 80 || is_one_word, "{}", line);
        }
    }

    #[test]
    fn additional_results_and_numbers_are_kept(text in with_words()) {
        check_words(&text)?;
    }

    #[test]
    fn printing_again_changes_nothing(text in prop_oneof![pieces(), damaged(), with_words()]) {
        check_printing_again(&text)?;
    }

    #[test]
    fn any_text_is_its_tokens_and_its_games(text in prop_oneof![pieces(), any::<String>(), damaged(), with_words()]) {
        check(&text, false)?;
    }

    #[test]
    fn any_bytes_are_read(bytes in vec(any::<u8>(), 0..200)) {
        check(&decode(&bytes).text, false)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100_000) })]

    #[test]
    #[ignore = "takes minutes"]
    fn many_texts_are_their_tokens_and_their_games(
        text in prop_oneof![pieces(), any::<String>(), damaged(), with_words()],
    ) {
        check(&text, true)?;
    }

    #[test]
    #[ignore = "takes minutes"]
    fn many_additional_results_and_numbers_are_kept(text in with_words()) {
        check_words(&text)?;
    }

    #[test]
    #[ignore = "takes an hour"]
    fn printing_many_texts_again_changes_nothing(text in prop_oneof![pieces(), damaged(), with_words()]) {
        check_printing_again(&text)?;
    }
}

fn check_printing_again(text: &str) -> Result<(), TestCaseError> {
    let once = printed(&read_games(text));
    prop_assert_eq!(printed(&read_games(&once)), once);
    Ok(())
}

/// Generates printed games in which characters are missing, replaced or inserted.
fn damaged() -> impl Strategy<Value = String> {
    let damage = vec((any::<prop::sample::Index>(), "[-{}()\\[\\]\"*%;$x0-9a \n]?"), 1..6);
    (vec(record(), 1..3), damage).prop_map(|(games, damage)| {
        let mut chars: Vec<_> = printed(&games).chars().map(String::from).collect();
        damage.into_iter().for_each(|(place, text)| *place.get_mut(&mut chars) = text);
        chars.concat()
    })
}

/// Checks that no part of `text` is lost: both the tokens and the sources of the games add up to the whole text, and
/// each printed game has the same letters as its source. If `reads_again` is true, also checks that reading and
/// printing the games once more preserves the letters.
fn check(text: &str, reads_again: bool) -> Result<(), TestCaseError> {
    prop_assert_eq!(Tokens::new(text).map(|token| token.text).collect::<String>(), text);
    let games: Vec<_> = PdnReader::new(text).collect();
    prop_assert!(games.is_empty() || games.iter().map(|game| game.source).collect::<String>() == text);
    let letters = |text: &str| {
        let mut letters: Vec<_> = text.chars().filter(|c| c.is_alphabetic()).collect();
        letters.sort_unstable();
        letters
    };
    for game in &games {
        prop_assert_eq!(game.moves.len(), game.record.moves.len());
        let printed = game.record.to_string();
        if !reads_again {
            prop_assert_eq!(letters(game.source), letters(&printed), "{} {}", game.source, printed);
            continue;
        }
        let again = read_games(&printed);
        prop_assert!(game.record.tags.is_empty() || again.len() == 1, "{}", printed);
        let moves = |games: &[GameRecord]| games.iter().map(|game| game.moves.len()).sum::<usize>();
        prop_assert!(again.len() != 1 || moves(&again) == game.moves.len(), "{}", printed);
        prop_assert_eq!(letters(game.source), letters(&printed), "{} {}", game.source, printed);
        let last: String = again.iter().map(ToString::to_string).collect();
        prop_assert!(again.is_empty() || letters(&last) == letters(&printed), "{} {}", printed, last);
    }
    Ok(())
}

#[test]
fn long_files_are_read_in_linear_time() {
    const LENGTH: usize = 1 << 19;
    let limit = Duration::from_secs(2);
    let units = [
        "1. 32-28 19-23 ", "1-5 (", "1-5 (1-9) ", "{", "{\n", "{a} ", "[A \"\"]\n", "[A \"\"]\n\n", "[A \"\"]\n{\n",
        "[A \"\"]\n\n{", "(", ")", "*\n", "1-5 * ", "1-5*", ";", ";\n", "%", "%\n", "$", "$1", "!", "/", "/ ", "é",
        "1-0 ", "1-0\n", "5 ", "5 1-5 ", "0.5 ", "% ", "{[A \"\"]\n", "{\n[A \"\"]\n", "1-5*{a}", "\u{feff}", "[",
        "[A \"", "[A \"\\", "\n", "1-5 *\n{", "[A \"\"]\n1-5 <\n", "0",
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
