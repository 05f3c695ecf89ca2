//! What takes time: searches and counts, which a thread does while the conversation goes on.

use super::super::player::{Limits, Settings, think};
use super::super::rules::{Board, Legal, perft};
use super::reply;
use crate::stop::Stop;
use std::time::Instant;

/// A search or a count.
pub struct Work {
    kind: Kind,
}

enum Kind {
    Search { settings: Box<Settings>, legal: Vec<Legal>, limits: Limits, is_infinite: bool },
    Perft { board: Board, depth: u8, hit_and_run: bool },
}

impl Work {
    pub(super) fn search(settings: Settings, legal: Vec<Legal>, limits: Limits, is_infinite: bool) -> Self {
        Self { kind: Kind::Search { settings: Box::new(settings), legal, limits, is_infinite } }
    }

    pub(super) fn perft(board: Board, depth: u8, hit_and_run: bool) -> Self {
        Self { kind: Kind::Perft { board, depth, hit_and_run } }
    }

    /// Whether it ends only when it is told to.
    pub fn is_open(&self) -> bool {
        matches!(self.kind, Kind::Search { is_infinite: true, .. })
    }

    /// Whether it is a count: commands after it wait for its end.
    pub fn is_count(&self) -> bool {
        matches!(self.kind, Kind::Perft { .. })
    }

    /// The last line if the work breaks off: a legal play.
    pub fn fallback(&self) -> String {
        match &self.kind {
            Kind::Search { legal, .. } => {
                legal.first().map_or("bestmove none".to_owned(), |legal| format!("bestmove {}", legal.play.ordered()))
            }
            Kind::Perft { .. } => "info string perft stopped".to_owned(),
        }
    }

    /// Does the work until it is done or `stop` is given; what it finds on the way is told to `say`. Returns the last line.
    pub fn run(self, stop: &Stop, say: &mut dyn FnMut(String)) -> String {
        match self.kind {
            Kind::Search { settings, legal, limits, is_infinite } => {
                if legal.is_empty() {
                    return "bestmove none".to_owned();
                }
                let is_stopped = || stop.is_stopped();
                let best = think(&settings, &legal, limits, &is_stopped, &mut |report| {
                    reply::info(&legal, &report).into_iter().for_each(&mut *say);
                });
                if is_infinite {
                    // Nothing is ever sent: the end of the channel is the signal.
                    let _ = stop.receiver().recv();
                }
                legal.get(best).map_or("bestmove none".to_owned(), |legal| format!("bestmove {}", legal.play.ordered()))
            }
            Kind::Perft { board, depth, hit_and_run } => {
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
