//! The native protocol as text.

use soffio::engine::{Bound, CaptureOrder, Limits, Value, Wdl};
use soffio::wire::Declaration;
use soffio::wire::native::{Command, Go, Info, Reply, Start};
use std::time::Duration;

/// The state of a search in a line `info`.
fn read(text: &str) -> Info {
    match Reply::read(&format!("info {text}")) {
        Some(Reply::Info(info)) => info,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn commands_are_read_back() {
    let ms = Duration::from_millis;
    let moves = ["11-15", "23x14x7"].map(|text| text.parse().unwrap()).to_vec();
    let clocks = Go {
        limits: Limits { ponder: true, ..Limits::default() },
        times: [1000, 2000].map(|time| Some(ms(time))),
        increments: [100, 200].map(|time| Some(ms(time))),
        moves_to_go: Some(40),
        search_moves: Vec::new(),
    };
    let limits =
        Limits { depth: Some(3), nodes: Some(5), move_time: Some(ms(7)), win_in: Some(9), ..Limits::default() };
    let limits = Go { limits, search_moves: moves.clone(), ..Go::default() };
    let infinite = Go { limits: Limits { infinite: true, ..Limits::default() }, ..Go::default() };
    let option =
        |name: &str, value: Option<&str>| Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) };
    let fen = || Start::Fen("W:W18,K24:B12,K16".parse().unwrap());
    let order = CaptureOrder::Merged;
    use Command::{
        Bench, Display, Eval, Help, IsReady, Legal, PonderHit, Probe, Quit, Status, Stop, Uci, UciNewGame, Wait,
    };
    let plain =
        [Uci, IsReady, UciNewGame, Stop, PonderHit, Display, Legal, Eval, Probe, Status, Bench, Wait, Help, Quit];
    let plain = plain.map(|command| (command.clone(), command.name()));
    let commands = [
        (option("Clear Hash", None), "setoption name Clear Hash"),
        (option("EvalFile", Some("my weights")), "setoption name EvalFile value my weights"),
        (Command::Position { start: Start::Startpos, moves: Vec::new() }, "position startpos"),
        (Command::Position { start: Start::Startpos, moves: moves.clone() }, "position startpos moves 11-15 23x14x7"),
        (
            Command::Position { start: fen(), moves: moves.clone() },
            "position fen W:W18,K24:B12,K16 moves 11-15 23x14x7",
        ),
        (Command::Move(moves), "move 11-15 23x14x7"),
        (Command::Undo(2), "undo 2"),
        (Command::Redo(1), "redo 1"),
        (Command::Go(Go::default()), "go"),
        (Command::Go(clocks), "go ponder wtime 1000 winc 100 btime 2000 binc 200 movestogo 40"),
        (Command::Go(limits), "go movetime 7 nodes 5 depth 3 win 9 searchmoves 11-15 23x14x7"),
        (Command::Go(infinite), "go infinite"),
        (Command::Perft { depth: 5, order }, "perft 5"),
        (Command::Divide { depth: 5, order: CaptureOrder::Counted }, "divide 5 all"),
    ];
    for (command, text) in commands.into_iter().chain(plain) {
        assert_eq!(command.to_string(), text);
        assert_eq!(Command::read(text), Ok(Some(command)), "{text}");
    }
}

#[test]
fn moves_are_written_in_the_notation_of_the_client() {
    let command = Command::Position { start: Start::Startpos, moves: vec!["c3-d4", "f6:d4:b6"] };
    assert_eq!(command.to_string(), "position startpos moves c3-d4 f6:d4:b6");
}

#[test]
fn answers_are_read_back() {
    let own = str::to_owned;
    let option = Declaration { name: own("Clear Hash"), kind: own("button"), ..Declaration::default() };
    let replies = [
        (Reply::Name(own("Soffio 1")), "id name Soffio 1"),
        (Reply::Author(own("the makers")), "id author the makers"),
        (Reply::Option(option), "option name Clear Hash type button"),
        (Reply::UciOk, "uciok"),
        (Reply::ReadyOk, "readyok"),
        (Reply::Info(Info { depth: Some(3), ..Info::default() }), "info depth 3"),
        (Reply::Text(own("depth 3")), "info string depth 3"),
        (Reply::BestMove { best: None, ponder: None }, "bestmove none"),
        (Reply::BestMove { best: Some(own("11-15")), ponder: None }, "bestmove 11-15"),
        (Reply::BestMove { best: Some(own("11-15")), ponder: Some(own("23-18")) }, "bestmove 11-15 ponder 23-18"),
        (Reply::Error(own("move 11-16 no")), "error move 11-16 no"),
    ];
    for (reply, text) in replies {
        assert_eq!(reply.to_string(), text);
        assert_eq!(Reply::read(text), Some(reply), "{text}");
    }
}

#[test]
fn lines_of_other_engines_are_read_as_far_as_they_go() {
    assert_eq!(Reply::read(" \treadyok \r"), Some(Reply::ReadyOk));
    assert_eq!(Reply::read("bestmove"), Some(Reply::BestMove { best: None, ponder: None }));
    let best = Some("32-28".to_owned());
    assert_eq!(Reply::read("bestmove 32-28 by the way"), Some(Reply::BestMove { best, ponder: None }));
    for other in ["", "id", "id country x", "option name Hash", "readyokay", "legal 1 11-15", "\u{fffd}"] {
        assert_eq!(Reply::read(other), None, "{other}");
    }
}

fn full(score: (Value, Bound)) -> Info {
    Info {
        depth: Some(12),
        selective_depth: Some(20),
        rank: Some(1),
        score: Some(score),
        nodes: Some(3000),
        permille_used: Some(7),
        table_hits: Some(0),
        time: Some(Duration::from_millis(1500)),
        line: Some(vec!["11-15".to_owned(), "23x14".to_owned()]),
        ..Info::default()
    }
}

#[test]
fn the_state_of_a_search_is_read_back() {
    let text = "info depth 12 seldepth 20 multipv 1 score cp -7 nodes 3000 nps 2000 hashfull 7 tbhits 0 time 1500 \
                pv 11-15 23x14";
    assert_eq!(full((Value::Centimen(-7), Bound::Exact)).to_string(), text);
    let current =
        Info { depth: Some(3), current_move: Some("11-15".to_owned()), current_number: Some(2), ..Info::default() };
    assert_eq!(current.to_string(), "info depth 3 currmove 11-15 currmovenumber 2");
    let with_chances =
        Info { wdl: Some(Wdl { win: 12, draw: 970, loss: 18 }), ..full((Value::Centimen(-7), Bound::Exact)) };
    assert_eq!(with_chances.to_string(), text.replace("cp -7", "cp -7 wdl 12 970 18"));
    let values = [Value::Centimen(i16::MIN), Value::Centimen(9), Value::Win(4), Value::Loss(0), Value::Loss(4)];
    let bounds = [Bound::Exact, Bound::Lower, Bound::Upper];
    let scored = values.into_iter().flat_map(|value| bounds.map(|bound| full((value, bound))));
    let empty_line = Info { line: Some(Vec::new()), ..Info::default() };
    for info in scored.chain([current, with_chances, empty_line, Info::default()]) {
        let text = info.to_string();
        assert_eq!(Reply::read(&text), Some(Reply::Info(info)), "{text}");
    }
}

#[test]
fn what_is_not_understood_is_left_out() {
    assert_eq!(read("score win 4 depth x time -1").score, Some((Value::Win(4), Bound::Exact)));
    assert_eq!(read("score win 4 depth x time -1"), Info { score: read("score win 4").score, ..Info::default() });
    for text in ["score", "score cp", "score mate 3", "wdl 1 2", "wdl 1 2 x", "depth", "pvs 1"] {
        assert_eq!(read(text), Info::default(), "{text}");
    }
    assert_eq!(read("depth 2 string depth 3").depth, Some(2));
    assert_eq!(read("pv 1-5 depth 9").depth, None, "everything after pv is the line");
}

#[test]
fn scores_of_other_engines_are_cut_to_what_a_score_can_be() {
    let score = |text| read(text).score.map(|(value, _)| value);
    assert_eq!(score("score cp 1000000"), Some(Value::Centimen(i16::MAX)));
    assert_eq!(score("score cp -1000000"), Some(Value::Centimen(i16::MIN)));
    assert_eq!(score("score win 70000"), Some(Value::Win(u16::MAX)));
    assert_eq!(score("score loss -1"), Some(Value::Loss(0)));
}

#[test]
fn declarations_are_read_back() {
    let own = str::to_owned;
    let option = |kind: &str, default: Option<&str>| Declaration {
        name: own("Clear Hash"),
        kind: own(kind),
        default: default.map(own),
        ..Declaration::default()
    };
    let options = [
        (option("button", None), "option name Clear Hash type button"),
        (option("check", Some("true")), "option name Clear Hash type check default true"),
        (option("string", Some("<empty>")), "option name Clear Hash type string default <empty>"),
        (
            Declaration { bounds: Some(["1", "9"].map(own)), ..option("spin", Some("7")) },
            "option name Clear Hash type spin default 7 min 1 max 9",
        ),
        (
            Declaration { choices: ["no man", "king"].map(own).into(), ..option("combo", Some("king")) },
            "option name Clear Hash type combo default king var no man var king",
        ),
    ];
    for (option, text) in options {
        let reply = Reply::Option(option);
        assert_eq!(reply.to_string(), text);
        assert_eq!(Reply::read(text), Some(reply), "{text}");
    }
    for text in ["", "name Hash", "type spin", "Hash name Hash type spin", "name type spin"] {
        assert_eq!(Reply::read(&format!("option {text}")), None, "{text}");
    }
}
