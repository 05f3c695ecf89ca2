//! The jobs of a conversation: which one runs, the commands that wait for its end, and the outputs.

use super::{Flow, Output};
use crate::clock::Moment;
use crossbeam_channel::Sender;
use std::collections::VecDeque;
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
        /// True if it still ends only when it is told to.
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

/// The job that runs, and the outputs.
#[derive(Debug, Default)]
pub struct Jobs {
    job: Option<Job>,
    hold: Option<Hold>,
    pub(super) flow: Flow,
    pub(super) outputs: Vec<Output>,
}

impl Jobs {
    /// Notes that a job has begun. After a count all commands wait for its end.
    pub fn begin(&mut self, job: Job) {
        self.job = Some(job);
        self.hold = (job == Job::Count).then_some(Hold::Order);
    }
}

/// The engine of a conversation with its game. It does one job at a time, in threads of its own.
pub trait Session {
    /// A result of a job. Every job ends with one event that is the last.
    type Event: Send + 'static;

    /// A session at its start position. The results of its jobs go to `events`.
    fn new(events: Sender<Self::Event>) -> Self;

    /// Returns whether a job ends with `event`.
    fn is_last(event: &Self::Event) -> bool;

    /// The state of its jobs.
    fn jobs(&self) -> &Jobs;

    /// The state of its jobs, to be changed.
    fn jobs_mut(&mut self) -> &mut Jobs;

    /// The moment that the clock of the session shows.
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

/// The effect of a command on the jobs that the commands before it begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing; it has to be obeyed in order.
    Plain,
    /// Nothing, and its answer depends on no other command: it does not wait.
    Aside,
    /// It begins a job, unless it is refused. A running job that would not end by itself is stopped first.
    Begin,
    /// A job that would not end by itself is stopped for it.
    GiveUp,
    /// It ends the last of them.
    Stop,
    /// It tells the last of them that the expected move was played.
    PonderHit,
    /// It lets them finish, even before the end of the conversation.
    Wait,
    /// It ends the conversation, and all of them that no [`Role::Wait`] lets finish. Nothing comes after it.
    Quit,
}

/// Commands that wait for the end of a job, in the order in which they are to be obeyed.
///
/// Commands are obeyed in order, but their effect on the job that runs cannot always wait: a job that only a stop ends would
/// never end if the stop waited for it. So the queue also knows which commands are about that job: those with no command
/// before them that begins another.
pub(super) struct Queue<C> {
    commands: VecDeque<(Role, C)>,
    /// Commands that begin a job.
    begins: usize,
    /// Commands that let jobs finish.
    waits: usize,
}

impl<C> Queue<C> {
    pub(super) fn new() -> Self {
        Self { commands: VecDeque::new(), begins: 0, waits: 0 }
    }

    /// Adds a command at the end of the queue. Returns whether it is about the job that runs.
    pub(super) fn push(&mut self, role: Role, command: C) -> bool {
        let is_about_job = self.begins == 0;
        self.count(role);
        self.commands.push_back((role, command));
        is_about_job
    }

    /// Adds a command at the front of the queue.
    pub(super) fn put_back(&mut self, role: Role, command: C) {
        self.count(role);
        self.commands.push_front((role, command));
    }

    fn count(&mut self, role: Role) {
        self.begins += usize::from(role == Role::Begin);
        self.waits += usize::from(role == Role::Wait);
    }

    /// Takes the first command.
    pub(super) fn pop(&mut self) -> Option<(Role, C)> {
        let (role, command) = self.commands.pop_front()?;
        self.begins -= usize::from(role == Role::Begin);
        self.waits -= usize::from(role == Role::Wait);
        Some((role, command))
    }

    /// The commands that are about the job that runs, in order; the last one can be that which begins the next job.
    pub(super) fn about_job(&self) -> impl Iterator<Item = Role> {
        let mut has_next_begun = false;
        self.commands.iter().map(|&(role, _)| role).take_while(move |&role| {
            let is_about_job = !has_next_begun;
            has_next_begun |= role == Role::Begin;
            is_about_job
        })
    }

    /// Returns whether the conversation is to end.
    pub(super) fn has_quit(&self) -> bool {
        self.commands.back().is_some_and(|&(role, _)| role == Role::Quit)
    }

    /// Returns whether a command lets jobs finish.
    pub(super) fn has_wait(&self) -> bool {
        self.waits > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(roles: &[Role]) -> (Queue<usize>, Vec<bool>) {
        let mut queue = Queue::new();
        let about_job = roles.iter().enumerate().map(|(place, &role)| queue.push(role, place)).collect();
        (queue, about_job)
    }

    #[test]
    fn commands_up_to_the_next_job_are_about_the_one_that_runs() {
        let roles = [Role::Plain, Role::Stop, Role::Begin, Role::Stop, Role::Begin, Role::PonderHit];
        let (mut queue, about_job) = queue(&roles);
        assert_eq!(about_job, [true, true, true, false, false, false]);
        assert_eq!(queue.about_job().collect::<Vec<_>>(), roles[..3]);
        assert_eq!([queue.pop(), queue.pop(), queue.pop()], [0, 1, 2].map(|place| Some((roles[place], place))));
        assert_eq!(queue.about_job().collect::<Vec<_>>(), roles[3..5]);
        while queue.pop().is_some() {}
        assert!(queue.push(Role::Stop, 0));
    }

    #[test]
    fn the_end_and_what_holds_it_are_known() {
        let (mut queue, _) = queue(&[Role::Begin, Role::Wait, Role::Begin, Role::Quit]);
        assert!(queue.has_quit() && queue.has_wait());
        assert_eq!((queue.pop(), queue.has_wait()), (Some((Role::Begin, 0)), true));
        assert_eq!((queue.pop(), queue.has_wait()), (Some((Role::Wait, 1)), false));
        assert!(queue.has_quit());
        while queue.pop().is_some() {}
        assert!(!queue.has_quit());
    }
}
