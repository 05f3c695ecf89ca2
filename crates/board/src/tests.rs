use crate::call;
use serde_json::{Value, json};
use soffio::notation::WrittenGame;
use soffio::notation::pdn::{GameRecord, PdnMove, read_games};
use soffio::rules::Variant;
use std::collections::{BTreeMap, BTreeSet};

fn respond(request: Value) -> Value {
    serde_json::from_str(&call(&request.to_string())).unwrap()
}

fn error(request: Value) -> String {
    respond(request)["error"].as_str().unwrap_or("no error").to_owned()
}

fn places(value: &Value) -> Vec<usize> {
    value.as_array().into_iter().flatten().map(|place| place.as_u64().unwrap() as usize).collect()
}

#[test]
fn games_of_every_variant_are_played_written_and_read_back() {
    let mut random = fastrand::Rng::with_seed(35);
    let boards = respond(json!({ "do": "variants" }));
    assert_eq!(boards.as_array().unwrap().len(), Variant::ALL.len());
    for (board, &variant) in boards.as_array().unwrap().iter().zip(Variant::ALL) {
        assert_eq!(board["name"], variant.name());
        let letters = random.bool();
        let (mut moves, mut nodes) = (Vec::<String>::new(), Vec::new());
        let mut before = respond(json!({ "do": "position", "variant": variant.name(), "letters": letters }));
        let start = before.clone();
        assert_eq!(before["position"], board["position"], "{variant}");
        while moves.len() < 50
            && before["status"]["state"] == "playing"
            && let Some(way) = random.choice(before["ways"].as_array().unwrap())
        {
            let text = way["text"].as_str().unwrap();
            let parent = moves.len().checked_sub(1);
            nodes.push(json!({ "parent": parent, "text": text }));
            moves.push(text.to_owned());
            let after = respond(json!({
                "do": "position", "variant": variant.name(), "letters": letters, "moves": moves
            }));
            // The two positions differ on the origin and destination squares, and on the squares of captured pieces.
            let (old, new) = (before["position"].as_str().unwrap(), after["position"].as_str().unwrap());
            let (old, new) = (old.as_bytes(), new.as_bytes());
            let differ: Vec<_> = (0..old.len() - 1).filter(|&at| old[at + 1] != new[at + 1]).collect();
            let route = places(&way["route"]);
            let (from, to) = (route[0], *route.last().unwrap());
            let mut touched = places(&way["taken"]);
            touched.extend(if from == to { vec![] } else { vec![from, to] });
            touched.sort();
            // A piece can land on the square of a piece that it has captured.
            touched.dedup();
            if from != to {
                assert_eq!(differ, touched, "{variant} {text}");
            }
            assert_eq!(way["stops"].as_array().map_or(touched.len(), Vec::len) > 0, !touched.is_empty());
            before = after;
        }
        let tree = json!({
            "do": "write", "variant": variant.name(), "letters": letters, "fen": start["fen"], "nodes": nodes,
            "tags": [["White", "Ann"]], "result": "*",
        });
        let text = respond(tree)["text"].as_str().unwrap().to_owned();
        let (game, text) = listed_games(&text).swap_remove(0);
        assert_eq!(game["variant"], variant.name(), "{text}");
        let read = respond(json!({ "do": "open", "text": text }));
        assert_eq!(read["faults"], json!([]), "{variant} {text}");
        let read: Vec<_> = read["nodes"].as_array().unwrap().iter().map(|node| node["text"].clone()).collect();
        assert_eq!(read, moves, "{variant} {text}");
    }
}

#[test]
fn variations_comments_and_scores_are_kept() {
    let text = "[White \"Ann\"]\n[GameType \"21\"]\n[Result \"1-0\"]\n\n{begin} 1. 11-15 $1 {good [%eval 0.25]} \
                ({or} 1. 9-14 22-18 (22-17 {deep})) ({also} 1. 11-16) 23-18 {[%clk 0:59:00]} 2. 8-11 1-0\n\n";
    let tree = respond(json!({ "do": "open", "text": text }));
    let nodes = tree["nodes"].as_array().unwrap();
    let parents: Vec<_> = nodes.iter().map(|node| node["parent"].as_u64()).collect();
    assert_eq!(parents, [None, None, Some(1), Some(1), None, Some(0), Some(5)]);
    assert_eq!((&nodes[0]["score"], &nodes[0]["glyphs"]), (&json!({ "cp": 25 }), &json!([1])));
    assert_eq!(nodes[5]["parts"], json!([{ "clock": [null, "0:59:00"] }]));
    let mut request = tree.clone();
    request["do"] = json!("write");
    let written = respond(request);
    let again = respond(json!({ "do": "open", "text": written["text"] }));
    assert_eq!(again["nodes"], tree["nodes"]);
    assert_eq!((&again["comment"], &again["result"]), (&json!("begin"), &json!("1-0")));
    // A score that no comment mentions is written as an `%eval` command.
    let with_score = json!({ "do": "write", "variant": "english", "letters": false, "fen": "",
        "nodes": [{ "parent": null, "text": "11-15", "score": { "black": 4 } }] });
    assert!(respond(with_score)["text"].as_str().unwrap().contains("1. 11-15 {[%eval #-4]}"));
}

/// Lists the games in a text. Returns the list entry and the text of each game.
fn listed_games(text: &str) -> Vec<(Value, String)> {
    let Value::Array(games) = respond(json!({ "do": "games", "text": text }))["games"].take() else { unreachable!() };
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut rest = &units[..];
    let mut cut = |game: &Value| {
        let own;
        (own, rest) = rest.split_at(usize::try_from(game["length"].as_u64().unwrap()).unwrap());
        String::from_utf16(own).unwrap()
    };
    let texts: Vec<_> = games.iter().map(&mut cut).collect();
    assert!(rest.is_empty());
    games.into_iter().zip(texts).collect()
}

#[test]
fn listed_games_are_cut_at_characters_of_any_length() {
    let one = "[White \"\u{1f600} \u{10c}ern\u{fd}\"]\n\n1. 11-15 23-19 *\n\n";
    let other = "[White \"\u{416}\"]\n\n1. 11-16 *\n";
    let games = listed_games(&format!("{one}{other}"));
    assert_eq!(games.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), [one, other]);
    let many: String = (0..250).map(|_| one).collect();
    assert_eq!(listed_games(&many).len(), 250);
}

#[test]
fn a_game_without_a_variant_is_guessed_and_reported() {
    let (game, text) = listed_games("1. c3-d4 d6-c5 2. b2-c3 f6-g5 *\n\n").swap_remove(0);
    assert_eq!(game["guess"], "russian");
    for default_variant in [&game["guess"], &json!(null)] {
        let tree = respond(json!({ "do": "open", "text": text, "default_variant": default_variant }));
        assert_eq!((&tree["variant"], &tree["guess"]), (&json!("russian"), &json!(true)));
        assert!(!tree["tags"].to_string().contains("GameType"), "{tree}");
        let mut request = tree;
        request["do"] = json!("write");
        let written = respond(request);
        assert!(!written["text"].as_str().unwrap().contains("GameType"), "{written}");
    }
    // A position that is invalid in the file's variant is rejected. It is not parsed as a position of a different
    // variant.
    let text = "[White \"a\"]\n\n1. 11-15 23-19 2. 8-11 22-17 *\n\n[FEN \"B:WK23,12,3:BK15,K11\"]\n\n1... 15-10 *\n";
    let (game, text) = listed_games(text).swap_remove(1);
    assert_eq!(game["guess"], "english");
    let refused = call(&json!({ "do": "open", "text": text, "default_variant": game["guess"] }).to_string());
    assert!(refused.contains("a white man on 3 stands on its promotion row"), "{refused}");
    let faulty = respond(json!({ "do": "open", "text": "[GameType \"21\"]\n\n1. 11-15 23-18 2. 1-2 (3-4) 5-6 *" }));
    assert_eq!(faulty["faults"], json!(["2. move 1-2: 2 is occupied"]));
    assert_eq!(faulty["nodes"].as_array().unwrap().len(), 2);
}

#[test]
fn a_path_can_be_chosen_square_by_square() {
    let position = |variant: &str, fen: &str| respond(json!({ "do": "position", "variant": variant, "fen": fen }));
    let around = position("international", "W:W28:B22,23,12,13");
    let routes: Vec<_> = around["ways"].as_array().unwrap().iter().map(|way| places(&way["route"])).collect();
    assert!(routes.len() > 1 && around["forced"] == true, "{around}");
    let flying = position("international", "W:WK46:B37,23,14");
    assert!(flying["ways"].as_array().unwrap().iter().any(|way| way["stops"][0].as_array().unwrap().len() > 1));
}

#[test]
fn setup_positions_and_unrecognised_text_stay_in_the_tree() {
    let moves = "\n1. 11-15 23-18 +/- /FEN \"B:W32:B1\"/ 2. 1-5 32-28 2-0\n\n";
    let mut tree = respond(json!({ "do": "open", "text": format!("[GameType \"21\"]\n{moves}") }));
    assert_eq!((tree["nodes"].as_array().map(Vec::len), &tree["faults"]), (Some(5), &json!([])));
    tree["do"] = "write".into();
    assert_eq!(respond(tree)["text"], format!("[GameType \"21\"]\n[Result \"2-0\"]\n{moves}"));
}

/// Opens the first game in a text and writes it.
fn rewritten(text: &str) -> String {
    let mut tree = respond(json!({ "do": "open", "text": text }));
    tree["do"] = "write".into();
    let written = respond(tree);
    written["text"].as_str().unwrap_or_else(|| panic!("{text}: {written}")).to_owned()
}

#[test]
fn a_result_keeps_its_spelling_and_its_place() {
    for text in [
        "[GameType \"20\"]\n[Result \"2-0\"]\n\n1. 32-28 {a} 19-23\n% line\n2. 28x19 {x} 1-0\n\n",
        "[GameType \"20\"]\n[Result \"1-0\"]\n\n1. 32-28 {a} 19-23 {x} 1-0F\n\n",
        "[GameType \"20\"]\n[Result \"1/2-1/2\"]\n\n1. 32-28 19-23 {x} +/- 1-1\n\n",
        "[GameType \"20\"]\n[Result \"?\"]\n\n1. 32-28 19-23 {x} +/- *\n\n",
    ] {
        assert_eq!(rewritten(text), text);
    }
    let mut tree = respond(json!({ "do": "open", "text": "[GameType \"20\"]\n[Result \"2-0\"]\n\n1. 32-28 +/- 1-0" }));
    tree["do"] = "write".into();
    tree["result"] = "0-1".into();
    assert_eq!(respond(tree)["text"], "[GameType \"20\"]\n[Result \"0-1\"]\n\n1. 32-28 +/- 0-1\n\n");
}

/// Returns the first game in a text. The variations of each move are sorted, because the tree does not keep their order
/// if some of them cannot be played.
fn sorted_game(text: &str) -> GameRecord {
    fn sort(moves: &mut [PdnMove]) {
        for mv in moves {
            mv.variations.iter_mut().for_each(|variation| sort(&mut variation.moves));
            mv.variations.sort_by_cached_key(|variation| format!("{variation:?}"));
        }
    }
    let mut game = read_games(text).swap_remove(0);
    sort(&mut game.moves);
    game
}

#[test]
fn text_without_a_position_on_the_board_is_written_back() {
    for moves in [
        "1. 32-28 19-23 ({only a comment}) 2. 28x19 14x23 *",
        "1. 32-28 19-23 (+/- 1... 18-23) (<..>) 2. 28x19 *",
        "1. 32-28 19-23 /FEN \"W:W31:B20\"/ {look here} *",
        "/FEN \"W:W31,K33:B20\"/ {look here} *",
        "/FEN \"W:W31:B20\"/ {one} /FEN \"W:W31,32:B20\"/ {two} 1. 31-27 20-24 *",
        "1. 32-28 /FEN \"W:W31:B20\"/ {one} /FEN \"W:W31:B19\"/ {two} 2. 31-27 19-23 *",
        "1. 32-28 19-23 2. 28x19 14x23 3. -- 10-14 {after null} 4. 37-32 *",
        "1. 32-28 19-23 2. 28x19 14x23 (2... 13x24 3. 99-98 {why} 1-2) *",
        "1. 32-28 19-23 2. 28x19 14x23 (2... 99-98 (2... 13x24 {a}) 3. 1-2) (2... 13x24) *",
        "1. 32-28 1-2 {illegal} 2. 28-22 /FEN \"W:W31:B20\"/ 3. 31-27 20-24 *",
        "1. 32-28 /FEN \"nonsense\"/ {a} 31-27 *",
    ] {
        let text = format!("[GameType \"20\"]\n[Result \"*\"]\n\n{moves}\n\n");
        let written = rewritten(&text);
        assert_eq!(sorted_game(&written), sorted_game(&text), "{written}");
        assert_eq!(rewritten(&written), written);
    }
    let flying = "[GameType \"25\"]\n[Result \"*\"]\n\n1. a1-a5 {one} a7-h4 {two} *\n\n";
    assert_eq!(rewritten(flying), flying);
}

#[test]
fn random_records_are_written_back() {
    let mut random = fastrand::Rng::with_seed(53);
    let pieces = [
        "32-28", "19-23", "28x19", "14x23", "33-28", "18-22", "13x24", "99-98", "--", "(", "(", ")", ")", "{a}", "{b}",
        "$4", "+/-", "<..>", "\n% line\n", "/FEN \"W:W31:B20\"/", "/FEN \"W:W31,32:B20\"/", "31-27", "20-24",
    ];
    let mut opened = 0;
    for _ in 0..3000 {
        let mut words = vec!["32-28", "19-23", "28x19"];
        words.truncate(random.usize(0..4));
        words.extend((0..random.usize(1..10)).map(|_| pieces[random.usize(0..pieces.len())]));
        let text = format!("[GameType \"20\"]\n[Result \"1-0\"]\n\n{}", words.join(" "));
        // What the writer itself does to unrecognised text is not tested here.
        let text = read_games(&text).swap_remove(0).to_string();
        if respond(json!({ "do": "open", "text": text }))["error"].is_null() {
            opened += 1;
            let written = rewritten(&text);
            assert_eq!(sorted_game(&written), sorted_game(&text), "{text}{written}");
        }
    }
    assert!(opened > 1000, "{opened}");
}

#[test]
fn text_is_kept_when_moves_are_added_and_promoted() {
    let game = "[GameType \"20\"]\n[Result \"*\"]\n\n";
    let mut tree = respond(json!({ "do": "open", "text": format!("{game}1. 32-28 99-98 {{x}} *") }));
    tree["do"] = "write".into();
    tree["nodes"].as_array_mut().unwrap().push(json!({ "parent": 0, "text": "19-23" }));
    assert_eq!(respond(tree)["text"], format!("{game}1. 32-28 19-23 (1... 99-98 {{x}}) *\n\n"));
    let mut tree = respond(json!({ "do": "open", "text": format!("{game}1. 32-28 ({{why}} <..> 1. 33-28 {{y}}) *") }));
    tree["do"] = "write".into();
    tree["nodes"].as_array_mut().unwrap().swap(0, 1);
    assert_eq!(respond(tree)["text"], format!("{game}1. 33-28 {{why y}} <..> (1. 32-28) *\n\n"));
}

#[test]
fn moves_can_be_typed_without_a_separator() {
    for text in ["11-15", "11 15", "1115", " 11  15 "] {
        let line = respond(json!({ "do": "line", "variant": "english", "line": [text] }));
        assert_eq!(line[0]["text"], "11-15", "{text}");
    }
    let refused = error(json!({ "do": "line", "variant": "english", "line": ["11 16 -"] }));
    assert!(refused.starts_with("move expected "), "{refused}");
}

#[test]
fn wrong_requests_get_an_error_message() {
    let position = |fen: &str| json!({ "do": "position", "variant": "english", "fen": fen });
    for (request, expected) in [
        (json!("x"), "request: "),
        (json!({ "do": "dance" }), "request: unknown variant `dance`"),
        (json!({ "do": "position", "variant": "chess" }), "unknown variant 'chess'"),
        (position("W:W99:B1"), "fen "),
        (position("nonsense"), "fen "),
        (position("W:W1:B32"), "fen "),
        (json!({ "do": "position", "variant": "english", "moves": ["é"] }), "move expected a square"),
        (json!({ "do": "line", "variant": "english", "line": ["1-2"] }), "move 1-2: "),
        (json!({ "do": "place", "variant": "english", "position": "Wee" }), "position: expected"),
        (json!({ "do": "place", "variant": "english", "position": "" }), "position: expected"),
        (json!({ "do": "place", "variant": "english", "position": format!("W{}", "e".repeat(32)) }), "fen "),
        (json!({ "do": "games", "text": "\u{0}\u{1}PNG" }), "no game found"),
        (json!({ "do": "games", "text": "" }), "no game found"),
        (json!({ "do": "open", "text": "" }), "no game found"),
        (json!({ "do": "open", "text": "[GameType \"21\"]\n1. 1-2 *" }), "move 1-2"),
        (
            json!({ "do": "write", "variant": "english", "letters": false, "fen": "",
            "nodes": [{ "parent": 0, "text": "11-15" }] }),
            "the tree has no such move",
        ),
    ] {
        let reply = error(request.clone());
        assert!(reply.starts_with(expected), "{request}: {reply}");
    }
}

#[test]
fn a_position_set_up_by_hand_matches_its_fen() {
    let game = WrittenGame::new(Variant::Turkish);
    let placed = respond(json!({ "do": "place", "variant": "turkish", "position": game.hub_position() }));
    assert_eq!((&placed["fen"], &placed["side"]), (&json!(game.fen().to_string()), &json!("white")));
}

#[test]
fn variant_names_are_accepted_in_any_spelling() {
    for (name, variant) in [("Russian", "russian"), ("CHECKERS", "english"), ("25", "russian"), ("killer", "killer")] {
        assert_eq!(respond(json!({ "do": "position", "variant": name }))["variant"], variant, "{name}");
    }
}

fn scripts() -> impl Iterator<Item = (&'static str, &'static str)> {
    crate::page::SCRIPTS.iter().copied()
}

#[test]
fn scripts_can_be_combined_in_one_module_and_in_one_file() {
    let mut names = BTreeMap::new();
    let mut before = Vec::new();
    for (file, text) in scripts() {
        assert!(!text.to_lowercase().contains("</script") && !text.contains("<!--"), "{file}");
        for line in text.lines().filter(|line| line.starts_with("import ")) {
            let from = line.split('"').nth(1).unwrap().trim_start_matches("./");
            assert!(line.ends_with(';') && before.contains(&from), "{file}: {line}");
        }
        before.push(file);
        for line in text.lines() {
            let line = line.strip_prefix("export ").unwrap_or(line);
            let line = line.strip_prefix("async ").unwrap_or(line);
            let words: Vec<_> = line.split([' ', '(', ';', '=']).collect();
            if let ["const" | "let" | "function" | "class", name, ..] = words[..]
                && let Some(other) = names.insert(name, file)
            {
                panic!("{name} is defined in {other} and {file}");
            }
        }
    }
}

fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    scripts().filter_map(|(file, text)| Some((file.strip_prefix("texts/")?.strip_suffix(".js")?, text)))
}

/// Returns the strings of a translation by key. The strings must not contain quotation marks.
fn texts(script: &'static str) -> BTreeMap<&'static str, &'static str> {
    let texts = script.match_indices(": \"").filter_map(|(at, opening)| {
        let key = script[..at].rsplit([' ', '{', '\n', '"']).find(|word| !word.is_empty())?;
        Some((key, script[at + opening.len()..].split('"').next()?))
    });
    texts.collect()
}

fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect()
}

#[test]
fn every_language_can_be_chosen() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/page/texts")).unwrap();
    let codes: Vec<_> = languages().map(|(code, _)| code).collect();
    assert_eq!(folder.count(), codes.len());
    let chosen = format!("languages = {{ {} }};", codes.join(", "));
    assert!(include_str!("../page/words.js").contains(&chosen), "{chosen}");
    for (code, script) in languages() {
        assert!(script.starts_with(&format!("export const {code} = {{")), "{code}");
        assert_eq!(texts(script)["code"], code);
    }
}

#[test]
fn every_text_exists_in_every_language_and_is_used() {
    let english = texts(include_str!("../page/texts/en.js"));
    assert!(english.len() > 150);
    for (code, script) in languages() {
        let own = texts(script);
        let [mine, all] = [&own, &english].map(|texts| texts.keys().collect::<BTreeSet<_>>());
        let missing: Vec<_> = all.symmetric_difference(&mine).collect();
        assert!(missing.is_empty(), "{code}: {missing:?}");
        for (key, text) in &own {
            assert!(!text.is_empty(), "{code}: {key}");
            assert_eq!(placeholders(text), placeholders(english[key]), "{code}: {key}");
        }
    }
    let markup = include_str!("../page/index.html");
    let code: String = scripts().filter(|(file, _)| !file.starts_with("texts/")).map(|(_, text)| text).collect();
    let is_used = |key: &&str| {
        [format!("\"{key}\""), format!("data-t=\"{key}\""), format!("data-t-label=\"{key}\"")]
            .iter()
            .any(|used| code.contains(used) || markup.contains(used))
    };
    let derived = |key: &&str| key.starts_with("glyph") || Variant::ALL.iter().any(|variant| variant.name() == *key);
    let rust = include_str!("position.rs");
    let unused: Vec<_> = english
        .into_keys()
        .filter(|key| !is_used(key) && !derived(key) && !rust.contains(&format!("\"{key}\"")))
        .filter(|key| !matches!(*key, "code" | "name" | "white" | "black"))
        .collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn a_bad_move_is_explained() {
    let request = r#"{"do": "explain", "variant": "english", "fen": "W:W22,32:B15,3", "moves": [], "played": "22-18", "better": ["32-28"],
        "reply": ["15x22"], "before": {"cp": 0}, "after": {"cp": -200}}"#;
    let reply = r#"{"text":"loses a man: 15x22; 32-28 is better"}"#;
    assert_eq!(call(request), reply);
    assert!(call(&request.replace("22-18", "22-23")).contains("error"));
}

#[test]
fn games_with_a_position_are_found() {
    let games = [
        "[GameType \"21\"]\n\n1. 9-13 22-18 2. 10-14 18x9 *",
        // The same position by a different order of moves, and the last position of the game.
        "1. 10-14 22-18 2. 9-13 *",
        "[GameType \"21\"]\n\n1. 9-13 22-17 2. 13x22 *",
        "[GameType \"20\"]\n\n1. 32-28 *",
        // A position that is set up, which only a slower replay can read.
        "[GameType \"21\"]\n\n1. 11-15 /FEN \"W:W17,26:B1,10\"/ 26-22 10-14 *",
        "no game",
    ];
    let find = |position: &Value, partial| {
        let request = json!({
            "do": "find", "variant": "english", "position": position, "partial": partial, "games": games
        });
        let answer = respond(request);
        let found = answer["found"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
        let figures =
            |game: &Value| (game["index"].as_u64().unwrap(), game["ply"].as_u64().unwrap(), game["next"].clone());
        found.iter().map(figures).collect::<Vec<_>>()
    };
    let position = |fen: &str, moves: &[&str]| {
        respond(json!({ "do": "position", "variant": "english", "fen": fen, "moves": moves }))["position"].clone()
    };
    let whole = position("", &["9-13", "22-18", "10-14"]);
    assert_eq!(find(&whole, false), [(0, 3, json!("18x9")), (1, 3, Value::Null)]);
    let pieces = position("B:W18,21:B13,12", &[]);
    assert_eq!(find(&pieces, false), []);
    assert_eq!(find(&pieces, true), [(0, 2, json!("10-14")), (1, 3, Value::Null)]);
    let set_up = position("W:W17,22:B1,14", &[]);
    assert_eq!(find(&set_up, true), [(4, 4, Value::Null)]);
    let wrong = json!({ "do": "find", "variant": "english", "position": "Wx", "games": [] });
    assert_eq!(error(wrong), "position: expected W or B and a letter for each square");
}
