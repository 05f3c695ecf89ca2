//! A conversation in the native protocol or the Hub protocol.

use crossbeam_channel::{Receiver, unbounded};
use soffio::Engine;
use soffio::clock::TimeSource;
use soffio::engine::{Event, Options};
use soffio::rules::Variant;
use soffio::session::{Conversation, EngineSession, Flow, Hub, Native, SessionDialect};
use soffio::turns::Turns;
use soffio::wire::hub::HubReply;

/// A conversation whose searches take turns with the event loop.
pub struct BrowserSession {
    time: TimeSource,
    turns: Turns,
    active: Option<Box<ActiveConversation>>,
}

#[allow(clippy::large_enum_variant, reason = "there is only one value, so its size does not matter")]
enum ActiveConversation {
    Native(Conversation<Native>, Receiver<Event>),
    Hub(Conversation<Hub>, Receiver<Event>),
}

macro_rules! with_active {
    ($active:expr, ($conversation:ident, $events:ident) => $body:expr) => {
        match $active {
            ActiveConversation::Native($conversation, $events) => $body,
            ActiveConversation::Hub($conversation, $events) => $body,
        }
    };
}

impl BrowserSession {
    /// Creates a conversation. The engine reads the time from `time`, and yields to the event loop through `turns`.
    pub fn new(time: TimeSource, turns: Turns) -> Self {
        Self { time, turns, active: None }
    }

    /// Executes the lines of `text` and returns the immediate output. The first non-empty line of the conversation
    /// selects the protocol: the Hub protocol if the line is `hub`, otherwise the native protocol. Lines after the end
    /// of the conversation are ignored.
    pub fn take(&mut self, text: &str) -> Vec<String> {
        for line in text.lines() {
            let now = self.time.now();
            let Some(active) = self.conversation(line) else { continue };
            with_active!(active, (conversation, _events) => conversation.input(line.into(), now));
        }
        self.outputs()
    }

    /// Processes the events from the jobs and returns the resulting output.
    pub fn poll(&mut self) -> Vec<String> {
        if let Some(active) = self.active.as_deref_mut() {
            with_active!(active, (conversation, events) => events.try_iter().for_each(|event| {
                conversation.event(event);
            }));
        }
        self.outputs()
    }

    /// Returns the variant that is currently selected.
    pub fn variant(&self) -> Variant {
        let engine = self
            .active
            .as_deref()
            .map(|active| with_active!(active, (conversation, _events) => conversation.session().options()));
        engine.map_or_else(|| Options::default().variant, |options| options.variant)
    }

    /// Returns whether `line` evaluates the position immediately. All other commands that need the weights start a job.
    pub fn evaluates(&self, line: &str) -> bool {
        let is_hub = matches!(self.active.as_deref(), Some(ActiveConversation::Hub(..)));
        !is_hub && line.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("eval"))
    }

    /// Returns the line that reports that weights are missing for the given reason.
    pub fn missing_weights(&self, file: &str, reason: &str) -> String {
        let text = format!("cannot load {file}: {reason}; positions are evaluated by material alone");
        match self.active.as_deref() {
            Some(ActiveConversation::Hub(..)) => HubReply::Error(text).to_string(),
            _ => format!("info string {text}"),
        }
    }

    /// Returns whether the conversation has ended.
    pub fn is_over(&self) -> bool {
        self.active.as_deref().is_some_and(|active| {
            with_active!(active, (conversation, _events) => conversation.flow() == Flow::Quit && !conversation.is_busy())
        })
    }

    /// Starts the conversation if `line` is its first non-empty line. Returns `None` if it has not started yet.
    fn conversation(&mut self, line: &str) -> Option<&mut ActiveConversation> {
        if self.active.is_none() && !line.trim().is_empty() {
            let (sender, events) = unbounded();
            let session = EngineSession::with_engine(Engine::in_turns(self.time.clone(), self.turns.clone()), sender);
            self.active = Some(Box::new(if Hub::begins_with(line) {
                ActiveConversation::Hub(Conversation::with_session(Hub::default(), session), events)
            } else {
                ActiveConversation::Native(Conversation::with_session(Native::default(), session), events)
            }));
        }
        self.active.as_deref_mut()
    }

    fn outputs(&mut self) -> Vec<String> {
        fn lines<D: SessionDialect>(conversation: &mut Conversation<D>) -> Vec<String> {
            let outputs = conversation.outputs();
            // Each line is a separate message, so readers do not need the pauses before some lines.
            outputs.iter().flat_map(|output| output.text.lines()).map(str::to_owned).collect()
        }
        self.active
            .as_deref_mut()
            .map_or_else(Vec::new, |active| with_active!(active, (conversation, _events) => lines(conversation)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::session::MAX_LINE;
    use soffio::turns::{Pause, Work};
    use std::cell::RefCell;
    use std::collections::VecDeque;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    use std::time::Duration;

    thread_local! {
        static WORK: RefCell<VecDeque<Work>> = RefCell::default();
        static TALK: RefCell<Option<BrowserSession>> = const { RefCell::new(None) };
        /// Lines that arrive while work is in progress, each with the number of the turn in which it arrives.
        static LATER: RefCell<VecDeque<(u64, &'static str)>> = RefCell::default();
        static OUTPUT: RefCell<Vec<String>> = RefCell::default();
        /// The variants whose weights the jobs use.
        static EVALUATED: RefCell<Vec<Variant>> = RefCell::default();
    }

    fn with_talk(act: impl FnOnce(&mut BrowserSession) -> Vec<String>) {
        let output = TALK.with_borrow_mut(|talk| act(talk.as_mut().unwrap()));
        OUTPUT.with_borrow_mut(|all| all.extend(output));
    }

    fn output(lines: &str, later: &[(u64, &'static str)]) -> Vec<String> {
        // The clock advances each time it is read, so that the result does not depend on the machine.
        static TICKS: AtomicU64 = AtomicU64::new(0);
        let time = TimeSource::new(|| Duration::from_micros(TICKS.fetch_add(1, Relaxed)));
        let turn = AtomicU64::new(0);
        let yield_now = move |pause| {
            let number = turn.fetch_add(1, Relaxed);
            with_talk(BrowserSession::poll);
            let next = LATER.with_borrow_mut(|later| {
                let is_due = later.front().is_some_and(|&(due, _)| number >= due || pause == Pause::Wait);
                if is_due { later.pop_front() } else { None }
            });
            assert!(next.is_some() || pause == Pause::Poll, "the session never becomes idle");
            next.into_iter().for_each(|(_, line)| with_talk(|talk| talk.take(line)));
        };
        let begin = |variants: &[Variant], work| {
            EVALUATED.with_borrow_mut(|all| all.extend(variants));
            WORK.with_borrow_mut(|all| all.push_back(work));
        };
        let turns = Turns::new(begin, yield_now);
        TALK.set(Some(BrowserSession::new(time, turns)));
        LATER.set(later.iter().copied().collect());
        with_talk(|talk| talk.take(lines));
        while let Some(work) = WORK.with_borrow_mut(VecDeque::pop_front) {
            work();
            with_talk(BrowserSession::poll);
        }
        OUTPUT.take()
    }

    fn is_over() -> bool {
        TALK.with_borrow(|talk| talk.as_ref().is_some_and(BrowserSession::is_over))
    }

    #[test]
    fn the_first_line_selects_the_protocol() {
        assert_eq!(output("\n hub\n", &[]).last().map(String::as_str), Some("wait"));
        assert_eq!(output("isready\nhub", &[])[..1], ["readyok"]);
        assert_eq!(output("", &[]), [""; 0]);
        let long = format!("go {}", "x".repeat(MAX_LINE));
        assert_eq!(output(&long, &[]), [format!("error skipped a line longer than {MAX_LINE} bytes")]);
    }

    #[test]
    fn stop_is_processed_during_a_search() {
        let output =
            output("go infinite", &[(30, "isready"), (40, "eval"), (60, "stop\ngo depth 2\nstop\ngo depth 1")]);
        let count = |start: &str| output.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!((count("bestmove "), count("readyok"), count("eval")), (3, 1, 1), "{output:?}");
        let place = |start: &str| output.iter().position(|line| line.starts_with(start));
        assert!(place("readyok") < place("bestmove "));
    }

    #[test]
    fn an_infinite_search_answers_only_after_stop() {
        let one = "position fen W:W32:B28\ngo ponder wtime 1000 btime 1000";
        let pondered = output(one, &[(1 << 40, "ponderhit")]);
        assert!(pondered.last().is_some_and(|line| line.starts_with("bestmove ")), "{pondered:?}");
        let stopped = output("setoption name UCI_Variant value English\ngo infinite depth 3", &[(1 << 40, "stop")]);
        assert!(stopped.last().is_some_and(|line| line.starts_with("bestmove ")), "{stopped:?}");
    }

    #[test]
    fn jobs_name_the_variants_whose_weights_they_use() {
        let evaluated = |lines, later: &[_]| {
            output(lines, later);
            EVALUATED.take()
        };
        let english = "setoption name UCI_Variant value English\ngo depth 1";
        assert_eq!(evaluated(english, &[]), [Variant::English]);
        assert_eq!(evaluated("hub\ninit\nlevel depth=1\ngo think", &[]), [Variant::International]);
        assert_eq!(evaluated("bench", &[(0, "stop")]), Variant::listed().collect::<Vec<_>>());
        assert_eq!(evaluated("perft 2\nsetoption name Eval value material\ngo depth 1", &[]), []);
    }

    #[test]
    fn missing_weights_are_reported_in_the_protocol_in_use() {
        output("isready", &[]);
        TALK.with_borrow(|talk| {
            let talk = talk.as_ref().unwrap();
            assert!(talk.evaluates(" eval") && !talk.evaluates("evaluate") && !talk.evaluates("go"));
            let line = talk.missing_weights("thai.weights", "404");
            assert_eq!(line, "info string cannot load thai.weights: 404; positions are evaluated by material alone");
        });
        output("hub\nset-param name=variant value=bt", &[]);
        TALK.with_borrow(|talk| {
            let talk = talk.as_ref().unwrap();
            assert_eq!((talk.variant(), talk.evaluates("eval")), (Variant::Breakthrough, false));
            let line = talk.missing_weights("breakthrough.weights", "404");
            assert!(line.starts_with("error message=\"cannot load breakthrough.weights: 404;"), "{line}");
        });
    }

    #[test]
    fn quit_ends_a_search() {
        let ended = output("go infinite", &[(20, "quit")]);
        assert!(is_over() && ended.iter().any(|line| line.starts_with("bestmove ")), "{ended:?}");
        output("quit", &[]);
        assert!(is_over());
    }

    #[test]
    fn perft_is_stopped_and_threads_are_rejected() {
        let counted = output("perft 30", &[(3, "stop")]);
        assert!(counted.last().is_some_and(|line| line.starts_with("info string perft stopped after ")), "{counted:?}");
        let refused = output("setoption name Threads value 2\nsetoption name Threads value 1", &[]);
        assert_eq!(refused, ["error option Threads must be 1 on this platform, not 2"]);
    }
}
