//! Runs a batch with several engines in parallel.

use super::{AnsweredRequests, BatchAnswer, BatchEngine, BatchEngineSettings, BatchFormat, RawRequest};
use anyhow::Result;
use parking_lot::{Condvar, Mutex};
use soffio::pool::Pool;
use soffio::stop::Stop;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

/// Maximum number of finished answers per engine that may wait until an earlier answer has been written.
const MAX_WAITING_ANSWERS: u64 = 64;

#[derive(Clone, Debug)]
pub struct BatchPlan {
    pub settings: BatchEngineSettings,
    pub engines: NonZeroUsize,
    /// Whether to write answers in the order of the requests.
    pub is_ordered: bool,
    pub format: BatchFormat,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchState {
    pub requests: u64,
    /// Number of requests that were answered in an earlier run.
    pub before: u64,
    pub records: u64,
    /// Number of errors, including those in records from an earlier run.
    pub errors: u64,
}

#[derive(Debug, Default)]
pub struct FinishedAnswer {
    /// The lines to write, or `None` if the request was answered in an earlier run.
    pub lines: Option<String>,
    /// Number of records other than error records.
    pub records: u64,
    pub errors: u64,
}

struct AnswerSink<'a> {
    output: &'a mut (dyn Write + Send),
    report: &'a mut (dyn FnMut(BatchState) + Send),
    state: BatchState,
    waiting: BTreeMap<u64, FinishedAnswer>,
    next: u64,
}

impl AnswerSink<'_> {
    fn write(&mut self, finished: &FinishedAnswer) -> io::Result<()> {
        match &finished.lines {
            // Write immediately, so that as little as possible is lost if the process is killed.
            Some(lines) => self.output.write_all(lines.as_bytes()).and_then(|()| self.output.flush())?,
            None => self.state.before += 1,
        }
        self.state.requests += u64::from(finished.lines.is_some());
        self.state.records += finished.records;
        self.state.errors += finished.errors;
        (self.report)(self.state);
        Ok(())
    }

    /// Stores the answer. Writes all answers whose predecessors have been written.
    fn take(&mut self, place: u64, finished: FinishedAnswer) -> io::Result<()> {
        self.waiting.insert(place, finished);
        while let Some(finished) = self.waiting.remove(&self.next) {
            self.write(&finished)?;
            self.next += 1;
        }
        Ok(())
    }
}

pub struct ParallelRun<'a> {
    pub is_ordered: bool,
    pub stop: &'a Stop,
    pub output: &'a mut (dyn Write + Send),
    pub report: &'a mut (dyn FnMut(BatchState) + Send),
}

impl ParallelRun<'_> {
    /// Runs all workers in parallel until no requests are left or an error occurs. Each worker takes a request, calls
    /// `answer` and writes the answer. If `answer` returns `None`, the worker ends. The counts continue from `state`.
    pub fn run<R: Send, W: Send>(
        self,
        requests: impl Iterator<Item = io::Result<R>> + Send,
        workers: Vec<W>,
        answer: &(dyn Fn(&mut W, &R) -> Result<Option<FinishedAnswer>> + Sync),
        state: BatchState,
    ) -> Result<BatchState> {
        let Self { is_ordered, stop, output, report } = self;
        let Some(threads) = NonZeroUsize::new(workers.len()) else { return Ok(state) };
        let ahead = MAX_WAITING_ANSWERS * workers.len() as u64;
        let requests = Mutex::new(requests.zip(0..));
        let sink = Mutex::new(AnswerSink { output, report, state, waiting: BTreeMap::new(), next: 0 });
        let written = Condvar::new();
        let work = |mut worker: W| -> Result<()> {
            loop {
                let mut requests = requests.lock();
                let Some((request, place)) = requests.next().filter(|_| !stop.is_stopped()) else { return Ok(()) };
                if is_ordered {
                    let mut sink = sink.lock();
                    while place > sink.next + ahead && !stop.is_stopped() {
                        // Use a timeout, because the stop signal does not wake this thread.
                        written.wait_for(&mut sink, Duration::from_millis(100));
                    }
                }
                drop(requests);
                // An interrupted request produces no output.
                let Some(finished) = answer(&mut worker, &request?)? else { return Ok(()) };
                let mut sink = sink.lock();
                if is_ordered {
                    sink.take(place, finished)?;
                    written.notify_all();
                } else {
                    sink.write(&finished)?;
                }
            }
        };
        let pool = Pool { name: "batch", threads, stop };
        // Each thread runs its own loop, because passing an answer to another thread would take longer than computing
        // some answers.
        pool.try_run(workers.into_iter(), || work, |()| anyhow::Ok(ControlFlow::Continue(())))?;
        let state = sink.lock().state;
        Ok(state)
    }
}

impl BatchPlan {
    /// Answers the requests that are not in `done`, and writes the answers to `output`. Calls `report` after each
    /// answer. Returns early when `stop` is set.
    pub fn run(
        &self,
        requests: impl Iterator<Item = io::Result<RawRequest>> + Send,
        done: AnsweredRequests,
        output: &mut (dyn Write + Send),
        stop: &Stop,
        report: &mut (dyn FnMut(BatchState) + Send),
    ) -> Result<BatchState> {
        let engines = self.settings.engines(self.engines)?;
        let done = Mutex::new(done);
        let answer = |engine: &mut BatchEngine, request: &RawRequest| self.answer(engine, request, &done, stop);
        ParallelRun { is_ordered: self.is_ordered, stop, output, report }.run(
            requests,
            engines,
            &answer,
            BatchState::default(),
        )
    }

    fn answer(
        &self,
        engine: &mut BatchEngine,
        request: &RawRequest,
        done: &Mutex<AnsweredRequests>,
        stop: &Stop,
    ) -> Result<Option<FinishedAnswer>> {
        let (id, hash, read) = request.read();
        if let Ok(read) = &read
            && let Some(answer) = done.lock().take(&id, &hash, || self.settings.answer_settings(read))?
        {
            return Ok(Some(FinishedAnswer { errors: answer.errors, ..FinishedAnswer::default() }));
        }
        let mut answer = match read {
            Ok(read) => match engine.answer_request(&read, request.line, stop) {
                Some(answer) => answer,
                None => return Ok(None),
            },
            Err(failure) => BatchAnswer::failed(failure),
        };
        if let [Err(failure)] = answer.records.as_slice()
            && done.lock().failures(&id, &hash).contains(&failure.error)
        {
            // The file already contains this error.
            return Ok(Some(FinishedAnswer { errors: 1, ..FinishedAnswer::default() }));
        }
        // Copy the text of the file, not the normalised record.
        if let (Some(unread), Some(source)) = (&mut answer.unread, request.source()) {
            source.clone_into(unread);
        }
        let errors = answer.records.iter().filter(|record| record.is_err()).count() as u64;
        let records = answer.records.len() as u64 - errors;
        Ok(Some(FinishedAnswer { lines: Some(self.format.text(&answer)), records, errors }))
    }
}
