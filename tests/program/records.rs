//! Tests that the records that commands print for scripts conform to their JSON schema.

use crate::process::{program, run_to_end};
use serde_json::Value;

const SCHEMA: &str = include_str!("../../docs/record.schema.json");

/// Runs the program, and checks each of its records against the schema. Returns the records, and whether the program
/// succeeded.
fn records(arguments: &[&str], input: &str) -> (Vec<Value>, bool) {
    let (text, _, is_well) = run_to_end(program(arguments), input);
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let read = |line: &str| {
        let record = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(fault(&record, &schema, &schema), None, "{line}");
        record
    };
    (text.lines().map(read).collect(), is_well)
}

/// Returns the first keyword of `schema` that `value` violates, or `None` if it conforms. `schema` is a part of
/// `whole`. A keyword that this function does not support is reported as a violation.
fn fault(value: &Value, schema: &Value, whole: &Value) -> Option<String> {
    let size = value.as_object().map(|object| object.len() as u64);
    let length = value.as_str().map(|text| text.len() as u64);
    let is_true = |word: &str, argument: &Value| match word {
        "$schema" | "$defs" | "title" | "description" => true,
        "$ref" => {
            let place = argument.as_str().and_then(|place| whole.pointer(place.trim_start_matches('#')));
            place.is_some_and(|schema| fault(value, schema, whole).is_none())
        }
        "oneOf" => list(argument).iter().filter(|schema| fault(value, schema, whole).is_none()).count() == 1,
        "type" => match argument.as_str() {
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            Some("string") => value.is_string(),
            Some("integer") => value.is_i64(),
            _ => false,
        },
        "enum" => list(argument).contains(value),
        "minimum" => value.as_i64() >= argument.as_i64(),
        "minLength" => length >= argument.as_u64(),
        "maxLength" => length <= argument.as_u64(),
        "minProperties" => size >= argument.as_u64(),
        "maxProperties" => size <= argument.as_u64(),
        "required" => list(argument).iter().all(|name| value.get(name.as_str().unwrap_or_default()).is_some()),
        "items" => list(value).iter().all(|item| fault(item, argument, whole).is_none()),
        "additionalProperties" => value.as_object().is_some_and(|value| {
            value.iter().all(|(name, part)| {
                schema["properties"].get(name).is_some_and(|schema| fault(part, schema, whole).is_none())
            })
        }),
        "properties" => schema.get("additionalProperties") == Some(&Value::Bool(false)),
        _ => false,
    };
    let words = schema.as_object().expect("a schema is an object");
    words
        .iter()
        .find(|(word, argument)| !is_true(word, argument))
        .map(|(word, _)| format!("{word} of {schema}: {value}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns the named fields of `record`, with null for missing fields.
fn fields<const N: usize>(record: &Value, names: [&str; N]) -> [Value; N] {
    names.map(|name| record.get(name).cloned().unwrap_or_default())
}

#[test]
fn positions_are_analysed_from_arguments_and_from_lines() {
    let fens = ["startpos", "W:WK24,K15:B12", "W:W99:B1", "B:W21,22,23:B5"];
    let limits = ["analyse", "--variant", "english", "--depth", "5", "--multipv", "2"];
    let (mut of_arguments, is_well) = records(&[&limits[..], &fens].concat(), "");
    assert!(!is_well, "one of the positions cannot be read");
    let (of_lines, _) = records(&limits, &format!("{}\n", fens.join("\n")));
    of_arguments.iter_mut().zip(&of_lines).for_each(|(one, other)| {
        if let Some(time) = other.get("time") {
            one["time"] = time.clone();
        }
    });
    assert_eq!(of_arguments, of_lines);
    let [start, win, wrong, black] = of_lines.as_slice() else { panic!("{of_lines:?}") };
    assert_eq!(
        fields(start, ["id", "variant", "to_move", "score_for"]),
        ["1", "english", "black", "black"].map(Value::from)
    );
    let lines = list(&start["lines"]);
    assert!(
        lines.len() == 2 && lines[0]["move"] == lines[0]["pv"][0] && lines[0]["move"] != lines[1]["move"],
        "{start}"
    );
    assert_eq!(fields(&lines[0], ["depth", "bound"]), [Value::from(5), "exact".into()]);
    let wdl = |line: &Value| list(&line["wdl"]).iter().filter_map(Value::as_i64).collect::<Vec<_>>();
    assert_eq!(wdl(&lines[0]).iter().sum::<i64>(), 1000, "{start}");
    assert_eq!(wdl(&list(&win["lines"])[0]), [1000, 0, 0], "{win}");
    assert!(
        list(&win["lines"])[0]["score"]["win"].is_u64()
            && win["table"].as_str().is_some_and(|table| table.starts_with("win ")),
        "{win}"
    );
    assert_eq!(
        (&wrong["id"], wrong["error"].as_str().is_some_and(|error| error.starts_with("fen "))),
        (&"3".into(), true)
    );
    assert_eq!(fields(black, ["to_move", "score_for"]), ["black", "black"].map(Value::from));
    assert!(black["static"]["cp"].as_i64().is_some_and(|score| score < 0), "{black}");
    // The same position has the same hash, regardless of the format of the input.
    let (again, is_well) = records(&["analyse", "--variant", "english", "--nodes", "10", fens[1]], "");
    assert!(is_well && again[0]["input_hash"] == win["input_hash"] && again[0]["weights"] == start["weights"]);
}

/// A position in which White's only legal move is 23x14.
const FORCED: &str = "W:W13,19,22,23,24,25,27,29,30,32:B2,5,6,7,8,9,10,12,15,18,21:F11";

#[test]
fn a_forced_move_is_searched_to_the_limit() {
    // The search ends at the depth limit on any machine.
    let limits = ["--movetime", "3600000", "--depth", "8", "--hash", "1"];
    let (analysed, _) = records(&[&["analyse", "--variant", "english", FORCED], &limits[..]].concat(), "");
    let request = format!("{{\"variant\":\"english\",\"fen\":\"{FORCED}\"}}\n");
    let (answered, _) = records(&[&["batch"], &limits[..]].concat(), &request);
    let before = FORCED.replace("W:W", "B:W").replace("15,18,", "14,15,").replace(":F11", ":F10");
    let game = format!("[GameType \"21\"]\n[FEN \"{before}\"]\n\n10... 14-18 *\n");
    let (annotated, _) = records(&[&["annotate", "--json", "-"], &limits[..]].concat(), &game);
    let last = |records: &[Value]| records.last().map(|record| list(&record["lines"])[0].clone()).unwrap_or_default();
    let by_depth = ["analyse", "--variant", "english", "--depth", "8", "--hash", "1", FORCED];
    let expected = last(&records(&by_depth, "").0);
    assert_eq!(fields(&expected, ["move", "depth"]), [Value::from("23x14"), 8.into()]);
    for found in [&analysed, &answered, &annotated] {
        let found = last(found);
        assert_eq!(
            fields(&found, ["move", "depth", "score"]),
            fields(&expected, ["move", "depth", "score"]),
            "{found}"
        );
    }
}

#[test]
fn scores_come_from_the_tables() {
    let positions = [
        ("english", "W:WK1,K2:BK32"),
        ("english", "W:WK1:BK32"),
        ("italian", "W:WK1:BK32"),
        ("english", "B:WK14,K15:BK20"),
        ("russian", "W:WKc3,Kd4,Kf4:BKb8"),
        ("losing", "W:W31:B1,2"),
    ];
    for limits in [&["--depth", "1"][..], &["--nodes", "1"], &["--movetime", "3600000", "--depth", "2"]] {
        for (variant, fen) in positions {
            let (found, _) = records(&[&["analyse", "--variant", variant, "--hash", "1", fen], limits].concat(), "");
            let (line, table) =
                (&list(&found[0]["lines"])[0], found[0]["table"].as_str().expect("it is in the tables"));
            let (word, plies) = table.split_once(' ').unwrap_or((table, "0"));
            let moves = plies.parse::<u64>().expect("a number of plies").div_ceil(2);
            let score = match word {
                "draw" => &line["score"]["cp"],
                word => &line["score"][word],
            };
            assert_eq!(score.as_u64(), Some(moves), "{variant} {fen} {limits:?}: {}", found[0]);
        }
    }
}

#[test]
fn perft_and_bench_have_records() {
    let (counts, _) = records(&["perft", "--variant", "english", "6", "--json"], "");
    assert_eq!(fields(&counts[0], ["depth", "nodes", "to_move"]), [Value::from(6), 36768.into(), "black".into()]);
    let (bench, _) = records(&["bench", "--variant", "italian", "--variant", "russian", "--depth", "4", "--json"], "");
    let names: Vec<_> = bench.iter().map(|record| record["id"].as_str().unwrap_or_default()).collect();
    assert_eq!(names, ["italian", "russian", "all"]);
    let nodes = |place: usize| bench[place]["nodes"].as_u64().expect("every record has nodes");
    assert_eq!(nodes(0) + nodes(1), nodes(2));
}

#[test]
fn table_probes_have_records() {
    let fens = "W:WK1:BK32\nW:W99:B1\nW:WK14,K15:BK1\n";
    let (answers, _) = records(&["tables", "probe", "--variant", "english", "--pv", "--json"], fens);
    let (words, ..) = run_to_end(program(&["tables", "probe", "--variant", "english", "--pv"]), fens);
    let shown = |record: &Value| match (record["table"].as_str(), record["error"].as_str()) {
        (Some(table), _) => {
            let moves: Vec<_> = list(&record["table_pv"]).iter().filter_map(Value::as_str).collect();
            if moves.is_empty() { table.to_owned() } else { format!("{table} pv {}", moves.join(" ")) }
        }
        (None, error) => format!("error {}", error.unwrap_or_default()),
    };
    assert_eq!(answers.iter().map(shown).collect::<Vec<_>>(), words.lines().collect::<Vec<_>>());
    assert_eq!(fields(&answers[2], ["id", "score_for"]), ["3", "white"].map(Value::from));
}

#[test]
fn every_position_of_an_annotated_game_has_a_record() {
    let games = "[GameType \"21\"] 1. 11-15 22-18 2. 15x22 *\n\n[GameType \"21\"] 1. 11-99 *\n";
    let (positions, is_well) = records(&["annotate", "-", "--depth", "4", "--json"], games);
    assert!(!is_well, "the second game cannot be played");
    let ids: Vec<_> = positions.iter().map(|record| record["id"].as_str().unwrap_or_default()).collect();
    assert_eq!(ids, ["1/0", "1/1", "1/2", "1/3", "2"]);
    let played: Vec<_> = positions.iter().filter_map(|record| record["played"]["move"].as_str()).collect();
    assert_eq!(played, ["11-15", "22-18", "15x22"]);
    assert!(positions[..4].iter().all(|record| record["score_for"] == record["to_move"]), "{positions:?}");
    assert!(positions[4]["error"].is_string());
}

#[test]
fn requests_are_answered_one_by_one() {
    let requests = r#"{"id": "a", "variant": "english", "fen": "W:WK24,K15:B12", "limits": {"depth": 5}}
{"variant": "russian", "moves": "c3-d4 b6-a5", "multipv": 2, "searchmoves": ["d4-c5", "b2-c3"]}

{"id": 7, "pdn": "[GameType \"21\"] 1. 11-15 22-18 2. 15x22 *"}
{"id": "g", "variant": "english", "moves": ["11-15", "22-18"], "plies": true}
{"id": "x", "variant": "english", "moves": ["11-15", "22-19"], "plies": true, "limits": {"nodes": 300}}
{"fen": "W:W99:B1"}
{"fen": "startpos", "variant": "chess"}
{"fen": "startpos", "pdn": "1. 11-15 *"}
{"id": "n", "variant": "english", "fen": "startpos", "limits": {"node": 1}}
nonsense
"#;
    let (answers, is_well) = records(&["batch", "--nodes", "200"], requests);
    assert!(!is_well);
    let shown = |record: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let played = text(&record["played"]["move"]);
        [text(&record["id"]), record["ply"].to_string(), text(&record["to_move"]), played, text(&record["error"])]
            .join(" ")
    };
    let expected = [
        "a null white - -",
        "2 null white - -",
        "7/0 0 black 11-15 -",
        "7/1 1 white 22-18 -",
        "7/2 2 black 15x22 -",
        "7/3 3 white - -",
        "g/0 0 black 11-15 -",
        "g/1 1 white 22-18 -",
        "g/2 2 black - -",
        "x/0 0 black 11-15 -",
        "x/1 1 white - -",
        "x 2 - - move 22-19: the piece on 22 cannot reach 19",
        "7 null - - no variant given: add the field variant",
        "8 null - - unknown variant chess",
        "9 null - - pdn cannot be combined with fen or moves",
        "n null - - unknown field limits.node; the fields are depth, nodes, movetime",
        "11 null - - not valid JSON at column 2",
    ];
    assert_eq!(answers.iter().map(shown).collect::<Vec<_>>(), expected);
    let (again, _) = records(&["batch", "--nodes", "200"], &requests.lines().rev().collect::<Vec<_>>().join("\n"));
    let position = |answers: &[Value]| answers.iter().find(|record| record["id"] == "a").cloned();
    assert_eq!(position(&answers), position(&again), "a record does not depend on earlier records");
}
