//! Tests of the text of the Hub protocol.

use soffio::notation::Placement;
use soffio::position::Setup;
use soffio::rules::Variant;
use soffio::wire::hub::{HubCommand, HubLevel, Mode, PositionText};
use std::time::Duration;

#[test]
fn commands_are_read_back() {
    let param = |name: &str, value: &str| HubCommand::SetParam { name: name.to_owned(), value: value.to_owned() };
    let position = PositionText::new("Wee", ["32-28", "19x23x28"]);
    let runs = PositionText { king_runs: "W28=2 B5=1".to_owned(), ..PositionText::new("Wee", []) };
    let limits = HubLevel {
        depth: Some(7),
        nodes: Some(123_456),
        move_time: Some(Duration::from_millis(250)),
        ..HubLevel::timed(Duration::from_millis(1500), Duration::from_millis(100), Some(40))
    };
    let commands = [
        (HubCommand::Hub, "hub"),
        (HubCommand::Init, "init"),
        (param("variant", "normal"), "set-param name=variant value=normal"),
        (param("book file", ""), "set-param name=\"book file\" value=\"\""),
        (HubCommand::NewGame, "new-game"),
        (HubCommand::Position(position), "pos pos=Wee moves=\"32-28 19x23x28\""),
        (HubCommand::Position(runs), "pos pos=Wee wolf=\"W28=2 B5=1\""),
        (HubCommand::Level(limits), "level moves=40 time=1.4 inc=0.1 move-time=0.25 nodes=123456 depth=7"),
        (HubCommand::Level(HubLevel { infinite: Some(true), ..HubLevel::default() }), "level infinite"),
        (HubCommand::Level(HubLevel { infinite: Some(false), ..HubLevel::default() }), "level infinite=false"),
        (HubCommand::Go(Mode::Think), "go think"),
        (HubCommand::Position(PositionText::new("", ["32-28"])), "pos pos=\"\" moves=\"32-28\""),
        (HubCommand::Go(Mode::Ponder), "go ponder"),
        (HubCommand::Go(Mode::Analyze), "go analyze"),
        (HubCommand::PonderHit, "ponder-hit"),
        (HubCommand::Stop, "stop"),
        (HubCommand::Ping, "ping"),
        (HubCommand::Quit, "quit"),
    ];
    for (command, text) in commands {
        assert_eq!(command.to_string(), text);
        assert_eq!(HubCommand::read(text), Ok(Some(command)), "{text}");
    }
}

#[test]
fn unknown_lines_are_not_commands() {
    for text in ["", "no-such a=1", "set-param name=x", "Hub"] {
        assert_eq!(HubCommand::read(text), Ok(None), "{text}");
    }
    assert!(HubCommand::read("level depth=x").is_err());
}

fn read(text: &str) -> Result<HubLevel, String> {
    match HubCommand::read(text) {
        Ok(Some(HubCommand::Level(level))) => Ok(level),
        Ok(other) => panic!("{text}: {other:?}"),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn the_increment_counts_for_the_next_move() {
    let clock = |text| read(text).unwrap().clock().map(|clock| clock.remaining.as_millis());
    assert_eq!(clock("level time=1.5 inc=0.25"), Some(1750));
    assert_eq!(clock("level time=-0.2 inc=0.25"), Some(50), "a client subtracts the increment first");
    assert_eq!(clock("level time=-3 inc=0.25"), Some(0));
    assert_eq!(clock("level depth=3"), None);
    assert_eq!(read("level time=1 moves=0").unwrap().clock().unwrap().moves_to_go, None);
}

#[test]
fn level_lines_add_up_and_unknown_parameters_are_ignored() {
    let both = read("level depth=3 contempt=2").unwrap().combined_with(read("level nodes=9 depth=300 x=1").unwrap());
    assert_eq!((both.depth, both.nodes, both.is_open_ended()), (Some(255), Some(9), false));
    assert!(read("level").unwrap().is_open_ended());
    assert!(read("level infinite depth=3").unwrap().is_open_ended());
    let in_order =
        |first: &str, second: &str| read(first).unwrap().combined_with(read(second).unwrap()).is_open_ended();
    assert!(in_order("level depth=3", "level infinite"));
    assert!(in_order("level infinite", "level inc=1 ply=3"), "these do not end a search");
    assert!(!in_order("level infinite", "level move-time=0.1"), "a later limit replaces infinite");
    assert!(!in_order("level depth=3 infinite", "level infinite=false"));
    assert!(!read("level depth=3 infinite=false").unwrap().is_open_ended());
}

#[test]
fn a_weak_player_chooses_worse_moves() {
    let spreads = |name: &str, values: &[u8]| -> Vec<u16> {
        values.iter().map(|value| read(&format!("level {name}={value}")).unwrap().spread()).collect()
    };
    assert_eq!(spreads("handicap", &[0, 1, 2, 3, 9]), [0, 20, 40, 60, 60]);
    assert_eq!(spreads("ply", &[0, 1, 3, 4, 8, 17, 18, 99]), [0, 60, 60, 56, 40, 4, 0, 0]);
    assert_eq!(read("level handicap=1").unwrap().combined_with(read("level ply=4").unwrap()).spread(), 56);
    assert!(read("level handicap=3 ply=3").unwrap().is_open_ended(), "neither ends a search");
}

#[test]
fn a_limit_must_be_a_number() {
    for (line, wrong) in [
        ("level depth=x", "level depth: expected a whole number of at least 1, found 'x'"),
        ("level depth=0", "level depth: expected a whole number of at least 1, found '0'"),
        ("level depth=1.5", "level depth: expected a whole number of at least 1, found '1.5'"),
        ("level moves=1.5", "level moves: expected a whole number of at least 0, found '1.5'"),
        ("level infinite=x", "level infinite: expected true or false, found 'x'"),
        ("level nodes=-1", "level nodes: expected a whole number of at least 1, found '-1'"),
        ("level move-time=", "level move-time: expected a number of at least 0, found ''"),
        ("level move-time=-1", "level move-time: expected a number of at least 0, found '-1'"),
        ("level time=nan", "level time: expected a number, found 'nan'"),
        ("level time=inf", "level time: expected a number, found 'inf'"),
        ("level handicap=much", "level handicap: expected a whole number of at least 0, found 'much'"),
        ("level ply=-1", "level ply: expected a whole number of at least 0, found '-1'"),
    ] {
        assert_eq!(read(line), Err(wrong.to_owned()));
    }
    assert_eq!(read("level move-time=1e300").unwrap().move_time, Some(Duration::from_secs(1_000_000_000)));
}

fn text(squares: &str) -> PositionText {
    PositionText { squares: squares.to_owned(), moves: String::new(), king_runs: String::new() }
}

fn fen(variant: Variant, text: &PositionText) -> String {
    match text.position(variant.spec()) {
        Ok(record) => record.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn squares_match_the_variant() {
    let board = format!("W{}wB", "e".repeat(48));
    assert_eq!(fen(Variant::International, &text(&board)), "W:W49:BK50");
    assert_eq!(fen(Variant::English, &text(&board)), "pos has 50 squares, but the board has 32");
    assert_eq!(fen(Variant::International, &text("")), "pos must begin with W or B, not ''");
    assert_eq!(fen(Variant::International, &text("wee")), "pos must begin with W or B, not 'w'");
    let wrong = format!("B{}z", "e".repeat(49));
    assert_eq!(fen(Variant::International, &text(&wrong)), "pos squares must be w, b, W, B or e, not 'z'");
}

#[test]
fn moves_of_one_king_are_counted_if_the_variant_does() {
    let board = format!("W{}W{}Bw", "e".repeat(27), "e".repeat(20));
    let counted = PositionText { king_runs: "W28=2 B.. B49=3".to_owned(), ..text(&board) };
    assert_eq!(fen(Variant::Frisian, &counted), "W:WK28,50:BK49:+228+349");
    assert_eq!(fen(Variant::International, &counted), "W:WK28,50:BK49");
    for word in ["x", "W28", "W28=4", "W28=x", "W=1", "28=1", "W.", "é"] {
        let wrong = PositionText { king_runs: format!("B49=1 {word}"), ..text(&board) };
        let error = fen(Variant::Frisian, &wrong);
        assert!(error.starts_with("pos wolf: expected a side,") && error.contains(", found '"), "{word}: {error}");
        assert_eq!(fen(Variant::International, &wrong), "W:WK28,50:BK49");
    }
}

#[test]
fn every_start_position_is_parsed_as_it_is_printed() {
    for &variant in Variant::ALL {
        let spec = variant.spec();
        let start = Setup::start(spec);
        let read = text(&Placement::new(spec, &start).to_string()).position(spec).unwrap();
        assert_eq!(read.to_setup(spec).unwrap(), start, "{variant}");
    }
}

#[test]
fn a_wrong_move_is_reported() {
    let moves = |moves: &str| PositionText { moves: moves.to_owned(), ..text("") }.moves();
    assert_eq!(moves("32-28  19x23x28").map(|moves| moves.len()), Ok(2));
    let error = moves("32-28 ?").map_err(|error| error.to_string());
    assert_eq!(error, Err("move ?: expected a square, found '?' at column 1".to_owned()));
}
