//! Tests that lines sent at any time have the same effect as lines executed one after another. The answers to random
//! command streams are compared with a sequential model.
//!
//! The models have no queues and no threads. Each model generates a stream together with the expected answers.

mod hub;
mod native;

use crossbeam_channel::{Receiver, unbounded};
use fastrand::Rng;
use soffio::session::{Conversation, EventOf, Flow, Input, Native, SessionDialect};
use std::time::{Duration, Instant};

/// Maximum time to wait for the end of a job. It is far longer than any job takes.
const TIMEOUT: Duration = Duration::from_secs(600);

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

/// A session that is served on one thread, as in the program.
struct Served<D: SessionDialect> {
    conversation: Conversation<D>,
    events: Receiver<EventOf<D>>,
    flow: Flow,
    printed: Vec<OutputLine>,
    depth: u32,
}

impl<D: SessionDialect + Default> Served<D> {
    fn new() -> Self {
        let (sender, events) = unbounded();
        let conversation = Conversation::new(D::default(), sender);
        Self { conversation, events, flow: Flow::Continue, printed: Vec::new(), depth: 0 }
    }

    /// Records the output since the last call, line by line.
    fn note(&mut self) -> Vec<String> {
        let outputs = self.conversation.outputs();
        let lines: Vec<String> = outputs.iter().flat_map(|output| output.text.lines()).map(str::to_owned).collect();
        for text in &lines {
            // Reports begin with `info depth 3` or with `info depth=3`.
            match text.strip_prefix("info depth") {
                Some(rest) => {
                    let digits: String = rest.chars().skip(1).take_while(char::is_ascii_digit).collect();
                    self.depth = digits.parse().expect("a depth is a number");
                }
                None => {
                    self.printed.push(OutputLine { text: text.clone(), depth: self.depth });
                    if text.starts_with("bestmove") || text.starts_with("done") {
                        self.depth = 0;
                    }
                }
            }
        }
        lines
    }

    /// Sends `line` and returns the immediate output.
    fn send(&mut self, line: &str) -> Vec<String> {
        self.flow = self.conversation.input(Input::Line(line.to_owned()), Instant::now());
        self.note()
    }

    fn receive(&mut self, event: EventOf<D>) {
        self.flow = self.conversation.event(event);
        self.note();
    }

    fn receive_all(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.receive(event);
        }
    }

    fn receive_for(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Ok(event) = self.events.recv_deadline(end) {
            self.receive(event);
        }
    }

    /// Processes events until no job is running. Returns false if a job does not end in time.
    fn finish(&mut self) -> bool {
        while self.conversation.is_busy() {
            match self.events.recv_timeout(TIMEOUT) {
                Ok(event) => self.receive(event),
                Err(_) => return false,
            }
        }
        true
    }
}

impl Served<Native> {
    fn legal(&mut self) -> Vec<String> {
        let printed = self.send("legal").pop().expect("there is an answer");
        printed.split(' ').skip(2).map(str::to_owned).collect()
    }
}

#[derive(Clone, Copy, Debug)]
enum Gaps {
    None,
    Mixed,
    Long,
}

impl Gaps {
    fn of(number: u64) -> Self {
        [Self::None, Self::Mixed, Self::Long][(number % 3) as usize]
    }

    fn pass<D: SessionDialect + Default>(self, served: &mut Served<D>, rng: &mut Rng) {
        let most = match self {
            Self::None => 0,
            Self::Mixed => 300,
            Self::Long => 3000,
        };
        match (self, rng.u32(..4)) {
            (Self::None, _) | (Self::Mixed, 0 | 1) => {}
            (Self::Mixed, 2) => served.receive_all(),
            _ => served.receive_for(Duration::from_micros(rng.u64(..most))),
        }
    }
}

/// Sends `stream` to `served`. Returns a description of the first fault in the answers, or `None` if they are correct.
fn fault<D: SessionDialect + Default>(
    served: &mut Served<D>,
    stream: &Stream,
    aside: Aside,
    gaps: Gaps,
    rng: &mut Rng,
) -> Option<String> {
    served.printed.clear();
    for line in &stream.lines {
        let at_once = served.send(line);
        if line == aside.0 && at_once.iter().filter(|text| *text == aside.1).count() != 1 {
            return Some(format!("{line} is not answered at once"));
        }
        gaps.pass(served, rng);
    }
    if !served.finish() {
        return Some(format!("a job does not end; output: {:#?}", served.printed));
    }
    let printed: Vec<_> = served.printed.iter().filter(|printed| printed.text != aside.1).collect();
    let is_equal = printed.len() == stream.expected.len()
        && stream.expected.iter().zip(&printed).all(|(one, other)| one.is(other));
    if !is_equal {
        return Some(format!("expected {:#?}\nfound {printed:#?}", stream.expected));
    }
    if stream.quits != (served.flow == Flow::Quit) {
        return Some(format!("the session ends: {:?}", served.flow));
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
        let mut served = Served::<D>::new();
        for line in prologue {
            let printed = served.send(line);
            assert!(printed.is_empty() && served.finish(), "{line}: {printed:?}");
        }
        served
    };
    let mut served = fresh();
    for number in 0..count {
        let mut rng = Rng::with_seed(number);
        let stream = write(&mut rng);
        let gaps = Gaps::of(number);
        if let Some(fault) = fault(&mut served, &stream, aside, gaps, &mut rng) {
            panic!("stream {number}, gaps {gaps:?}:\n{}\n\n{fault}", stream.lines.join("\n"));
        }
        if stream.quits {
            served = fresh();
        }
    }
}
