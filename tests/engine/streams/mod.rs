//! Tests that lines sent at any time have the same effect as lines executed one after another. The answers to random
//! command streams are compared with a sequential model.
//!
//! The models have no queues and no threads. Each model generates a stream together with the expected answers.

mod hub;
mod native;

use crate::common::driver::{Driver, TIMEOUT};
use fastrand::Rng;
use soffio::session::{Flow, Native, SessionDialect};
use std::time::{Duration, Instant};

/// Number of streams in the usual run; `MANY` is the number in the long run.
const FEW: u64 = 300;
const MANY: u64 = 10_000;

/// The accepted texts of an expected answer. A `*` at the end of a text stands for any text. Search reports are
/// skipped.
#[derive(Clone, Debug)]
struct Expected {
    texts: Vec<String>,
    /// Minimum depth that must have been reported before the answer.
    depth: u32,
}

impl Expected {
    fn new(text: impl Into<String>) -> Self {
        Self { texts: vec![text.into()], depth: 0 }
    }

    fn is(&self, printed: &OutputLine) -> bool {
        let fits = |text: &String| match text.strip_suffix('*') {
            Some(start) => printed.text.starts_with(start),
            None => printed.text == *text,
        };
        self.texts.iter().any(fits) && printed.depth >= self.depth
    }
}

/// An output line that is not a report, and the depth that the search had reported before it.
#[derive(Clone, Debug)]
struct OutputLine {
    text: String,
    depth: u32,
}

#[derive(Debug, Default)]
struct Stream {
    lines: Vec<String>,
    expected: Vec<Expected>,
    /// Whether the stream ends the session.
    quits: bool,
}

impl Stream {
    fn send(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn expect(&mut self, text: impl Into<String>) {
        self.expected.push(Expected::new(text));
    }
}

/// A line that must be answered immediately, and its answer.
type Aside = (&'static str, &'static str);

/// Returns the lines of `output` that are not reports.
fn without_reports(output: &[String]) -> Vec<OutputLine> {
    let mut depth = 0;
    let mut printed = Vec::new();
    for text in output.iter().flat_map(|text| text.lines()) {
        // Reports begin with `info depth 3` or with `info depth=3`.
        if let Some(rest) = text.strip_prefix("info depth") {
            let digits: String = rest.chars().skip(1).take_while(char::is_ascii_digit).collect();
            depth = digits.parse().expect("a depth is a number");
        } else {
            printed.push(OutputLine { text: text.to_owned(), depth });
            if text.starts_with("bestmove") || text.starts_with("done") {
                depth = 0;
            }
        }
    }
    printed
}

/// Returns the legal moves.
fn legal(driver: &mut Driver<Native>) -> Vec<String> {
    let printed = driver.send("legal").pop().expect("there is an answer");
    printed.split(' ').skip(2).map(str::to_owned).collect()
}

#[derive(Clone, Copy, Debug)]
enum Gaps {
    None,
    Mixed,
    Long,
}

impl Gaps {
    fn new(number: u64) -> Self {
        [Self::None, Self::Mixed, Self::Long][(number % 3) as usize]
    }

    /// Returns the time for which events are processed after a line, or `None` if no events are processed.
    fn time(self, rng: &mut Rng) -> Option<Duration> {
        match (self, rng.u32(..4)) {
            (Self::None, _) | (Self::Mixed, 0 | 1) => None,
            (Self::Mixed, 2) => Some(Duration::ZERO),
            (Self::Mixed, _) => Some(Duration::from_micros(rng.u64(..300))),
            (Self::Long, _) => Some(Duration::from_micros(rng.u64(..3000))),
        }
    }
}

/// Sends `stream` to `driver`. Returns a description of the first fault in the answers, or `None` if they are correct.
fn fault<D: SessionDialect + Default>(
    driver: &mut Driver<D>,
    stream: &Stream,
    aside: Aside,
    gaps: Gaps,
    rng: &mut Rng,
) -> Option<String> {
    let mut output = Vec::new();
    for line in &stream.lines {
        let at_once = driver.input(line);
        if line == aside.0 && at_once.iter().filter(|text| *text == aside.1).count() != 1 {
            return Some(format!("{line} is not answered immediately"));
        }
        output.extend(at_once);
        if let Some(time) = gaps.time(rng) {
            let end = Instant::now() + time;
            output.extend(std::iter::from_fn(|| driver.receive(end)).flatten());
        }
    }
    while driver.conversation.is_busy() {
        let Some(texts) = driver.receive(Instant::now() + TIMEOUT) else {
            return Some(format!("a job does not end; output: {output:#?}"));
        };
        output.extend(texts);
    }
    let mut printed = without_reports(&output);
    printed.retain(|printed| printed.text != aside.1);
    let is_equal = printed.len() == stream.expected.len()
        && stream.expected.iter().zip(&printed).all(|(one, other)| one.is(other));
    if !is_equal {
        return Some(format!("expected {:#?}\nfound {printed:#?}", stream.expected));
    }
    let flow = driver.conversation.flow();
    if stream.quits != (flow == Flow::Quit) {
        return Some(format!("the session ends: {flow:?}"));
    }
    None
}

/// Sends `count` streams generated by `write`, and asserts that the answers are as expected.
fn compare<D: SessionDialect + Default>(
    count: u64,
    aside: Aside,
    prologue: &[&str],
    mut write: impl FnMut(&mut Rng) -> Stream,
) {
    let fresh = || {
        let mut driver = Driver::<D>::new();
        for line in prologue {
            assert_eq!(driver.send(line), [""; 0], "{line}");
            driver.finish();
        }
        driver
    };
    let mut driver = fresh();
    for number in 0..count {
        let mut rng = Rng::with_seed(number);
        let stream = write(&mut rng);
        let gaps = Gaps::new(number);
        if let Some(fault) = fault(&mut driver, &stream, aside, gaps, &mut rng) {
            panic!("stream {number}, gaps {gaps:?}:\n{}\n\n{fault}", stream.lines.join("\n"));
        }
        if stream.quits {
            driver = fresh();
        }
    }
}
