//! Many requests answered by several judges side by side.

use super::{Answer, Done, Format, Judge, JudgeSettings, RawRequest};
use anyhow::{Result, ensure};
use soffio::pool::Pool;
use soffio::stop::Stop;
use soffio::system::available_memory;
use soffio_support::words::{counted, size};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
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
    /// True if answers are written in the order of the requests.
    pub is_ordered: bool,
    /// The form of the answers.
    pub format: Format,
}

/// The account of what has been done.
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
    /// Those that were written in an earlier run.
    pub errors_before: u64,
}

/// A request that is done.
#[derive(Debug, Default)]
pub struct Finished {
    /// Its lines; `None` if it was answered in an earlier run.
    pub lines: Option<String>,
    /// Records among them.
    pub records: u64,
    /// Error records among them.
    pub errors: u64,
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
        let mut turn = locked(&self.place);
        while place > *turn + ahead && !stop.is_stopped() {
            // Not for ever: the signal to stop wakes nobody here.
            let waited = self.changed.wait_timeout(turn, Duration::from_millis(100));
            turn = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn set(&self, place: u64) {
        *locked(&self.place) = place;
        self.changed.notify_all();
    }
}

/// Where answers go.
struct Sink<'a> {
    output: &'a mut (dyn Write + Send),
    report: &'a mut (dyn FnMut(BatchState) + Send),
    state: BatchState,
    /// Answers before which another one is missing.
    waiting: BTreeMap<u64, Finished>,
    /// The place of the next answer.
    next: u64,
}

impl Sink<'_> {
    fn write(&mut self, finished: &Finished) -> io::Result<()> {
        match &finished.lines {
            // In one go, so that as little as possible is lost if the process is killed.
            Some(lines) => self.output.write_all(lines.as_bytes()).and_then(|()| self.output.flush())?,
            None => self.state.before += 1,
        }
        self.state.requests += u64::from(finished.lines.is_some());
        self.state.records += finished.records;
        self.state.errors += finished.errors;
        (self.report)(self.state);
        Ok(())
    }

    /// Writes the answer with this place, and those that waited for it. Returns the place of the next one.
    fn take(&mut self, place: u64, finished: Finished) -> io::Result<u64> {
        self.waiting.insert(place, finished);
        while let Some(finished) = self.waiting.remove(&self.next) {
            self.write(&finished)?;
            self.next += 1;
        }
        Ok(self.next)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Several workers side by side.
pub struct SideBySide<'a> {
    /// True if answers are written in the order of the requests.
    pub is_ordered: bool,
    /// When it is given, the work ends early.
    pub stop: &'a Stop,
    /// Where the answers go.
    pub output: &'a mut (dyn Write + Send),
    /// Called after each answer.
    pub report: &'a mut (dyn FnMut(BatchState) + Send),
}

impl SideBySide<'_> {
    /// Lets each of `workers` take a request, `answer` it and write the answer, until there are no more. The account goes on from `state`.
    pub fn run<R: Send, W: Send>(
        self,
        requests: impl Iterator<Item = io::Result<R>> + Send,
        workers: Vec<W>,
        answer: &(dyn Fn(&mut W, &R) -> Option<Finished> + Sync),
        state: BatchState,
    ) -> Result<BatchState> {
        let Self { is_ordered, stop, output, report } = self;
        let Some(threads) = NonZeroUsize::new(workers.len()) else { return Ok(state) };
        let turn = Turn::default();
        let ahead = AHEAD * workers.len() as u64;
        let requests = Mutex::new(requests.zip(0..));
        let sink = Sink { output, report, state, waiting: BTreeMap::new(), next: 0 };
        let sink = Mutex::new(sink);
        let work = |mut worker: W| -> Result<()> {
            loop {
                let mut requests = locked(&requests);
                let Some((request, place)) = requests.next().filter(|_| !stop.is_stopped()) else { return Ok(()) };
                if is_ordered {
                    turn.wait(place, ahead, stop);
                }
                drop(requests);
                // A request that is broken off leaves nothing.
                let Some(finished) = answer(&mut worker, &request?) else { return Ok(()) };
                let mut sink = locked(&sink);
                if is_ordered {
                    turn.set(sink.take(place, finished)?);
                } else {
                    sink.write(&finished)?;
                }
            }
        };
        let pool = Pool { name: "judge", threads, stop };
        // Each thread goes on by itself: handing over every answer would cost more than some of them take.
        pool.try_run(workers.into_iter(), || work, |()| anyhow::Ok(ControlFlow::Continue(())))?;
        let state = locked(&sink).state;
        Ok(state)
    }
}

impl JudgeSettings {
    /// So many judges with these settings.
    pub fn judges(&self, count: NonZeroUsize) -> Result<Vec<Judge>> {
        let needed = self.hash.saturating_mul(count.get());
        let has_room = available_memory().is_none_or(|free| needed <= free >> 20);
        let (engines, table) = (counted(count.get(), "engine"), size((self.hash as u64) << 20));
        ensure!(has_room, "not enough memory for {engines} with a table of {table} each");
        let judges = (0..count.get()).map(|_| Judge::new(self.clone()));
        Ok(judges.collect::<Result<Vec<_>, _>>()?)
    }
}

impl BatchPlan {
    /// Answers `requests`, but those that are `done`, and writes the answers to `output`. After each of them `report`
    /// is called. It ends early when `stop` is given.
    ///
    /// # Errors
    /// When there is not enough memory for the judges, or input or output fail.
    pub fn run(
        &self,
        requests: impl Iterator<Item = io::Result<RawRequest>> + Send,
        done: Done,
        output: &mut (dyn Write + Send),
        stop: &Stop,
        report: &mut (dyn FnMut(BatchState) + Send),
    ) -> Result<BatchState> {
        let judges = self.settings.judges(self.judges)?;
        let state = BatchState { errors_before: done.errors, ..BatchState::default() };
        let done = Mutex::new(done);
        let answer = |judge: &mut Judge, request: &RawRequest| self.answer(judge, request, &done, stop);
        SideBySide { is_ordered: self.is_ordered, stop, output, report }.run(requests, judges, &answer, state)
    }

    /// The answer of `judge` to `request`; `None` if `stop` was given before.
    fn answer(&self, judge: &mut Judge, request: &RawRequest, done: &Mutex<Done>, stop: &Stop) -> Option<Finished> {
        let (id, hash, read) = request.read();
        if locked(done).take(&id, &hash) {
            return Some(Finished::default());
        }
        let answer = match read {
            Ok(read) => judge.judge(&read, request.line, stop)?,
            Err(failure) => Answer::failed(failure),
        };
        let errors = answer.records.iter().filter(|record| record.is_err()).count() as u64;
        let records = answer.records.len() as u64 - errors;
        Some(Finished { lines: Some(self.format.text(&answer)), records, errors })
    }
}
