//! The job-related state of a session: the running job, the commands waiting for it to end, and the pending output.

use super::{Flow, Output};
use crate::clock::Moment;
use crossbeam_channel::Sender;
use std::collections::VecDeque;
use std::time::Duration;

/// The kind of the running job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    /// A search that ends on its own.
    Search,
    /// A search that runs until it is stopped.
    OpenSearch,
    /// A search that becomes one of the other kinds of search after `ponderhit`.
    Ponder {
        /// Whether the search, after `ponderhit`, runs until it is stopped.
        then_open: bool,
    },
    /// A perft or a bench. All later commands wait for its end.
    Count,
}

/// Why commands wait for the end of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The job is a perft or a bench, or it has been stopped.
    Busy,
    /// The client has sent `wait`. The job must be finished even if the session is about to end.
    Wait,
}

/// The running job and the pending output of a session.
#[derive(Debug, Default)]
pub struct Jobs {
    job: Option<Job>,
    hold: Option<Hold>,
    pub(super) flow: Flow,
    pub(super) outputs: Vec<Output>,
}

impl Jobs {
    /// Records that a job has started.
    pub fn begin(&mut self, job: Job) {
        self.job = Some(job);
        self.hold = (job == Job::Count).then_some(Hold::Busy);
    }
}

/// The state of a session, independent of the protocol. It runs one job at a time in its own threads.
pub trait Session {
    /// An event from a job. [`Session::is_last`] recognises the last event.
    type Event: Send + 'static;

    /// Creates a session at the start position. Events from its jobs are sent to `events`.
    fn new(events: Sender<Self::Event>) -> Self;

    /// Returns whether `event` is the last event of its job.
    fn is_last(event: &Self::Event) -> bool;

    /// Returns the job state.
    fn jobs(&self) -> &Jobs;

    /// Returns a mutable reference to the job state.
    fn jobs_mut(&mut self) -> &mut Jobs;

    /// Returns the current time on the session's clock.
    fn now(&self) -> Moment;

    /// Signals the worker threads to stop.
    fn stop_work(&mut self);

    /// Informs a pondering search that the expected move was played at `instant`.
    fn ponder_hit_work(&mut self, _instant: Moment) {}

    /// Queues `reply` for output.
    fn send(&mut self, reply: &impl ToString) {
        self.send_after(Duration::ZERO, reply);
    }

    /// Queues `reply` for output no sooner than `pause` after the previous output.
    fn send_after(&mut self, pause: Duration, reply: &impl ToString) {
        self.jobs_mut().outputs.push(Output { text: reply.to_string(), pause });
    }

    /// Returns the running job, or `None` if no job is running.
    fn job(&self) -> Option<Job> {
        self.jobs().job
    }

    /// Returns why commands wait for the end of the job, or `None` if they do not have to wait.
    fn hold(&self) -> Option<Hold> {
        self.jobs().hold
    }

    /// Stops the running job. Commands that arrive before the job has reported its answer wait for this answer.
    fn stop(&mut self) {
        if self.job().is_some() {
            self.stop_work();
            let hold = self.hold().or(Some(Hold::Busy));
            self.jobs_mut().hold = hold;
        }
    }

    /// Stops the running job if it is an open-ended search.
    fn stop_if_open_ended(&mut self) {
        if matches!(self.job(), Some(Job::OpenSearch | Job::Ponder { .. })) {
            self.stop();
        }
    }

    /// Makes further commands wait for the end of the job.
    fn wait(&mut self) {
        if self.job().is_some() {
            self.jobs_mut().hold = Some(Hold::Wait);
        }
    }

    /// Handles a ponder hit at `instant`. Returns false if no search is pondering.
    fn ponder_hit(&mut self, instant: Moment) -> bool {
        let Some(Job::Ponder { then_open }) = self.job() else { return false };
        self.ponder_hit_work(instant);
        self.jobs_mut().job = Some(if then_open { Job::OpenSearch } else { Job::Search });
        true
    }

    /// Ends the session and its running job.
    fn quit(&mut self) {
        self.stop_work();
        self.jobs_mut().flow = Flow::Quit;
    }

    /// Ends the session. If the running job ends on its own, it is finished first.
    fn quit_when_done(&mut self) {
        self.stop_if_open_ended();
        self.jobs_mut().flow = Flow::Quit;
    }

    /// Records that the job has sent its last event.
    fn end_job(&mut self) {
        let jobs = self.jobs_mut();
        (jobs.job, jobs.hold) = (None, None);
    }
}

/// The effect of a command on the jobs started by earlier commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobEffect {
    /// The command has no effect on jobs. It is executed after the commands before it.
    InOrder,
    /// The command has no effect on jobs and is independent of other commands. It is executed immediately.
    Immediate,
    /// The command stops any open-ended search. It then starts a job, unless the command is rejected.
    StartJob,
    /// The command stops an open-ended search.
    StopOpenEnded,
    /// The command stops the last job. If an earlier command already stops it, the command stops the running count.
    Stop,
    /// The command informs the last job that the expected move was played.
    PonderHit,
    /// The command allows jobs to finish, even if the session is about to end.
    Wait,
    /// The command ends the session and all jobs, except jobs that a [`JobEffect::Wait`] allows to finish. No command
    /// follows it.
    Quit,
}

/// The commands waiting for a job to end. Commands affect the running job up to and including the first command that
/// starts another job. Some of them must take effect immediately: an open-ended job would never end if `stop` waited
/// for it.
pub(super) struct Queue<C> {
    commands: VecDeque<(JobEffect, C)>,
    begins: usize,
    waits: usize,
}

impl<C> Queue<C> {
    pub(super) fn new() -> Self {
        Self { commands: VecDeque::new(), begins: 0, waits: 0 }
    }

    pub(super) fn push(&mut self, effect: JobEffect, command: C) -> bool {
        let is_about_job = self.begins == 0;
        self.count(effect);
        self.commands.push_back((effect, command));
        is_about_job
    }

    /// Returns whether a command of this queue already stops the last job.
    pub(super) fn stops_last(&self) -> bool {
        let mut of_last =
            self.commands.iter().rev().map(|&(effect, _)| effect).take_while(|&effect| effect != JobEffect::StartJob);
        of_last.any(|effect| effect == JobEffect::Stop)
    }

    pub(super) fn put_back(&mut self, effect: JobEffect, command: C) {
        self.count(effect);
        self.commands.push_front((effect, command));
    }

    fn count(&mut self, effect: JobEffect) {
        self.begins += usize::from(effect == JobEffect::StartJob);
        self.waits += usize::from(effect == JobEffect::Wait);
    }

    pub(super) fn pop(&mut self) -> Option<(JobEffect, C)> {
        let (effect, command) = self.commands.pop_front()?;
        self.begins -= usize::from(effect == JobEffect::StartJob);
        self.waits -= usize::from(effect == JobEffect::Wait);
        Some((effect, command))
    }

    pub(super) fn about_job(&self) -> impl Iterator<Item = JobEffect> {
        let mut has_next_begun = false;
        self.commands.iter().map(|&(effect, _)| effect).take_while(move |&effect| {
            let is_about_job = !has_next_begun;
            has_next_begun |= effect == JobEffect::StartJob;
            is_about_job
        })
    }

    pub(super) fn has_quit(&self) -> bool {
        self.commands.back().is_some_and(|&(effect, _)| effect == JobEffect::Quit)
    }

    pub(super) fn has_wait(&self) -> bool {
        self.waits > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(effects: &[JobEffect]) -> (Queue<usize>, Vec<bool>) {
        let mut queue = Queue::new();
        let about_job = effects.iter().enumerate().map(|(place, &effect)| queue.push(effect, place)).collect();
        (queue, about_job)
    }

    #[test]
    fn commands_up_to_the_next_job_apply_to_the_running_job() {
        let effects = [
            JobEffect::InOrder,
            JobEffect::Stop,
            JobEffect::StartJob,
            JobEffect::Stop,
            JobEffect::StartJob,
            JobEffect::PonderHit,
        ];
        let (mut queue, about_job) = queue(&effects);
        assert_eq!(about_job, [true, true, true, false, false, false]);
        assert_eq!(queue.about_job().collect::<Vec<_>>(), effects[..3]);
        assert_eq!([queue.pop(), queue.pop(), queue.pop()], [0, 1, 2].map(|place| Some((effects[place], place))));
        assert_eq!(queue.about_job().collect::<Vec<_>>(), effects[3..5]);
        while queue.pop().is_some() {}
        assert!(queue.push(JobEffect::Stop, 0));
    }

    #[test]
    fn a_stop_applies_to_the_last_job() {
        let stops_last = |effects: &[JobEffect]| queue(effects).0.stops_last();
        assert!(!stops_last(&[JobEffect::Stop, JobEffect::StartJob]));
        assert!(stops_last(&[JobEffect::StartJob, JobEffect::Stop, JobEffect::InOrder]));
    }

    #[test]
    fn the_end_waits_for_the_jobs_that_delay_it() {
        let (mut queue, _) = queue(&[JobEffect::StartJob, JobEffect::Wait, JobEffect::StartJob, JobEffect::Quit]);
        assert!(queue.has_quit() && queue.has_wait());
        assert_eq!((queue.pop(), queue.has_wait()), (Some((JobEffect::StartJob, 0)), true));
        assert_eq!((queue.pop(), queue.has_wait()), (Some((JobEffect::Wait, 1)), false));
        assert!(queue.has_quit());
        while queue.pop().is_some() {}
        assert!(!queue.has_quit());
    }
}
