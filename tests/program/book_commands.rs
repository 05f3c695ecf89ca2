//! Tests of `soffio book`: import, export, and expansion. A book does not depend on how its expansion is split,
//! interrupted and resumed.

use crate::process::{self, program};
use soffio::book::Book;
use soffio::rules::Variant;
use soffio_match::openings_from_book;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use tempfile::TempDir;

/// Runs the program in the folder `place` with `input` and the arguments in `line`.
fn output(place: &Place, line: &str, input: &str) -> Output {
    let mut command = program(&line.split_whitespace().collect::<Vec<_>>());
    command.current_dir(place.path());
    process::output(command, input)
}

/// Runs the program like [`output`], asserts that it succeeds, and returns its standard output.
fn run(place: &Place, line: &str, input: &str) -> String {
    let output = output(place, line, input);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is text")
}

/// Asserts that the command fails, and returns its error message.
fn error(place: &Place, line: &str) -> String {
    let output = output(place, line, "");
    assert!(!output.status.success(), "{line}");
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}

/// A temporary folder, which is removed at the end of the test.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder can be created"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }
}

#[test]
fn an_import_without_moves_fails_and_keeps_the_book() {
    let place = Place::new();
    fs::write(place.file("games.pdn"), "[GameType \"21\"]\n[Result \"1-0\"]\n\n1. 11-15 22-18 1-0\n").unwrap();
    let import = "book import games.pdn --variant english --out games.book";
    run(&place, import, "");
    let book = fs::read(place.file("games.book")).unwrap();
    for (options, reason) in [
        ("--result white", "--result selects none of 1 game"),
        ("--plies 0", "--plies 0 imports no moves; use at least 1"),
        ("--games 2", "--games 2: no move was played in that many games"),
    ] {
        let error = error(&place, &format!("{import} {options} --overwrite"));
        assert!(error.ends_with(&format!("the book would be empty: {reason}")), "{error}");
        assert_eq!(fs::read(place.file("games.book")).unwrap(), book);
        assert!(!output(&place, &format!("{import} {options}").replace("games.book", "new.book"), "").status.success());
        assert!(!place.file("new.book").exists());
    }
}

#[test]
fn a_book_without_the_start_position_names_another_one() {
    let place = Place::new();
    let game = "[GameType \"21\"]\n[FEN \"W:W32,31:B1,2\"]\n\n1. 32-28 1-6 *\n";
    fs::write(place.file("games.pdn"), game).unwrap();
    run(&place, "book import games.pdn --variant english --out games.book", "");
    let error = error(&place, "book show games.book");
    let (_, root) = error.split_once("; use --fen to name a position such as ").expect("a position is named");
    assert!(run(&place, &format!("book show games.book --fen {root}"), "").contains("32-28"), "{error}");
}

#[test]
fn a_book_does_not_depend_on_how_its_expansion_was_split() {
    let place = Place::new();
    let openings = "startpos\n23-19 10-14\nB:W21,22,23,24,25,26,27,28,29,30,31:B1,2,3,4,5,6,7,8,9,10,11 9-13\n";
    fs::write(place.file("lines"), openings.replace("startpos\n", "")).unwrap();
    let plan = "book grow --variant italian --positions 120 --nodes 150 --settle 3 --openings startpos --openings lines --round 4";
    run(&place, &format!("{plan} --out whole.book --threads 1"), "");
    let whole = fs::read(place.file("whole.book")).unwrap();
    let same = |name: &str| assert!(fs::read(place.file(name)).unwrap() == whole, "{name} is a different book");
    run(&place, &format!("{plan} --out two.book --threads 2"), "");
    same("two.book");
    // The journal is cut in the middle of a line, and the expansion is resumed.
    let journal = fs::read(place.file("whole.book.journal")).unwrap();
    fs::write(place.file("torn.book.journal"), &journal[..journal.len() / 2]).unwrap();
    run(&place, &format!("{plan} --out torn.book --threads 2"), "");
    same("torn.book");
    // The book is expanded with scores from batch requests.
    loop {
        run(
            &place,
            &format!("{plan} --out parts.book --leaves open.jsonl --overwrite --scores 1.jsonl 2.jsonl").replace(
                " --scores 1.jsonl 2.jsonl",
                if place.file("1.jsonl").exists() { " --scores 1.jsonl 2.jsonl" } else { "" },
            ),
            "",
        );
        if fs::metadata(place.file("open.jsonl")).unwrap().len() == 0 {
            break;
        }
        for part in 1..=2 {
            run(&place, &format!("batch open.jsonl --shard {part}/2 --resume {part}.jsonl"), "");
        }
    }
    same("parts.book");
    run(&place, "book verify whole.book", "");
    // A larger plan starts with the positions that were analysed for a smaller plan.
    let larger = plan.replace("--positions 120", "--positions 150");
    run(&place, &format!("{larger} --out whole.book --threads 1 --overwrite"), "");
    let grown = fs::read(place.file("whole.book.journal")).unwrap();
    assert!(grown.starts_with(&journal) && grown.len() > journal.len());
    assert!(
        error(&place, &format!("{plan} --out whole.book")).contains("the file exists; use --overwrite to replace it")
    );
    let other = plan.replace("--nodes 150", "--nodes 151");
    assert!(error(&place, &format!("{other} --out x.book --journal whole.book.journal")).ends_with(
        "line 1: the record is for italian with limits {\"nodes\":150}, but the book is for italian with 151 nodes"
    ));
    let old = "{\"id\":\"x\",\"variant\":\"italian\",\"limits\":{\"nodes\":150},\"lines\":[]}\n";
    fs::write(place.file("old.journal"), old).unwrap();
    assert!(
        error(&place, &format!("{plan} --out x.book --journal old.journal"))
            .ends_with("line 1: record x has no field fen: it is from an older version")
    );
}

#[test]
fn a_finished_book_is_not_an_error_and_no_file_is_replaced_by_default() {
    let place = Place::new();
    let plan = "book grow --variant english --positions 40 --nodes 100 --threads 1 --out a.book";
    run(&place, plan, "");
    let (book, journal) = (fs::read(place.file("a.book")).unwrap(), fs::read(place.file("a.book.journal")).unwrap());
    fs::write(place.file("lines"), "11-15\n").unwrap();
    let again = output(&place, plan, "");
    assert_eq!(String::from_utf8_lossy(&again.stderr), "a.book: the book is complete\n");
    assert!(again.status.success() && again.stdout.is_empty());
    run(&place, &format!("{plan} --leaves none.jsonl"), "");
    assert_eq!(fs::read(place.file("none.jsonl")).unwrap(), b"", "no position is left to analyse");
    // An existing file is accepted only if it contains the complete book for the same plan.
    let exists = "soffio: a.book: the file exists; use --overwrite to replace it, or choose another name";
    for other in ["--positions 41", "--nodes 101", "--settle 5", "--author somebody", "--openings lines"] {
        let option = other.split(' ').next().unwrap();
        let words: Vec<_> = plan.split(' ').collect();
        let own = words.windows(2).find(|pair| pair[0] == option).map(|pair| pair.join(" "));
        let changed = own.map_or_else(|| format!("{plan} {other}"), |own| plan.replace(&own, other));
        assert_eq!(error(&place, &changed), exists);
    }
    let mut damaged = book.clone();
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    fs::write(place.file("a.book"), damaged).unwrap();
    assert_eq!(error(&place, plan), exists);
    fs::write(place.file("a.book"), &book).unwrap();
    // An existing leaves file is replaced only if `--overwrite` is given.
    fs::write(place.file("mine"), "mine").unwrap();
    let (leaves, fresh) =
        (format!("{plan} --leaves mine"), format!("{} --leaves mine", plan.replace("a.book", "b.book")));
    for command in [&leaves, &fresh] {
        assert_eq!(
            error(&place, command),
            "soffio: mine: the file exists; use --overwrite to replace it, or choose another name"
        );
        assert_eq!(fs::read(place.file("mine")).unwrap(), b"mine");
    }
    assert!(!place.file("b.book").exists() && !place.file("b.book.journal").exists());
    assert_eq!(fs::read(place.file("a.book")).unwrap(), book);
    assert_eq!(fs::read(place.file("a.book.journal")).unwrap(), journal);
    run(&place, &format!("{fresh} --overwrite"), "");
    let requests = fs::read_to_string(place.file("mine")).unwrap();
    assert!(requests.starts_with("{\"") && requests.lines().count() == 1, "{requests}");
}

/// Builds a book from `games.pdn` with `book import` and the arguments in `line`. Returns the move and weight of each
/// row, sorted as text.
fn imported(place: &Place, line: &str) -> Vec<String> {
    run(place, &format!("book import games.pdn --variant english --out i.book --overwrite {line}"), "");
    run(place, "book verify i.book", "");
    let rows = run(place, "book export i.book --format jsonl", "");
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        format!("{} {}", row["move"].as_str().unwrap(), row["weight"])
    };
    let mut rows: Vec<_> = rows.lines().map(row).collect();
    rows.sort();
    rows
}

#[test]
fn a_game_is_imported_up_to_an_unknown_move() {
    let place = Place::new();
    let games = "[GameType \"21\"]\n1. 11-15 -- 2. 8-11 *\n\n[GameType \"21\"]\n1. -- 23-19 *\n";
    fs::write(place.file("games.pdn"), games).unwrap();
    assert_eq!(imported(&place, ""), ["11-15 0"]);
}

#[test]
fn import_selects_games_by_result_and_moves_by_side() {
    let place = Place::new();
    // In English draughts Black moves first, so 1-0 is a win for Black.
    let games = [("11-15 23-19", "1-0"), ("9-13 22-18", "0-1"), ("10-14 24-20", "1/2-1/2"), ("12-16 21-17", "*")];
    let text = |(moves, result): &(&str, &str)| format!("[GameType \"21\"]\n1. {moves} {result}\n\n");
    fs::write(place.file("games.pdn"), games.iter().map(text).collect::<String>()).unwrap();
    let [black, white, draw] = [["11-15", "23-19"], ["9-13", "22-18"], ["10-14", "24-20"]];
    let rows = |weights: &[(&str, u16)]| {
        let mut rows: Vec<_> = weights.iter().map(|(mv, weight)| format!("{mv} {weight}")).collect();
        rows.sort();
        rows
    };
    let all = |weights: [[u16; 2]; 3]| {
        let moves =
            [black, white, draw].into_iter().zip(weights).flat_map(|(moves, weights)| moves.into_iter().zip(weights));
        rows(&moves.chain([("12-16", 0), ("21-17", 0)]).collect::<Vec<_>>())
    };
    assert_eq!(imported(&place, ""), all([[2, 0], [0, 2], [1, 1]]));
    assert_eq!(imported(&place, "--moves-of black"), all([[2, 0], [0, 0], [1, 0]]));
    assert_eq!(imported(&place, "--moves-of white"), all([[0, 0], [0, 2], [0, 1]]));
    assert_eq!(imported(&place, "--moves-of winner"), all([[2, 0], [0, 2], [0, 0]]));
    assert_eq!(imported(&place, "--result black"), rows(&[("11-15", 2), ("23-19", 0)]));
    assert_eq!(imported(&place, "--result white"), rows(&[("9-13", 0), ("22-18", 2)]));
    let two = [("10-14", 1), ("11-15", 2), ("23-19", 0), ("24-20", 0)];
    assert_eq!(imported(&place, "--result black,draw --moves-of black"), rows(&two));
    let counted = output(&place, "book import games.pdn --variant english --out c.book --result draw", "");
    let printed = String::from_utf8_lossy(&counted.stderr).into_owned();
    assert!(printed.starts_with("1 game imported, 3 skipped\n"), "{printed}");
    assert!(error(&place, "book import games.pdn --variant english --out d.book --result 1-0").contains("1-0"));
    fs::create_dir(place.file("folder.pdn")).unwrap();
    for encoding in ["", " --encoding utf-8"] {
        let refused = error(&place, &format!("book import folder.pdn --variant english --out d.book{encoding}"));
        assert!(refused.starts_with("soffio: folder.pdn: "), "{refused}");
    }
    // A table that was exported from a spreadsheet can start with a byte order mark.
    fs::write(place.file("row.csv"), "\u{feff}fen,move\n\"W:W21:B1\",21-17\n").unwrap();
    run(&place, "book import row.csv --variant english --out r.book", "");
    fs::rename(place.file("row.csv"), place.file("ROW.CSV")).unwrap();
    run(&place, "book import ROW.CSV --variant english --out u.book", "");
}

#[test]
fn books_are_probed_shown_and_exported() {
    let place = Place::new();
    run(&place, "book grow --variant english --positions 60 --nodes 100 --out a.book --threads 1", "");
    let start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    let probed = run(&place, "book probe a.book", &format!("{start}\nW:W30:B1\n"));
    let (first, second) = probed.split_once('\n').unwrap();
    assert_eq!((first.split("; ").count(), second), (7, "none\n"), "{probed}");
    let probed = run(&place, "book probe a.book --json", &format!("{start}\n"));
    let moves = serde_json::from_str::<serde_json::Value>(&probed).unwrap()["moves"].as_array().unwrap().clone();
    assert!(moves.len() == 7 && moves.iter().all(|mv| mv["score"].is_i64() && mv["weight"].is_u64()), "{probed}");
    assert_eq!(probe_error(&place, "what"), "error fen side to move: expected ':', found 'hat' at column 2\n");
    let tree = run(&place, "book show a.book --plies 2", "");
    assert!(tree.lines().next().unwrap().starts_with(first.split(", depth").next().unwrap()), "{tree}");
    assert!(tree.lines().any(|line| line.starts_with("  ") && line.contains(" cp ")), "{tree}");
    let after = run(&place, "book show a.book --plies 1 --moves 11-15", "");
    assert!(after.contains(" cp "), "{after}");
    let stat = run(&place, "book stat a.book", "");
    assert!(
        stat.contains("plan: --variant english --positions 60 --nodes 100 --openings startpos --breadth 10"),
        "{stat}"
    );
    // Importing the exported rows gives the same moves and scores.
    for form in ["csv", "jsonl"] {
        fs::write(place.file(&format!("a.{form}")), run(&place, &format!("book export a.book --format {form}"), ""))
            .unwrap();
        run(&place, &format!("book import a.{form} --variant english --out {form}.book"), "");
        run(&place, &format!("book verify {form}.book"), "");
        assert_eq!(
            run(&place, &format!("book export {form}.book --format csv"), ""),
            run(&place, "book export a.book --format csv", "")
        );
    }
    let games = run(&place, "book export a.book --format pdn --plies 4 --margin 1000", "");
    fs::write(place.file("a.pdn"), &games).unwrap();
    assert!(games.contains("[GameType \"21,") && games.contains("{cp "), "{games}");
    run(&place, "book import a.pdn --variant english --out games.book", "");
    assert!(run(&place, "book probe games.book", &format!("{start}\n")).contains("11-15 no score, weight 0, depth 0"));
}

#[test]
fn damage_is_reported_by_every_command_that_reads_a_book() {
    let place = Place::new();
    run(&place, "book grow --variant english --positions 300 --nodes 50 --out a.book --threads 1", "");
    let mut bytes = fs::read(place.file("a.book")).unwrap();
    let checksums = 4 * Book::open(&place.file("a.book")).unwrap().len().div_ceil(64);
    let place_of_record = bytes.len() - checksums - 2000;
    bytes[place_of_record] ^= 0x55;
    fs::write(place.file("x.book"), bytes).unwrap();
    fs::write(place.file("games.pdn"), "[GameType \"21\"]\n\n1. 11-15 23-19 *\n").unwrap();
    for line in [
        "book verify x.book",
        "book stat x.book",
        "book show x.book",
        "book probe x.book",
        "book export x.book",
        "book merge x.book a.book --out m.book",
        "annotate games.pdn --depth 1 --book x.book",
        "match --variant english --engine cmd=a --engine cmd=b --each depth=1 --openings book:x.book,plies=2",
    ] {
        let found = error(&place, line);
        assert!(found.contains("x.book") && found.contains("checksum mismatch in the block"), "{line}: {found}");
    }
}

#[test]
fn squares_and_moves_of_an_export_have_the_same_notation() {
    let place = Place::new();
    fs::write(place.file("games.pdn"), "[GameType \"25\"]\n\n1. c3-d4 d6-c5 *\n").unwrap();
    run(&place, "book import games.pdn --variant russian --out a.book", "");
    let rows = run(&place, "book export a.book --format csv", "");
    assert!(rows.contains("\"W:Wa3,c3,") && rows.contains(",c3-d4,") && !rows.contains(":W21"), "{rows}");
    fs::write(place.file("a.csv"), &rows).unwrap();
    run(&place, "book import a.csv --variant russian --out b.book", "");
    assert_eq!(run(&place, "book export b.book --format csv", ""), rows);
}

#[test]
fn an_illegal_game_is_reported_and_the_others_are_imported() {
    let place = Place::new();
    let game = |moves: &str| format!("[GameType \"21\"]\n\n1. {moves} 1-0\n\n");
    let games = [game("11-15 23-19"), game("9-13 32-28"), game("10-14 24-20")].concat();
    fs::write(place.file("games.pdn"), games).unwrap();
    let import = "book import games.pdn --variant english --out a.book";
    let imported = output(&place, import, "");
    let errors = String::from_utf8_lossy(&imported.stderr).into_owned();
    assert!(imported.status.code() == Some(1), "{errors}");
    assert!(errors.starts_with("games.pdn, game 2: move 32-28: "), "{errors}");
    assert!(errors.contains("\n2 games imported, 1 not imported\na.book: "), "{errors}");
    let rows = run(&place, "book export a.book", "");
    assert!(rows.contains("11-15") && rows.contains("24-20") && !rows.contains("9-13"), "{rows}");
    for (text, expected) in [
        ("", "soffio: no games or rows found"),
        ("\u{feff}", "soffio: no games or rows found"),
        (&game("32-28"), "\nsoffio: none of the games can be imported"),
    ] {
        fs::write(place.file("games.pdn"), text).unwrap();
        let found = error(&place, &import.replace("a.book", "none.book"));
        assert!(found.ends_with(expected), "{text}: {found}");
        assert!(!place.file("none.book").exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_lost_output_is_reported_and_a_closed_one_is_not() {
    let place = Place::new();
    run(&place, "book grow --variant english --positions 300 --nodes 50 --out a.book --threads 1", "");
    let write_to = |line: &str, device: Stdio| {
        let mut command = program(&line.split_whitespace().collect::<Vec<_>>());
        command.current_dir(place.path()).stdout(device);
        let output = command.output().expect("it starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let form = |form: &str| format!("book export a.book --format {form}");
    let show = "book show a.book --plies 1".to_owned();
    for line in [&show, &form("csv"), &form("jsonl"), &form("pdn")] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (code, errors) = write_to(line, full.into());
        assert!(code == Some(1) && errors.ends_with("No space left on device\n"), "{line}: {errors}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(write_to(line, writer.into()), (Some(0), String::new()), "{line}");
    }
}

fn probe_error(place: &Place, line: &str) -> String {
    let output = output(place, "book probe a.book", &format!("{line}\n"));
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn books_are_merged_and_bad_ones_rejected() {
    let place = Place::new();
    let game = "[GameType \"21\"]\n1. 11-15 23-19 2. 8-11 1-0\n\n[GameType \"21\"]\n1. 11-15 22-18 1/2-1/2\n\n[GameType \"21\"]\n1. 9-13 0-1\n";
    fs::write(place.file("games.pdn"), game).unwrap();
    run(&place, "book import games.pdn --variant english --out games.book", "");
    run(&place, "book grow --variant english --positions 30 --nodes 100 --out a.book --threads 1", "");
    run(
        &place,
        "book grow --variant english --positions 30 --nodes 120 --openings games.pdn --out b.book --threads 1",
        "",
    );
    run(&place, "book merge a.book b.book games.book --out all.book", "");
    run(&place, "book merge a.book --author Ann --licence MIT --out ann.book", "");
    run(&place, "book merge b.book --author Ben --licence MIT --out ben.book", "");
    run(&place, "book merge a.book --licence MIT --out nobody.book", "");
    run(&place, "book merge ann.book ben.book nobody.book ann.book --out both.book", "");
    assert!(run(&place, "book stat both.book", "").contains(" by Ann, Ben, licence MIT, "));
    assert_eq!(
        error(&place, "book merge ann.book a.book --out x.book"),
        "soffio: the books have different licences (MIT, CC0-1.0): use --licence"
    );
    run(&place, "book merge ann.book a.book --licence 0BSD --author Cy --out own.book", "");
    assert!(run(&place, "book stat own.book", "").contains(" by Cy, licence 0BSD, "));
    run(&place, "book verify all.book", "");
    let start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    let moves = run(&place, "book probe all.book", start);
    let weight = |mv: &str| moves.split("; ").find(|text| text.starts_with(mv)).unwrap().to_owned();
    assert!(weight("11-15").contains("weight 3,") && weight("9-13").contains("weight 0,"), "{moves}");
    run(&place, "book grow --variant russian --positions 10 --nodes 100 --out r.book --threads 1", "");
    assert_eq!(
        error(&place, "book merge a.book r.book --out x.book"),
        "soffio: r.book: the book is for russian, not for english"
    );
    assert!(!place.file("x.book").exists());
    let whole = fs::read(place.file("a.book")).unwrap();
    let mut damaged = whole.clone();
    let middle = whole.len() * 2 / 3;
    damaged[middle] ^= 1;
    fs::write(place.file("damaged.book"), damaged).unwrap();
    assert!(error(&place, "book verify damaged.book").starts_with("soffio: damaged.book: "));
    for (name, text, reason) in [
        ("row.jsonl", "{\"fen\":\"W:W21:B1\",\"move\":\"21-18\"}\n", "row 1: move 21-18: "),
        ("row.csv", "fen,move\nW:W21,21-17\n", "row 1: fen black pieces: the list is missing"),
        ("game.pdn", "[GameType \"25\"]\n1. c3-d4 *\n", "game 1: the variant of the game is russian, not english"),
        ("game.txt", "", "expected a file whose name ends in .pdn, .csv or .jsonl"),
    ] {
        fs::write(place.file(name), text).unwrap();
        let found = error(&place, &format!("book import {name} --variant english --out y.book"));
        assert!(found.trim_start_matches("soffio: ").starts_with(name) && found.contains(reason), "{found}");
    }
    assert!(!place.file("y.book").exists(), "a refusal leaves nothing");
}

#[test]
fn book_moves_are_played_and_games_compared_with_the_book() {
    let place = Place::new();
    run(&place, "book grow --variant english --positions 60 --nodes 100 --out a.book --threads 1", "");
    let options = "setoption name UCI_Variant value english\nsetoption name BookFile value a.book\n";
    let printed = run(&place, "", &format!("{options}go depth 1\nwait\ngo infinite\nstop\nquit\n"));
    let (book, rest) = printed.split_once("info string book ").unwrap().1.split_once("bestmove ").unwrap();
    assert!(book.contains(" cp ") && !book.contains("depth 1"), "{printed}");
    assert!(rest.contains("info depth 1 ") && !rest.contains("info string book"), "an analysis searches: {printed}");
    let refused = run(&place, "", "setoption name BookFile value a.book\nsetoption name BookFile value none\nquit\n");
    let mut errors = refused.lines();
    assert_eq!(errors.next(), Some("error option BookFile a.book: the book is for english, not for italian"));
    assert!(errors.next().unwrap().starts_with("error option BookFile none: "), "{refused}");
    let hub = "set-param name=variant value=english\nset-param name=book-file value=a.book\ninit\n               pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww\nlevel depth=1\ngo think\nquit\n";
    let printed = run(&place, "hub", hub);
    let info = printed.lines().find(|line| line.starts_with("info ")).unwrap();
    assert!(info.contains(" nodes=0 ") && !info.contains("depth=1 "), "{printed}");
    // `annotate` reports the position in which a game left the book.
    let best = book.split_whitespace().next().unwrap();
    let game = format!("[GameType \"21\"]\n1. {best} 21-17 2. 8-11 *\n");
    let annotated = run(&place, "annotate - --depth 1 --book a.book", &game);
    let annotated = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        annotated.contains("the book ends here") || annotated.contains("leaves the book; book moves: "),
        "{annotated}"
    );
    // The openings from a book are all different.
    let book = Book::open(&place.file("a.book")).unwrap();
    let openings = openings_from_book(&book, Variant::English, 2, 1000).unwrap();
    let mut lines: Vec<_> = openings.iter().map(ToString::to_string).collect();
    let count = lines.len();
    lines.sort();
    lines.dedup();
    assert!(count > 5 && lines.len() == count && lines.iter().all(|line| line.split(' ').count() == 2), "{lines:?}");
    let narrow = openings_from_book(&book, Variant::English, 2, 0).unwrap();
    assert!(narrow.len() < count, "only the best moves");
    let error = openings_from_book(&book, Variant::English, 50, 30).unwrap_err().to_string();
    assert_eq!(error, "the book has no line of 50 plies within the margin");
    let found = error_of_match(&place, "book:a.book,plies=0");
    assert!(found.contains("plies: expected a number from 1 to 100, found '0'"), "{found}");
}

fn error_of_match(place: &Place, openings: &str) -> String {
    error(place, &format!("match --engine cmd=a --engine cmd=b --openings {openings}"))
}
