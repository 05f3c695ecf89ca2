//! Progress messages on standard error while games are annotated.

use super::progress::{REPORT, bar};
use indicatif::{ProgressBar, ProgressDrawTarget};
use std::io::{self, IsTerminal, Write};
use std::time::Instant;

/// Reports progress: in a line that is overwritten, or where that is not possible, in a line from time to time.
pub(super) struct AnnotateProgress {
    bar: Option<ProgressBar>,
    /// Games to do.
    games: usize,
    /// Games begun.
    game: usize,
    /// Positions of the current game, and how many of them are done.
    positions: (usize, usize),
    printed: Instant,
}

impl AnnotateProgress {
    pub(super) fn new(games: usize) -> Self {
        let bar = io::stderr().is_terminal().then(|| bar(0, ProgressDrawTarget::stderr()));
        Self { bar, games, game: 0, positions: (0, 0), printed: Instant::now() }
    }

    /// A game with so many positions begins.
    pub(super) fn game(&mut self, positions: usize) {
        self.game += 1;
        self.positions = (positions, 0);
        if let Some(bar) = &self.bar {
            bar.reset();
            bar.set_length(positions as u64);
            bar.set_message(self.text());
        }
    }

    /// A position is done.
    pub(super) fn position(&mut self) {
        self.positions.1 += 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
            bar.set_message(self.text());
        } else if self.printed.elapsed() >= REPORT {
            self.say(&self.text());
            self.printed = Instant::now();
        }
    }

    fn text(&self) -> String {
        let (positions, done) = self.positions;
        format!("game {}/{}, position {done}/{positions}", self.game, self.games)
    }

    /// Says a line that stays.
    pub(super) fn say(&self, line: &str) {
        let print = || writeln!(io::stderr(), "{line}");
        // A closed standard error is not a failure.
        let _ = match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        };
    }
}

impl Drop for AnnotateProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
