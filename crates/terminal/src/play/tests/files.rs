use super::Driver;
use crate::play::{GameChoice, GameCommand, Phase};
use soffio::notation::pdn::TextEncoding;
use soffio::rules::{Color, Variant};
use std::time::Duration;
use tempfile::{Builder, TempPath};

/// Returns a path that is unique to this test. The file is removed when the path is dropped.
pub(in crate::play) fn file(name: &str) -> TempPath {
    Builder::new().suffix(name).make(|_| Ok(())).unwrap().into_temp_path()
}

#[test]
fn games_are_saved_and_loaded_in_all_kinds_of_variants() {
    use Variant::{Canadian, EnglishOptional, Frisian, Italian, KillerBrazilian, Russian, SriLankan, Thai, Turkish};
    for rules in [Italian, Russian, Turkish, Canadian, Thai, Frisian, SriLankan, KillerBrazilian, EnglishOptional] {
        let choice = GameChoice::with_rules(rules);
        let mut driver = Driver::new(choice.variant, "human", "human");
        driver.play(&[if choice.forced_capture { "undo 0" } else { "capture optional" }]);
        for ply in 0..60 {
            let legal = driver.game.record.legal();
            let Some(mv) = legal.get((ply * 5) % legal.len().max(1)) else { break };
            let text = mv.text.clone();
            driver.after(1234).play(&[&text]);
            if driver.game.is_over() {
                break;
            }
        }
        driver.play(&["undo 1", "pause", "black level=hard,depth=9"]);
        let path = file(&format!("{rules}.pdn"));
        let path = path.to_str().unwrap();
        assert!(driver.game.is_unsaved());
        driver.play(&[&format!("save {path}")]);
        assert!(!driver.game.is_unsaved());

        let mut other = Driver::new(Variant::Spanish, "computer", "human");
        other.play(&[&format!("load {path}")]);
        assert_eq!(other.game.record.choice, choice);
        let plies = |driver: &Driver| -> Vec<_> {
            let played = driver.game.record.played().iter();
            played.map(|ply| (ply.text.clone(), ply.record.clone(), ply.color, ply.time)).collect()
        };
        assert_eq!(plies(&other), plies(&driver), "{rules}");
        assert_eq!((other.fen(), other.game.phase), (driver.fen(), Phase::Paused));
        for color in [Color::White, Color::Black] {
            assert_eq!(other.game.player(color), driver.game.player(color));
            let time = other.game.time_used(color, other.now);
            assert_eq!(
                time,
                driver.game.record.played().iter().filter(|ply| ply.color == color).filter_map(|ply| ply.time).sum()
            );
        }
    }
}

#[test]
fn resignations_and_draws_are_saved() {
    for (fen, command, outcome, result) in [
        ("W:W32,K31:B1", "resign", "black wins by resignation", "1-0"),
        ("W:W32,K31:B1", "draw", "draw by agreement", "1/2-1/2"),
        ("W:W32:B1,K2,K3", "resign", "black wins by resignation", "1-0"),
    ] {
        let path = file("ended.pdn");
        let mut driver = Driver::new(Variant::English, "human", "level=easy");
        driver.play(&[&format!("fen {fen}"), command, &format!("save {}", path.to_str().unwrap())]);
        assert_eq!((driver.game.outcome().as_str(), driver.game.is_over()), (outcome, true));
        let saved = std::fs::read_to_string(&path).unwrap();
        assert!(saved.contains(&format!("[Result \"{result}\"]")), "{saved}");
    }
    let mut driver = Driver::new(Variant::English, "human", "level=easy");
    driver.play(&["fen W:W32:B1,K2,K3"]);
    assert_eq!(driver.send("draw").unwrap(), "the engine declines the draw");
    assert!(!driver.game.is_over() && !driver.game.is_unsaved());
    driver.play(&["white level=easy"]);
    for command in ["resign", "draw"] {
        assert_eq!(driver.send(command), Err("both players are engines".to_owned()));
    }
}

#[test]
fn a_game_from_a_position_is_loaded_and_continued() {
    let path = file("position.pdn");
    let path = path.to_str().unwrap();
    let mut driver = Driver::new(Variant::English, "human", "level=easy");
    driver.play(&["fen W:W22,K30:B10,3", "22-18", &format!("save {path}")]);
    let mut other = Driver::new(Variant::Italian, "human", "human");
    other.play(&[&format!("load {path}")]);
    assert_eq!((other.moves(), other.fen()), (driver.moves(), driver.fen()));
    other.play(&["start", "undo all"]);
    assert_eq!(other.fen(), "W:W22,K30:B3,10");
}

#[test]
fn a_loaded_game_keeps_its_result_until_it_changes() {
    let (path, copy) = (file("loaded.pdn"), file("copy.pdn"));
    let text = "[White \"Ann\"]\n[Black \"Bob\"]\n[GameType \"20\"]\n[TimeControl \"80/60:20\"]\n\
                [Termination \"resigned\"]\n[Result \"1-0\"]\n\n1. 32-28 19-23 1-0\n";
    std::fs::write(&path, text).unwrap();
    let mut driver = Driver::new(Variant::International, "human", "human");
    driver.play(&[&format!("load {}", path.display())]);
    let (save, save_copy) = (format!("save {}", path.display()), format!("replace {}", copy.display()));
    driver.play(&[&save, &save_copy]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let copied = std::fs::read_to_string(&copy).unwrap();
    for kept in ["[TimeControl \"80/60:20\"]", "[Termination \"resigned\"]", "[Result \"1-0\"]", "19-23 1-0"] {
        assert!(copied.contains(kept), "{copied}");
    }
    assert!(!copied.contains("Date"), "{copied}");
    driver.play(&["start", "28x19", &save_copy]);
    let copied = std::fs::read_to_string(&copy).unwrap();
    for changed in ["[TimeControl \"80/60:20\"]", "[Result \"*\"]", "19-23 2. 28x19 "] {
        assert!(copied.contains(changed), "{copied}");
    }
}

#[test]
fn a_file_is_replaced_only_on_request() {
    let path = file("old.pdn");
    std::fs::write(&path, "something old").unwrap();
    let mut driver = Driver::new(Variant::English, "human", "human");
    let save = format!("save {}", path.display());
    let error = driver.send(&save).unwrap_err();
    assert!(error.ends_with("the file exists; use replace FILE to overwrite it, or choose another name"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "something old");
    driver.play(&[&format!("replace {}", path.display()), "11-15"]);
    // The game's own file may be overwritten.
    driver.play(&[&save]);
    assert!(std::fs::read_to_string(&path).unwrap().contains("1. 11-15"));
    driver.play(&["fen start"]);
    assert!(driver.send(&save).is_err());
}

#[test]
fn a_save_overwrites_only_the_game_s_own_record() {
    let path = file("own.pdn");
    let save = format!("save {}", path.display());
    let text = || std::fs::read_to_string(&path).unwrap();
    let refused = |driver: &mut Driver| {
        let before = text();
        let error = driver.send(&save).unwrap_err();
        assert!(
            error.ends_with("the file exists; use replace FILE to overwrite it, or choose another name"),
            "{error}"
        );
        assert_eq!(text(), before);
    };
    let mut driver = Driver::new(Variant::English, "human", "human");
    driver.play(&["11-15", &save, "22-18", &save]);
    assert!(text().contains("22-18"));
    // Another program writes to the file.
    let other = text() + "1. 9-13 *\n";
    std::fs::write(&path, &other).unwrap();
    driver.play(&["15x22"]);
    refused(&mut driver);
    driver.play(&[&format!("replace {}", path.display())]);
    // The saved moves would be lost.
    driver.play(&["undo all", "9-13"]);
    refused(&mut driver);
    driver.play(&["undo 1"]);
    refused(&mut driver);
    driver.play(&[&format!("replace {}", path.display()), "9-13", &save, "resign"]);
    assert!(driver.game.is_unsaved());
    driver.play(&[&save, &save]);
    // The saved game has ended.
    driver.play(&["undo 1", "9-13", "22-18"]);
    refused(&mut driver);
    assert!(text().contains("0-1") || text().contains("1-0"), "{}", text());
    std::fs::remove_file(&path).unwrap();
    driver.play(&[&save]);
    assert!(text().contains("22-18"));
    let noted = "1. 11-15 23-18 (23-19 8-11) {good} 1-0";
    for (game, commands, kept) in [
        ("1. 11-15 23-18 2. -- 27-23 *", &["8-11"][..], None),
        ("1. 11-15 23-18 {good} *", &["undo 1", "24-20", "undo 1", "23-18", "8-11"], None),
        ("1. 11-15 23-18 (23-19 8-11) {good} *", &["undo 1", "23-18", "8-11"], Some("good} (1... 23-19 2. 8-11)")),
        (
            "1. 11-15 23-18 (23-19 8-11) {good} *",
            &["undo 2", "11-15", "23-18", "8-11"],
            Some("good} (1... 23-19 2. 8-11)"),
        ),
        (noted, &["undo 1", "23-18"], Some("{good}")),
        (noted, &["undo 1", "23-18", "8-11"], None),
        ("[Result \"12-8\"]\n1. 11-15 23-18 12-8", &["8-11"], None),
        ("[Result \"4-6\"]\n1. 11-15 23-18 *", &["8-11"], None),
        ("[White \"A\"]\n[White \"C\"]\n1. 11-15 23-18 *", &["8-11"], Some("[White \"A\"]\n[Black ")),
        ("[White \"A\"]\n[White \"C\"]\n1. 11-15 23-18 *", &["8-11"], Some("[White \"C\"]\n\n")),
        ("[Termination \"sealed 8-11\"]\n1. 11-15 23-18 *", &["8-11"], Some("[Termination \"sealed 8-11\"]")),
        ("[Termination \"sealed 8-11\"]\n1. 11-15 23-18 *", &["8-11", "resign"], None),
        ("[Termination \"unterminated\"]\n1. 11-15 23-18 *", &["8-11", "resign"], Some("[Termination \"black wins: ")),
    ] {
        std::fs::write(&path, format!("[GameType \"21\"]\n{game}\n")).unwrap();
        driver.play(&[&format!("load {}", path.display())]).play(commands);
        match kept {
            Some(kept) => assert!(driver.play(&[&save]).game.saved.is_some() && text().contains(kept), "{}", text()),
            None => refused(&mut driver),
        }
    }
}

#[test]
fn a_failed_load_changes_nothing() {
    let path = file("bad.pdn");
    let mut driver = Driver::new(Variant::English, "human", "human");
    driver.play(&["11-15"]);
    for (text, number, expected) in [
        ("", 1, "no game 1: the file contains 0 games"),
        ("1. 11-15 *", 2, "no game 2: the file contains 1 game"),
        ("1. 11-15 *", 0, "no game 0: the file contains 1 game"),
        ("[GameType \"77\"] 1. 11-15 *", 1, "game 1: unknown variant or game type '77'"),
        ("[FEN \"x\"] *", 1, "game 1: fen "),
        ("1. 11-15 22-18 2. 9-13 *", 1, "game 1, line 1 column 19: 9-13: a capture is compulsory: 15x22"),
        ("1. 11-15 22-1z *", 1, "game 1, line 1 column 10: move: expected"),
        ("[GameType \"25\"] 1. 11-15 *", 1, "game 1, line 1 column 20: 11-15: no piece of the side to move on"),
    ] {
        std::fs::write(&path, text).unwrap();
        let error = driver.send(&format!("load {} {number}", path.display())).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
        assert_eq!(driver.moves(), ["11-15"]);
    }
    std::fs::remove_file(&path).unwrap();
    assert!(driver.send(&format!("load {}", path.display())).is_err());
    assert!(driver.send(&format!("load {}", std::env::temp_dir().display())).is_err());
}

#[test]
fn a_game_may_begin_with_a_setup_position_but_not_contain_a_later_one() {
    let path = file("set-up.pdn");
    let begin = "[GameType \"21\"]\n\n/FEN \"W:WK30:B3\"/ 1. 30-26 3-7 ";
    std::fs::write(&path, format!("{begin}*\n\n{begin}/FEN \"W:WK29:B3\"/ 2. 29-25 *\n")).unwrap();
    let mut driver = Driver::new(Variant::English, "human", "human");
    driver.play(&[&format!("load {}", path.display())]);
    assert_eq!(driver.game.record.played().len(), 2);
    let before = driver.fen();
    let error = driver.send(&format!("load {} 2", path.display())).unwrap_err();
    assert!(
        error.to_string().contains("game 2, line 7 column 32: cannot load a game that sets up a new position"),
        "{error}"
    );
    assert_eq!(driver.fen(), before);
}

#[test]
fn any_file_of_games_is_loaded_with_its_comments() {
    let path = file("many.pdn");
    std::fs::write(&path, "[Event \"a\"]\n1. 11-15 *\n\n[Event \"b\"]\n1. 9-13 {quiet [%emt 0:00:07]} 22-18 1-0\n")
        .unwrap();
    let mut driver = Driver::new(Variant::English, "human", "level=easy");
    let reply = driver.send(&format!("load {} 2", path.display())).unwrap();
    assert!(
        reply.starts_with("loaded game 2 of 2 from ") && reply.ends_with(": english, moves 2, Black won"),
        "{reply}"
    );
    let [first, second] = driver.game.record.played() else { panic!("two moves") };
    assert_eq!((first.time, first.note.comment.as_deref()), (Some(Duration::from_secs(7)), Some("quiet")));
    assert_eq!((second.time, second.note.comment.as_deref()), (None, None));
    // The players are kept. The file is not overwritten, because it contains two games.
    assert_eq!(driver.game.player(Color::Black).to_string(), "level=easy");
    assert!(driver.send(&format!("save {}", path.display())).is_err());
}

#[test]
fn a_loaded_game_keeps_its_tags_until_it_is_continued() {
    let (path, copy) = (file("theirs.pdn"), file("copy.pdn"));
    let tags =
        ["Event \"Match\"", "White \"Tinsley\"", "Black \"Lafferty\"", "Opening \"Ayrshire Lassie\"", "Date \"1987\""];
    let tags = tags.map(|tag| format!("[{tag}]"));
    std::fs::write(&path, format!("{}\n{{at last}} 1. 11-15! {{good}} (1. 9-14) 24-20 *\n", tags.concat())).unwrap();
    let mut driver = Driver::new(Variant::English, "human", "human");
    driver.play(&[&format!("load {}", path.display()), &format!("save {}", copy.display())]);
    let text = std::fs::read_to_string(&copy).unwrap();
    assert!(tags.iter().all(|tag| text.contains(tag)), "{text}");
    assert!(text.contains("{at last} 1. 11-15 $1 {good} (1. 9-14) 1... 24-20 *"), "{text}");
    driver.play(&["8-11", &format!("save {}", copy.display())]);
    let text = std::fs::read_to_string(&copy).unwrap();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.ends_with("24-20 2. 8-11 {[%emt 0:00:00]} *"),
        "a move played here has a time, a loaded move has none: {text}"
    );
    assert!(text.contains("[Event \"Match\"]") && text.contains("[White \"Tinsley\"]"), "{text}");
}

#[test]
fn a_continued_game_keeps_the_names_of_people_and_one_time_control() {
    let (path, copy) = (file("named.pdn"), file("copy.pdn"));
    let tags = "[White \"Anna\"]\n[Black \"Bob\"]\n[WhiteElo \"2000\"]\n[BlackElo \"1900\"]\n[GameType \"21\"]\n";
    let saved = |controls: &str, black: &str, moves: &[&str]| {
        std::fs::write(&path, format!("{tags}{controls}\n1. 11-15 23-18 *\n")).unwrap();
        let mut driver = Driver::new(Variant::English, "human", black);
        let message = driver.send(&format!("load {}", path.display())).unwrap();
        driver.play(moves).play(&[&format!("replace {}", copy.display())]);
        (std::fs::read_to_string(&copy).unwrap(), message, driver.game.clock.control.is_some())
    };
    let unequal = "[TimeControlWhite \"300\"]\n[TimeControlBlack \"600\"]\n";
    let (text, message, has_clock) = saved(unequal, "human", &["8-11"]);
    for kept in ["[White \"Anna\"]", "[Black \"Bob\"]", "[WhiteElo \"2000\"]", "[BlackElo \"1900\"]", unequal] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    assert!(message.ends_with("; no clock, because the time controls of the sides differ") && !has_clock, "{message}");
    assert!(!text.contains("[TimeControl \""), "{text}");
    let (text, _, _) = saved(unequal, "human", &["tc 5+3", "8-11"]);
    assert!(text.contains("[TimeControl \"300+3\"]") && !text.contains("TimeControlWhite"), "{text}");
    let (text, message, has_clock) = saved(&unequal.replace("600", "300"), "human", &["8-11"]);
    assert!(text.contains("[TimeControl \"300\"]") && !text.contains("TimeControlBlack") && has_clock, "{text}");
    assert!(!message.contains("clock"), "{message}");
    // In English draughts, Black moves first. The engine's moves are not Bob's.
    let (text, _, _) = saved("", "depth=1", &["start"]);
    assert!(text.contains("[White \"Anna\"]") && text.contains("[WhiteElo \"2000\"]"), "{text}");
    assert!(text.contains("[Black \"depth=1\"]") && !text.contains("BlackElo"), "{text}");
    let mixed = "[White \"Anna\"]\n[Black \"human\"]\n[GameType \"21\"]\n\n1. 11-15 *\n";
    std::fs::write(&path, mixed).unwrap();
    let mut driver = Driver::new(Variant::English, "human", "human");
    driver.play(&[&format!("load {}", path.display()), "23-18", &format!("replace {}", copy.display())]);
    let text = std::fs::read_to_string(&copy).unwrap();
    assert!(text.contains("[White \"Anna\"]") && text.contains("[Black \"human\"]"), "{text}");
}

#[test]
fn a_saved_game_keeps_the_encoding_of_its_file() {
    let path = file("encoded.pdn");
    let game = "[Event \"\u{427}\u{435}\u{43c}\u{43f}\u{438}\u{43e}\u{43d}\u{430}\u{442}\"]\n\
        [White \"\u{418}\u{432}\u{430}\u{43d}\u{43e}\u{432}\"]\n[GameType \"25\"]\n\n1. c3-d4 *\n";
    let marked = format!("\u{feff}{game}");
    for (name, game) in [
        ("cp1251", game),
        ("cp866", game),
        ("koi8-r", game),
        ("utf-8", game),
        ("utf-8", &marked),
        ("utf-16le", game),
        ("utf-16le", &marked),
    ] {
        let encoding: TextEncoding = name.parse().unwrap();
        let bytes = match encoding.can_encode() {
            true => encoding.encode(game).into_owned(),
            false => game.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        };
        std::fs::write(&path, bytes).unwrap();
        let mut driver = Driver::new(Variant::English, "human", "human");
        let command = GameCommand::Load { path: path.to_path_buf(), number: 1, encoding: Some(encoding) };
        driver.game.execute(command, driver.now).unwrap();
        driver.play(&["d6-c5", &format!("replace {}", path.display())]);
        let saved = std::fs::read(&path).unwrap();
        assert_eq!(saved.starts_with("\u{feff}".as_bytes()), game.starts_with('\u{feff}'), "{name}");
        let text = if encoding.can_encode() { encoding.decode(&saved).text } else { String::from_utf8(saved).unwrap() };
        assert!(
            text.contains("\u{418}\u{432}\u{430}\u{43d}\u{43e}\u{432}") && text.contains("d6-c5"),
            "{name}: {text}"
        );
    }
}

#[test]
fn the_variant_of_a_loaded_game_is_guessed_unless_it_is_chosen() {
    let path = file("untagged.pdn");
    let load = format!("load {}", path.display());
    for (moves, variant) in [("c3-d4 b6-a5", Variant::Russian), ("11-15 23-19", Variant::English)] {
        std::fs::write(&path, format!("1. {moves} *\n")).unwrap();
        let mut driver = Driver::new(Variant::Italian, "human", "human");
        driver.game.guesses_variant = true;
        let message = driver.send(&load).unwrap();
        assert!(message.contains(&format!(": {variant} (guessed), moves 2")), "{message}");
        assert_eq!(driver.game.record.choice, GameChoice::new(variant));
        driver.play(&["variant italian"]);
        let error = driver.send(&load).unwrap_err();
        assert!(
            error.ends_with(" (read as italian; if it is another variant, use --variant or enter variant NAME first)"),
            "{error}"
        );
    }
    std::fs::write(&path, "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 1-2 *\n").unwrap();
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    driver.game.guesses_variant = true;
    let error = driver.send(&load).unwrap_err();
    assert!(error.contains(" (read as international, a guess; "), "{error}");
}

#[test]
fn damaged_games_and_those_after_them_are_read() {
    let path = file("mixed.pdn");
    let games = "[Event \"a\"]\n1. 11-15 {never closed\n\n[Event \"Andr\u{e9}\"]\n1. 9x13 22-18 *\n";
    std::fs::write(&path, games.chars().map(|c| c as u8).collect::<Vec<_>>()).unwrap();
    let mut driver = Driver::new(Variant::English, "human", "human");
    driver.play(&[&format!("load {}", path.display())]);
    assert_eq!(driver.moves(), ["11-15"]);
    driver.play(&[&format!("load {} 2", path.display())]);
    assert_eq!(driver.moves(), ["9-13", "22-18"]);
}

#[test]
fn a_game_is_loaded_up_to_an_unknown_move() {
    let path = file("unknown.pdn");
    std::fs::write(&path, "[GameType \"21\"]\n1. 11-15 -- 2. 8-11 *\n").unwrap();
    let mut driver = Driver::new(Variant::English, "human", "human");
    let message = driver.send(&format!("load {}", path.display())).unwrap();
    assert!(message.ends_with("; the moves after the unknown move are not loaded"), "{message}");
    assert_eq!(driver.moves(), ["11-15"]);
}
