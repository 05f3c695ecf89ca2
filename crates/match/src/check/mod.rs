//! Checks step by step whether an engine follows its protocol. Each failed step reports what the engine's author must
//! fix.

mod engine;
mod position;

use super::{EngineSpec, LineProtocol, Link, Stop, Timeouts};
use crate::Control;
use crate::line_protocol::ProtocolLine;
use anyhow::{Result, bail};
use engine::{TestedEngine, check_all, complete, reported};
use position::{TestPosition, find, find_without_move};
use soffio::notation::printable;
use soffio::rules::{Color, Variant};
use soffio::wire::Declaration;
use soffio::wire::native::NativeReply;
use std::fmt;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepResult {
    pub name: &'static str,
    /// What the engine did, and advice for its author; `None` if the engine passed the step.
    pub problem: Option<(String, &'static str)>,
}

impl fmt::Display for StepResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            None => write!(f, "ok    {}", self.name),
            Some((seen, advice)) => write!(f, "FAIL  {}: {seen}\n      {advice}", self.name),
        }
    }
}

/// Runs all steps for the engine's protocol and reports each result. An answer that needs no search must arrive within
/// a thirtieth of `timeouts.stall`, and a fixed-depth search must finish within a sixth. A search with a time limit may
/// overrun it by `timeouts.margin` and a small tolerance.
pub fn check(
    spec: &EngineSpec,
    variant: Variant,
    timeouts: Timeouts,
    stop: &Stop,
    report: &mut dyn FnMut(StepResult),
) -> Result<()> {
    let Link::Pipes { protocol, program } = &spec.link else {
        bail!("only engines that use the native protocol or Hub can be checked");
    };
    let mut engine = TestedEngine {
        spec,
        protocol: *protocol,
        program,
        variant,
        timeouts,
        stop: stop.clone(),
        process: None,
        introduction: Vec::new(),
    };
    let of_protocol = |CheckStep { native, hub, run }: CheckStep| {
        let words = if *protocol == LineProtocol::Native { native } else { hub };
        words.map(|words| (words, run))
    };
    for ((name, advice), run) in STEPS.into_iter().filter_map(of_protocol) {
        if stop.is_stopped() {
            break;
        }
        let problem = run(&mut engine).err().map(|seen| (seen, advice));
        if problem.is_some() {
            // A failure must not affect the next step.
            engine.process = None;
        }
        report(StepResult { name, problem });
    }
    Ok(())
}

type StepTexts = (&'static str, &'static str);

type Run = fn(&mut TestedEngine<'_>) -> Result<(), String>;

struct CheckStep {
    /// Name and advice in the native protocol, or `None` if the protocol does not have this step.
    native: Option<StepTexts>,
    /// Name and advice in Hub, or `None` if the protocol does not have this step.
    hub: Option<StepTexts>,
    /// Runs the step. The error describes what the engine did instead of the expected behaviour.
    run: Run,
}

const fn same(name: &'static str, advice: &'static str, run: Run) -> CheckStep {
    CheckStep { native: Some((name, advice)), hub: Some((name, advice)), run }
}

const fn both(native: StepTexts, hub: StepTexts, run: Run) -> CheckStep {
    CheckStep { native: Some(native), hub: Some(hub), run }
}

const fn native(name: &'static str, advice: &'static str, run: Run) -> CheckStep {
    CheckStep { native: Some((name, advice)), hub: None, run }
}

const fn hub(name: &'static str, advice: &'static str, run: Run) -> CheckStep {
    CheckStep { native: None, hub: Some((name, advice)), run }
}

const PAIRS: &str = "write every argument as name=value: clients reject other forms";
const UNPAIRED: &str = "an argument without '='";

const STEPS: [CheckStep; 48] = [
    same("silent at start", "print nothing before the first command", |engine| {
        engine.start()?;
        engine.expect_silence(&[])
    }),
    both(
        ("uci: ends with uciok", "answer 'uci' with id and option lines, then 'uciok'"),
        ("hub: ends with wait", "answer 'hub' with id and param lines, then 'wait'"),
        |engine| {
            engine.start()?;
            engine.introduce()
        },
    ),
    native("uci: has a name", "print 'id name <name>'", |engine| engine.check_greeting("id name ")),
    native("uci: has an author", "print 'id author <author>'", |engine| engine.check_greeting("id author ")),
    native("uci: options are complete", "print 'option name <name> type <type> ...' for every option", |engine| {
        let is_complete = |line: &str| matches!(NativeReply::read(line), Some(NativeReply::Option(_)));
        check_all(is_complete, engine.introduced(&["option"])?, "an option without name or type")
    }),
    native("uci: offers UCI_Variant", "declare the option UCI_Variant as a combo of the variants", |engine| {
        let is_variant = |option: &Declaration| option.name == "UCI_Variant" && option.kind == "combo";
        let is_offered =
            |line: &&String| matches!(NativeReply::read(line), Some(NativeReply::Option(o)) if is_variant(&o));
        let is_there = engine.introduced(&["option"])?.find(is_offered).is_some();
        if is_there { Ok(()) } else { Err("no line begins with 'option name UCI_Variant type combo'".to_owned()) }
    }),
    hub("id: name", "print 'id name=<name> ...'", |engine| {
        let is_there = engine.introduced(&["id "])?.any(|line| line.contains("name="));
        if is_there { Ok(()) } else { Err("no id line with a name".to_owned()) }
    }),
    hub("id and param: only name=value", PAIRS, |engine| {
        check_all(is_all_pairs, engine.introduced(&["id ", "param "])?, UNPAIRED)
    }),
    hub("param: the name comes first", "write 'param name=<name> value=.. type=..'", |engine| {
        check_all(|line| line.starts_with("param name="), engine.introduced(&["param "])?, "the name is not first")
    }),
    hub("param: value and type", "give every parameter a value and a type", |engine| {
        let has_both = |line: &str| line.contains(" value=") && line.contains(" type=");
        check_all(has_both, engine.introduced(&["param "])?, "value or type missing")
    }),
    native("isready: readyok", "answer 'isready' with 'readyok' immediately", |engine| engine.check_ping()),
    same("survives an empty line", "ignore empty lines", |engine| engine.expect_alive("")),
    both(
        ("survives an unknown command", "answer it with an error line or ignore it"),
        ("survives an unknown command", "ignore unknown commands silently"),
        |engine| engine.expect_alive("no-such-command a=1 b=\"c d\""),
    ),
    both(
        ("survives an unknown option", "answer it with an error line or ignore it"),
        ("survives an unknown parameter", "ignore unknown parameters"),
        |engine| {
            engine.send(&engine.protocol.set_option("no-such-option", "1"))?;
            engine.check_ping()?;
            engine.check_clock(&depth(1), engine.search_timeout())
        },
    ),
    native("survives an invalid move", "reject a position with an invalid move and keep running", |engine| {
        engine.expect_alive("position startpos moves 1-1")
    }),
    native("survives an invalid FEN", "reject an invalid FEN and keep running", |engine| {
        engine.expect_alive("position fen W:Wx:B99")
    }),
    native("survives a very long line", "accept or reject lines of any length", |engine| {
        engine.expect_alive(&format!("no-such-command {}", "x".repeat(100_000)))
    }),
    native(
        "spaces, tabs and carriage returns",
        "allow any number of spaces and tabs, and a carriage return",
        |engine| engine.query(" \tisready \t \r", "readyok", engine.reply_timeout()).map(drop),
    ),
    hub("stop without a search", "print nothing for 'stop' when no search is running", |engine| {
        engine.expect_alive("stop")
    }),
    hub("ping without a search", "answer 'ping' with 'pong'", |engine| {
        engine.query("ping", "pong", engine.reply_timeout()).map(drop)
    }),
    both(
        ("ucinewgame", "be ready for another game after 'ucinewgame'"),
        ("new-game", "accept 'new-game' between games"),
        |engine| engine.expect_alive(&engine.protocol.new_game()),
    ),
    both(
        ("go depth at the start position", "answer 'go depth 1' with one legal 'bestmove'"),
        ("pos and go think", "answer 'go think' with 'done move=<move>'"),
        |engine| engine.check_move(|_| true, true),
    ),
    both(
        ("one answer only", "print exactly one 'bestmove' for each 'go'"),
        ("one answer only", "print exactly one 'done' for each 'go'"),
        |engine| engine.expect_silence(&[engine.last_word()]),
    ),
    hub("done: the move comes first", "write 'done move=<move> ponder=<move>'", |engine| {
        let lines = engine.check_search(&depth(1))?;
        let line = lines.last().map(String::as_str).unwrap_or_default();
        if line.starts_with("done move=") { Ok(()) } else { Err(format!("'{}'", printable(line.chars()))) }
    }),
    both(
        ("info: depth, score and nodes", "print 'info depth .. score cp|win|loss .. nodes ..' before the move"),
        ("info: depth, score and nodes", "print 'info depth=.. score=.. nodes=.. time=.. pv=..'"),
        |engine| complete(reported(engine.protocol, &engine.check_search(&depth(4))?)),
    ),
    native("info: the pv starts with the move", "start the last 'pv' with the move played", |engine| {
        let lines = engine.check_search(&depth(4))?;
        let first = |line: &String| match engine.protocol.read(line) {
            ProtocolLine::Info(_, moves) => moves.into_iter().next(),
            _ => None,
        };
        let line = lines.iter().filter_map(first).next_back().ok_or("no info line has a pv")?;
        let best = engine.best_move(&lines);
        if best == line { Ok(()) } else { Err(format!("the pv starts with '{line}', but the move is '{best}'")) }
    }),
    hub("info: only name=value", PAIRS, |engine| engine.check_infos(is_all_pairs, UNPAIRED)),
    hub("info: the usual order", "write depth, mean-depth, score, nodes, time, nps, pv in this order", |engine| {
        engine.check_infos(is_in_order, "unexpected order")
    }),
    both(
        ("position with moves", "apply all moves after 'moves', each with its full path"),
        ("moves from the start position", "apply all moves of 'moves'"),
        |engine| engine.check_move(|sample| sample.moves.len() == 7, true),
    ),
    hub("one unquoted move", "accept 'moves=<move>'", |engine| {
        let sample = find(engine.variant, |sample| sample.moves.len() == 1)?;
        let first = sample.moves.first().map_or("", |mv| &mv.hub);
        let text = format!("pos pos={} moves={first}\nlevel depth=1\ngo think", sample.hub_start);
        let lines = engine.query(&text, "done", engine.search_timeout())?;
        sample.check(&engine.best_move(&lines))
    }),
    both(
        ("position after a long game", "accept a hundred moves after 'moves'"),
        ("a long game", "accept a hundred moves"),
        |engine| engine.check_move(|sample| sample.moves.len() >= 60, true),
    ),
    both(
        ("position fen, White to move", "parse the FEN as in PDN"),
        ("a position, White to move", "parse the position"),
        |engine| engine.check_move(|sample| sample.is_turn_of(Color::White), false),
    ),
    both(
        ("position fen, Black to move", "parse the FEN as in PDN"),
        ("a position, Black to move", "parse the position"),
        |engine| engine.check_move(|sample| sample.is_turn_of(Color::Black), false),
    ),
    both(
        ("position fen with kings", "parse 'K' before the square of a king"),
        ("a position with kings", "parse the letters of kings"),
        |engine| engine.check_move(TestPosition::has_king, false),
    ),
    same("a capture is compulsory", "capture whenever a capture is possible", |engine| {
        engine.check_move(TestPosition::has_captures, false)
    }),
    native("a capture of several pieces", "complete every capture and print the full path", |engine| {
        engine.check_move(TestPosition::has_long_capture, false)
    }),
    hub("a capture names the captured pieces", "write 'from x to x captured x captured ...'", |engine| {
        let sample = find(engine.variant, TestPosition::has_long_capture)?;
        let lines = engine.think(&sample, false, &depth(1))?;
        let played = engine.best_move(&lines);
        sample.check(&played)?;
        let squares = |text: &str| text.split(['-', 'x']).count();
        let is_like_it = sample.legal.iter().any(|mv| squares(&mv.hub) == squares(&played));
        if is_like_it { Ok(()) } else { Err(format!("'{}'", printable(played.chars()))) }
    }),
    both(
        ("a position without a legal move", "answer 'bestmove none' when there is no legal move"),
        ("a position without a legal move", "answer 'done' without a move when there is no legal move"),
        |engine| {
            let sample = find_without_move(engine.variant)?;
            let lines = engine.think(&sample, false, &depth(1))?;
            let played = engine.best_move(&lines);
            if played == "none" { Ok(()) } else { Err(format!("played '{}'", printable(played.chars()))) }
        },
    ),
    native("go nodes 1", "answer immediately", |engine| {
        engine.check_clock(&Control { nodes: Some(1), ..Control::default() }, engine.reply_timeout())
    }),
    both(
        ("go movetime", "answer within the move time"),
        ("level move-time", "answer within the move time"),
        |engine| {
            let move_time = Some(Duration::from_millis(300));
            engine.check_clock(&Control { move_time, ..Control::default() }, Duration::from_millis(380))
        },
    ),
    both(
        ("go wtime btime", "answer before the clock runs out"),
        ("level time and inc", "answer before the clock runs out"),
        |engine| engine.check_clock(&clock("1+0.1"), Duration::from_millis(980)),
    ),
    native("go movestogo", "divide the time among the moves", |engine| {
        engine.check_clock(&clock("1/1"), Duration::from_millis(1030))
    }),
    hub("several level lines combine", "keep all 'level' lines until 'go'", |engine| {
        let move_time = Some(Duration::from_millis(200));
        engine.check_clock(&Control { move_time, ..clock("60") }, Duration::from_millis(380))
    }),
    both(
        ("go infinite waits for stop", "print 'bestmove' only after 'stop'"),
        ("go analyze waits for stop", "print 'done' only after 'stop'"),
        |engine| {
            engine.start_analysis()?;
            engine.expect_silence(&[engine.last_word()])
        },
    ),
    both(
        ("isready during a search", "answer 'isready' while searching"),
        ("ping during a search", "answer 'ping' while searching"),
        |engine| engine.check_ping(),
    ),
    both(
        ("stop", "print 'bestmove' immediately after 'stop'"),
        ("stop", "print 'done' immediately after 'stop'"),
        |engine| {
            let sample = find(engine.variant, |_| true)?;
            let lines = engine.query("stop", engine.last_word(), engine.reply_timeout())?;
            sample.check(&engine.best_move(&lines))
        },
    ),
    same("quit", "exit within a second of 'quit'", |engine| engine.expect_exit_after(Some("quit"))),
    same("end of input", "exit when the input is closed", |engine| engine.expect_exit_after(None)),
];

fn depth(depth: u8) -> Control {
    Control { depth: Some(depth), ..Control::default() }
}

/// Parses a clock in the syntax of `tc=`.
fn clock(text: &str) -> Control {
    Control { clock: text.parse().ok(), ..Control::default() }
}

/// Returns true if `line` has arguments, and each argument outside quotation marks contains exactly one `=`.
fn is_all_pairs(line: &str) -> bool {
    let outside: String = line.split('"').step_by(2).collect();
    let mut arguments = outside.split_ascii_whitespace().skip(1).peekable();
    arguments.peek().is_some() && arguments.all(|argument| argument.matches('=').count() == 1)
}

/// Returns true if an info line contains all arguments that clients expect, in the expected order.
fn is_in_order(line: &str) -> bool {
    let names = ["depth=", "mean-depth=", "score=", "nodes=", "time=", "nps=", "pv="];
    let places: Vec<_> = names.iter().map(|name| line.find(&format!(" {name}"))).collect();
    places.iter().all(Option::is_some) && places.is_sorted()
}
