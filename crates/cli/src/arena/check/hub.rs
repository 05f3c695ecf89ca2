//! The steps of the Hub protocol.

use super::engine::{TestedEngine, all_are_fine, complete, no_move, told};
use super::samples::Sample;
use super::{Step, step};
use crate::arena::line_protocol::{Line, LineProtocol};
use soffio::notation::printable;
use soffio::rules::Color;
use soffio::wire::hub::PositionText;
use std::time::Duration;

/// All steps, in order.
pub(super) const STEPS: [Step; 33] = [
    step("starts in silence", "print nothing before the first command", |engine| {
        engine.start()?;
        engine.silence(&[])
    }),
    step("hub: ends with wait", "answer 'hub' with id and param lines, then 'wait'", |engine| {
        engine.start()?;
        engine.introduce()
    }),
    step("id: name", "print 'id name=<name> ...'", |engine| {
        let is_there = engine.introduction()?.iter().any(|line| line.starts_with("id ") && line.contains("name="));
        if is_there { Ok(()) } else { Err("no id line with a name".to_owned()) }
    }),
    step("id and param: only name=value", "write every argument as name=value: clients fail on others", |engine| {
        let lines = engine.introduction()?.iter().filter(|line| line.starts_with("id ") || line.starts_with("param "));
        all_are_fine(lines, |line| (!is_all_pairs(line)).then_some("an argument without '='"))
    }),
    step("param: the name comes first", "write 'param name=<name> value=.. type=..'", |engine| {
        let lines = engine.introduction()?.iter().filter(|line| line.starts_with("param "));
        all_are_fine(lines, |line| (!line.starts_with("param name=")).then_some("the name is not first"))
    }),
    step("param: value and type", "give every parameter a value and a type", |engine| {
        let lines = engine.introduction()?.iter().filter(|line| line.starts_with("param "));
        all_are_fine(lines, |line| {
            (!(line.contains(" value=") && line.contains(" type="))).then_some("value or type missing")
        })
    }),
    step("an unknown parameter does no harm", "ignore parameters that are not known", |engine| {
        engine.send("set-param name=no-such-parameter value=1")?;
        engine.hub_goes("level depth=1", engine.search())
    }),
    step("an unknown command does no harm", "ignore commands that are not known, in silence", |engine| {
        engine.send("no-such-command a=1 b=\"c d\"")?;
        engine.silence(&[])
    }),
    step("an empty line does no harm", "ignore empty lines", |engine| {
        engine.send("")?;
        engine.silence(&[])
    }),
    step("stop without a search", "print nothing for a 'stop' that stops nothing", |engine| {
        engine.send("stop")?;
        engine.silence(&[])
    }),
    step("ping without a search", "answer 'ping' with 'pong'", |engine| {
        engine.ask("ping", "pong", engine.soon()).map(drop)
    }),
    step("new-game", "accept 'new-game' between games", |engine| {
        engine.send("new-game")?;
        engine.silence(&["error"])
    }),
    step("pos and go think", "answer 'go think' with 'done move=<move>'", |engine| {
        engine.hub_plays_sample(|_| true, by_moves)
    }),
    step("one answer only", "print exactly one 'done' for each 'go'", |engine| engine.silence(&["done"])),
    step("done: the move comes first", "write 'done move=<move> ponder=<move>'", |engine| {
        let line = engine.done_at_start()?;
        if line.starts_with("done move=") { Ok(()) } else { Err(format!("'{}'", printable(line.chars()))) }
    }),
    step("info: depth, score and nodes", "print 'info depth=.. score=.. nodes=.. time=.. pv=..'", |engine| {
        let lines = engine.think_at_start("level depth=4")?;
        complete(told(engine.protocol, &lines))
    }),
    step("info: only name=value", "write every argument as name=value: clients fail on others", |engine| {
        let lines = engine.think_at_start("level depth=4")?;
        let infos: Vec<_> = lines.into_iter().filter(|line| line.starts_with("info")).collect();
        all_are_fine(&infos, |line| (!is_all_pairs(line)).then_some("an argument without '='"))
    }),
    step("info: the usual order", "write depth, mean-depth, score, nodes, time, nps, pv in this order", |engine| {
        let lines = engine.think_at_start("level depth=4")?;
        let infos: Vec<_> = lines.into_iter().filter(|line| line.starts_with("info ")).collect();
        all_are_fine(&infos, |line| (!is_in_order(line)).then_some("another order"))
    }),
    step("moves from the start position", "play all moves of 'moves'", |engine| {
        engine.hub_plays_sample(|sample| sample.moves.len() == 7, by_moves)
    }),
    step("one move without quotation marks", "read 'moves=<move>'", |engine| {
        engine.hub_plays_sample(
            |sample| sample.moves.len() == 1,
            |sample| {
                let first = sample.moves.first().map(|mv| mv.hub.clone()).unwrap_or_default();
                format!("pos pos={} moves={first}", sample.hub_start)
            },
        )
    }),
    step("a long game", "accept a hundred moves", |engine| {
        engine.hub_plays_sample(|sample| sample.moves.len() >= 60, by_moves)
    }),
    step("a position, White to move", "read the position", |engine| {
        engine.hub_plays_sample(|sample| sample.is_turn_of(Color::White), by_position)
    }),
    step("a position, Black to move", "read the position", |engine| {
        engine.hub_plays_sample(|sample| sample.is_turn_of(Color::Black), by_position)
    }),
    step("a position with kings", "read the letters of kings", |engine| {
        engine.hub_plays_sample(Sample::has_king, by_position)
    }),
    step("a capture is compulsory", "capture where one can", |engine| {
        engine.hub_plays_sample(Sample::has_captures, by_position)
    }),
    step("a capture names what it takes", "write 'from x to x captured x captured ...'", |engine| {
        let sample = engine.samples.find(Sample::has_long_capture)?;
        let line = engine.answer(&by_position(&sample), "level depth=1")?;
        let played = best_move(&line);
        sample.check(&played)?;
        let squares = |text: &str| text.split(['-', 'x']).count();
        let is_like_it = sample.legal.iter().any(|mv| squares(&mv.hub) == squares(&played));
        if is_like_it { Ok(()) } else { Err(format!("'{}'", printable(played.chars()))) }
    }),
    step("level move-time", "answer before the time of the move is over", |engine| {
        engine.hub_goes("level move-time=0.3", Duration::from_millis(380))
    }),
    step("level time and inc", "answer before the clock has run out", |engine| {
        engine.hub_goes("level time=1 inc=0.1", Duration::from_millis(1080))
    }),
    step("several levels add up", "keep all 'level' lines until 'go'", |engine| {
        engine.hub_goes("level time=60\nlevel move-time=0.2", Duration::from_millis(380))
    }),
    step("go analyze waits for stop", "print 'done' only after 'stop'", |engine| {
        let sample = engine.samples.find(|_| true)?;
        engine.send(&format!("{}\nlevel infinite\ngo analyze", by_moves(&sample)))?;
        engine.silence(&["done"])?;
        engine.ask("ping", "pong", engine.soon())?;
        engine.ask("stop", "done", engine.soon()).map(drop)
    }),
    step("a position without a move", "answer 'done' without a move when there is none", |engine| {
        let sample = engine.samples.without_move()?;
        let line = engine.answer(&by_position(&sample), "level depth=1")?;
        no_move(&best_move(&line))
    }),
    step("quit", "end within a second after 'quit'", |engine| engine.ends_after(Some("quit"))),
    step("the end of the input", "end when the input is closed", |engine| engine.ends_after(None)),
];

fn by_moves(sample: &Sample) -> String {
    PositionText::new(&sample.hub_start, sample.moves.iter().map(|mv| mv.hub.as_str())).to_string()
}

fn by_position(sample: &Sample) -> String {
    PositionText::new(&sample.hub, []).to_string()
}

fn best_move(line: &str) -> String {
    match LineProtocol::Hub.read(line) {
        Line::BestMove(text, _) => text,
        _ => String::new(),
    }
}

/// Returns true if all arguments of `line` outside quotation marks have exactly one `=`.
fn is_all_pairs(line: &str) -> bool {
    let outside: String = line.split('"').step_by(2).collect();
    let mut arguments = outside.split_ascii_whitespace().skip(1).peekable();
    arguments.peek().is_some() && arguments.all(|argument| argument.matches('=').count() == 1)
}

/// Returns true if the arguments of an info line come in the order that clients expect.
fn is_in_order(line: &str) -> bool {
    let names = ["depth=", "mean-depth=", "score=", "nodes=", "time=", "nps=", "pv="];
    let places: Vec<_> = names.iter().map(|name| line.find(&format!(" {name}"))).collect();
    places.iter().all(Option::is_some) && places.is_sorted()
}

impl TestedEngine<'_> {
    /// Returns the `done` line of a search.
    fn answer(&mut self, position: &str, level: &str) -> Result<String, String> {
        let lines = self.ask(&format!("{position}\n{level}\ngo think"), "done", self.search())?;
        lines.into_iter().next_back().ok_or_else(|| "no answer".to_owned())
    }

    fn think_at_start(&mut self, level: &str) -> Result<Vec<String>, String> {
        let sample = self.samples.find(|_| true)?;
        self.ask(&format!("{}\n{level}\ngo think", by_moves(&sample)), "done", self.search())
    }

    fn done_at_start(&mut self) -> Result<String, String> {
        let sample = self.samples.find(|_| true)?;
        self.answer(&by_moves(&sample), "level depth=1")
    }

    fn hub_plays_sample(
        &mut self,
        is_wanted: impl Fn(&Sample) -> bool,
        position: impl Fn(&Sample) -> String,
    ) -> Result<(), String> {
        let sample = self.samples.find(is_wanted)?;
        let line = self.answer(&position(&sample), "level depth=1")?;
        sample.check(&best_move(&line))
    }

    /// Checks that a search of the start position with `level` ends within `time`, on top of the margin.
    fn hub_goes(&mut self, level: &str, time: Duration) -> Result<(), String> {
        self.ends_within(time, |engine| engine.think_at_start(level))
    }
}
