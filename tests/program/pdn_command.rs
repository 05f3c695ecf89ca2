//! Tests of the reports and the output of `soffio pdn`.

use crate::process::run_in;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Runs `soffio pdn` in `place`. Returns its standard output, its standard error, and whether it succeeded.
fn pdn(place: &Path, words: &str) -> (String, String, bool) {
    run_in(place, &format!("pdn {words}"), "")
}

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let place = tempfile::tempdir().expect("a folder can be made");
    files.iter().for_each(|(name, bytes)| fs::write(place.path().join(name), bytes).expect("it can be written"));
    place
}

/// Games in many dialects, with everything that a reader could lose.
const DIALECTS: &str = include_str!("../data/pdn/dialects.pdn");

#[test]
fn every_deviation_is_reported_once_with_its_location() {
    let place = folder(&[("games.pdn", DIALECTS.as_bytes())]);
    let (output, errors, is_good) = pdn(place.path(), "check games.pdn");
    assert_eq!(output, include_str!("../data/pdn/dialects.txt"));
    assert!(!is_good && errors.contains("with an illegal move"), "{errors}");
    let (json, ..) = pdn(place.path(), "check --json games.pdn");
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!((json.lines().count(), &first["file"]), (output.lines().count(), &"games.pdn".into()));
    assert!(first["line"].is_u64() && first["column"].is_u64() && first["note"].is_string());
}

#[test]
fn contradictions_and_wrong_separators_and_numbers_are_notes() {
    let tags = "[GameType \"21\"]\n";
    for (game, expected) in [
        (
            "[Result \"1-0\"]\n1. 11x15 22-18 2. 15-22 25x18 3. 8x11 29x25 0-1",
            &[
                "line 3 column 4: not a capture, read as a move: '11x15'",
                "line 3 column 19: a capture written with a hyphen: '15-22'",
                "line 3 column 45: a result that contradicts the tag, used instead of it: '0-1', not [Result \"1-0\"]",
            ][..],
        ),
        (
            "[White \"a\"]\n[White \"b\"]\n[White \"c\"]\n1. 11-15 9. 22-18 10. 15x22 *",
            &[
                "line 3 column 1: a repeated tag, ignored: 'White \"b\"'; the first value is \"a\"",
                "line 5 column 10: a wrong move number, ignored: '9.'",
            ],
        ),
        (
            "1. 11x15 22-18 2. 15-22 /FEN \"W:W22,25:B15\"/ 25x21 15x18 22-15 *",
            &[
                "line 2 column 4: not a capture, read as a move: '11x15'",
                "line 2 column 19: a capture written with a hyphen: '15-22'",
            ],
        ),
        (
            "[Result \"1-0\"]\n1. 11-15 23-19 0.5-0.5",
            &[
                "line 3 column 16: a result that contradicts the tag, used instead of it: '0.5-0.5', not [Result \"1-0\"]",
            ],
        ),
        (
            "[Result \"4-6\"]\n1. 11-15 23-19 1-0",
            &["line 3 column 16: a result that contradicts the tag, used instead of it: '1-0', not [Result \"4-6\"]"],
        ),
        // These results have the same winner.
        ("[Result \"1-0\"]\n1. 11-15 23-19 1.01-0.99", &[]),
        ("[Result \"½-½\"]\n1. 11-15 23-19 0.5-0.5", &[]),
        ("[Result \"4-6\"]\n1. 11-15 23-19 *", &[]),
        // The asterisk only ends the game. Digits have no separator, and a game from a position can have any numbers.
        ("[Result \"1-0\"]\n1. 1115 2218 2. 1522 2518 *", &[]),
        ("[Result \"2-0\"]\n01. 11-15 1. ... 22-18 2 15x22 1-0", &[]),
        ("[FEN \"W:W22,25:B15\"]\n7. 25-21 15-18 *", &[]),
    ] {
        let place = folder(&[("games.pdn", format!("{tags}{game}\n").as_bytes())]);
        let (output, errors, is_good) = pdn(place.path(), "check games.pdn");
        let is_other = |line: &&str| !line.contains("two digits per square") && !line.contains("an unusual result");
        let found = output.lines().filter(is_other);
        let found: Vec<_> = found.map(|line| line.replace("games.pdn: game 1, ", "")).collect();
        assert!(is_good && found == expected, "{output}{errors}");
    }
}

#[test]
fn an_ambiguous_move_is_not_called_illegal() {
    let game = b"[GameType \"22\"]\n[FEN \"W:W30:B18,19,26,27\"]\n1. 30x14 *";
    let place = folder(&[("games.pdn", game)]);
    let (output, errors, is_good) = pdn(place.path(), "check games.pdn");
    assert_eq!(output, "games.pdn: game 1, line 3 column 4: move 30x14: ambiguous: 30x21x14 or 30x23x14\n");
    assert!(!is_good);
    let counts = "1 game, 1 move; 1 game with notes; 0 games with an illegal move; 1 game with an ambiguous move";
    assert_eq!(errors.lines().next(), Some(counts));
}

#[test]
fn variations_are_checked() {
    let game = b"[GameType \"21\"]\n1. 11-15 (9-14 (9-13 3-30) 22-17 1-99) 22-18 (23-18 12-16) *";
    let place = folder(&[("games.pdn", game), ("empty.pdn", b"{nothing}\n")]);
    let (output, errors, is_good) = pdn(place.path(), "check games.pdn");
    let expected = [
        "column 4: in a variation: move 3-30: no piece of the side to move on 3",
        "column 4: in a variation: move 1-99: no square 99 on the 8x8 board",
    ];
    let found: Vec<_> = output.lines().filter(|line| line.contains("variation: ")).collect();
    assert!(found.len() == 2 && found.iter().zip(expected).all(|(line, end)| line.ends_with(end)), "{output}");
    assert!(!is_good && errors.contains("1 game with an illegal move"), "{errors}");
    let (_, errors, is_good) = pdn(place.path(), "check empty.pdn");
    assert!(!is_good && errors == "soffio: no games found\n", "{errors}");
}

#[test]
fn only_results_select_games() {
    let place = folder(&[("games.pdn", b"1. 32-28 19-23 1-1\n\n1. 33-29 17-22 2-0\n")]);
    let (output, _, is_good) = pdn(place.path(), "convert games.pdn --result 1-0");
    assert!(is_good && output.contains("33-29") && !output.contains("32-28"), "{output}");
    let (output, errors, is_good) = pdn(place.path(), "convert games.pdn --result white");
    assert!(!is_good && output.is_empty() && errors.contains("expected a result such as 1-0"), "{errors}");
}

/// Games in the forms that lidraughts, PlayOK, Toernooibase, CheckerBoard, Aurora Borealis and Turbo Dambase export.
const EXPORTS: &str = include_str!("../data/pdn/exports.pdn");

#[test]
fn exports_of_sites_and_programs_are_read_without_notes() {
    // Some programs end lines with carriage returns and line feeds.
    for text in [EXPORTS.to_owned(), EXPORTS.replace('\n', "\r\n")] {
        let place = folder(&[("games.pdn", text.as_bytes())]);
        let (output, errors, is_good) = pdn(place.path(), "check games.pdn");
        assert!(is_good && output.is_empty(), "{output}");
        assert!(
            errors.starts_with("7 games, 49 moves; 0 games with notes; 0 games with an illegal move\n"),
            "{errors}"
        );
    }
}

/// A game of lidraughts' variant "From Position": international draughts from a given position.
const FROM_POSITION: &[u8] = b"[Site \"https://lidraughts.org/eFgH5678\"]\n[GameType \"99\"]\n\
    [FEN \"W:W31-50:B1-20\"]\n\n1. 32-28 19-23 1-0\n";

#[test]
fn every_command_reads_games_from_a_position() {
    let place = folder(&[("games.pdn", FROM_POSITION)]);
    for line in [
        "pdn check games.pdn",
        "pdn convert --standard games.pdn",
        "annotate --depth 1 games.pdn",
        "batch --depth 1 games.pdn",
        "puzzles --nodes 1000 games.pdn",
        "book import games.pdn --variant international --out games.book",
        "play --white human --black human --load games.pdn",
    ] {
        let (output, errors, is_good) = run_in(place.path(), line, "");
        assert!(is_good && !(output + &errors).contains("unknown variant"), "{line}: {errors}");
    }
}

#[test]
fn games_are_copied_byte_for_byte_and_read_again_equal() {
    let cyrillic = b"\r\n% by hand\r\n[White \"\xd7\xe8\xe6\xee\xe2\"]\r\n\r\n1. c3-d4 <..> *\r\n{end}";
    for bytes in [
        DIALECTS.as_bytes(),
        EXPORTS.as_bytes(),
        cyrillic,
        b"\xef\xbb\xbf[A \"\xc3\xa9\"]\n1. 32-28 *",
        b"\xef\xbb\xbf[A \"Andr\xe9\"]\n1. 32-28 *\n",
        b"1116 2319\n\n",
        b"1. 32-28 * 1. 33-28 1-0",
        b"[A \"\"]\r\r1. 32-28 ; good\r19-23\r*\r\r[A \"\"]\r1. 33-28 *\r",
        b"[A \"\"]\r\r1. 32-28 ; good\r19-23\r*\r\n",
    ] {
        let place = folder(&[("games.pdn", bytes)]);
        assert!(pdn(place.path(), "convert games.pdn --out copy.pdn").2);
        assert_eq!(fs::read(place.path().join("copy.pdn")).unwrap(), bytes);
        assert!(pdn(place.path(), "convert games.pdn --standard --out one.pdn").2);
        assert!(pdn(place.path(), "convert one.pdn --standard --out two.pdn").2);
        let written = ["one.pdn", "two.pdn"].map(|name| fs::read(place.path().join(name)).unwrap());
        assert_eq!(written[0], written[1]);
    }
}

#[test]
fn games_are_written_in_another_notation_and_encoding() {
    let text = "[White \"Чижов\"]\n[GameType \"25\"]\n\n1. cd4 (1. e3-f4 b6-a5) ba5 2. d4-c5 d6:b4 3. a3:c5 *\n\n\
                [White \"b\"]\n[GameType \"21\"]\n[FEN \"W:W32:B7,15,23,24\"]\n\n1. 32-28 /FEN \"W:W32:B27,19\"/ 1. 32x23x16 1-0\n";
    let place = folder(&[("games.pdn", text.as_bytes())]);
    let (output, errors, _) = pdn(place.path(), "convert games.pdn --notation numeric --tag white=x");
    assert!(output.is_empty() && errors.contains("0 of 2 games written"), "{output}{errors}");
    let (output, ..) = pdn(place.path(), "convert games.pdn --notation numeric --tag White=чиж");
    assert!(output.contains("[GameType \"25\"]\n"), "{output}");
    assert!(output.contains("1. 22-18 (1. 23-19 9-13) 1... 9-13 2. 18-14 10x17 3. 21x14 *"), "{output}");
    let (output, ..) = pdn(place.path(), "convert games.pdn --jumps --result 1-0");
    assert!(output.contains("/FEN \"W:W32:B27,19\"/ 2... 32x23 23x16 1-0"), "{output}");
    let (output, ..) = pdn(place.path(), "convert games.pdn --notation algebraic --result 1-0");
    assert!(output.contains("/FEN \"W:W") && !output.contains("32-28"), "{output}");
    assert!(pdn(place.path(), "convert games.pdn --to cp1251 --out old.pdn").2);
    assert!(fs::read(place.path().join("old.pdn")).unwrap().windows(5).any(|part| part == b"\xd7\xe8\xe6\xee\xe2"));
    let (again, ..) = pdn(place.path(), "convert old.pdn --encoding cp1251 --to utf-8");
    assert_eq!(again, text);
}

#[test]
fn games_are_selected_joined_split_and_counted() {
    let game = |white: &str, moves: &str| format!("[White \"{white}\"]\n[GameType \"21\"]\n\n{moves}\n\n");
    let one = game("a", "1. 11-15 23-19 1-0") + &game("b", "1. 11-16 24-19 0-1");
    let two = game("c", "1. 1115 2319 1-0");
    let place = folder(&[("one.pdn", one.as_bytes()), ("two.pdn", two.as_bytes())]);
    assert_eq!(pdn(place.path(), "convert one.pdn two.pdn").0, format!("{one}{two}"));
    assert_eq!(pdn(place.path(), "convert one.pdn two.pdn --unique").0, one);
    assert_eq!(pdn(place.path(), "convert one.pdn two.pdn --result 0-1").0, game("b", "1. 11-16 24-19 0-1"));
    assert!(pdn(place.path(), "convert one.pdn two.pdn --split 2 --out part.pdn").2);
    let parts = ["part-1.pdn", "part-2.pdn"].map(|name| fs::read_to_string(place.path().join(name)).unwrap());
    assert_eq!(parts, [&*one, &*two]);
    // The second part must not replace the second input file.
    let words = "convert part-1.pdn part-2.pdn --split 1 --out part.pdn --overwrite";
    let (_, errors, is_good) = pdn(place.path(), words);
    assert_eq!((&*errors, is_good), ("soffio: part-1.pdn: the input file is also the output (part-1.pdn)\n", false));
    assert_eq!(["part-1.pdn", "part-2.pdn"].map(|name| fs::read_to_string(place.path().join(name)).unwrap()), parts);
    let (_, errors, is_good) = pdn(place.path(), "convert one.pdn two.pdn --split 3 --out part.pdn --overwrite");
    let older = "part-2.pdn: not part of this output; remove the file if an earlier run wrote it\n";
    assert_eq!((&*errors, is_good), (older, true));
    let (json, ..) = pdn(place.path(), "convert one.pdn --json");
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["variant"], &first["legal"], &first["tags"]["White"]),
        (&"english".into(), &2.into(), &"a".into())
    );
    let (stat, ..) = pdn(place.path(), "stat one.pdn two.pdn");
    assert_eq!(stat, "games     3\nmoves     6\nplayers   3\nvariants  english 3\nresults   0-1 1, 1-0 2\n");
}

#[test]
fn every_recorded_result_and_only_real_moves_are_counted() {
    let games = [
        "[Date \"31.12.1998\"]\n[Result \"4-6\"]\n[GameType \"20\"]\n1. 32-28 -- *\n",
        "[Date \"2026-11-30\"]\n[Result \"12-8\"]\n[GameType \"20\"]\n/FEN \"W:W28:B23\"/ 1. 28x19 12-8\n",
        "[Date \"?\"]\n[GameType \"20\"]\n/FEN \"W:W31:B20\"/ *\n",
    ];
    let place = folder(&[("games.pdn", games.concat().as_bytes())]);
    let (stat, ..) = pdn(place.path(), "stat games.pdn");
    let expected = "games     3\nmoves     2\nplayers   0\nvariants  international 3\nresults   * 1, 12-8 1, 4-6 1\n\
                    years     1998 to 2026\n";
    assert_eq!(stat, expected);
    assert!(pdn(place.path(), "check games.pdn").1.starts_with("3 games, 2 moves; "));
    let (json, ..) = pdn(place.path(), "convert games.pdn --json");
    let objects: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found: Vec<_> = objects.iter().map(|game| (game["legal"].as_u64(), game["result"].as_str())).collect();
    assert_eq!(found, [(Some(1), Some("4-6")), (Some(1), Some("12-8")), (Some(0), Some("*"))]);
    assert_eq!(pdn(place.path(), "convert games.pdn --result *").0.trim_end(), games[2].trim_end());
}

#[test]
fn flying_openings_are_openings_of_matches() {
    let text =
        "[GameType \"25\"]\n1. A1-A5 A7-H4 *\n\n[GameType \"25\"]\n1. A3-H6 H6-C5 *\n\n[GameType \"25\"]\n1. A7-A5 *\n";
    let place = folder(&[("flying.pdn", text.as_bytes())]);
    let (output, errors, is_good) = pdn(place.path(), "check flying.pdn");
    assert!(is_good && output.matches("placed before the first move").count() == 3, "{output}{errors}");
    let openings = soffio_match::read_openings(text, None, soffio::rules::Variant::Russian).unwrap();
    let starts =
        openings.iter().map(|opening| opening.played(soffio::rules::Variant::Russian).unwrap().fen().to_string());
    let starts: Vec<_> = starts.collect();
    assert!(starts[0].starts_with("W:W") && starts[0].contains("a5") && starts[0].contains("h4"), "{starts:?}");
}

#[test]
fn the_output_file_is_kept_if_no_game_is_found() {
    let place = folder(&[("empty.pdn", b""), ("keep.pdn", b"1. 32-28 *\n"), ("words.pdn", b"{nothing}\n")]);
    for words in ["empty.pdn --out keep.pdn", "words.pdn --out keep.pdn", "words.pdn --out words.pdn"] {
        let (_, errors, is_good) = pdn(place.path(), &format!("convert {words} --overwrite"));
        assert!(!is_good && errors == "soffio: no games found\n", "{errors}");
    }
    assert!(!pdn(place.path(), "convert empty.pdn --out new.pdn").2 && !place.path().join("new.pdn").exists());
    assert_eq!(fs::read(place.path().join("keep.pdn")).unwrap(), b"1. 32-28 *\n");
    assert_eq!(fs::read(place.path().join("words.pdn")).unwrap(), b"{nothing}\n");
}

#[test]
fn bytes_of_an_unknown_encoding_are_kept() {
    // In CP437, 0x81 and 0xa0 are letters. In Latin-1, they are a control character and a non-breaking space.
    let game = b"[White \"M\x81ller\"]\n[GameType \"20\"]\n\n1. 32-28 {J\xa0nos \xa0} *\n\n";
    let place = folder(&[("games.pdn", game)]);
    assert!(pdn(place.path(), "convert games.pdn --standard --out copy.pdn").2);
    assert_eq!(fs::read(place.path().join("copy.pdn")).unwrap(), game);
}

#[test]
fn different_variants_and_games_without_moves_are_unique() {
    let game = |tag: &str, moves: &str| format!("{tag}\n\n{moves}*\n\n");
    let moves = "1. c3-d4 b6-a5 ";
    let tags = ["[GameType \"25\"]", "[GameType \"26\"]", "[Variant \"unknown\"]"];
    let different = tags.map(|tag| game(tag, moves)).concat() + &game("[White \"a\"]", "") + &game("[White \"b\"]", "");
    let place = folder(&[("games.pdn", (different.clone() + &game(tags[1], moves)).as_bytes())]);
    assert_eq!(pdn(place.path(), "convert games.pdn --unique").0, different);
}

#[test]
fn json_contains_the_first_tags_and_the_final_position() {
    let game = b"[White \"a\"]\n[White \"b\"]\n[GameType \"21\"]\n1. 11-15 /FEN \"W:W32:B1\"/ 32-28 *\n";
    let place = folder(&[("games.pdn", game)]);
    let (json, ..) = pdn(place.path(), "convert games.pdn --json");
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&object["tags"]["White"], &object["fen"]), (&"a".into(), &"B:W28:B1:F2".into()));
}

#[test]
fn tags_that_name_the_variant_are_kept_in_another_notation() {
    for (before, after) in [
        ("[GameType \"25\"]\n[Variant \"Russian\"]", "[GameType \"25\"]\n[Variant \"Russian\"]"),
        (
            "[Variant \"Brazilian\"]\n[GameType \"25,W,8,8,A0,0\"]",
            "[Variant \"Brazilian\"]\n[GameType \"25,W,8,8,N2,0\"]",
        ),
        ("[GameType \"25,W,8,8\"]", "[GameType \"25,W,8,8\"]"),
        ("[GameType \"23,W,8,8,A0,0\"]", "[Variant \"unified-pool\"]"),
    ] {
        let place = folder(&[("games.pdn", format!("{before}\n\n1. c3-d4 *\n").as_bytes())]);
        let (output, errors, _) = pdn(place.path(), "convert games.pdn --notation numeric");
        assert_eq!(output, format!("{after}\n\n1. 22-18 *\n\n"), "{errors}");
    }
}

#[test]
fn no_letter_is_lost_in_another_encoding() {
    let (latin, cyrillic) = (b"[White \"Andr\xe9\"]\n1. 32-28 *\n", "[White \"Чижов\"]\n1. 32-28 *\n");
    let marked = ["\u{feff}[White \"André\"]\n1. 32-28 *\n", "\u{feff}[White \"Чижов\"]\n1. 32-28 *\n"].concat();
    let place = folder(&[("l.pdn", latin), ("c.pdn", cyrillic.as_bytes()), ("m.pdn", marked.as_bytes())]);
    let read = |name: &str| fs::read(place.path().join(name)).unwrap();
    assert_eq!(pdn(place.path(), "convert l.pdn c.pdn").0, format!("[White \"André\"]\n1. 32-28 *\n{cyrillic}"));
    assert!(pdn(place.path(), "convert l.pdn l.pdn --out two.pdn").2);
    assert_eq!(read("two.pdn"), latin.repeat(2));
    let (_, errors, is_good) = pdn(place.path(), "convert l.pdn c.pdn --to latin1 --out two.pdn --overwrite");
    assert!(!is_good);
    assert_eq!(errors, "soffio: c.pdn: game 1: the encoding windows-1252 cannot represent 'Ч'; use --to utf-8\n");
    assert_eq!(read("two.pdn"), latin.repeat(2));
    assert!(pdn(place.path(), "convert m.pdn --to cp1251 --tag White=Чижов --out c1251.pdn").2);
    assert!(read("c1251.pdn").starts_with(b"[White \"\xd7\xe8"));
    assert!(pdn(place.path(), "convert m.pdn --to latin1 --tag White=André --out marked.pdn").2);
    assert_eq!(read("marked.pdn"), latin);
    assert_eq!(pdn(place.path(), "convert m.pdn --encoding latin1").0, marked);
}

#[test]
fn utf_16_is_read_but_not_written() {
    let wide: Vec<u8> = "[White \"Чижов\"]\n1. 32-28 *\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let place = folder(&[("wide.pdn", &wide)]);
    for name in ["utf-16le", "utf-16be", "utf-16", "klingon"] {
        let (output, errors, is_good) = pdn(place.path(), &format!("convert wide.pdn --to {name}"));
        let expected = "expected the name of an output encoding such as cp1251, cp866, koi8-r, latin1, latin2 or utf-8";
        assert!(!is_good && output.is_empty() && errors.contains(expected), "{name}: {output}{errors}");
    }
    for words in ["convert wide.pdn", "convert wide.pdn --encoding utf-16le --to utf-8"] {
        assert_eq!(pdn(place.path(), words).0, "[White \"Чижов\"]\n1. 32-28 *\n", "{words}");
    }
}

#[test]
fn braces_in_a_comment_are_replaced_only_if_one_would_end_it() {
    let place = folder(&[("games.pdn", b"1. 32-28 {x { y} 19-23 ; a } b {\n28x19 *\n")]);
    let written = "\n1. 32-28 {x { y} 19-23 {a ] b [} 2. 28x19 *\n\n";
    assert_eq!(pdn(place.path(), "convert --standard games.pdn").0, written);
    let (output, ..) = pdn(place.path(), "check games.pdn");
    let note = "games.pdn: game 1, line 1 column 24: braces in a comment, replaced by brackets: '; a } b {'\n";
    assert_eq!(output, note);
}

#[test]
fn joined_games_stay_apart() {
    let next = "1. 33-29 18-23 2-0\n";
    for (first, separator) in [
        ("[GameType \"20\"]\n1. 32-28 19-23", "\n*\n"),
        ("1. 32-28 19-23 {open", "\n}\n*\n"),
        ("1. 32-28 19-23 ; comment", "\n*\n"),
        ("1. 32-28 19-23 * {open\n", "}\n*\n"),
        ("1. 32-28 19-23 (1... 17-22", "\n)\n*\n"),
        ("1. 32-28 19-23 (1... 17-22 (1... 18-23 {open", "\n}))\n*\n"),
        ("1. 32-28 19-23 1:0\n", ""),
        ("1. 32-28 19-23 *", "\n"),
    ] {
        let place = folder(&[("one.pdn", first.as_bytes()), ("two.pdn", next.as_bytes())]);
        assert_eq!(pdn(place.path(), "convert one.pdn two.pdn").0, format!("{first}{separator}{next}"));
        assert!(pdn(place.path(), "convert one.pdn two.pdn --out both.pdn").2);
        let (json, ..) = pdn(place.path(), "convert --json both.pdn");
        assert_eq!(json.matches("\"legal\":2").count(), 2, "{first}: {json}");
        assert!(pdn(place.path(), "convert one.pdn two.pdn --split 1 --out part.pdn").2);
        assert_eq!(fs::read_to_string(place.path().join("part-2.pdn")).unwrap(), next);
    }
    // Other readers continue an open game or comment even before a tag.
    let next = "[Event \"t\"]\n\n1. 32-28 *\n";
    for (first, separator) in [("1. 33-29 {open", "\n}\n*\n"), ("1. 33-29\n", "*\n"), ("1. 33-29 * {a}\n", "")] {
        let place = folder(&[("one.pdn", first.as_bytes()), ("two.pdn", next.as_bytes())]);
        assert_eq!(pdn(place.path(), "convert one.pdn two.pdn").0, format!("{first}{separator}{next}"));
    }
    // A percent sign begins a line for other programs, but only at the start of a line.
    let text = "[White \"a\"]\n\n1. 32-28 1-0 % 1. 31-27 0-1 1. 33-29 2-0\n";
    let place = folder(&[("games.pdn", text.as_bytes())]);
    assert_eq!(pdn(place.path(), "convert games.pdn").0, text);
    let moved = "\n%\n1. 31-27 0-1\n\n";
    assert_eq!(pdn(place.path(), "convert games.pdn --result 0-1").0, moved);
    assert!(pdn(place.path(), "convert games.pdn --split 1 --out part.pdn").2);
    assert_eq!(fs::read_to_string(place.path().join("part-2.pdn")).unwrap(), moved);
    // A result with a colon does not end a game without moves if moves follow.
    let text = "[White \"a\"]\n\n2:0\n\n[White \"b\"]\n\n1:1\n";
    let place = folder(&[("games.pdn", text.as_bytes())]);
    assert_eq!(pdn(place.path(), "convert games.pdn games.pdn").0, text.repeat(2));
    assert_eq!(pdn(place.path(), "convert games.pdn --tag White=a").0, "[White \"a\"]\n\n2:0\n\n");
    // Without the second game, the third would follow the first.
    let text = "[White \"a\"]\n1. 32-28 19-23\n\n[White \"b\"]\n1. 31-27 *\n\n1. 33-29 18-23 2-0\n";
    let place = folder(&[("games.pdn", text.as_bytes())]);
    let (joined, ..) = pdn(place.path(), "convert games.pdn --result *,2-0");
    assert_eq!(joined, text);
    fs::write(place.path().join("games.pdn"), text.replace("31-27 *", "31-27 0-1")).unwrap();
    let (joined, ..) = pdn(place.path(), "convert games.pdn --result *,2-0");
    assert_eq!(joined, "[White \"a\"]\n1. 32-28 19-23\n\n*\n1. 33-29 18-23 2-0\n");
}

#[test]
fn equal_games_in_different_notation_are_not_unique() {
    let game = |tags: &str, moves: &str| format!("{tags}\n\n1. {moves} *\n\n");
    let start = "[GameType \"20\"]\n[FEN \"W:W31-50:B1-20";
    for (tag, games) in [
        ("[GameType \"25\"]", vec!["c3-d4 b6-a5", "cd4 ba5", "22-18 9-13"]),
        ("[GameType \"20\"]", vec!["32-28 19-23 2. 28x19", "32-28 19-23 2. 28-19"]),
        ("[GameType \"25\"]\n[FEN \"B:Wa3,c5:Bd6\"]", vec!["d6:b4 2. a3:c5", "d6xb4 2. a3-c5"]),
    ] {
        let text: String = games.iter().map(|moves| game(tag, moves)).collect();
        let place = folder(&[("games.pdn", text.as_bytes())]);
        assert_eq!(pdn(place.path(), "convert games.pdn --unique").0, game(tag, games[0]));
    }
    let starts = ["[GameType \"20\"]".to_owned(), format!("{start}\"]"), format!("{start}:H0:F1\"]")];
    let text: String = starts.iter().map(|tags| game(tags, "32-28 19-23")).collect();
    let place = folder(&[("games.pdn", text.as_bytes())]);
    assert_eq!(pdn(place.path(), "convert games.pdn --unique").0, game(&starts[0], "32-28 19-23"));
    // Games that differ only after an illegal or unknown move are different.
    let moves = ["32-28 -- 2. 37-32", "32-28 -- 2. 31-27", "32-28 1-50", "32-28 1-49"];
    let text: String = moves.iter().map(|moves| game(&starts[0], moves)).collect();
    let place = folder(&[("games.pdn", text.as_bytes())]);
    assert_eq!(pdn(place.path(), "convert games.pdn --unique").0, text);
}

#[test]
fn json_names_the_variant_and_the_position_of_an_illegal_game() {
    for (text, variant, fen) in [
        ("[GameType \"20\"]\n1. 32-29 *\n", "international", "W:W31,32"),
        ("[GameType \"25\"]\n[FEN \"B:Wa3:Bh8\"]\n1. -- *\n", "russian", "B:Wa3:Bh8"),
    ] {
        let place = folder(&[("games.pdn", text.as_bytes())]);
        let (json, ..) = pdn(place.path(), "convert games.pdn --json");
        let object: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((&object["variant"], &object["legal"]), (&variant.into(), &0.into()), "{json}");
        assert!(object["fen"].as_str().is_some_and(|found| found.starts_with(fen)), "{json}");
    }
}

#[test]
fn an_unknown_move_is_not_illegal() {
    for moves in
        ["1. 32-28 -- 2. 37-32", "1. 32-28 ... 2. 37-32", "1. -- 19-23", "1. 32-28 (1. 33-28 -- 2. 1-99) 19-23"]
    {
        let place = folder(&[("games.pdn", format!("[GameType \"20\"]\n{moves} *\n").as_bytes())]);
        let (output, errors, is_good) = pdn(place.path(), "check games.pdn");
        assert_eq!((output.lines().count(), output.matches("an unknown move: '").count()), (1, 1), "{output}");
        assert!(is_good && errors.contains("; 0 games with an illegal move"), "{errors}");
    }
}

#[test]
fn wide_characters_are_detected_without_a_byte_order_mark() {
    let moves = "[GameType \"25\"]\n\n1. c3-d4 b6-a5";
    for text in [
        format!("[White \"Чижов\"]\n{moves} *\n"),
        format!("[Event \"Чемпионат СССР по русским шашкам среди МУЖЧИН\"]\n{moves} *\n"),
        format!("[Event \"Latvijas čempionāts\"]\n[White \"Āboliņš\"]\n[Black \"Ā\"]\n{moves} *\n"),
        format!("{{{}}}\n{moves} *\n", "Сильнейший ход в этом положении — ".repeat(200)),
    ] {
        are_wide_characters_detected(&text);
    }
}

fn are_wide_characters_detected(text: &str) {
    let wide: [fn(u16) -> [u8; 2]; 2] = [u16::to_le_bytes, u16::to_be_bytes];
    for (bytes, name) in wide.into_iter().zip(["utf-16le", "utf-16be"]) {
        let bytes: Vec<u8> = text.encode_utf16().flat_map(bytes).collect();
        let place = folder(&[("games.pdn", &bytes)]);
        assert_eq!(pdn(place.path(), "convert games.pdn").0, text);
        assert_eq!(pdn(place.path(), &format!("convert games.pdn --encoding {name}")).0, text);
        assert!(pdn(place.path(), "check games.pdn").2);
    }
}

#[test]
fn a_failed_split_leaves_no_files() {
    let text = "[White \"a\"]\n1. 32-28 *\n\n[White \"Müller\"]\n1. 33-29 *\n";
    let place = folder(&[("games.pdn", text.as_bytes())]);
    let (_, errors, is_good) = pdn(place.path(), "convert games.pdn --split 1 --to cp1251 --out part.pdn");
    assert!(!is_good && errors.contains("cannot represent 'ü'"), "{errors}");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    assert!(pdn(place.path(), "convert games.pdn --split 1 --out part.pdn").2);
}
