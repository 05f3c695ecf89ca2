//! Commands that wait for the end of a job.

use std::collections::VecDeque;

/// What a command does to the jobs that the commands before it begin.
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
        self.begins += usize::from(role == Role::Begin);
        self.waits += usize::from(role == Role::Wait);
        self.commands.push_back((role, command));
        is_about_job
    }

    /// Takes the first command.
    pub(super) fn pop(&mut self) -> Option<C> {
        let (role, command) = self.commands.pop_front()?;
        self.begins -= usize::from(role == Role::Begin);
        self.waits -= usize::from(role == Role::Wait);
        Some(command)
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

    /// Whether the conversation is to end.
    pub(super) fn has_quit(&self) -> bool {
        self.commands.back().is_some_and(|&(role, _)| role == Role::Quit)
    }

    /// Whether a command lets jobs finish.
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
        assert_eq!([queue.pop(), queue.pop(), queue.pop()], [Some(0), Some(1), Some(2)]);
        assert_eq!(queue.about_job().collect::<Vec<_>>(), roles[3..5]);
        while queue.pop().is_some() {}
        assert!(queue.push(Role::Stop, 0));
    }

    #[test]
    fn the_end_and_what_holds_it_are_known() {
        let (mut queue, _) = queue(&[Role::Begin, Role::Wait, Role::Begin, Role::Quit]);
        assert!(queue.has_quit() && queue.has_wait());
        assert_eq!((queue.pop(), queue.has_wait()), (Some(0), true));
        assert_eq!((queue.pop(), queue.has_wait()), (Some(1), false));
        assert!(queue.has_quit());
        while queue.pop().is_some() {}
        assert!(!queue.has_quit());
    }
}
