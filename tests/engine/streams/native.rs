//! Tests with random command streams in the native protocol.

use super::{Aside, Expected, FEW, MANY, Stream, compare, legal};
use crate::common::driver::Driver;
use fastrand::Rng;
use soffio::session::Native;

const READY: Aside = ("isready", "readyok");

/// The moves of a game. The streams use the positions that occur in it.
const GAME: [&str; 3] = ["22-18", "12-16", "21-17"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The search soon ends on its own, but not before this depth has been reported.
    Soon(u32),
    /// The search would end on its own, but not during the test.
    Late,
    /// The search ends only if it is stopped.
    Never,
}

#[derive(Clone, Copy, Debug)]
struct Search {
    end: End,
    ponders: bool,
    /// Index of the best move among the legal moves.
    answer: usize,
}

/// A line that neither starts nor ends a job.
#[derive(Clone, Copy, Debug)]
enum Line {
    Position(usize),
    Move,
    Undo,
    PonderHit,
    Wait,
    Legal,
    Unknown,
}

/// A job that ends only if it is stopped, and the lines that wait for its end.
#[derive(Debug, Default)]
struct Block {
    lines: Vec<Line>,
    /// Whether one of these lines is `wait`, or the lines wait because of an earlier `wait`.
    waits: bool,
}

/// A sequential model of a session, which executes one line after another.
struct Model<'a> {
    /// The legal moves in each position of the game.
    legal: &'a [Vec<String>],
    ply: usize,
    search: Option<Search>,
    block: Option<Block>,
    /// Indices of the expected answers since the last `go` or `perft` line. A `stop` may cut these jobs short.
    since_begin: Vec<usize>,
    /// Indices of the expected perft answers since the last `wait`. `quit` may cut these jobs short.
    since_wait: Vec<usize>,
    /// Indices of all expected perft answers. A `stop` may cut these jobs short if it is not the first one since the
    /// last `go` or `perft` line.
    counts: Vec<usize>,
    has_stopped: bool,
    stream: Stream,
}

impl Model<'_> {
    /// Expects the answer of the search that has ended.
    fn answer(&mut self, depth: u32) {
        let Some(search) = self.search.take() else { return };
        let text = &self.legal[self.ply][search.answer];
        // The answer may include a ponder move.
        let texts = vec![format!("bestmove {text}"), format!("bestmove {text} ponder *")];
        self.since_begin.push(self.stream.expected.len());
        self.stream.expected.push(Expected { texts, depth });
    }

    /// Stops the running search because the command `name` replaces it.
    fn stop_for(&mut self, name: &str) {
        if self.search.is_some() {
            self.stream.expect(format!("info string search stopped by {name}"));
            self.answer(0);
        }
    }

    fn refuses(&mut self, name: &str) -> bool {
        if self.search.is_some() {
            self.stream.expect(format!("error {name} a search is running; send stop first"));
        }
        self.search.is_some()
    }

    fn execute(&mut self, line: Line) {
        if let Some(block) = &mut self.block {
            block.waits |= matches!(line, Line::Wait);
            return block.lines.push(line);
        }
        match line {
            Line::Position(ply) => {
                self.stop_for("position");
                self.ply = ply;
            }
            Line::Move => {
                if !self.refuses("move") {
                    self.ply += 1;
                }
            }
            Line::Undo => {
                if !self.refuses("undo") && self.ply > 0 {
                    self.ply -= 1;
                } else if self.search.is_none() {
                    self.stream.expect("error undo no move has been played");
                }
            }
            Line::PonderHit => match &mut self.search {
                Some(search) if search.ponders => search.ponders = false,
                _ => self.stream.expect("error ponderhit no search is pondering"),
            },
            Line::Wait => match self.search {
                Some(Search { end: End::Never, .. } | Search { ponders: true, .. }) => {
                    self.stream.expect("error wait the search ends only when it is stopped");
                }
                Some(Search { end: End::Soon(depth), .. }) => self.answer(depth),
                Some(Search { end: End::Late, .. }) => self.block = Some(Block { lines: Vec::new(), waits: true }),
                None => {}
            },
            Line::Legal => {
                let moves = &self.legal[self.ply];
                self.stream.expect(format!("legal {} {}", moves.len(), moves.join(" ")));
            }
            Line::Unknown => self.stream.expect("error unknown command 'banana'; try help"),
        }
    }

    /// Returns whether the next line may arrive before or after the end of the search.
    fn is_racing(&self) -> bool {
        matches!(self.search, Some(Search { end: End::Soon(_), ponders: false, .. }))
    }

    fn send(&mut self, line: Line) {
        let text = match line {
            Line::Position(0) => "position startpos".to_owned(),
            Line::Position(ply) => format!("position startpos moves {}", GAME[..ply].join(" ")),
            Line::Move => format!("move {}", GAME[self.ply]),
            Line::Undo => "undo".to_owned(),
            Line::PonderHit => "ponderhit".to_owned(),
            Line::Wait => "wait".to_owned(),
            Line::Legal => "legal".to_owned(),
            Line::Unknown => "banana".to_owned(),
        };
        self.stream.send(text);
        if matches!(line, Line::Wait) {
            self.since_wait.clear();
        }
        self.execute(line);
    }

    fn go(&mut self, rng: &mut Rng) {
        let (limit, end) = match rng.u32(..8) {
            0 => ("depth 3", End::Soon(3)),
            1 => ("nodes 300", End::Soon(1)),
            2 => ("movetime 2", End::Soon(1)),
            3 => ("movetime 600000", End::Late),
            4 => ("depth 127", End::Late),
            _ => ("infinite", End::Never),
        };
        let ponders = rng.u32(..4) == 0;
        let answer = rng.usize(..self.legal[self.ply].len());
        let text = &self.legal[self.ply][answer];
        self.stream.send(format!("go {limit}{} searchmoves {text}", if ponders { " ponder" } else { "" }));
        self.stop_for("go");
        self.since_begin.clear();
        self.has_stopped = false;
        self.search = Some(Search { end, ponders, answer });
    }

    /// Starts a perft job that either takes a moment or does not end during the test.
    fn perft(&mut self, depth: usize) {
        let is_endless = depth > 9;
        self.stream.send(format!("perft {depth}"));
        self.since_begin.clear();
        self.has_stopped = false;
        if self.refuses("perft") {
            return;
        }
        self.since_begin.push(self.stream.expected.len());
        self.since_wait.push(self.stream.expected.len());
        self.counts.push(self.stream.expected.len());
        if is_endless {
            self.stream.expect("info string perft stopped *");
            self.block = Some(Block::default());
        } else {
            self.stream.expect(format!("perft {depth} *"));
        }
    }

    /// Accepts that a job has finished or that it has been stopped early.
    fn may_be_cut(&mut self, answers: Vec<usize>) {
        for index in answers {
            let expected = &mut self.stream.expected[index];
            expected.depth = 0;
            if expected.texts[0].starts_with("perft") {
                expected.texts.push("info string perft stopped *".to_owned());
            }
        }
    }

    fn stop(&mut self) {
        self.stream.send("stop");
        let answers = std::mem::take(&mut self.since_begin);
        self.may_be_cut(answers);
        if std::mem::replace(&mut self.has_stopped, true) {
            let counts = std::mem::take(&mut self.counts);
            self.may_be_cut(counts);
        }
        self.end_job();
    }

    fn quit(&mut self) {
        self.stream.send("quit");
        let answers = std::mem::take(&mut self.since_wait);
        self.may_be_cut(answers);
        self.end_job();
        self.stream.quits = true;
    }

    /// Ends the running job, and executes the lines that waited for its end.
    fn end_job(&mut self) {
        self.answer(0);
        for line in self.block.take().unwrap_or_default().lines {
            self.execute(line);
        }
    }

    /// Writes a line while other lines wait for the end of the running job.
    fn write_held(&mut self, rng: &mut Rng) {
        match rng.u32(..8) {
            0 => self.send(Line::Legal),
            1 => self.send(Line::Position(rng.usize(..=GAME.len()))),
            2 => self.send(Line::PonderHit),
            3 => self.send(Line::Wait),
            _ => self.stop(),
        }
    }

    fn write(&mut self, rng: &mut Rng) {
        match rng.u32(..16) {
            0..5 => self.go(rng),
            5 | 6 => self.perft([1, 2, 22][rng.usize(..3)]),
            7..10 => self.stop(),
            10 => self.send(Line::Position(rng.usize(..=GAME.len()))),
            11 if self.ply < GAME.len() => self.send(Line::Move),
            11 | 12 => self.send(Line::Undo),
            13 => self.send(Line::PonderHit),
            14 => self.send(Line::Wait),
            15 if rng.bool() => self.send(Line::Unknown),
            _ => self.send(Line::Legal),
        }
    }
}

/// Returns a stream with its expected answers. It starts and ends in the start position.
fn stream(legal: &[Vec<String>], rng: &mut Rng) -> Stream {
    let mut model = Model {
        legal,
        ply: 0,
        search: None,
        block: None,
        since_begin: Vec::new(),
        since_wait: Vec::new(),
        counts: Vec::new(),
        has_stopped: false,
        stream: Stream::default(),
    };
    for _ in 0..rng.usize(1..14) {
        if rng.u32(..8) == 0 {
            model.stream.send(READY.0);
        }
        if model.is_racing() {
            if rng.bool() { model.stop() } else { model.send(Line::Wait) }
        } else if model.block.is_some() {
            model.write_held(rng);
        } else {
            model.write(rng);
        }
    }
    let holds_end = model.block.as_ref().is_some_and(|block| block.waits);
    if model.is_racing() || holds_end {
        model.stop();
    }
    if rng.u32(..4) == 0 {
        if model.search.is_none() && model.block.is_none() && rng.bool() {
            model.perft(6);
            model.send(Line::Wait);
        }
        model.quit();
    } else {
        model.stop();
        model.send(Line::Position(0));
    }
    model.stream
}

fn compare_streams(count: u64) {
    let mut driver = Driver::<Native>::new();
    let mut moves = Vec::new();
    for ply in 0..=GAME.len() {
        if ply > 0 {
            driver.send(&format!("move {}", GAME[ply - 1]));
        }
        moves.push(legal(&mut driver));
    }
    assert!(moves.iter().all(|legal| legal.len() >= 3), "{moves:?}");
    compare::<Native>(count, READY, &["setoption name Hash value 1"], |rng| stream(&moves, rng));
}

#[test]
fn lines_at_any_moment_are_executed_in_order() {
    compare_streams(FEW);
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_streams_are_executed_in_order() {
    compare_streams(MANY);
}
