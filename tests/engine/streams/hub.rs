//! Tests with random command streams in the Hub protocol.

use super::{Aside, Expected, FEW, MANY, Stream, compare, legal};
use crate::common::driver::Driver;
use fastrand::Rng;
use soffio::session::{Hub, Native};

const PING: Aside = ("ping", "pong");

const START: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

/// The kinds of limit set by the `level` lines so far.
#[derive(Clone, Copy, Debug, Default)]
struct Limits {
    depth: bool,
    time: bool,
    infinite: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The search soon ends on its own.
    Soon,
    /// The search would end on its own, but not during the test.
    Late,
    /// The search ends only if it is stopped or abandoned.
    Never,
}

impl Limits {
    fn end(self) -> End {
        match self {
            Self { infinite: true, .. } | Self { depth: false, time: false, .. } => End::Never,
            Self { depth: true, .. } => End::Soon,
            Self { time: true, .. } => End::Late,
        }
    }
}

/// A search that does not end soon on its own, and the lines that wait for its end.
#[derive(Clone, Debug)]
struct Search {
    end: End,
    ponders: bool,
    lines: Vec<Line>,
}

impl Search {
    /// Returns whether a new search replaces this search.
    fn is_open(&self) -> bool {
        self.ponders || self.end == End::Never
    }
}

/// A line that neither starts nor ends a job.
#[derive(Clone, Copy, Debug)]
enum Line {
    /// A valid position, or `None` for a position that is rejected.
    Position(Option<usize>),
    NewGame,
    Level(&'static str),
    Parameter(&'static str),
}

const MODES: [&str; 3] = ["think", "ponder", "analyze"];

/// A position with a single legal move.
struct Place {
    moves: String,
    answer: String,
}

/// A sequential model of a session, which executes one line after another.
struct Model<'a> {
    places: &'a [Place],
    place: Option<usize>,
    new_level: Option<Limits>,
    last_level: Limits,
    search: Option<Search>,
    /// Index of the expected answer to the most recent search, which `stop` can cut short.
    last: Option<usize>,
    stream: Stream,
}

impl Model<'_> {
    /// Ends the running search, and executes the lines that waited for its end.
    fn end(&mut self) {
        let Some(search) = self.search.take() else { return };
        self.answer(0);
        search.lines.into_iter().for_each(|line| self.execute(line));
    }

    fn answer(&mut self, depth: u32) {
        let place = &self.places[self.place.expect("the searched position is valid")];
        self.last = Some(self.stream.expected.len());
        self.stream.expected.push(Expected { texts: vec![format!("done move={}x*", place.answer)], depth });
    }

    fn execute(&mut self, line: Line) {
        if matches!(line, Line::Position(_) | Line::NewGame) && self.search.as_ref().is_some_and(Search::is_open) {
            self.end();
        }
        if let Some(search) = &mut self.search {
            return search.lines.push(line);
        }
        match line {
            Line::Position(place) => {
                self.place = place;
                if place.is_none() {
                    self.stream.expect("error message=\"pos has 1 squares, but the board has 50\"");
                }
            }
            Line::NewGame => {}
            Line::Level(text) => {
                let level = self.new_level.get_or_insert_default();
                level.depth |= text.starts_with("depth");
                level.time |= text.starts_with("move-time");
                level.infinite = text == "infinite";
            }
            Line::Parameter("tt-size") => {
                self.stream.expect("error message=\"option tt-size must be a number from 16 to 41, not 'x'\"")
            }
            Line::Parameter(_) => {}
        }
    }

    fn send(&mut self, line: Line) {
        let text = match line {
            Line::Position(Some(place)) => format!("pos pos={START} moves=\"{}\"", self.places[place].moves),
            Line::Position(None) => "pos pos=We".to_owned(),
            Line::NewGame => "new-game".to_owned(),
            Line::Level(text) => format!("level {text}"),
            Line::Parameter(name) => format!("set-param name={name} value=x"),
        };
        self.stream.send(text);
        self.execute(line);
    }

    /// Sends `go`. The model does this only if the new search replaces any running search. Otherwise the next stop
    /// might not apply to the running search.
    fn go(&mut self, mode: &str) {
        self.stream.send(format!("go {mode}"));
        self.end();
        self.last = None;
        let analyzes = mode == "analyze";
        let level = self.new_level.take().unwrap_or(if analyzes { Limits::default() } else { self.last_level });
        if !analyzes {
            self.last_level = level;
        }
        if self.place.is_none() {
            self.stream.expect("error message=\"go needs a position; send pos first\"");
            self.stream.expect("done");
            return;
        }
        let search = Search { end: level.end(), ponders: mode == "ponder", lines: Vec::new() };
        if search.end == End::Soon && !search.ponders {
            // If there is a time per move, the search may end earlier, because there is only one legal move.
            self.answer(if level.time { 1 } else { 2 });
        } else {
            self.search = Some(search);
        }
    }

    fn ponder_hit(&mut self) {
        self.stream.send("ponder-hit");
        let Some(search) = self.search.as_mut().filter(|search| search.ponders) else { return };
        search.ponders = false;
        if search.end == End::Soon {
            self.end();
        }
    }

    fn stop(&mut self, text: &str) {
        self.stream.send(text);
        // The search may or may not have finished.
        if let Some(last) = self.last {
            self.stream.expected[last].depth = 0;
        }
        self.end();
    }

    fn write(&mut self, rng: &mut Rng) {
        let can_go = self.search.as_ref().is_none_or(Search::is_open);
        match rng.u32(..16) {
            0..5 if can_go => self.go(MODES[rng.usize(..3)]),
            0..8 => self.stop("stop"),
            8..10 => self.send(Line::Position(Some(rng.usize(..self.places.len())))),
            10 => self.send(Line::Position((rng.u32(..3) > 0).then_some(0))),
            11 => self.send(Line::NewGame),
            12 | 13 => self.send(Line::Level(["depth=2", "move-time=600", "infinite"][rng.usize(..3)])),
            14 => self.send(Line::Parameter(["tt-size", "contempt"][rng.usize(..2)])),
            _ => self.ponder_hit(),
        }
    }
}

/// Returns a stream with its expected answers. The previous stream or the prologue has left the engine with the first
/// position and a depth-limited level. The stream restores this state with a final search, unless it ends with `quit`.
fn stream(places: &[Place], rng: &mut Rng) -> Stream {
    let mut model = Model {
        places,
        place: Some(0),
        new_level: None,
        last_level: Limits { depth: true, ..Limits::default() },
        search: None,
        last: None,
        stream: Stream::default(),
    };
    for _ in 0..rng.usize(1..16) {
        if rng.u32(..8) == 0 {
            model.stream.send(PING.0);
        }
        model.write(rng);
    }
    if rng.u32(..4) == 0 {
        // The search need not finish before the session ends.
        model.stream.expected.iter_mut().for_each(|expected| expected.depth = 0);
        model.stop("quit");
        model.stream.quits = true;
    } else {
        model.stop("stop");
        model.send(Line::Position(Some(0)));
        if model.new_level.is_some() {
            model.go("analyze");
            model.stop("stop");
        }
        model.send(Line::Level("depth=2"));
        model.go("think");
    }
    model.stream
}

/// Returns different positions that are reached after two moves and have a single legal move.
fn places() -> Vec<Place> {
    let mut driver = Driver::<Native>::new();
    driver.send("setoption name UCI_Variant value international");
    let mut legal_after = |moves: &str| -> Vec<String> {
        assert_eq!(driver.send(&format!("position startpos moves {moves}")), [""; 0]);
        legal(&mut driver)
    };
    let mut places: Vec<Place> = Vec::new();
    for first in ["32-28", "31-27", "33-29", "34-30", "34-29", "35-30", "32-27", "31-26", "33-28"] {
        for second in legal_after(first) {
            let moves = format!("{first} {second}");
            if let [only] = &legal_after(&moves)[..]
                && !places.iter().any(|place| place.answer == *only)
            {
                places.push(Place { moves, answer: only.clone() });
            }
        }
    }
    assert!(places.len() >= 4, "{} places", places.len());
    places
}

fn compare_streams(count: u64) {
    let places = places();
    let first = format!("pos pos={START} moves=\"{}\"", places[0].moves);
    let prologue = ["set-param name=tt-size value=16", first.as_str(), "level depth=2", "go think"];
    compare::<Hub>(count, PING, &prologue, |rng| stream(&places, rng));
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
