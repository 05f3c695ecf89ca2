//! Searches and counts, which a thread does while the conversation goes on.

use super::reply;
use crate::player::{Limits, Settings, think};
use crate::rules::{Board, Legal, perft};
use crossbeam_channel::Sender;
use soffio::pool::guarded;
use soffio::session::Job;
use soffio::stop::Stop;
use std::time::Instant;
use std::{io, thread};

/// News of the work.
pub struct Event {
    /// One line or several.
    pub text: String,
    /// True if the work is over.
    pub is_last: bool,
}

/// A search or a count.
pub enum Work {
    /// Find the best of the legal plays, and with `is_infinite` say it only when told to stop.
    Search {
        settings: Box<Settings>,
        legal: Vec<Legal>,
        limits: Limits,
        is_infinite: bool,
    },
    Perft {
        board: Board,
        depth: u8,
        hit_and_run: bool,
    },
}

impl Work {
    /// Its kind, which decides about the commands after it.
    pub(super) fn job(&self) -> Job {
        match self {
            Self::Search { is_infinite: false, .. } => Job::Search,
            Self::Search { is_infinite: true, .. } => Job::OpenSearch,
            Self::Perft { .. } => Job::Count,
        }
    }

    /// Begins the work in a thread of its own, which sends its lines to `events`. Fails when the system has no more
    /// threads.
    pub(super) fn start(self, stop: Stop, events: Sender<Event>) -> io::Result<()> {
        let work = move || {
            // The receiver of the events may be gone.
            let send = |text, is_last| drop(events.send(Event { text, is_last }));
            let fallback = self.fallback();
            let done = guarded(|| self.run(&stop, &mut |text| send(text, false)));
            let broken_off = |message| format!("error search broken off by a fault: {message}\n{fallback}");
            send(done.unwrap_or_else(broken_off), true);
        };
        thread::Builder::new().name("tavla".to_owned()).spawn(work).map(drop)
    }

    /// The last line if the work breaks off: a legal play.
    fn fallback(&self) -> String {
        match self {
            Self::Search { legal, .. } => reply::best_move(legal.first()),
            Self::Perft { .. } => "info string perft stopped".to_owned(),
        }
    }

    /// Does the work until it is done or `stop` is given; what it finds on the way is told to `say`. Returns the last line.
    pub fn run(self, stop: &Stop, say: &mut dyn FnMut(String)) -> String {
        match self {
            Self::Search { settings, legal, limits, is_infinite } => {
                if legal.is_empty() {
                    return reply::best_move(None);
                }
                let is_stopped = || stop.is_stopped();
                let best = think(&settings, &legal, limits, &is_stopped, &mut |report| {
                    reply::info(&legal, &report).into_iter().for_each(&mut *say);
                });
                if is_infinite {
                    // Nothing is ever sent: the end of the channel is the signal.
                    let _ = stop.receiver().recv();
                }
                reply::best_move(legal.get(best))
            }
            Self::Perft { board, depth, hit_and_run } => {
                let started = Instant::now();
                match perft(&board, depth, hit_and_run, &mut || !stop.is_stopped()) {
                    None => "info string perft stopped".to_owned(),
                    Some(found) => {
                        let milliseconds = started.elapsed().as_millis();
                        format!("perft {depth} {} weighted {} time {milliseconds}", found.count, found.weighted)
                    }
                }
            }
        }
    }
}
