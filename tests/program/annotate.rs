//! Tests of `soffio annotate`: scores, marks for bad moves, and better lines in game files.

use crate::common;

use crate::process::{self, TIMEOUT, output, program, run_in, run_to_end, terminate};
use common::records::{new_file, records};
use roxmltree::Document;
use soffio::engine::{Engine, Limits, Setting};
use soffio::notation::WrittenGame;
use soffio::notation::pdn::{
    self, CommentPart, GameRecord, Guesses, PdnMove, PdnReader, comment_parts, decode, read_games,
};
use soffio::rules::Variant;
use soffio::score::WhiteScore;
use soffio::stop::Stop;
use soffio_analysis::annotate::{AnalysisTask, Analyst, AnnotateError, HashClearing, MoveMark, PlayableGame};
use std::fs;
use std::path::Path;
use std::thread;

const SOFFIO: &str = env!("CARGO_BIN_EXE_soffio");

struct Annotated {
    output: Vec<u8>,
    errors: String,
    is_success: bool,
}

impl Annotated {
    fn games(&self) -> Vec<GameRecord> {
        read_games(&decode(&self.output).text)
    }
}

#[track_caller]
fn annotate(arguments: &[&str], input: &[u8]) -> Annotated {
    let output = output(program(&[&["annotate"], arguments].concat()), input);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    Annotated { output: output.stdout, errors, is_success: output.status.success() }
}

/// A game in which one side loses material without compensation.
struct Blunder {
    variant: Variant,
    moves: &'static str,
    /// Index of the blunder among the moves.
    index: usize,
}

const BLUNDERS: [Blunder; 4] = [
    Blunder {
        variant: Variant::Italian,
        moves: "23-20 10-13 20-16 13-17 21-18 12-15 18-13 9x18 22x13 15-20 24x15 11x20 13-9 5-10 26-22 2-5 9x2 6-11 2-6 20-24",
        index: 15,
    },
    Blunder {
        variant: Variant::English,
        moves: "11-15 23-18 7-11 27-23 11-16 18x11 8x15 32-27 4-8 24-19 15x24 27x4 12-16 28-24",
        index: 8,
    },
    Blunder {
        variant: Variant::International,
        moves: "33-28 18-22 38-33 12-18 43-38 22-27 32x23 19-24 34-29 13-19 48-43 7-12 40-34 8-13",
        index: 5,
    },
    Blunder {
        variant: Variant::Russian,
        moves: "c3-b4 f6-g5 b4-a5 g5-h4 d2-c3 b6-c5 c3-d4 c7-b6 a5:c7:e5 e7-f6 d4:b6 a7:c5 e3-d4 c5:e3",
        index: 7,
    },
];

fn record(blunder: &Blunder) -> GameRecord {
    let number = blunder.variant.game_type().expect("it has a number").to_string();
    GameRecord {
        tags: vec![("GameType".to_owned(), number)],
        moves: blunder.moves.split(' ').map(PdnMove::new).collect(),
        ..GameRecord::default()
    }
}

fn texts(moves: &[PdnMove]) -> Vec<&str> {
    moves.iter().map(|mv| mv.text.as_str()).collect()
}

#[test]
fn a_blunder_is_marked_and_a_better_line_is_shown() {
    let input: String = BLUNDERS.iter().map(|blunder| record(blunder).to_string()).collect();
    let run = annotate(&["-", "--depth", "7", "--hash", "4"], input.as_bytes());
    assert!(run.is_success, "{}", run.errors);
    let games = run.games();
    assert_eq!(games.len(), BLUNDERS.len());
    let lines = run.errors.lines().filter(|line| line.contains(": White "));
    for ((blunder, game), line) in BLUNDERS.iter().zip(&games).zip(lines) {
        let before = record(blunder);
        assert_eq!(texts(&game.moves), texts(&before.moves));
        assert_eq!(game.tag("Annotator"), Some(concat!("Soffio ", env!("CARGO_PKG_VERSION"))));
        let blunders: Vec<_> = game.moves.iter().enumerate().filter(|(_, mv)| mv.glyphs.contains(&4)).collect();
        let [(index, bad)] = blunders[..] else { panic!("{game}") };
        assert_eq!(index, blunder.index, "{game}");
        assert!(line.contains("blunders 1, ") && line.contains("blunders 0, "), "{line}");

        // The variation starts from the position before the blunder. Scores are from White's point of view.
        let [better] = &bad.variations[..] else { panic!("{game}") };
        assert!(better.moves.len() > 1 && better.moves[0].text != bad.text, "{game}");
        let mut other = before.clone();
        other.moves.truncate(index);
        other.moves.extend(better.moves.iter().cloned());
        let replayed = annotate(&["-", "--depth", "1", "--hash", "1"], other.to_string().as_bytes());
        assert!(replayed.is_success, "{other}{}", replayed.errors);
        let score = |mv: &PdnMove| match comment_parts(mv.comment.as_deref().unwrap_or_default())[..] {
            [CommentPart::Command(pdn::Command::Evaluation(WhiteScore::Cp(score))), ..] => f64::from(score) / 100.0,
            _ => panic!("{mv:?}"),
        };
        let whites_loss = score(&better.moves[0]) - score(bad);
        let is_whites = (index % 2 == 0) == (blunder.variant != Variant::English);
        assert!(if is_whites { whites_loss >= 1.0 } else { whites_loss <= -1.0 }, "{game}");
    }
    let again = annotate(&["-", "--depth", "7", "--hash", "4"], input.as_bytes());
    assert!(again.output == run.output, "the same depth gives the same result");
    // The transposition table is cleared before each game.
    let alone = annotate(&["-", "--depth", "7", "--hash", "4", "--games", "4"], input.as_bytes());
    assert_eq!(alone.games(), games[3..]);
}

#[test]
fn the_blunder_threshold_can_be_set() {
    let text = record(&BLUNDERS[1]).to_string();
    let glyph = |loss: &str| {
        let run = annotate(&["-", "--depth", "6", "--hash", "1", "--blunder", loss], text.as_bytes());
        run.games()[0].moves[BLUNDERS[1].index].glyphs.clone()
    };
    // The loss is computed from the evaluation. The threshold rises with each step, so the loss becomes a smaller share
    // of it.
    let thresholds = (0..14).map(|step| (50.0 * 1.2_f64.powi(step)) as u32);
    let mut glyphs: Vec<_> = thresholds.map(|loss| glyph(&loss.to_string())).collect();
    glyphs.dedup();
    let all = [vec![4], vec![2], vec![6], vec![]];
    assert!(glyphs.len() >= 3 && all.starts_with(&glyphs), "{glyphs:?}");
}

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
fn a_game_that_ends_by_the_rules_is_recognised() {
    let text = "[GameType \"20\"]\n[FEN \"W:W33:B24\"]\n1. 33-29 24x33 *\n[GameType \"20\"]\n[FEN \"W:W33:B28\"]\n1. 33x22 *\n\
                [GameType \"98\"]\n[FEN \"W:W26:B21\"]\n1. 26x17 *\n[GameType \"20\"]\n*\n[GameType \"20\"]\n[FEN \"W:W31:B1\"]\n1. 31-27 *";
    let run = annotate(&["-", "--depth", "5", "--hash", "1"], text.as_bytes());
    assert!(run.is_success, "{}", run.errors);
    let last = |game: &GameRecord| game.moves.last().and_then(|mv| mv.comment.clone());
    let lasts: Vec<_> = run.games().iter().map(last).collect();
    assert_eq!(lasts[0].as_deref(), Some("Black has won"));
    assert_eq!(lasts[1].as_deref(), Some("White has won"));
    assert_eq!(lasts[2].as_deref(), Some("Black has won"), "a side without a move has won");
    assert_eq!(lasts[3], None);
    assert!(lasts[4].is_some());
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
            "-: game 6, line 23 column 1: fen square 51 is not on the 10x10 board",
            "-: game 7, line 30 column 10: unrecognised text, kept as is: 'resigns'",
            "5 of 8 games annotated, 1 up to an illegal or ambiguous move, 2 not annotated",
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
        "6 of 7 games annotated, 1 up to an illegal or ambiguous move",
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

/// Runs every tested example on the page about annotated games, and compares its output with the page.
#[test]
#[cfg(unix)]
fn the_page_shows_what_its_examples_print() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/annotate.md")).expect("it is there");
    let path = Path::new(SOFFIO).parent().expect("it is in a folder").display().to_string();
    let examples: Vec<_> = page.split("<!-- tested -->\n```sh\n").skip(1).collect();
    assert!(!examples.is_empty());
    for example in examples {
        let (command, rest) = example.split_once("```\n\n```text\n").expect("its output follows");
        let (expected, _) = rest.split_once("```").expect("it ends");
        let mut bash = process::command("bash");
        bash.args(["-euo", "pipefail", "-c", command]);
        bash.env("PATH", format!("{path}:{}", std::env::var("PATH").unwrap_or_default()));
        let (output, errors, _) = run_to_end(bash, "");
        let run = output + &errors;
        assert_eq!(run, expected);
    }
}

#[test]
fn old_files_can_be_read() {
    // The file lacks move numbers, contains moves without a separator and capture separators in moves that capture
    // nothing, and ends in the middle of a game.
    let text = "\u{feff}[GameType \"21\"]\r\n\r\n11x15 23x18\r\n8x11\r\n[GameType \"25\"]\r\n1. c3d4 b6a5 2. d4c5 d6b4";
    let run = annotate(&["-", "--depth", "2", "--hash", "1"], text.as_bytes());
    assert!(run.is_success, "{}", run.errors);
    assert_eq!(texts(&run.games()[0].moves), ["11x15", "23x18", "8x11"]);
}

#[test]
fn each_error_is_reported_in_one_line() {
    let existing = new_file("existing.pdn");
    fs::write(&existing, "mine").expect("it can be written");
    let existing = existing.display().to_string();
    for (arguments, error) in [
        (&["/does/not/exist"][..], "soffio: /does/not/exist: No such file or directory\n"),
        (&["-", "--games", "2-3"], "soffio: -: --games selects no game; the number of the last game is 1\n"),
        (
            &["-", "--out", &existing],
            "existing.pdn: the file exists; use --overwrite to replace it, or choose another name\n",
        ),
        (&["-", "--html", &existing], "existing.pdn: the file exists; use --overwrite"),
        (&["-", "--svg", &existing], "existing.pdn: the file exists; use --overwrite"),
        (&["-", "--svg", "/does/not/exist/a.svg"], "soffio: /does/not/exist/a.svg: No such file or directory"),
        (&["-", "--html", "/does/not/exist/a.html"], "soffio: /does/not/exist/a.html: No such file or directory"),
        (&["-", "--games", "0"], "expected a game number such as 3, or a range such as 3-7 or 3-"),
        (&["-", "--depth", "0"], "expected a whole number from 1 to 127"),
        (&["-", "--variant", "chess"], "expected one of"),
    ] {
        let run = annotate(arguments, b"[GameType \"20\"]\n1. 32-28 *");
        assert!(!run.is_success && run.output.is_empty() && run.errors.contains(error), "{}", run.errors);
    }
    assert_eq!(fs::read_to_string(&existing).expect("it is there"), "mine");
    assert_eq!(annotate(&["-"], b" ; nothing\n").errors, "soffio: -: no games found\n");
}

#[test]
fn plots_are_valid_xml_and_pages_contain_the_games() {
    let mut input: String = BLUNDERS.iter().map(|blunder| record(blunder).to_string()).collect();
    input.insert_str(0, "[White \"<&>'\\\"\u{fffe}\"]\n");
    let (page, curve, out) = (new_file("games.html"), new_file("curve.svg"), new_file("annotated.pdn"));
    let curves = [1, 2, 3, 4].map(|index| new_file(&format!("curve-{index}.svg")));
    let names = [&page, &curve, &out].map(|path| path.display().to_string());
    let words = ["-", "--depth", "6", "--hash", "1", "--html", &names[0], "--svg", &names[1], "--out", &names[2]];
    let run = annotate(&words, input.as_bytes());
    assert!(run.is_success && run.output.is_empty(), "{}", run.errors);
    assert_eq!(records(&out).len(), 4);
    let text = fs::read_to_string(&page).expect("it is written");
    let start =
        text.split("id=\"start\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("it has games");
    let start: serde_json::Value = serde_json::from_str(start).expect("they are JSON");
    let games = start["games"].as_array().expect("there are games");
    assert_eq!((games.len(), &start["engine"]), (4, &serde_json::json!("none")));
    assert_eq!(games[0]["tags"][0], serde_json::json!(["White", "<&>'\"\u{fffe}"]), "text from the file is escaped");
    for game in games {
        let nodes = game["nodes"].as_array().expect("it has moves");
        let is_bad = |node: &&serde_json::Value| node["glyphs"].to_string().contains('4') && node["score"].is_object();
        let bad = nodes.iter().find(is_bad).expect("there is a blunder");
        let others = nodes.iter().filter(|node| node["parent"] == bad["parent"]).count();
        assert_eq!(others, 2, "the better move is shown next to it");
    }
    assert_eq!(text.matches("</script>").count(), 2, "no text in a game ends a script element");
    for path in curves {
        let text = fs::read_to_string(path).expect("it is drawn");
        assert!(
            Document::parse(&text)
                .is_ok_and(|picture| picture.root_element().has_tag_name(("http://www.w3.org/2000/svg", "svg")))
        );
    }
    annotate(&["-", "--depth", "1", "--games", "2", "--svg", &names[1]], input.as_bytes());
    assert!(curve.exists(), "a single game is written to the named file");
}

#[test]
#[cfg(unix)]
fn an_interrupt_keeps_the_games_annotated_so_far() {
    for old in [None, Some("the old games\n")] {
        let place = tempfile::tempdir().expect("a folder");
        let [input, out] = ["many.pdn", "interrupted.pdn"].map(|name| place.path().join(name));
        let text = record(&BLUNDERS[2]).to_string();
        fs::write(&input, text.repeat(1000)).expect("it can be written");
        if let Some(old) = old {
            fs::write(&out, old).expect("it can be written");
        }
        let child = program(&["annotate", "--movetime", "20", "--hash", "1", "--overwrite"])
            .args([&input, Path::new("--out"), &out])
            .spawn()
            .expect("the program can be started");
        // The file has a different name until it is complete.
        let unfinished = || {
            let files = fs::read_dir(place.path()).expect("the folder exists").flatten().map(|entry| entry.path());
            files.into_iter().find(|path| path.extension().is_some_and(|end| end == "part"))
        };
        let length = || unfinished().and_then(|path| fs::metadata(path).ok()).map_or(0, |file| file.len());
        let started = std::time::Instant::now();
        while length() < 2 * text.len() as u64 {
            assert!(started.elapsed() < TIMEOUT, "no game is written");
            thread::sleep(std::time::Duration::from_millis(10));
        }
        terminate(&child);
        let output = child.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success());
        let written = if let Some(old) = old {
            let part = unfinished().expect("the new games have another name");
            let notice = format!("the old file is unchanged; the games annotated so far are in {}\n", part.display());
            assert!(errors.contains(&notice), "{errors}");
            assert_eq!(fs::read_to_string(&out).expect("it is there"), old);
            part
        } else {
            assert_eq!(unfinished(), None);
            out
        };
        let games = records(&written);
        assert!(!games.is_empty() && games.iter().all(|game| game.moves.iter().all(|mv| mv.comment.is_some())));
        assert!(errors.ends_with(&format!("{} of 1000 games annotated, then interrupted\n", games.len())), "{errors}");
    }
}

#[test]
fn the_input_is_not_replaced() {
    let place = tempfile::tempdir().expect("a folder");
    let input = place.path().join("games.pdn");
    let text = record(&BLUNDERS[2]).to_string();
    fs::write(&input, &text).expect("it can be written");
    for option in ["--out", "--html", "--svg"] {
        let line = format!("annotate games.pdn --depth 1 --overwrite {option} ./games.pdn");
        let error = "soffio: games.pdn: the input file is also the output (./games.pdn)\n";
        assert_eq!(run_in(place.path(), &line, ""), (String::new(), error.to_owned(), false), "{option}");
        assert_eq!(fs::read_to_string(&input).expect("it is there"), text);
    }
}

fn random_game(variant: Variant, random: &mut fastrand::Rng) -> GameRecord {
    let mut game = WrittenGame::new(variant);
    let mut record = GameRecord::default();
    while record.moves.len() < 24 {
        let moves = game.legal_moves();
        let Some(text) = random.choice(&moves) else { break };
        let mv = PdnMove::played(text);
        game.play(&[mv.record().expect("it is a move")]).expect("it is legal");
        record.moves.push(mv);
    }
    record.set_variant(variant);
    record
}

fn analyst() -> Analyst {
    let mut engine = Engine::new();
    engine.apply(Setting::Hash(1)).expect("there is enough memory");
    Analyst::new(engine, HashClearing::EachGame)
}

#[test]
fn every_variant_is_annotated_by_the_same_rules() {
    let mut random = fastrand::Rng::with_seed(3);
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let stop = Stop::new();
    let task = AnalysisTask { limits: &limits, blunder: 60, stop: &stop };
    let mut analyst = analyst();
    let mut marks = 0;
    for variant in Variant::listed() {
        let mut record = random_game(variant, &mut random);
        let mut positions = 0;
        let game = PlayableGame::new(&record, None).expect("it is a game");
        assert_eq!(game.variant(), variant);
        let analysis = analyst.analyse(&game, &task, &mut |_, _, _| positions += 1).expect("it is legal");
        assert_eq!((analysis.scores.len(), positions), (record.moves.len() + 1, record.moves.len() + 1), "{record}");
        for annotation in &analysis.moves {
            assert_eq!(annotation.mark, MoveMark::for_loss(annotation.loss, task.blunder));
            assert!(annotation.loss == 0 || !annotation.better.is_empty(), "{variant}: {annotation:?}");
        }
        let before = record.clone();
        soffio_analysis::annotate::annotate(&mut record, 0, &analysis);
        assert_eq!(texts(&record.moves), texts(&before.moves));
        assert_eq!(read_games(&record.to_string()), std::slice::from_ref(&record));
        for (index, mv) in record.moves.iter().enumerate() {
            for variation in &mv.variations {
                marks += 1;
                let mut other = before.clone();
                other.moves.truncate(index);
                other.moves.extend(variation.moves.iter().cloned());
                let game = PlayableGame::new(&other, None).expect("it is a game");
                assert!(analyst.analyse(&game, &task, &mut |_, _, _| {}).is_ok(), "{variant} {other}");
            }
        }
    }
    assert!(marks > 26, "random players make only {marks} mistakes");
}

#[test]
fn annotation_stops_on_request() {
    let stop = Stop::new();
    let on_time = stop.clone();
    let task = AnalysisTask { limits: &Limits::default(), blunder: 100, stop: &stop };
    let mut analyst = analyst();
    let game = PlayableGame::new(&record(&BLUNDERS[2]), None).expect("it is a game");
    thread::spawn(move || {
        thread::sleep(std::time::Duration::from_millis(200));
        on_time.stop();
    });
    // This search ends only when it is stopped.
    for _ in 0..2 {
        assert_eq!(analyst.analyse(&game, &task, &mut |_, _, _| {}), Err(AnnotateError::Stopped));
    }
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

#[test]
fn a_move_that_loses_a_table_result_is_marked() {
    // Only d4-c3 keeps the draw. After the move played, White can force a win.
    let record = "[GameType \"25\"]\n[FEN \"B:Wh6,Kh4:Bd4\"]\n\n1... d4-e3 *";
    // A depth-1 search leaves no time to probe tables.
    let run = annotate(&["--depth", "14", "-"], record.as_bytes());
    let games = run.games();
    let mv = &games[0].moves[0];
    assert!(mv.glyphs.contains(&4), "{mv:?}");
    let text = String::from_utf8_lossy(&run.output);
    assert!(text.contains("gives the draw away"), "{text}");
    assert!(text.contains("d4-c3"), "{text}");
    let missing = annotate(&["--tables", "no/such/folder", "-"], record.as_bytes());
    assert!(!missing.is_success && missing.errors.contains("no/such/folder"), "{}", missing.errors);
}

#[test]
fn records_do_not_depend_on_earlier_games() {
    // The tables that the first game solves would leave enough nodes for the tables of the second game.
    let games = "[GameType \"21\"]\n[FEN \"W:WK14:BK32\"]\n\n1. 14-18 32-28 *\n\n\
                 [GameType \"21\"]\n[FEN \"W:W22:B12\"]\n\n1. 22-18 12-16 *\n\n";
    for nodes in ["2000", "3000"] {
        let records = |shard: &str| {
            let found = annotate(&["-", "--nodes", nodes, "--json", "--shard", shard], games.as_bytes());
            assert!(found.is_success, "{}", found.errors);
            String::from_utf8(found.output).expect("records are text")
        };
        let whole = records("1/1");
        assert_eq!(whole.lines().count(), 6);
        assert!(whole.contains("\"table\":\"draw\""), "{whole}");
        let shards = ["1/2", "2/2"].map(records).concat();
        for line in shards.lines() {
            assert!(whole.contains(line), "{nodes} nodes: {line}\n{whole}");
        }
    }
}
