//! Runs many tasks on several threads.

use crate::stop::Stop;
use crossbeam_channel::bounded;
use std::any::Any;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// Lowest priority on Linux.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 19;

/// Lowers the priority of the calling thread on Linux, for work that nobody is waiting for.
pub(crate) fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        log::debug!("the priority of the thread cannot be lowered: {error}");
    }
}

/// A pool of worker threads. The threads exist only while tasks run.
#[derive(Clone, Copy, Debug)]
pub struct Pool<'a> {
    /// Prefix of the thread names, which is followed by the number of the thread.
    pub name: &'a str,
    /// Number of threads.
    pub threads: NonZeroUsize,
    /// Signal that stops the pool: no further tasks start once it is set. The pool also sets the signal when it ends
    /// early, so that running tasks can stop too.
    pub stop: &'a Stop,
}

/// An error that makes a pool stop early.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// A thread could not be started.
    #[error(transparent)]
    Thread(io::Error),
    /// A task panicked with this message.
    #[error("aborted by an internal error: {0}")]
    Panic(String),
}

impl Pool<'_> {
    /// Runs all `tasks`, starting them in order. Each thread calls `worker` once, and the function that `worker`
    /// returns processes the tasks of that thread.
    ///
    /// `take` receives the results on the calling thread, in the order in which the tasks finish, until it returns
    /// [`ControlFlow::Break`]. In this case, and also if a task panics or a thread cannot be started, the stop signal
    /// is set. This function returns when all threads have ended.
    pub fn run<T, R: Send, W: FnMut(T) -> R>(
        &self,
        tasks: impl Iterator<Item = T> + Send,
        worker: impl Fn() -> W + Sync,
        mut take: impl FnMut(R) -> ControlFlow<()>,
    ) -> Result<(), PoolError> {
        let tasks = Mutex::new(tasks);
        let next = || {
            let mut tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
            if self.stop.is_stopped() { None } else { tasks.next() }
        };
        let (sender, results) = bounded(self.threads.get());
        let mut failure = None;
        std::thread::scope(|scope| {
            for number in 1..=self.threads.get() {
                let (sender, next, worker) = (sender.clone(), &next, &worker);
                let work = move || {
                    let done = guarded(|| {
                        let mut work = worker();
                        while let Some(task) = next() {
                            if sender.send(Ok(work(task))).is_err() {
                                break;
                            }
                        }
                    });
                    if let Err(message) = done {
                        // Sending fails only if the caller has panicked and dropped the receiver.
                        drop(sender.send(Err(PoolError::Panic(message))));
                    }
                };
                let thread = std::thread::Builder::new().name(format!("{} {number}", self.name));
                if let Err(error) = thread.spawn_scoped(scope, work) {
                    self.stop.stop();
                    failure = Some(PoolError::Thread(error));
                    break;
                }
            }
            drop(sender);
            let mut is_over = failure.is_some();
            for result in results {
                let flow = match result {
                    Ok(result) if !is_over => take(result),
                    Ok(_) => continue,
                    Err(error) => {
                        failure.get_or_insert(error);
                        ControlFlow::Break(())
                    }
                };
                if flow.is_break() {
                    is_over = true;
                    self.stop.stop();
                }
            }
        });
        failure.map_or(Ok(()), Err)
    }

    /// Like [`Pool::run`], but ends at the first error that a task or `take` returns, and returns this error.
    pub fn try_run<T, R: Send, E: From<PoolError> + Send, W: FnMut(T) -> Result<R, E>>(
        &self,
        tasks: impl Iterator<Item = T> + Send,
        worker: impl Fn() -> W + Sync,
        mut take: impl FnMut(R) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let mut failure = None;
        let done = self.run(tasks, worker, |result| {
            result.and_then(&mut take).unwrap_or_else(|error| {
                failure = Some(error);
                ControlFlow::Break(())
            })
        });
        failure.map_or(done.map_err(E::from), Err)
    }

    /// Like [`Pool::run`], but returns the results in the order of the tasks. If the pool is stopped, the results of
    /// tasks that did not run are missing.
    pub fn map<T, R: Send, W: FnMut(T) -> R>(
        &self,
        tasks: impl Iterator<Item = T> + Send,
        worker: impl Fn() -> W + Sync,
    ) -> Result<Vec<R>, PoolError> {
        let mut results = Vec::new();
        let numbered = || {
            let mut work = worker();
            move |(number, task)| (number, work(task))
        };
        let take = |result| {
            results.push(result);
            ControlFlow::Continue(())
        };
        self.run(tasks.enumerate(), numbered, take)?;
        results.sort_by_key(|&(number, _)| number);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }
}

/// Runs `work`. If it panics, returns the panic message as an error.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_message(panic.as_ref()))
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(threads: usize, stop: &Stop) -> Pool<'_> {
        Pool { name: "test", threads: NonZeroUsize::new(threads).unwrap(), stop }
    }

    #[test]
    fn every_task_runs_once_and_one_thread_keeps_the_order() {
        for threads in [1, 3, 50] {
            let mut squares = Vec::new();
            let take = |square| {
                squares.push(square);
                ControlFlow::Continue(())
            };
            pool(threads, &Stop::new()).run(0..40_u32, || |task| task * task, take).unwrap();
            if threads > 1 {
                squares.sort_unstable();
            }
            assert_eq!(squares, (0..40).map(|task| task * task).collect::<Vec<_>>());
        }
    }

    #[test]
    fn each_thread_has_its_own_state_and_name() {
        let worker = || {
            let mut done = 0;
            move |_| {
                done += 1;
                (std::thread::current().name().map(str::to_owned), done)
            }
        };
        let mut seen = Vec::new();
        let take = |result| {
            seen.push(result);
            ControlFlow::Continue(())
        };
        pool(1, &Stop::new()).run(0..3, worker, take).unwrap();
        assert_eq!(seen, [1, 2, 3].map(|done| (Some("test 1".to_owned()), done)));
    }

    #[test]
    fn a_break_ends_the_work_and_sets_the_signal() {
        let stop = Stop::new();
        let mut order = Vec::new();
        let take = |task| {
            order.push(task);
            if task == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        pool(1, &stop).run(0.., || |task: u32| task, take).unwrap();
        assert_eq!(order, [0, 1, 2, 3]);
        assert!(stop.is_stopped());
        let none = pool(2, &stop).run(0.., || |task: u32| task, |_| panic!("no task starts after the signal"));
        assert!(none.is_ok());
    }

    #[test]
    fn a_panic_is_reported_and_ends_the_others() {
        let stop = Stop::new();
        let work = |task: u32| assert!(task != 5, "task {task}");
        let error = pool(2, &stop).run(0.., || work, |()| ControlFlow::Continue(())).unwrap_err();
        assert_eq!(error.to_string(), "aborted by an internal error: task 5");
        assert!(stop.is_stopped());
        let unready = || -> fn(u32) { panic!("not ready") };
        let error = pool(2, &Stop::new()).run(0.., unready, |()| ControlFlow::Continue(())).unwrap_err();
        assert_eq!(error.to_string(), "aborted by an internal error: not ready");
    }

    #[test]
    fn panic_message_is_returned() {
        assert_eq!(guarded(|| panic!("number {}", 7)), Err::<(), _>("number 7".to_owned()));
        assert_eq!(guarded(|| panic!("plain")), Err::<(), _>("plain".to_owned()));
        assert_eq!(guarded(|| 3), Ok(3));
    }
}
