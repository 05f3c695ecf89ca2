//! Tests of what `soffio annotate` reads from game files, and what it keeps of them.

use super::{annotate, texts};
use crate::common::records::new_file;
use crate::process::{program, run_to_end};
use soffio::notation::pdn::{GameRecord, Guesses, PdnMove, PdnReader, decode, read_games};
use soffio_analysis::annotate::PlayableGame;
use std::fs;
use std::path::Path;

#[test]
fn existing_comments_and_commands_are_kept() {
    let text = "[White \"Andr\u{e9}\"]\n[GameType \"20\"]\n[Annotator \"me\"]\n\n{a b} 1. 32-28 {[%clk 1:00:00] good [%mine \"a  b\"]} $1 19-23 (1... 18-23 $5 {or} \
                2. 33-29 (2. 38-32)) 2. 28x19 14x23 2-0\n";
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).expect("it is Latin-1")).collect();
    let run = annotate(&["-", "--depth", "2", "--hash", "1", "--blunder", "600"], &latin);
    assert!(run.is_success && decode(&run.output).text.contains("Andr\u{e9}"), "{}", run.errors);
    let output = decode(&run.output).text;
    let words = output.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(run.output.contains(&0xe9) && std::str::from_utf8(&run.output).is_err(), "it has the encoding of the file");
    for part in [
        "{a b} 1. 32-28 $1 {[%clk 1:00:00] good [%mine \"a b\"] [%eval ",
        "18-23 $5 {or} 2. 33-29 (2. 38-32))",
        "[Annotator \"me; Soffio ",
    ] {
        assert!(words.contains(part), "{part}: {output}");
    }
    // Spaces within a command are preserved, and a command is not split between lines.
    assert!(output.contains("[%mine \"a  b\"]"), "{output}");
    assert!(output.ends_with(" 2-0\n\n"), "the style of the file: {output}");
}

#[test]
fn unreadable_games_are_reported_and_the_others_are_annotated() {
    let text = "[GameType \"20\"]\n\n1. 32-28 *\n\n[GameType \"20\"]\n\n1. 32-28 {no end\n19-23 *\n\n\
                [GameType \"20\"]\n\n1. 32-28 19-23\n2. 28x20 *\n\n[Event \"none\"]\n\n1. 1-2 *\n\n\
                [GameType \"20,W,8,8,N2,0\"]\n\n1. 32-28 *\n\n[GameType \"20\"]\n[FEN \"W:W51:B1\"]\n\n1. 32-28 *\n\n\
                [GameType \"20\"]\n\n1. 32-28 resigns *\n\n[GameType \"20\"]\n\n1. 33-28 *\n";
    let run = annotate(&["-", "--depth", "1", "--hash", "1"], text.as_bytes());
    assert!(!run.is_success);
    let errors: Vec<_> = run.errors.lines().filter(|line| !line.starts_with("game ")).collect();
    assert_eq!(
        errors,
        [
            "-: game 2, line 7 column 10: unclosed comment, closed: '{no end?19-23 *??'",
            "-: game 3, line 13 column 4: move 28x20: 20 is occupied; annotated up to there",
            "-: game 4, line 17 column 4: move 1-2: no piece of the side to move on 1 (guessed variant: international)",
            "-: game 5, line 19 column 1: details that do not match the game type, ignored: '20,W,8,8,N2,0'",
            "-: game 6, line 24 column 1: fen square 51 is not on the 10x10 board",
            "-: game 7, line 30 column 10: unrecognised text, kept as is: 'resigns'",
            "5 of 8 games annotated, 1 up to a move that cannot be replayed, 2 not annotated",
        ]
    );
    let games = run.games();
    let annotated: Vec<_> = games.iter().map(|game| game.moves[0].comment.is_some()).collect();
    // A game whose first move is illegal is written unchanged.
    assert_eq!(annotated, [true, true, true, false, true, false, true, true]);
    assert!(String::from_utf8_lossy(&run.output).contains("[Event \"none\"]\n\n1. 1-2 *\n\n"), "byte for byte");
    assert_eq!(games[6].moves[0].extra, ["resigns"]);
    let comments =
        |game: &GameRecord| game.moves.iter().map(|mv| mv.comment.clone().unwrap_or_default()).collect::<Vec<_>>();
    let scored = comments(&games[2]);
    assert!(scored[..2].iter().all(|comment| comment.starts_with("[%eval ")), "{scored:?}");
    assert_eq!(scored[2], "move 28x20: 20 is occupied; annotated up to here");
    assert!(run.errors.contains("game 3, ? - ?, not finished: White blunders"), "{}", run.errors);
    let run = annotate(
        &["-", "--depth", "1", "--hash", "1", "--variant", "english", "--games", "1"],
        "[Event \"none\"] 1. 11-15 *".as_bytes(),
    );
    assert!(run.is_success && run.games()[0].tag("GameType") == Some("21,B,8,8,N1,0"), "{}", run.errors);
    assert!(!run.errors.contains("guessed"), "{}", run.errors);
    let run = annotate(&["-", "--depth", "1", "--hash", "1"], b"1. 1-2 *");
    let error = "-: game 1, line 1 column 1: no GameType tag, and the variant cannot be guessed from the moves; use \
                 --variant";
    assert_eq!(run.errors.lines().next(), Some(error));
}

#[test]
fn unreadable_games_within_a_line_are_kept_apart() {
    let text =
        "[GameType \"77\"] 1. 32-28 1-0 % 1. 99-98 0-1 [GameType \"20\"] 1. 32-28 * [GameType \"78\"] [A 1. 31-27";
    let run = annotate(&["-", "--depth", "1", "--hash", "1"], text.as_bytes());
    let parts = |games: &[GameRecord]| {
        let of = |game: &GameRecord| (game.tag("GameType").unwrap_or_default().to_owned(), game.result_text());
        games.iter().map(of).collect::<Vec<_>>()
    };
    let expected =
        [("77", "1-0"), ("", "0-1"), ("20", "*"), ("78", "*")].map(|(tag, result)| (tag.into(), result.into()));
    assert_eq!(parts(&read_games(text)), expected);
    let written = String::from_utf8_lossy(&run.output).replace("20,W,10,0,N2,0", "20");
    assert_eq!(parts(&read_games(&written)), expected, "{written}");
    assert!(run.errors.contains("game 4, line 1 column 72: unknown variant or game type '78'"), "{}", run.errors);
}

#[test]
fn files_without_tags_and_irregular_games_are_annotated() {
    let text = "[White \"a\"]\n1.33-28 18-23  2.39-33 12-18  3.44-39  7-12\n4. 31-26  1- 7 *\n\n[White \"b\"]\n1. 34-30 20-25 2. 30-24 $902 19x30 *\n\n\
                [White \"c\"]\n[GameType \"20,W,10,10,N1,0\"]\n1. 32-28 *\n\n[White \"d]\n[Black \"e\"]\n1. 32-28 *\n\n\
                [White \"f\"]\n1. 32-28 32-28 *\n\n[White \"g\"]\n1. 32-28Draw *\n\n\
                [White \"h\"]\n[FEN \"W:WK47:B9,12,23,33,40\"]\n1. 47x17 23-29 *\n";
    let run = annotate(&["-", "--depth", "1", "--hash", "1"], text.as_bytes());
    let tags: Vec<_> = run
        .games()
        .iter()
        .map(|game| (game.tag("White").map(str::to_owned), game.tag("GameType").map(str::to_owned)))
        .collect();
    let tag = |white: &str, text: &str| (Some(white.to_owned()), Some(text.to_owned()));
    let guessed = |white: &str| (Some(white.to_owned()), None);
    let expected = [
        guessed("a"),
        guessed("b"),
        tag("c", "20,W,10,10,N1,0"),
        guessed("d"),
        guessed("f"),
        guessed("g"),
        guessed("h"),
    ];
    assert_eq!(tags, expected, "{}", run.errors);
    let stated = run.games().iter().filter(|game| game.comment.is_some()).count();
    assert_eq!(stated, 6, "a guess is reported, but not written as a tag");
    let again = annotate(&["-", "--depth", "1", "--hash", "1"], &run.output);
    assert!(
        again
            .games()
            .iter()
            .filter_map(|game| game.comment.as_ref())
            .all(|comment| comment.matches("guessed").count() == 1)
    );
    for line in [
        "game 1, a - ?, not finished, international (guessed): White blunders",
        "-: game 4, line 12 column 1: misquoted tag value, corrected: '[White \"d]'",
        "-: game 5, line 17 column 10: move 32-28: no piece of the side to move on 32; annotated up to there",
        "6 of 7 games annotated, 1 up to a move that cannot be replayed",
    ] {
        assert!(run.errors.contains(line), "{line}: {}", run.errors);
    }
    assert!(!run.errors.contains("game 3, c - ?, not finished, international"), "{}", run.errors);
}

#[test]
fn annotating_again_replaces_old_comments_and_setup_positions_start_new_parts() {
    let text = "[GameType \"21\"]\n\n1. 11-15 {good} 23-18 +/- /FEN \"B:W32:B1\"/ 1. 1-5 32-28 2-1\n";
    let options = ["-", "--depth", "5", "--hash", "1", "--blunder", "1"];
    let said = annotate(&options, text.as_bytes());
    let output = String::from_utf8_lossy(&said.output).into_owned();
    assert!(said.is_success && output.contains("+/-") && output.ends_with(" 2-1\n\n"), "{output}{}", said.errors);
    let game = said.games().remove(0);
    let is_scored = |mv: &PdnMove| mv.comment.as_deref().is_some_and(|comment| comment.contains("[%eval"));
    assert_eq!(game.moves.iter().map(is_scored).collect::<Vec<_>>(), [true, true, false, true, true]);
    let again = annotate(&options, &said.output);
    assert_eq!(String::from_utf8_lossy(&again.output), output);
    let kept = annotate(&[&options[..], &["--keep"]].concat(), &said.output);
    assert!(kept.games()[0].moves[0].comment.as_deref().is_some_and(|comment| comment.matches("[%eval").count() == 2));
}

#[test]
fn annotating_again_keeps_the_work_of_others() {
    let again = |text: &str, options: [&[&str]; 2]| {
        let mut output = text.as_bytes().to_vec();
        for more in options {
            output = annotate(&[&["-", "--hash", "1"], more].concat(), &output).output;
        }
        String::from_utf8(output).expect("the output is text")
    };
    let marked = again(
        "[GameType \"21\"]\n11-15 23-18 7-11? 27-23 *\n",
        [&["--depth", "8"], &["--depth", "8", "--blunder", "600"]],
    );
    let game = read_games(&marked).remove(0);
    assert_eq!(game.moves[2].glyphs, [2], "{marked}");
    assert!(game.moves[2].variations.is_empty() && !marked.contains("[%marked"), "{marked}");
    let options: [&[&str]; 2] = [&["--depth", "2"], &["--depth", "2"]];
    let line = "11-15 23-18 7-11 (2. 8-11 {[%eval -0.22]} 27-23) 27-23 *\n";
    let game = read_games(&again(&format!("[GameType \"21\"]\n{line}"), options)).remove(0);
    assert_eq!(game.moves[2].variations.first(), read_games(line)[0].moves[2].variations.first());
    let options: [&[&str]; 2] = [&["--depth", "8", "--blunder", "600"]; 2];
    let line = "11-15 23-18 7-11? (2. 8-11 {[%eval -0.22]} 27-23) 27-23 *\n";
    let game = read_games(&again(&format!("[GameType \"21\"]\n{line}"), options)).remove(0);
    let expected = read_games(line).remove(0);
    assert_eq!(
        (&game.moves[2].glyphs, &game.moves[2].variations),
        (&expected.moves[2].glyphs, &expected.moves[2].variations)
    );
    let faulty =
        again("[GameType \"20\"]\n1. 32-28 19-23 2. 9-50 {boo} 18-23 {[%eval 0.10]} *\n", [&["--depth", "2"]; 2]);
    assert!(faulty.contains("{boo move 9-50:") && faulty.matches("annotated").count() == 1, "{faulty}");
    assert!(faulty.contains("[%eval 0.10]"), "the move has not been annotated: {faulty}");
}

#[test]
fn an_impossible_position_is_an_error_of_the_game_of_its_file() {
    let others = "[White \"a\"]\n\n1. 11-15 23-19 2. 8-11 22-17 *\n\n[White \"b\"]\n\n1. 9-14 22-18 *\n\n";
    let text = format!("{others}[FEN \"B:WK23,12,3:BK15,K11\"]\n\n1... 15-10 *\n");
    let run = annotate(&["-", "--depth", "1", "--hash", "1"], text.as_bytes());
    let error = "fen a white man on 3 stands on its promotion row (guessed variant: english)";
    assert!(!run.is_success && run.errors.contains(&format!("game 3, line 9 column 1: {error}")), "{}", run.errors);
    assert!(!String::from_utf8_lossy(&run.output).contains("[GameType"));
    let file = new_file("english.pdn");
    fs::write(&file, &text).expect("it can be written");
    for shard in ["1/1", "3/3"] {
        let file = file.to_str().expect("the path is text");
        let batch = program(&["batch", "--depth", "1", "--hash", "1", "--shard", shard, file]);
        let (records, ..) = run_to_end(batch, "");
        let lines: Vec<_> = records.lines().collect();
        let (last, before) = lines.split_last().expect("there are records");
        assert!(last.contains(&format!("\"line\":9,\"error\":\"{error}\"")), "{last}");
        assert!(before.iter().all(|line| line.contains("\"variant\":\"english\",\"guessed\":true")), "{records}");
    }
    // If no variant allows the position, the error describes the fault in the position.
    for (fen, error) in [
        ("W:W18,K15,1:BK30,K26,2", "fen a white man on 1 stands on its promotion row\n"),
        ("W:W18,K15,120:BK30", "fen square 120 is not on the "),
        ("W:W18,K15", "fen black pieces: the list is missing\n"),
    ] {
        let run =
            annotate(&["-", "--depth", "1", "--hash", "1"], format!("[FEN \"{fen}\"]\n\n1. 15-10 *\n").as_bytes());
        assert!(!run.is_success && run.errors.contains(error), "{}", run.errors);
    }
}

#[test]
fn an_ambiguous_capture_is_resolved_by_later_moves_or_reported() {
    let game = |moves: &str| format!("[GameType \"22\"]\n[FEN \"W:W30:B18,19,26,27\"]\n\n1. {moves} *\n\n");
    let text = [game("30x14 27-30"), game("30x14"), game("30x23x14 26-29")].concat();
    let run = annotate(&["-", "--depth", "1", "--hash", "1"], text.as_bytes());
    let moves: Vec<_> = run.games().iter().map(|game| game.moves[0].text.clone()).collect();
    assert_eq!(moves, ["30x21x14", "30x14", "30x23x14"], "{}", run.errors);
    assert!(
        run.errors.contains("game 1, line 4 column 4: 30x14 is interpreted as 30x21x14, based on the later moves\n"),
        "{}",
        run.errors
    );
    assert!(
        run.errors.contains("-: game 2, line 9 column 4: move 30x14: ambiguous: 30x21x14 or 30x23x14\n"),
        "{}",
        run.errors
    );
    assert!(run.errors.contains("2 of 3 games annotated"), "{}", run.errors);
}

#[test]
fn the_result_is_printed_in_words() {
    for (tags, result, words) in [
        ("[GameType \"21\"]", "1-0", "Black won"),
        ("[GameType \"21\"]", "0-1", "White won"),
        ("[GameType \"20\"]", "1-1", "a draw"),
    ] {
        let moves = if tags.contains("21") { "11-15" } else { "32-28" };
        let text = format!("[White \"MF Tinsley\"] [Black \"E Fuller\"] {tags} 1. {moves} {result}");
        let run = annotate(&["-", "--depth", "1", "--hash", "1"], text.as_bytes());
        let line = format!("game 1, MF Tinsley - E Fuller, {words}: White blunders");
        assert!(run.errors.starts_with(&line), "{}", run.errors);
    }
}

#[test]
fn old_files_can_be_read() {
    // The file lacks move numbers, contains moves without a separator and capture separators in moves that capture
    // nothing, and ends in the middle of a game.
    let text = "\u{feff}[GameType \"21\"]\r\n\r\n11x15 23x18\r\n8x11\r\n[GameType \"25\"]\r\n1. c3d4 b6a5 2. d4c5 d6b4";
    let run = annotate(&["-", "--depth", "2", "--hash", "1"], text.as_bytes());
    assert!(run.is_success && run.output.starts_with("\u{feff}[GameType".as_bytes()), "{}", run.errors);
    assert_eq!(texts(&run.games()[0].moves), ["11x15", "23x18", "8x11"]);
}

/// Reads and rewrites the game collections in the folder named by `SOFFIO_COLLECTIONS`. The repository does not contain
/// such collections.
#[test]
#[ignore = "needs SOFFIO_COLLECTIONS, a folder with collections of games"]
fn collections_are_read_and_written_again() {
    let folder = std::env::var_os("SOFFIO_COLLECTIONS").expect("SOFFIO_COLLECTIONS names a folder");
    let files = fs::read_dir(Path::new(&folder))
        .expect("the folder can be read")
        .map(|entry| entry.expect("it can be read").path());
    for path in files.filter(|path| path.extension().is_some_and(|extension| extension == "pdn")) {
        let read = decode(&fs::read(&path).expect("it can be read"));
        let read: Vec<_> = PdnReader::new(&read.text).collect();
        let notes = read.iter().map(|game| game.notes.len()).sum::<usize>();
        let games: Vec<_> = read.into_iter().map(|game| game.record).collect();
        let guesses = Guesses::new(&games);
        let played = games.iter().filter(|game| PlayableGame::new(game, guesses.variant(game)).is_ok()).count();
        println!("{}: {} games, {played} with legal moves, {notes} notes", path.display(), games.len());
        let text: String = games.iter().map(ToString::to_string).collect();
        assert_eq!(read_games(&text), games, "{}", path.display());
    }
}
