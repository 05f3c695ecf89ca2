//! Tests of the text of the native protocol.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use soffio::engine::{Bound, CaptureOrder, Limits, Value, Wdl};
use soffio::notation::MoveRecord;
use soffio::wire::Declaration;
use soffio::wire::native::{COMMANDS, Go, NativeCommand, NativeInfo, NativeReply, Start};
use std::collections::BTreeSet;
use std::time::Duration;
use strum::VariantNames;

/// Parses an `info` line with the arguments `text`.
fn read(text: &str) -> NativeInfo {
    match NativeReply::read(&format!("info {text}")) {
        Some(NativeReply::Info(info)) => info,
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
    let option = |name: &str, value: Option<&str>| NativeCommand::SetOption {
        name: name.to_owned(),
        value: value.map(str::to_owned),
    };
    let fen = || Start::Fen("W:W18,K24:B12,K16".parse().unwrap());
    let order = CaptureOrder::Merged;
    use NativeCommand::{
        Bench, Debug, Display, Eval, Help, IsReady, Legal, PonderHit, Probe, Quit, Status, Stop, Uci, UciNewGame, Wait,
    };
    let plain =
        [Uci, IsReady, UciNewGame, Stop, PonderHit, Display, Legal, Eval, Probe, Status, Bench, Wait, Help, Quit];
    let plain = plain.map(|command| (command.clone(), command.name()));
    let commands = [
        (option("Clear Hash", None), "setoption name Clear Hash"),
        (Debug(true), "debug on"),
        (Debug(false), "debug off"),
        (option("EvalFile", Some("my weights")), "setoption name EvalFile value my weights"),
        (NativeCommand::Position { start: Start::Startpos, moves: Vec::new() }, "position startpos"),
        (
            NativeCommand::Position { start: Start::Startpos, moves: moves.clone() },
            "position startpos moves 11-15 23x14x7",
        ),
        (
            NativeCommand::Position { start: fen(), moves: moves.clone() },
            "position fen W:W18,K24:B12,K16 moves 11-15 23x14x7",
        ),
        (NativeCommand::Move(moves), "move 11-15 23x14x7"),
        (NativeCommand::Undo(2), "undo 2"),
        (NativeCommand::Redo(1), "redo 1"),
        (NativeCommand::Go(Go::default()), "go"),
        (NativeCommand::Go(clocks), "go ponder wtime 1000 winc 100 btime 2000 binc 200 movestogo 40"),
        (NativeCommand::Go(limits), "go movetime 7 nodes 5 depth 3 win 9 searchmoves 11-15 23x14x7"),
        (NativeCommand::Go(infinite), "go infinite"),
        (NativeCommand::Perft { depth: 5, order }, "perft 5"),
        (NativeCommand::Divide { depth: 5, order: CaptureOrder::Counted, as_go: false }, "divide 5 all"),
        (NativeCommand::Divide { depth: 5, order: CaptureOrder::Merged, as_go: true }, "go perft 5"),
    ];
    for (command, text) in commands.into_iter().chain(plain) {
        assert_eq!(command.to_string(), text);
        assert_eq!(NativeCommand::read(text), Ok(Some(command)), "{text}");
    }
}

#[test]
fn uci_forms_are_parsed_as_the_native_ones() {
    for (uci, native) in [("go mate 3 nodes 9", "go win 3 nodes 9"), ("GO Perft 4 ALL", "go perft 4 all")] {
        assert_eq!(NativeCommand::read(uci), NativeCommand::read(native), "{uci}");
    }
}

#[test]
fn every_command_has_a_row_and_every_row_a_command() {
    let names: BTreeSet<_> = <NativeCommand>::VARIANTS.iter().copied().collect();
    let rows: BTreeSet<_> = COMMANDS.iter().map(|row| row.name).collect();
    assert_eq!(names, rows);
    for row in COMMANDS {
        let arguments = match row.name {
            "setoption" => "name Ponder",
            "debug" => "on",
            "position" => "startpos",
            "move" => "11-15",
            "perft" | "divide" => "3",
            _ => "",
        };
        let command = NativeCommand::read(&format!("{} {arguments}", row.name)).unwrap().unwrap();
        assert_eq!((command.name(), command.while_searching()), (row.name, row.while_searching));
    }
}

fn any_moves() -> impl Strategy<Value = Vec<MoveRecord>> {
    let square =
        prop_oneof![(1..=99_u8).prop_map(|n| n.to_string()), ("[a-h]", 1..=10_u8).prop_map(|(f, r)| format!("{f}{r}"))];
    let mv = (vec(square, 2..6), select(vec!["-", "x", ":"]));
    vec(mv.prop_map(|(squares, sign)| squares.join(sign).parse().unwrap()), 1..9)
}

fn any_go() -> impl Strategy<Value = Go> {
    let ms = || option::of((0..u64::from(u32::MAX)).prop_map(Duration::from_millis));
    let limits =
        (option::of(1..=255_u8), option::of(1..=i64::MAX as u64), option::of(1..=60_u16), ms(), any::<[bool; 2]>());
    let clocks = ([ms(), ms()], [ms(), ms()], option::of(0..=9999_u32));
    (limits, clocks, option::of(any_moves())).prop_map(|(limits, (times, increments, moves_to_go), moves)| {
        let (depth, nodes, win_in, move_time, [infinite, ponder]) = limits;
        let limits = Limits { depth, nodes, win_in, move_time, infinite, ponder, ..Limits::default() };
        let has_clock = times != [None; 2];
        Go {
            limits,
            times,
            increments: if has_clock { increments } else { [None; 2] },
            moves_to_go: moves_to_go.filter(|_| has_clock),
            search_moves: moves.unwrap_or_default(),
        }
    })
}

fn any_command() -> impl Strategy<Value = NativeCommand> {
    let fens = ["W:W18,K24:B12,K16", "B:W31,32:BK1:H3:F9", "W:Wa3,c3:Bb8,Kd8", "B:WK40:B1,2,K3:H0:F1:+1+2"];
    let fens = fens.map(|fen| Start::Fen(fen.parse().unwrap())).to_vec();
    let start = prop_oneof![Just(Start::Startpos), select(fens)];
    let words = "[A-Za-uw-z_0-9]{1,9}( [A-Za-uw-z_0-9]{1,9}){0,2}";
    let order = || select(vec![CaptureOrder::Merged, CaptureOrder::Counted]);
    prop_oneof![
        (start, any_moves()).prop_map(|(start, moves)| NativeCommand::Position { start, moves }),
        any_moves().prop_map(NativeCommand::Move),
        any_go().prop_map(NativeCommand::Go),
        (words, option::of(words)).prop_map(|(name, value)| NativeCommand::SetOption { name, value }),
        (0..=99_u8, order()).prop_map(|(depth, order)| NativeCommand::Perft { depth, order }),
        (1..=99_u8, order(), any::<bool>()).prop_map(|(depth, order, as_go)| NativeCommand::Divide {
            depth,
            order,
            as_go
        }),
        (1..=9999_usize).prop_map(NativeCommand::Undo),
        (1..=9999_usize).prop_map(NativeCommand::Redo),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_commands_are_parsed_as_they_were_printed(command in any_command(), case in any::<u8>(), blank in select(vec!["  ", "\t"])) {
        let text = command.to_string();
        prop_assert_eq!(NativeCommand::read(&text), Ok(Some(command.clone())), "{}", &text);
        // Writes the name of the command in capitals, and uses different white space.
        let (name, arguments) = text.split_once(' ').unwrap_or((&text, ""));
        let name = if case % 2 == 0 { name.to_uppercase() } else { name.to_owned() };
        let text = format!("{blank}{name}{blank}{}", arguments.replace(' ', blank));
        if !matches!(command, NativeCommand::SetOption { .. }) {
            prop_assert_eq!(NativeCommand::read(&text), Ok(Some(command)), "{}", &text);
        }
    }
}

/// Lines are parsed in linear time, regardless of their length and content.
#[test]
fn the_longest_lines_are_parsed() {
    let long = |start: &str, unit: &str| {
        format!("{start}{}", unit.repeat((soffio::session::MAX_LINE - start.len()) / unit.len()))
    };
    let moves = long("position startpos moves", " 22-18");
    assert!(
        matches!(NativeCommand::read(&moves), Ok(Some(NativeCommand::Position { moves, .. })) if moves.len() > 170_000)
    );
    let path = long("move 1", "-2");
    assert!(
        matches!(NativeCommand::read(&path), Ok(Some(NativeCommand::Move(moves))) if moves[0].path.len() > 500_000)
    );
    assert!(matches!(NativeCommand::read(&long("go", " ponder")), Ok(Some(NativeCommand::Go(_)))));
    for (line, start) in [
        (long("", "x"), "unknown command 'xxxx"),
        (long("go", " \t"), ""),
        (long("go depth ", "9"), ""),
        (long("go depth -", "9"), "go depth expected a depth of at least 1, found '-999"),
        (long("position fen W:W", "1,"), "fen white pieces: expected a square, found the end"),
        (long("position fen W", ":"), "fen next field: expected"),
        (long("setoption name", " é"), ""),
    ] {
        let found = NativeCommand::read(&line).map_or_else(|error| error.to_string(), |_| String::new());
        assert!(found.starts_with(start) && found.len() < 200, "{found}");
    }
}

#[test]
fn moves_are_written_in_the_clients_notation() {
    let command = NativeCommand::Position { start: Start::Startpos, moves: vec!["c3-d4", "f6:d4:b6"] };
    assert_eq!(command.to_string(), "position startpos moves c3-d4 f6:d4:b6");
}

#[test]
fn answers_are_read_back() {
    let own = str::to_owned;
    let option = Declaration { name: own("Clear Hash"), kind: own("button"), ..Declaration::default() };
    let replies = [
        (NativeReply::Name(own("Soffio 1")), "id name Soffio 1"),
        (NativeReply::Author(own("the makers")), "id author the makers"),
        (NativeReply::Option(option), "option name Clear Hash type button"),
        (NativeReply::UciOk, "uciok"),
        (NativeReply::ReadyOk, "readyok"),
        (NativeReply::Info(NativeInfo { depth: Some(3), ..NativeInfo::default() }), "info depth 3"),
        (NativeReply::Text(own("depth 3")), "info string depth 3"),
        (NativeReply::BestMove { best: None, ponder: None }, "bestmove none"),
        (NativeReply::BestMove { best: Some(own("11-15")), ponder: None }, "bestmove 11-15"),
        (NativeReply::BestMove { best: Some(own("11-15")), ponder: Some(own("23-18")) }, "bestmove 11-15 ponder 23-18"),
        (NativeReply::Error(own("move 11-16 no")), "error move 11-16 no"),
    ];
    assert_eq!(NativeReply::Error(own("unknown command 'héllo'")).to_string(), "error unknown command 'h?llo'");
    for (reply, text) in replies {
        assert_eq!(reply.to_string(), text);
        assert_eq!(NativeReply::read(text), Some(reply), "{text}");
    }
}

#[test]
fn lines_from_other_engines_are_parsed_as_far_as_possible() {
    assert_eq!(NativeReply::read(" \treadyok \r"), Some(NativeReply::ReadyOk));
    assert_eq!(NativeReply::read("bestmove"), Some(NativeReply::BestMove { best: None, ponder: None }));
    let best = Some("32-28".to_owned());
    assert_eq!(NativeReply::read("bestmove 32-28 by the way"), Some(NativeReply::BestMove { best, ponder: None }));
    for other in ["", "id", "id country x", "option name Hash", "readyokay", "legal 1 11-15", "\u{fffd}"] {
        assert_eq!(NativeReply::read(other), None, "{other}");
    }
}

fn full(score: (Value, Bound)) -> NativeInfo {
    NativeInfo {
        depth: Some(12),
        selective_depth: Some(20),
        rank: Some(1),
        score: Some(score),
        nodes: Some(3000),
        hashfull: Some(7),
        table_hits: Some(0),
        time: Some(Duration::from_millis(1500)),
        line: Some(vec!["11-15".to_owned(), "23x14".to_owned()]),
        ..NativeInfo::default()
    }
}

#[test]
fn the_state_of_a_search_is_read_back() {
    let text = "info depth 12 seldepth 20 multipv 1 score cp -7 nodes 3000 nps 2000 hashfull 7 tbhits 0 time 1500 \
                pv 11-15 23x14";
    assert_eq!(full((Value::Cp(-7), Bound::Exact)).to_string(), text);
    let current = NativeInfo {
        depth: Some(3),
        current_move: Some("11-15".to_owned()),
        current_number: Some(2),
        ..NativeInfo::default()
    };
    assert_eq!(current.to_string(), "info depth 3 currmove 11-15 currmovenumber 2");
    let with_chances =
        NativeInfo { wdl: Some(Wdl { win: 12, draw: 970, loss: 18 }), ..full((Value::Cp(-7), Bound::Exact)) };
    assert_eq!(with_chances.to_string(), text.replace("cp -7", "cp -7 wdl 12 970 18"));
    let values = [Value::Cp(i16::MIN), Value::Cp(9), Value::Win(4), Value::Loss(0), Value::Loss(4)];
    let bounds = [Bound::Exact, Bound::Lower, Bound::Upper];
    let scored = values.into_iter().flat_map(|value| bounds.map(|bound| full((value, bound))));
    let empty_line = NativeInfo { line: Some(Vec::new()), ..NativeInfo::default() };
    for info in scored.chain([current, with_chances, empty_line, NativeInfo::default()]) {
        let text = info.to_string();
        assert_eq!(NativeReply::read(&text), Some(NativeReply::Info(info)), "{text}");
    }
}

#[test]
fn unknown_fields_are_skipped() {
    assert_eq!(read("score win 4 depth x time -1").score, Some((Value::Win(4), Bound::Exact)));
    assert_eq!(
        read("score win 4 depth x time -1"),
        NativeInfo { score: read("score win 4").score, ..NativeInfo::default() }
    );
    for text in ["score", "score cp", "score mate 3", "wdl 1 2", "wdl 1 2 x", "depth", "pvs 1"] {
        assert_eq!(read(text), NativeInfo::default(), "{text}");
    }
    assert_eq!(read("depth 2 string depth 3").depth, Some(2));
    assert_eq!(read("pv 1-5 depth 9").depth, None, "everything after pv belongs to the line");
}

#[test]
fn scores_from_other_engines_are_clamped() {
    let score = |text| read(text).score.map(|(value, _)| value);
    assert_eq!(score("score cp 1000000"), Some(Value::Cp(i16::MAX)));
    assert_eq!(score("score cp -1000000"), Some(Value::Cp(i16::MIN)));
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
        let reply = NativeReply::Option(option);
        assert_eq!(reply.to_string(), text);
        assert_eq!(NativeReply::read(text), Some(reply), "{text}");
    }
    for text in ["", "name Hash", "type spin", "Hash name Hash type spin", "name type spin"] {
        assert_eq!(NativeReply::read(&format!("option {text}")), None, "{text}");
    }
}
