//! The jobs of a conversation: which one runs, what waits for its end, and what is to be printed.

use super::{Flow, Output};
use crate::clock::Moment;
use crossbeam_channel::Sender;
use std::time::Duration;

/// The work that is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    /// A search that ends by itself.
    Search,
    /// A search that ends only when it is told to.
    OpenSearch,
    /// A search that becomes one of the other two when the expected move is played.
    Ponder {
        /// Whether it still ends only when it is told to.
        then_open: bool,
    },
    /// A count or a bench: the commands after it wait for its end.
    Count,
}

/// Why commands wait until the job is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The job is a count, or has been told to stop.
    Order,
    /// The client asked for it: the job is to finish even when the conversation is to end.
    Wait,
}

/// The job that runs, and what is to be printed.
#[derive(Debug)]
pub struct Jobs {
    job: Option<Job>,
    hold: Option<Hold>,
    flow: Flow,
    outputs: Vec<Output>,
}

impl Default for Jobs {
    fn default() -> Self {
        Self { job: None, hold: None, flow: Flow::Continue, outputs: Vec::new() }
    }
}

impl Jobs {
    /// Notes that a job has begun. After a count all commands wait for its end.
    pub fn begin(&mut self, job: Job) {
        self.job = Some(job);
        self.hold = (job == Job::Count).then_some(Hold::Order);
    }

    /// Whether a job runs.
    pub(super) fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    pub(super) fn take_outputs(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.outputs)
    }

    pub(super) fn flow(&self) -> Flow {
        self.flow
    }
}

/// What the commands of a conversation work on: a game, and an engine that does one job at a time in threads of its own.
pub trait Session {
    /// What a job sends. Every job ends with one event that is the last.
    type Event: Send + 'static;

    /// A session at its start position. What its jobs find goes to `events`.
    fn new(events: Sender<Self::Event>) -> Self;

    /// Whether a job ends with `event`.
    fn is_last(event: &Self::Event) -> bool;

    /// The state of its jobs.
    fn jobs(&self) -> &Jobs;

    /// The state of its jobs, to be changed.
    fn jobs_mut(&mut self) -> &mut Jobs;

    /// The present moment by the clock of the session.
    fn now(&self) -> Moment;

    /// Tells the threads that work to end.
    fn stop_work(&mut self);

    /// Tells a search that ponders that the expected move was played at `instant`.
    fn ponder_hit_work(&mut self, _instant: Moment) {}

    /// Has `reply` printed.
    fn say(&mut self, reply: &impl ToString) {
        self.say_after(Duration::ZERO, reply);
    }

    /// Has `reply` printed, no sooner than `pause` after the output before it.
    fn say_after(&mut self, pause: Duration, reply: &impl ToString) {
        self.jobs_mut().outputs.push(Output { text: reply.to_string(), pause });
    }

    /// The job that runs.
    fn job(&self) -> Option<Job> {
        self.jobs().job
    }

    /// Why commands wait until the job is over, if they do.
    fn hold(&self) -> Option<Hold> {
        self.jobs().hold
    }

    /// Ends the job; commands that are read before its answer is printed wait for that answer.
    fn stop(&mut self) {
        if self.job().is_some() {
            self.stop_work();
            let hold = self.hold().or(Some(Hold::Order));
            self.jobs_mut().hold = hold;
        }
    }

    /// Ends a search that would not end by itself.
    fn give_up(&mut self) {
        if matches!(self.job(), Some(Job::OpenSearch | Job::Ponder { .. })) {
            self.stop();
        }
    }

    /// Lets commands wait until the job is over.
    fn wait(&mut self) {
        if self.job().is_some() {
            self.jobs_mut().hold = Some(Hold::Wait);
        }
    }

    /// The expected move was played at `instant`. Returns false when no search is pondering.
    fn ponder_hit(&mut self, instant: Moment) -> bool {
        let Some(Job::Ponder { then_open }) = self.job() else { return false };
        self.ponder_hit_work(instant);
        self.jobs_mut().job = Some(if then_open { Job::OpenSearch } else { Job::Search });
        true
    }

    /// Ends the conversation and whatever runs.
    fn quit(&mut self) {
        self.stop_work();
        self.jobs_mut().flow = Flow::Quit;
    }

    /// Ends the conversation; a search that would end by itself is given the time to do so.
    fn quit_when_done(&mut self) {
        self.give_up();
        self.jobs_mut().flow = Flow::Quit;
    }

    /// Notes that the job has sent its last event.
    fn end_job(&mut self) {
        let jobs = self.jobs_mut();
        (jobs.job, jobs.hold) = (None, None);
    }
}
