//! Tests that the keys and moves of a book match the documentation and the readers in other languages. Also tests which
//! book moves the engine chooses.

use soffio::book::{Book, BookHeader, BookMove, BookScore, Graph, candidates, fnv, key, ordered_moves, write};
use soffio::engine::OptionSpec;
use soffio::notation::{MoveRecord, Placement};
use soffio::rules::{Identity, Variant};
use soffio::{Engine, Game, Limits, WrittenGame};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the row for `variant` in the table of `docs/book-format.md`. It contains the key of the start position and
/// describes the position twenty plies later: its Hub notation, its number of moves, and its key. Each of the twenty
/// moves is the third one in book order, or the last one if there are fewer.
fn vector(variant: Variant) -> String {
    let mut game = WrittenGame::new(variant);
    let text = |game: &Game| Placement::new(variant.spec(), &game.setup()).to_string();
    let start = key(game.game());
    for _ in 0..20 {
        let moves = ordered_moves(game.game());
        assert_eq!(key(game.game()), fnv(text(game.game()).bytes()), "{variant}");
        let Some(&mv) = moves.get(2).or(moves.last()) else { break };
        assert!(game.play_found(mv));
    }
    let moves = ordered_moves(game.game());
    let text = text(game.game());
    format!("| {variant} | `{start:016x}` | `{text}` | {} | `{:016x}` |", moves.len(), key(game.game()))
}

#[test]
fn the_keys_match_the_documented_ones() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/book-format.md");
    let text = fs::read_to_string(page).expect("the page is there");
    let has_row = |variant: &Variant| text.contains(&format!("\n| {variant} |"));
    for variant in Variant::listed().filter(has_row) {
        assert!(text.contains(&vector(variant)), "docs/book-format.md: {}", vector(variant));
    }
    for variant in Variant::listed() {
        let is_on_its_board = |other: &Variant| other.spec().shape == variant.spec().shape;
        assert!(
            Variant::listed().filter(is_on_its_board).any(|other| has_row(&other)),
            "no row has the board of {variant}"
        );
    }
}

/// Returns positions from random games of `variant`, each with its book moves.
fn positions(variant: Variant, count: usize, random: &mut fastrand::Rng) -> Vec<(Game, Vec<BookMove>)> {
    let (mut found, mut game) = (Vec::new(), Game::new(variant));
    while found.len() < count {
        let moves = ordered_moves(&game);
        let legal = game.legal_moves();
        let Some(&played) = random.choice(&legal).filter(|_| game.ply() < 80) else {
            game = Game::new(variant);
            continue;
        };
        let has_moves = random.u8(..4) > 0;
        let places: Vec<_> = (0..moves.len() as u16).filter(|_| has_moves && random.bool()).collect();
        let mut record = |index| BookMove {
            index,
            score: BookScore::from_code(random.i16(..)),
            weight: random.u16(..),
            depth: random.u8(..),
            flags: random.u8(..4),
        };
        let own: Vec<_> = places.into_iter().map(&mut record).collect();
        found.push((game.clone(), own));
        game.play(played);
    }
    // If a position occurs twice, it keeps the moves of its first occurrence.
    let mut seen = std::collections::HashMap::new();
    for (game, moves) in &mut found {
        *moves = seen.entry(key(game)).or_insert_with(|| moves.clone()).clone();
    }
    found
}

/// Writes a book called `name` for `variant`. Each entry of `lines` consists of the moves of a game, its start position
/// (`None` for the usual one), and the score of the last move.
fn book(name: &str, variant: Variant, lines: &[(&str, Option<&str>, i16)]) -> PathBuf {
    let mut graph = Graph::new(variant);
    for (line, fen, score) in lines {
        let start = fen.map(|fen| fen.parse().unwrap());
        let mut game = WrittenGame::from_start(variant, start.as_ref()).unwrap();
        let moves: Vec<MoveRecord> = line.split(' ').map(|text| text.parse().unwrap()).collect();
        let (last, before) = moves.split_last().unwrap();
        game.play(before).unwrap();
        let mv = game.resolve(std::slice::from_ref(last)).unwrap()[0];
        let score = BookScore::from_code(*score);
        let (id, _) = graph.add(game.game());
        graph.add_move(id, &mut game.game().clone(), mv, BookMove { index: 0, score, weight: 1, depth: 3, flags: 0 });
    }
    graph.back_up();
    let path = std::env::temp_dir().join(format!("soffio-{}-{name}.book", std::process::id()));
    let header = BookHeader {
        identity: Identity::for_variant(variant),
        author: String::new(),
        licence: String::new(),
        engine: String::new(),
        nodes: 0,
        plan: String::new(),
        roots: Vec::new(),
    };
    write(&path, &header, graph.records()).unwrap();
    path
}

#[test]
fn a_book_move_is_played_if_allowed() {
    let path = book("play", Variant::English, &[("11-15", None, 10), ("9-13", None, 6), ("12-16", None, -40)]);
    let game = Game::new(Variant::English);
    let mut engine = Engine::new();
    let set = |engine: &mut Engine, name: &str, value: &str| engine.apply(OptionSpec::read(name, Some(value)).unwrap());
    assert_eq!(
        set(&mut engine, "BookFile", path.to_str().unwrap()).unwrap_err().to_string(),
        format!("option BookFile {}: the book is for english, not for italian", path.display())
    );
    set(&mut engine, "UCI_Variant", "english").unwrap();
    set(&mut engine, "BookFile", path.to_str().unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    let limits = |engine: &Engine| Limits { depth: Some(1), ..engine.limits() };
    let texts = |engine: &mut Engine, limits: Limits, count: usize| {
        let mut found: Vec<String> = Vec::new();
        for _ in 0..count {
            let answer = engine.go(&game, limits.clone()).unwrap();
            let text = WrittenGame::new(Variant::English).text(answer.best.unwrap());
            found.push(format!("{text} {}", answer.nodes));
        }
        found.sort();
        found.dedup();
        found
    };
    let usual = limits(&engine);
    assert_eq!(texts(&mut engine, usual.clone(), 40), ["11-15 0", "9-13 0"], "within 5 of the best one");
    set(&mut engine, "BookVariety", "0").unwrap();
    assert_eq!(texts(&mut engine, usual.clone(), 20), ["11-15 0"]);
    set(&mut engine, "BookVariety", "1000").unwrap();
    assert_eq!(texts(&mut engine, usual.clone(), 60), ["11-15 0", "12-16 0", "9-13 0"]);
    set(&mut engine, "Seed", "7").unwrap();
    assert_eq!(texts(&mut engine, usual.clone(), 20).len(), 1, "the same seed gives the same move");
    let is_searched = |engine: &mut Engine, limits: Limits| engine.go(&game, limits).unwrap().nodes > 0;
    let only = game.legal_moves()[..2].to_vec();
    assert!(is_searched(&mut engine, Limits { analysis: true, ..usual.clone() }));
    assert!(is_searched(&mut engine, Limits { root_moves: only, ..usual.clone() }));
    for (name, value, usual_value) in [
        ("OwnBook", "false", "true"),
        ("BookDepth", "0", "9"),
        ("Level", "easy", "full"),
        ("UCI_LimitStrength", "true", "false"),
    ] {
        set(&mut engine, name, value).unwrap();
        assert!(is_searched(&mut engine, usual.clone()), "{name}");
        set(&mut engine, name, usual_value).unwrap();
    }
    assert!(!is_searched(&mut engine, usual));
    set(&mut engine, "BookFile", "<empty>").unwrap();
    let usual = limits(&engine);
    assert!(is_searched(&mut engine, usual));
}

#[test]
fn book_variety_is_limited_over_the_whole_game() {
    // By playing 9-13, Black has already given up 7 of the permitted 10 cp.
    let lines = [("11-15", 10), ("9-13", 3), ("9-13 22-18", -3), ("9-13 22-18 6-9", 3), ("9-13 22-18 5-9", 0)];
    let path = book("game", Variant::English, &lines.map(|(line, score)| (line, None, score)));
    let mut engine = Engine::new();
    let mut moves = |game: &Game, margin: &str| {
        for (name, value) in [("UCI_Variant", "english"), ("BookFile", path.to_str().unwrap()), ("BookVariety", margin)]
        {
            engine.apply(OptionSpec::read(name, Some(value)).unwrap()).unwrap();
        }
        let limits = Limits { depth: Some(1), ..engine.limits() };
        let found: Vec<_> = (0..40).map(|_| engine.go(game, limits.clone()).unwrap().best.unwrap()).collect();
        game.legal_moves().iter().filter(|mv| found.contains(mv)).count()
    };
    let game = Game::new(Variant::English);
    assert_eq!(["6", "7"].map(|margin| moves(&game, margin)), [1, 2]);
    let mut written = WrittenGame::new(Variant::English);
    written.play(&["9-13", "22-18"].map(|text| text.parse::<MoveRecord>().unwrap())).unwrap();
    let game = written.game();
    assert_eq!(["9", "10"].map(|margin| moves(game, margin)), [1, 2], "7 as before, and 3 more");
    // If the game starts in this position, Black has not given up anything yet.
    let begun = Game::from_setup(Variant::English, &game.setup()).unwrap();
    assert_eq!(["2", "3"].map(|margin| moves(&begun, margin)), [1, 2]);
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn no_book_move_loses_or_draws_by_rule_against_its_score() {
    // The kings move back and forth. The third occurrence of a position is a draw.
    let fen = "W:WK32,K18:BK1";
    let path = book("rules", Variant::English, &[("32-28", Some(fen), 90), ("18-15", Some(fen), 20)]);
    let book = Book::open(&path).unwrap();
    fs::remove_file(path).unwrap();
    let mut game = WrittenGame::from_start(Variant::English, Some(&fen.parse().unwrap())).unwrap();
    let found = |game: &WrittenGame| {
        let found = candidates(&book, game.game());
        found.iter().map(|found| (game.text(found.mv), found.record.score.code())).collect::<Vec<_>>()
    };
    let of = |text: &str, score| (text.to_owned(), score);
    assert_eq!(found(&game), [of("32-28", 90), of("18-15", 20)]);
    for _ in 0..2 {
        let moves: Vec<MoveRecord> =
            ["32-28", "1-5", "28-32", "5-1"].iter().map(|text| text.parse().unwrap()).collect();
        game.play(&moves).unwrap();
    }
    assert!(found(&game).is_empty(), "the game is drawn");
    game.undo(4).unwrap();
    game.play(&["32-28", "1-6", "28-32", "6-1"].map(|text| text.parse().unwrap())).unwrap();
    assert!(found(&game).is_empty(), "the third occurrence by a different move");
    game.undo(8).unwrap();
    let other = ["32-28", "1-5", "28-32", "5-1"].map(|text| text.parse::<MoveRecord>().unwrap());
    game.play(&other).unwrap();
    game.play(&["32-28", "1-5", "28-24", "5-1", "24-28", "1-6", "28-32", "6-1"].map(|text| text.parse().unwrap())).ok();
    // The game will soon be drawn by the move-count rule. The book does not store the count.
    let near = WrittenGame::from_start(Variant::English, Some(&format!("{fen}:H70:F1").parse().unwrap())).unwrap();
    assert!(found(&near).is_empty(), "a draw by move count is near");
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Checks that the readers in other languages find the same moves as the library in `count` positions of each of five
/// variants.
fn check_other_readers(count: usize) {
    let folder = std::env::temp_dir().join(format!("soffio-books-{}-{count}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut random = fastrand::Rng::with_seed(38);
    let variants = [Variant::International, Variant::English, Variant::Russian, Variant::Spanish, Variant::Turkish];
    for variant in variants {
        let path = folder.join(format!("{variant}.book"));
        let header = BookHeader {
            identity: Identity::for_variant(variant),
            author: "a test".to_owned(),
            licence: "CC0-1.0".to_owned(),
            engine: "none".to_owned(),
            nodes: 0,
            plan: "random moves".to_owned(),
            roots: Vec::new(),
        };
        let positions = positions(variant, count / variants.len(), &mut random);
        let all = positions.iter().flat_map(|(game, moves)| moves.iter().map(|&mv| (key(game), mv)));
        write(&path, &header, all.collect()).unwrap();
        let book = Book::open(&path).unwrap();
        let text = |game: &Game| Placement::new(variant.spec(), &game.setup()).to_string();
        let input: String = positions.iter().map(|(game, _)| text(game) + "\n").collect();
        let mut expected = format!("{variant}\n");
        for (game, _) in &positions {
            let moves = book.moves(key(game)).into_iter().map(|BookMove { index, score, weight, depth, flags }| {
                let score = score.is_known().then(|| score.code().to_string());
                format!("{index} {} {weight} {depth} {flags}", score.unwrap_or_else(|| "none".to_owned()))
            });
            expected += &(moves.collect::<Vec<_>>().join(", ") + "\n");
        }
        for (program, reader) in [("python3", "examples/book.py"), ("node", "examples/book.mjs")] {
            let child = Command::new(program)
                .arg(root().join(reader))
                .arg(&path)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn();
            let Ok(mut child) = child else {
                eprintln!("{program} is not installed: {reader} is not tested");
                continue;
            };
            let mut stdin = child.stdin.take().unwrap();
            let input = input.clone();
            let writing = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
            let output = child.wait_with_output().unwrap();
            writing.join().unwrap();
            assert!(output.status.success(), "{reader}");
            assert!(String::from_utf8_lossy(&output.stdout) == expected, "{reader} disagrees about {variant}");
        }
    }
    // Every reader must reject a damaged record.
    let path = folder.join("english.book");
    let records = Book::open(&path).unwrap().len();
    let mut bytes = fs::read(&path).unwrap();
    let place = bytes.len() - records.div_ceil(64) * 4 - 9;
    bytes[place] ^= 4;
    fs::write(&path, bytes).unwrap();
    for (program, reader) in [("python3", "examples/book.py"), ("node", "examples/book.mjs")] {
        let output = Command::new(program).arg(root().join(reader)).arg(&path).stdin(Stdio::null()).output();
        assert!(output.is_err() || !output.unwrap().status.success(), "{reader} does not detect damage");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn readers_in_other_languages_agree() {
    check_other_readers(300);
}

#[test]
#[ignore = "takes a few seconds"]
fn readers_in_other_languages_agree_on_ten_thousand_positions() {
    check_other_readers(10_000);
}
