//! Many requests answered by several judges side by side.

use super::done::write_lines;
use super::{Answer, Done, Format, Judge, JudgeSettings, RawRequest, Request};
use crate::record::input_hash;
use anyhow::{Result, anyhow, ensure};
use soffio::pool::Pool;
use soffio::stop::Stop;
use soffio::system::available_memory;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Answers that a judge may be ahead of the next one to be written.
const AHEAD: u64 = 64;

/// How a batch is done.
#[derive(Clone, Debug)]
pub struct BatchPlan {
    /// The judges.
    pub settings: JudgeSettings,
    /// How many there are.
    pub judges: NonZeroUsize,
    /// Whether answers are written in the order of the requests.
    pub is_ordered: bool,
    /// The form of the answers.
    pub format: Format,
}

/// What has been done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchState {
    /// Requests that were answered.
    pub requests: u64,
    /// Those that were answered in an earlier run.
    pub before: u64,
    /// Records that were written.
    pub records: u64,
    /// Error records that were written.
    pub errors: u64,
}

/// A request that is done.
struct Finished {
    place: u64,
    /// Its lines; `None` if it was answered in an earlier run.
    lines: Option<String>,
    records: u64,
    errors: u64,
}

/// The place of the next answer to be written, which the others wait for.
#[derive(Default)]
struct Turn {
    place: Mutex<u64>,
    changed: Condvar,
}

impl Turn {
    /// Waits until the request at `place` may begin.
    fn wait(&self, place: u64, ahead: u64, stop: &Stop) {
        let mut turn = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        while place > *turn + ahead && !stop.is_stopped() {
            // Not for ever: the signal to stop wakes nobody here.
            let waited = self.changed.wait_timeout(turn, Duration::from_millis(100));
            turn = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn set(&self, place: u64) {
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = place;
        self.changed.notify_all();
    }
}

impl BatchPlan {
    /// Answers `requests`, but those that are `done`, and writes the answers to `output`. After each of them `report` is called. It ends
    /// early when `stop` is given.
    ///
    /// # Errors
    /// When there is not enough memory for the judges, or input or output fail.
    pub fn run(
        &self,
        requests: impl Iterator<Item = io::Result<RawRequest>> + Send,
        done: Done,
        output: &mut dyn Write,
        stop: &Stop,
        report: &mut dyn FnMut(BatchState),
    ) -> Result<BatchState> {
        let needed = self.settings.hash.saturating_mul(self.judges.get());
        let has_room = available_memory().is_none_or(|free| needed <= free >> 20);
        ensure!(
            has_room,
            "{} engines with tables of {} MiB: there is not so much memory",
            self.judges,
            self.settings.hash
        );
        let made = (0..self.judges.get()).map(|_| Judge::new(self.settings.clone()));
        let judges = Mutex::new(made.collect::<Result<Vec<_>, _>>()?);
        let (done, turn) = (Mutex::new(done), Turn::default());
        let ahead = AHEAD * self.judges.get() as u64;
        let tasks = requests.zip(0..).inspect(|&(_, place)| {
            if self.is_ordered {
                turn.wait(place, ahead, stop);
            }
        });
        let worker = || {
            let mut judge = judges.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let done = &done;
            move |(request, place): (io::Result<RawRequest>, u64)| {
                let request = request?;
                let answered = judge.as_mut().and_then(|judge| self.answer(judge, &request, done, stop));
                Ok(answered.map(|finished| Finished { place, ..finished }))
            }
        };
        let mut state = BatchState::default();
        let (mut waiting, mut next, mut failure) = (BTreeMap::new(), 0, None);
        let mut write = |finished: Finished| -> io::Result<()> {
            match &finished.lines {
                Some(lines) => write_lines(output, lines)?,
                None => state.before += 1,
            }
            state.requests += u64::from(finished.lines.is_some());
            state.records += finished.records;
            state.errors += finished.errors;
            report(state);
            Ok(())
        };
        let mut take = |result: io::Result<Option<Finished>>| -> io::Result<()> {
            // A request that was broken off leaves nothing.
            let Some(finished) = result? else { return Ok(()) };
            if !self.is_ordered {
                return write(finished);
            }
            waiting.insert(finished.place, finished);
            while let Some(finished) = waiting.remove(&next) {
                write(finished)?;
                next += 1;
                turn.set(next);
            }
            Ok(())
        };
        let pool = Pool { name: "judge", threads: self.judges, stop };
        let worked = pool.run(tasks, worker, |result| match take(result) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        });
        match failure {
            Some(error) => Err(error.into()),
            None => worked.map(|()| state).map_err(|error| anyhow!("{error}")),
        }
    }

    /// The answer of `judge` to `request`; `None` if `stop` was given before.
    fn answer(&self, judge: &mut Judge, request: &RawRequest, done: &Mutex<Done>, stop: &Stop) -> Option<Finished> {
        let (text, read) = request.read();
        let read = read.map_err(|error| Request::failure(&text, request.line, error));
        let (id, hash) = match &read {
            Ok(read) => (read.name(request.number), input_hash(&read.text())),
            Err(failure) => (failure.id.clone(), failure.input_hash.clone().unwrap_or_default()),
        };
        let is_done = done.lock().unwrap_or_else(PoisonError::into_inner).take(&id, &hash);
        if is_done {
            return Some(Finished { place: 0, lines: None, records: 0, errors: 0 });
        }
        let answer = match read {
            Ok(read) => judge.judge(&read, request.line, stop)?,
            Err(failure) => Answer::failed(failure),
        };
        let errors = answer.records.iter().filter(|record| record.is_err()).count() as u64;
        let records = answer.records.len() as u64 - errors;
        Some(Finished { place: 0, lines: Some(self.format.text(&answer)), records, errors })
    }
}
