//! Runs searches and perft in the background.

use super::reply;
use crate::player::{TavlaLimits, TavlaSettings, think};
use crate::rules::{LegalPlay, TavlaBoard, perft};
use crossbeam_channel::Sender;
use soffio::clock::Stopwatch;
use soffio::pool::guarded;
use soffio::session::Job;
use soffio::stop::Stop;
use soffio::wire::native::NativeReply;
use std::time::Instant;
use std::{io, thread};

pub struct TavlaEvent {
    pub text: String,
    pub is_last: bool,
}

pub enum TavlaWork {
    /// If `is_infinite` is true, the best move is reported only after the search has been stopped.
    Search {
        settings: Box<TavlaSettings>,
        legal: Vec<LegalPlay>,
        limits: TavlaLimits,
        /// Started when the command was read.
        clock: Stopwatch,
        is_infinite: bool,
    },
    Perft {
        board: TavlaBoard,
        depth: u8,
        hit_and_run: bool,
    },
}

impl TavlaWork {
    pub(super) fn job(&self) -> Job {
        match self {
            Self::Search { is_infinite: false, .. } => Job::Search,
            Self::Search { is_infinite: true, .. } => Job::OpenSearch,
            Self::Perft { .. } => Job::Count,
        }
    }

    pub(super) fn start(self, stop: Stop, events: Sender<TavlaEvent>) -> io::Result<()> {
        let work = move || {
            // Sending fails if the receiver has hung up.
            let send = |text, is_last| drop(events.send(TavlaEvent { text, is_last }));
            let fallback = self.fallback();
            let done = guarded(|| self.run(&stop, &mut |text| send(text, false)));
            let broken_off = |message| {
                let error = NativeReply::Error(format!("search aborted by an internal error: {message}"));
                format!("{error}\n{fallback}")
            };
            send(done.unwrap_or_else(broken_off), true);
        };
        thread::Builder::new().name("tavla".to_owned()).spawn(work).map(drop)
    }

    /// Returns the line that ends the output if the work panics. If the work was a search, the line names a legal play.
    fn fallback(&self) -> String {
        match self {
            Self::Search { legal, .. } => reply::best_move(legal.first()),
            Self::Perft { .. } => reply::text("perft stopped"),
        }
    }

    /// Runs until the work is done or stopped. Passes the intermediate lines to `print` and returns the last line.
    pub fn run(self, stop: &Stop, print: &mut dyn FnMut(String)) -> String {
        match self {
            Self::Search { settings, legal, limits, clock, is_infinite } => {
                if legal.is_empty() {
                    return reply::best_move(None);
                }
                let is_stopped = || stop.is_stopped();
                let best = think(&settings, &legal, limits, clock, &is_stopped, &mut |report| {
                    reply::info(&legal, &report).into_iter().for_each(&mut *print);
                });
                if is_infinite {
                    // Nothing is ever sent on this channel. It disconnects when the search is stopped.
                    let _ = stop.receiver().recv();
                }
                reply::best_move(legal.get(best))
            }
            Self::Perft { board, depth, hit_and_run } => {
                let started = Instant::now();
                match perft(&board, depth, hit_and_run, &mut || !stop.is_stopped()) {
                    None => reply::text("perft stopped"),
                    Some(found) => {
                        let milliseconds = started.elapsed().as_millis();
                        format!("perft {depth} {} weighted {} time {milliseconds}", found.count, found.weighted)
                    }
                }
            }
        }
    }
}
