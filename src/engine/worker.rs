//! The search thread.

use super::Event;
use super::job::Job;
use crate::pool::guarded;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::thread::JoinHandle;

/// A thread that does one job after another, until it is dropped.
#[derive(Debug)]
pub(super) struct Worker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub(super) fn start() -> std::io::Result<Self> {
        let (jobs, inbox) = unbounded();
        let thread = std::thread::Builder::new().name("search".to_owned()).spawn(move || run(&inbox))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Hands a job to the thread.
    pub(super) fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs
            && jobs.send(job).is_err()
        {
            log::error!("the search thread is gone");
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Dropping the sender ends the thread after its job, which the owner has stopped.
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the search thread ended in a panic");
        }
    }
}

fn run(jobs: &Receiver<Job>) {
    for job in jobs {
        let (events, fallback) = (job.events.clone(), job.fallback());
        // Sent only after the job has dropped its table: the receiver may need the memory for a new one.
        let last = guarded(|| job.run()).unwrap_or_else(|message| Event::Failed { message, fallback });
        drop(events.send(last));
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Engine;
    use crate::game::Game;
    use crate::rules::Variant;
    use crate::search::Limits;
    use crossbeam_channel::bounded;
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    #[test]
    fn the_table_is_dropped_before_the_answer_is_sent() {
        // On a channel without capacity the sender goes on only after the receiver: it must not hold the table by then.
        let (events, inbox) = bounded(0);
        let mut engine = Engine::new();
        let game = Game::new(Variant::Italian);
        for round in 0..50 {
            let limits = Limits { depth: Some(1), ..Limits::default() };
            engine.start(&game, limits, Instant::now(), &events).unwrap();
            let event = || {
                sleep(Duration::from_millis(1));
                inbox.recv().unwrap()
            };
            while !event().is_last() {}
            assert_eq!(engine.users_of_table(), 1, "search {round}");
        }
    }
}
