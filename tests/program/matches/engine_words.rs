//! Tests of the words that describe an engine on the command line.

use soffio_match::{DxpPeer, EngineSpec, LineProtocol, Link, Program};
use std::time::Duration;

fn error(words: &[&str]) -> String {
    EngineSpec::parse(words, &[]).unwrap_err().to_string()
}

#[test]
fn an_engine_is_combined_with_common_settings() {
    let words = ["cmd=\"my engine\" --quick", "option.Hash=16", "option.Clear Hash=", "dir=/x", "tc=10+0.1"];
    let spec = EngineSpec::parse(&words, &["option.Hash=8", "nodes=7", "option.A=b=c"]).unwrap();
    let program = Program { words: ["my engine", "--quick"].map(str::to_owned).to_vec(), directory: Some("/x".into()) };
    assert_eq!(spec.link, Link::Pipes { protocol: LineProtocol::Native, program });
    assert_eq!(spec.name, "my engine");
    let options = [("A", "b=c"), ("Hash", "16"), ("Clear Hash", "")];
    assert_eq!(spec.options, options.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(spec.control.to_string(), "10 s per game plus 100 ms per move, 7 nodes per move");
    assert_eq!(EngineSpec::parse(&["cmd=./a.out"], &["nodes=7"]).unwrap().control.nodes, Some(7));
}

#[test]
fn arguments_can_be_separate_from_their_program() {
    let words = ["args=-b 'c d'", "cmd=a", "arg=e f", "depth=1"];
    let Link::Pipes { program, .. } = EngineSpec::parse(&words, &["args=--all"]).unwrap().link else { panic!() };
    assert_eq!(program.words, ["a", "--all", "-b", "c d", "e f"]);
    assert_eq!(error(&["cmd=a", "args='b"]), "args: unclosed quotation mark");
    assert_eq!(error(&["addr=a", "args=b", "proto=dxp", "tc=60"]), "args: requires cmd");
}

#[test]
fn limits_of_one_engine_are_combined_with_common_limits() {
    let control = |words: &[&str], common: &[&str]| {
        EngineSpec::parse(&[&["cmd=a"], words].concat(), common).unwrap().control.to_string()
    };
    assert_eq!(control(&["depth=3"], &["tc=5"]), "5 s per game, depth 3");
    assert_eq!(control(&["nodes=9", "depth=3"], &["st=0.5", "depth=5"]), "500 ms per move, 9 nodes per move, depth 3");
    // A clock and a time per move are the same kind of limit. An engine can have both.
    assert_eq!(control(&["st=1"], &["tc=5", "nodes=9"]), "1 s per move, 9 nodes per move");
    assert_eq!(control(&["tc=60"], &["movetime=5"]), "1 min per game");
    assert_eq!(control(&["tc=60", "st=1"], &["tc=5"]), "1 min per game, 1 s per move");
    assert_eq!(control(&["depth=inf"], &["depth=5", "nodes=7"]), "7 nodes per move");
    assert_eq!(control(&["st=inf", "nodes=inf", "depth=4"], &["st=5", "nodes=7"]), "depth 4");
    let words = ["cmd=a {port}", "proto=dxp", "nodes=9"];
    let own = EngineSpec::parse(&words, &["tc=60"]).unwrap_err().to_string();
    assert_eq!(own, "nodes: not supported by DXP; use tc, st or movetime");
}

#[test]
fn a_clock_can_be_removed() {
    let control = |words: &[&str], common: &[&str]| EngineSpec::parse(words, common).unwrap().control.to_string();
    assert_eq!(control(&["cmd=a", "tc=inf"], &["tc=60", "depth=5"]), "depth 5");
    assert_eq!(control(&["cmd=a", "nodes=9"], &["tc=inf"]), "9 nodes per move");
    assert_eq!(control(&["cmd=a", "tc=inf", "tc=60"], &[]), "1 min per game");
    let missing = "no move limit given: set tc, st, movetime, nodes or depth";
    assert_eq!(error(&["cmd=a", "tc=inf"]), missing);
}

#[test]
fn every_time_names_its_unit() {
    let read = |words: &[&str]| EngineSpec::parse(&[&["cmd=a"], words].concat(), &[]).unwrap();
    let move_time = |word: &str| read(&[word]).control.move_time.unwrap().as_millis();
    assert_eq!(["st=0.1", "movetime=100", "movetime=100ms", "movetime=0.1s", "st=100ms"].map(move_time), [100; 5]);
    assert_eq!(read(&["st=1", "timemargin=50"]).margin, Some(Duration::from_millis(50)));
    let both = EngineSpec::parse(&["cmd=a", "timemargin=1s"], &["st=1", "timemargin=50"]).unwrap();
    assert_eq!(both.margin, Some(Duration::from_secs(1)), "the engine's own margin takes precedence");
}

#[test]
fn a_dxp_engine_is_started_with_a_port_or_has_an_address() {
    let words = ["cmd=a --listen {port}", "proto=dxp", "tc=60"];
    let spec = EngineSpec::parse(&words, &["option.Hash=8", "nodes=7"]).unwrap();
    let program = Program { words: ["a", "--listen", "{port}"].map(str::to_owned).to_vec(), directory: None };
    assert_eq!((spec.link, spec.name.as_str()), (Link::Dxp(DxpPeer::Started(program)), "a"));
    assert_eq!(
        (spec.options, spec.control.nodes),
        (Vec::new(), None),
        "unsupported settings apply only to the other engines"
    );
    let spec = EngineSpec::parse(&["addr=there", "proto=dxp", "movetime=1"], &[]).unwrap();
    assert_eq!((spec.link, &*spec.name), (Link::Dxp(DxpPeer::Address("there:27531".into())), "there:27531"));

    assert_eq!(error(&["cmd=a", "proto=dxp", "tc=60"]), "cmd must contain {port}, the placeholder for the DXP port");
    assert_eq!(error(&["proto=dxp", "tc=60"]), "cmd or addr is missing");
    assert_eq!(error(&["addr=", "proto=dxp"]), "addr: expected host:port, found ''");
    assert_eq!(error(&["addr=a", "tc=60"]), "addr: requires proto=dxp");
    assert_eq!(error(&["addr=a", "cmd=a", "proto=dxp", "tc=60"]), "addr: cannot be combined with cmd");
    assert_eq!(error(&["addr=a", "proto=dxp"]), "no move limit given: set tc, st or movetime");
    let cannot_ask = "depth: not supported by DXP; use tc, st or movetime";
    assert_eq!(error(&["addr=a", "proto=dxp", "tc=60", "depth=4"]), cannot_ask);
    let cannot_ponder = "ponder: not supported by DXP; the engine decides whether to ponder";
    assert_eq!(error(&["addr=a", "proto=dxp", "tc=60", "ponder=on"]), cannot_ponder);
    let common = EngineSpec::parse(&["addr=a", "proto=dxp"], &["depth=4"]).unwrap_err().to_string();
    assert_eq!(common, cannot_ask);
    assert_eq!(
        error(&["addr=a", "proto=dxp", "tc=60", "option.Hash=1"]),
        "option.Hash: DXP has no options; use command-line arguments instead"
    );
}

#[test]
fn errors_name_the_problem() {
    assert_eq!(error(&["tc=1"]), "cmd is missing");
    assert_eq!(error(&["cmd=a"]), "no move limit given: set tc, st, movetime, nodes or depth");
    assert_eq!(error(&["cmd"]), "expected key=value, found 'cmd'");
    assert_eq!(error(&["cmd='a"]), "cmd: expected a program and its arguments");
    assert_eq!(error(&["cmd="]), "cmd: expected a program and its arguments");
    assert_eq!(error(&["cmd=a", "nodes=0"]), "nodes: expected a number of at least 1, found '0'");
    assert_eq!(error(&["cmd=a", "depth=1000"]), "depth: expected a number from 1 to 255, found '1000'");
    assert_eq!(error(&["cmd=a", "tc=0"]), "tc: the time must be more than 0, found '0'");
    assert_eq!(error(&["cmd=a", "movetime=0"]), "movetime: must be more than 0");
    assert_eq!(error(&["cmd=a", "ponder=yes"]), "ponder: expected on or off, found 'yes'");
    assert_eq!(error(&["cmd=a", "st=0"]), "st: must be more than 0");
    let whole = "movetime: expected a whole number of milliseconds such as 100, or a time with a unit such as 100ms, 0.1s or 1m";
    assert_eq!(error(&["cmd=a", "movetime=0.1"]), format!("{whole}, found '0.1'"));
    assert_eq!(
        error(&["cmd=a", "tc=fast"]),
        "tc: expected seconds such as 10 or 0.5, or a time with a unit such as 100ms, 2s or 1m, found 'fast'"
    );
    assert_eq!(error(&["cmd=a", "proto=uci"]), "proto: expected native, hub or dxp, found 'uci'");
    assert!(error(&["cmd=a", "option.=1"]).starts_with("unknown key 'option.'"));
    assert!(error(&["cmd=a", "hash=1"]).starts_with("unknown key 'hash'; expected cmd"));
    for option in ["UCI_Variant", "forced capture", "variant"] {
        let word = format!("option.{option}=false");
        let expected = format!("option.{option}: set it for the whole match with --variant and --optional-capture");
        assert_eq!(error(&["cmd=a", &word]), expected);
    }
}
