//! Streams of lines that come at any moment have the effect of obeying one after the other: random ones are compared
//! with a model that does just that.
//!
//! The models know nothing of queues and threads. Each writes a stream and at the same time what it must be answered
//! with.

mod hub;
mod native;

use crossbeam_channel::{Receiver, unbounded};
use fastrand::Rng;
use soffio::session::{Conversation, Dialect, EventOf, Flow, Input, Native};
use std::time::{Duration, Instant};

/// How long a job that ends may take: far longer than any does.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Streams in the usual run and in the long one.
const FEW: u64 = 300;
const MANY: u64 = 10_000;

/// The answers of which one must come; a `*` at the end stands for anything. Reports of a search are left out.
#[derive(Clone, Debug)]
struct Expected {
    texts: Vec<String>,
    /// The depth that must have been reported before.
    depth: u32,
}

impl Expected {
    fn new(text: impl Into<String>) -> Self {
        Self { texts: vec![text.into()], depth: 0 }
    }

    fn is(&self, said: &Said) -> bool {
        let fits = |text: &String| match text.strip_suffix('*') {
            Some(start) => said.text.starts_with(start),
            None => said.text == *text,
        };
        self.texts.iter().any(fits) && said.depth >= self.depth
    }
}

/// A line that was said, other than a report, and the depth that the search has reported by then.
#[derive(Clone, Debug)]
struct Said {
    text: String,
    depth: u32,
}

/// A stream and its answers.
#[derive(Debug, Default)]
struct Stream {
    lines: Vec<String>,
    expected: Vec<Expected>,
    /// True if the stream ends the conversation.
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

/// A line that is answered at once, and the answer.
type Aside = (&'static str, &'static str);

/// A conversation that is served on one thread, as a program serves it.
struct Served<D: Dialect> {
    conversation: Conversation<D>,
    events: Receiver<EventOf<D>>,
    flow: Flow,
    said: Vec<Said>,
    depth: u32,
}

impl<D: Dialect + Default> Served<D> {
    fn new() -> Self {
        let (sender, events) = unbounded();
        let conversation = Conversation::new(D::default(), sender);
        Self { conversation, events, flow: Flow::Continue, said: Vec::new(), depth: 0 }
    }

    /// Takes what was said since the last call, line by line.
    fn note(&mut self) -> Vec<String> {
        let outputs = self.conversation.outputs();
        let lines: Vec<String> = outputs.iter().flat_map(|output| output.text.lines()).map(str::to_owned).collect();
        for text in &lines {
            // `info depth 3 ...` and `info depth=3 ...`
            match text.strip_prefix("info depth") {
                Some(rest) => {
                    let digits: String = rest.chars().skip(1).take_while(char::is_ascii_digit).collect();
                    self.depth = digits.parse().expect("a depth is a number");
                }
                None => {
                    self.said.push(Said { text: text.clone(), depth: self.depth });
                    if text.starts_with("bestmove") || text.starts_with("done") {
                        self.depth = 0;
                    }
                }
            }
        }
        lines
    }

    /// Sends `line`; returns what is said at once.
    fn tell(&mut self, line: &str) -> Vec<String> {
        self.flow = self.conversation.input(Input::Line(line.to_owned()), Instant::now());
        self.note()
    }

    fn hear(&mut self, event: EventOf<D>) {
        self.flow = self.conversation.event(event);
        self.note();
    }

    /// Hears what the engine has found so far.
    fn hear_all(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.hear(event);
        }
    }

    /// Hears what the engine finds within `time`.
    fn hear_for(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Ok(event) = self.events.recv_deadline(end) {
            self.hear(event);
        }
    }

    /// Hears everything until no job runs. Returns false if one does not end.
    fn finish(&mut self) -> bool {
        while self.conversation.is_busy() {
            match self.events.recv_timeout(TIMEOUT) {
                Ok(event) => self.hear(event),
                Err(_) => return false,
            }
        }
        true
    }
}

impl Served<Native> {
    /// The legal moves.
    fn legal(&mut self) -> Vec<String> {
        let said = self.tell("legal").pop().expect("there is an answer");
        said.split(' ').skip(2).map(str::to_owned).collect()
    }
}

/// How lines follow each other.
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

    fn pass<D: Dialect + Default>(self, served: &mut Served<D>, rng: &mut Rng) {
        let most = match self {
            Self::None => 0,
            Self::Mixed => 300,
            Self::Long => 3000,
        };
        match (self, rng.u32(..4)) {
            (Self::None, _) | (Self::Mixed, 0 | 1) => {}
            (Self::Mixed, 2) => served.hear_all(),
            _ => served.hear_for(Duration::from_micros(rng.u64(..most))),
        }
    }
}

/// Sends `stream` to `served` and says what is wrong with the answers.
fn fault<D: Dialect + Default>(
    served: &mut Served<D>,
    stream: &Stream,
    aside: Aside,
    gaps: Gaps,
    rng: &mut Rng,
) -> Option<String> {
    served.said.clear();
    for line in &stream.lines {
        let at_once = served.tell(line);
        if line == aside.0 && at_once.iter().filter(|text| *text == aside.1).count() != 1 {
            return Some(format!("{line} is not answered at once"));
        }
        gaps.pass(served, rng);
    }
    if !served.finish() {
        return Some(format!("a job does not end; said was {:#?}", served.said));
    }
    let said: Vec<_> = served.said.iter().filter(|said| said.text != aside.1).collect();
    let is_equal =
        said.len() == stream.expected.len() && stream.expected.iter().zip(&said).all(|(one, other)| one.is(other));
    if !is_equal {
        return Some(format!("expected {:#?}\nsaid {said:#?}", stream.expected));
    }
    if stream.quits != (served.flow == Flow::Quit) {
        return Some(format!("the conversation ends: {:?}", served.flow));
    }
    None
}

/// Sends `count` streams written by `write` and compares the answers.
fn compare<D: Dialect + Default>(
    count: u64,
    aside: Aside,
    prologue: &[&str],
    mut write: impl FnMut(&mut Rng) -> Stream,
) {
    let fresh = || {
        let mut served = Served::<D>::new();
        for line in prologue {
            let said = served.tell(line);
            assert!(said.is_empty() && served.finish(), "{line}: {said:?}");
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
