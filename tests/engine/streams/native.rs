//! Random command streams in the native protocol.

use super::{Aside, Expected, FEW, MANY, Served, Stream, compare};
use fastrand::Rng;
use soffio::session::Native;

const READY: Aside = ("isready", "readyok");

/// The streams use the positions of this game after each number of moves.
const GAME: [&str; 3] = ["22-18", "12-16", "21-17"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Ends on its own, soon, after at least this depth.
    Soon(u32),
    /// Ends on its own, but not within the test.
    Late,
    /// Ends only when it is stopped.
    Never,
}

/// The running job.
#[derive(Clone, Copy, Debug)]
struct Search {
    end: End,
    ponders: bool,
    /// Index of its answer in the legal moves.
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

/// A job that only a stop ends, and for which the following lines wait.
#[derive(Debug, Default)]
struct Block {
    lines: Vec<Line>,
    /// Whether `wait` is among these lines, or has made them wait.
    waits: bool,
}

/// The model, which executes one line after the other.
struct Model<'a> {
    /// The legal moves in every position.
    legal: &'a [Vec<String>],
    ply: usize,
    search: Option<Search>,
    block: Option<Block>,
    /// The answers of counts, and of searches that have to finish, since the last line that started a job.
    since_begin: Vec<usize>,
    /// The answers of counts since the last `wait`.
    since_wait: Vec<usize>,
    stream: Stream,
}

impl Model<'_> {
    /// Expects the answer of the search that has ended.
    fn answer(&mut self, depth: u32) {
        let Some(search) = self.search.take() else { return };
        let text = &self.legal[self.ply][search.answer];
        // A ponder move can follow.
        let texts = vec![format!("bestmove {text}"), format!("bestmove {text} ponder *")];
        self.since_begin.push(self.stream.expected.len());
        self.stream.expected.push(Expected { texts, depth });
    }

    /// Stops the running search, because the command `name` replaces it.
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

    /// Executes a line that has been sent.
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

    /// Returns whether the end of the search and the next line can come in either order.
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
        self.search = Some(Search { end, ponders, answer });
    }

    /// Counts to a depth that takes a moment, or longer than any test runs.
    fn perft(&mut self, depth: usize) {
        let is_endless = depth > 9;
        self.stream.send(format!("perft {depth}"));
        self.since_begin.clear();
        if self.refuses("perft") {
            return;
        }
        self.since_begin.push(self.stream.expected.len());
        self.since_wait.push(self.stream.expected.len());
        if is_endless {
            self.stream.expect("info string perft stopped *");
            self.block = Some(Block::default());
        } else {
            self.stream.expect(format!("perft {depth} *"));
        }
    }

    /// Accepts the answer of a search that finished, or of one that a stop cut short.
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
        self.end_job();
    }

    fn quit(&mut self) {
        self.stream.send("quit");
        let answers = std::mem::take(&mut self.since_wait);
        self.may_be_cut(answers);
        self.end_job();
        self.stream.quits = true;
    }

    /// Ends the running job, and executes the lines that waited.
    fn end_job(&mut self) {
        self.answer(0);
        for line in self.block.take().unwrap_or_default().lines {
            self.execute(line);
        }
    }

    /// Writes one line while a job is running for which other lines wait.
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

/// Returns a stream that starts and ends in the start position, and its answers.
fn stream(legal: &[Vec<String>], rng: &mut Rng) -> Stream {
    let mut model = Model {
        legal,
        ply: 0,
        search: None,
        block: None,
        since_begin: Vec::new(),
        since_wait: Vec::new(),
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
    let mut served = Served::<Native>::new();
    let mut legal = Vec::new();
    for ply in 0..=GAME.len() {
        if ply > 0 {
            served.send(&format!("move {}", GAME[ply - 1]));
        }
        legal.push(served.legal());
    }
    assert!(legal.iter().all(|moves| moves.len() >= 3), "{legal:?}");
    compare::<Native>(count, READY, &["setoption name Hash value 1"], |rng| stream(&legal, rng));
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
