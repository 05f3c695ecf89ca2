//! The steps of the native protocol.

use super::engine::{TestedEngine, all_are_fine, complete, no_move, told};
use super::samples::Sample;
use super::{Step, step};
use crate::arena::line_protocol::{Line, LineProtocol};
use soffio::rules::Color;
use soffio::wire::native::{OptionLine, Reply};
use std::time::Duration;

/// All steps, in order.
pub(super) const STEPS: [Step; 36] = [
    step("starts in silence", "print nothing before the first command", |engine| {
        engine.start()?;
        engine.silence(&[])
    }),
    step("uci: ends with uciok", "answer 'uci' with id and option lines, then 'uciok'", |engine| {
        engine.introduce_again()
    }),
    step("uci: has a name", "print 'id name <name>'", |engine| engine.introduces("id name ")),
    step("uci: has an author", "print 'id author <author>'", |engine| engine.introduces("id author ")),
    step("uci: options are complete", "print 'option name <name> type <type> ...' for every option", |engine| {
        all_are_fine(engine.introduction()?.iter().filter(|line| line.starts_with("option")), |line| {
            let is_complete = matches!(Reply::read(line), Some(Reply::Option(_)));
            (!is_complete).then_some("an option without name or type")
        })
    }),
    step("uci: offers UCI_Variant", "declare the option UCI_Variant as a combo of the variants", |engine| {
        let is_variant = |option: &OptionLine| option.name == "UCI_Variant" && option.kind == "combo";
        let is_offered = |line: &String| matches!(Reply::read(line), Some(Reply::Option(o)) if is_variant(&o));
        let is_there = engine.introduction()?.iter().any(is_offered);
        if is_there { Ok(()) } else { Err("no line begins with 'option name UCI_Variant type combo'".to_owned()) }
    }),
    step("isready: readyok", "answer 'isready' with 'readyok' at once", |engine| engine.is_ready()),
    step("an empty line does no harm", "ignore empty lines", |engine| engine.survives("")),
    step("an unknown command does no harm", "answer it with an error line or ignore it", |engine| {
        engine.survives("no-such-command 1 2 3")
    }),
    step("an unknown option does no harm", "answer it with an error line or ignore it", |engine| {
        engine.survives("setoption name NoSuchOption value 1")
    }),
    step("a wrong move does no harm", "refuse a position with a wrong move and go on", |engine| {
        engine.survives("position startpos moves 1-1")
    }),
    step("a wrong FEN does no harm", "refuse a FEN that cannot be read and go on", |engine| {
        engine.survives("position fen W:Wx:B99")
    }),
    step("a very long line does no harm", "read or refuse lines of any length", |engine| {
        engine.survives(&format!("no-such-command {}", "x".repeat(100_000)))
    }),
    step("spaces, tabs and carriage returns", "allow any number of spaces and tabs, and a carriage return", |engine| {
        engine.ask(" \tisready \t \r", "readyok", engine.soon()).map(drop)
    }),
    step("ucinewgame", "be ready for another game after 'ucinewgame'", |engine| engine.survives("ucinewgame")),
    step("go depth at the start position", "answer 'go depth 1' with one legal 'bestmove'", |engine| {
        let sample = engine.samples.find(|_| true)?;
        engine.plays(&sample, "position startpos", "depth 1")
    }),
    step("one answer only", "print exactly one 'bestmove' for each 'go'", |engine| engine.silence(&["bestmove"])),
    step(
        "info: depth, score and nodes",
        "print 'info depth .. score cp|win|loss .. nodes ..' before the move",
        |engine| {
            let lines = engine.ask("position startpos\ngo depth 4", "bestmove", engine.search())?;
            complete(told(engine.protocol, &lines))
        },
    ),
    step("info: the line begins with the move", "let the last 'pv' begin with the move that is played", |engine| {
        let lines = engine.ask("position startpos\ngo depth 4", "bestmove", engine.search())?;
        let first = |line: &String| match LineProtocol::Native.read(line) {
            Line::Info(_, moves) => moves.into_iter().next(),
            _ => None,
        };
        let line = lines.iter().filter_map(first).next_back().ok_or("no info line has a pv")?;
        let best = best_move(&lines);
        if best == line { Ok(()) } else { Err(format!("the line begins with '{line}', the move is '{best}'")) }
    }),
    step("position with moves", "play all moves after 'moves', each given with its full path", |engine| {
        engine.native_plays_sample(|sample| sample.moves.len() == 7, by_moves)
    }),
    step("position of a long game", "accept a hundred moves after 'moves'", |engine| {
        engine.native_plays_sample(|sample| sample.moves.len() >= 60, by_moves)
    }),
    step("position fen, White to move", "read the FEN of PDN", |engine| {
        engine.native_plays_sample(|sample| sample.is_turn_of(Color::White), by_fen)
    }),
    step("position fen, Black to move", "read the FEN of PDN", |engine| {
        engine.native_plays_sample(|sample| sample.is_turn_of(Color::Black), by_fen)
    }),
    step("position fen with kings", "read 'K' before the square of a king", |engine| {
        engine.native_plays_sample(Sample::has_king, by_fen)
    }),
    step("a capture is compulsory", "capture where one can", |engine| {
        engine.native_plays_sample(Sample::has_captures, by_fen)
    }),
    step("a capture of several pieces", "play captures to their end, and print the full path", |engine| {
        engine.native_plays_sample(Sample::has_long_capture, by_fen)
    }),
    step("a position without a move", "answer 'bestmove none' when there is no legal move", |engine| {
        let sample = engine.samples.without_move()?;
        let lines = engine.ask(&format!("position fen {}\ngo depth 1", sample.fen), "bestmove", engine.search())?;
        no_move(&best_move(&lines))
    }),
    step("go nodes 1", "answer at once", |engine| engine.native_goes("nodes 1", engine.soon())),
    step("go movetime", "answer before the time of the move is over", |engine| {
        engine.native_goes("movetime 300", Duration::from_millis(380))
    }),
    step("go wtime btime", "answer before the clock has run out", |engine| {
        engine.native_goes("wtime 1000 winc 0 btime 1000 binc 0", Duration::from_millis(980))
    }),
    step("go movestogo", "share the time out among the moves", |engine| {
        engine.native_goes("wtime 1000 btime 1000 movestogo 1", Duration::from_millis(1030))
    }),
    step("go infinite waits for stop", "print 'bestmove' only after 'stop'", |engine| {
        engine.send("position startpos\ngo infinite")?;
        engine.silence(&["bestmove"])
    }),
    step("isready during a search", "answer 'isready' while searching", |engine| {
        engine.send("position startpos\ngo infinite")?;
        engine.ask("isready", "readyok", engine.soon()).map(drop)
    }),
    step("stop", "print 'bestmove' at once after 'stop'", |engine| {
        let sample = engine.samples.find(|_| true)?;
        let lines = engine.ask("stop", "bestmove", engine.soon())?;
        sample.check(&best_move(&lines))
    }),
    step("quit", "end within a second after 'quit'", |engine| engine.ends_after(Some("quit"))),
    step("the end of the input", "end when the input is closed", |engine| engine.ends_after(None)),
];

fn by_moves(sample: &Sample) -> String {
    let moves: Vec<_> = sample.moves.iter().map(|mv| mv.path.as_str()).collect();
    format!("position startpos moves {}", moves.join(" "))
}

fn by_fen(sample: &Sample) -> String {
    format!("position fen {}", sample.fen)
}

/// Returns the move in the last of `lines`.
fn best_move(lines: &[String]) -> String {
    match lines.last().map(|line| LineProtocol::Native.read(line)) {
        Some(Line::BestMove(text, _)) => text,
        _ => String::new(),
    }
}

impl TestedEngine<'_> {
    fn introduce_again(&mut self) -> Result<(), String> {
        self.start()?;
        self.introduce()
    }

    fn introduces(&mut self, start: &str) -> Result<(), String> {
        let is_there = self.introduction()?.iter().any(|line| line.starts_with(start));
        if is_there { Ok(()) } else { Err(format!("no line begins with '{}'", start.trim_end())) }
    }

    fn is_ready(&mut self) -> Result<(), String> {
        self.ask("isready", "readyok", self.soon()).map(drop)
    }

    /// Sends `line`, and checks that the engine goes on.
    fn survives(&mut self, line: &str) -> Result<(), String> {
        self.send(line)?;
        self.is_ready()
    }

    /// Asks for a move in a position from random games.
    fn native_plays_sample(
        &mut self,
        is_wanted: impl Fn(&Sample) -> bool,
        position: impl Fn(&Sample) -> String,
    ) -> Result<(), String> {
        let sample = self.samples.find(is_wanted)?;
        self.plays(&sample, &position(&sample), "depth 1")
    }

    /// Asks for a move in `position`, which is that of `sample`.
    fn plays(&mut self, sample: &Sample, position: &str, limit: &str) -> Result<(), String> {
        let lines = self.ask(&format!("{position}\ngo {limit}"), "bestmove", self.search())?;
        all_are_fine(&lines, |line| line.starts_with("error").then_some("an error"))?;
        sample.check(&best_move(&lines))
    }

    /// Checks that a search of the start position with `limit` ends within `time`, on top of the margin.
    fn native_goes(&mut self, limit: &str, time: Duration) -> Result<(), String> {
        self.survives("position startpos")?;
        self.ends_within(time, |engine| engine.ask(&format!("go {limit}"), "bestmove", engine.search()))
    }
}
