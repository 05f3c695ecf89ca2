//! Measures how long an engine's processes run, and how long they wait for a processor (Linux only).
//!
//! An engine can be late because it searches too long, sleeps, or waits for a processor. Linux counts how long each
//! live thread ran and how long it was ready but had to wait. For threads that have ended, the running time comes from
//! the CPU clock of the process, and the waiting time from the system-wide CPU pressure.

use std::collections::HashMap;
use std::time::Duration;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    threads: HashMap<u32, ThreadUsage>,
    /// Running time of all threads, including threads that have ended.
    ran: Duration,
    /// Time during which any program on the machine waited for a processor, or zero if unknown.
    pressure: Duration,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ThreadUsage {
    ran: Duration,
    waited: Duration,
}

impl Usage {
    /// Returns how long an answer was delayed because threads of the engine waited for a processor. `before` is the
    /// usage at the time of the request, and `time` is how long the answer took.
    pub(super) fn scheduling_delay_since(&self, before: &Self, time: Duration) -> Duration {
        let since = |(number, now): (&u32, &ThreadUsage)| {
            let then = before.threads.get(number).copied().unwrap_or_default();
            (now.ran.saturating_sub(then.ran), now.waited.saturating_sub(then.waited))
        };
        let threads = || self.threads.iter().map(since);
        let (ran, mut waited): (Duration, Duration) =
            threads().fold(Default::default(), |(ran, waited), (more, wait)| (ran + more, waited + wait));
        let mut longest = threads().map(|(ran, _)| ran).max().unwrap_or_default();
        // If threads that have ended did most of the work, the answer waited for these threads.
        let ended = self.ran.saturating_sub(before.ran).saturating_sub(ran);
        if ended > ran {
            waited = waited.max(self.pressure.saturating_sub(before.pressure));
            longest = ended;
        }
        // Threads can wait in parallel, but a thread does not wait while it runs.
        waited.min(time.saturating_sub(longest))
    }
}

#[cfg(target_os = "linux")]
mod system {
    use super::{ThreadUsage, Usage};
    use nix::time::ClockId;
    use nix::unistd::Pid;
    use std::fs::{read_dir, read_to_string};
    use std::path::Path;
    use std::time::Duration;

    fn numbers(folder: &Path) -> impl Iterator<Item = u32> {
        read_dir(folder).into_iter().flatten().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
    }

    pub(in super::super) fn group(leader: u32) -> Vec<u32> {
        let is_member = |process: &u32| {
            let stat = read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            // The name of the process may contain any character. After the name come the state, the parent and the
            // group.
            let group = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(2)?.parse().ok());
            group == Some(leader)
        };
        numbers(Path::new("/proc")).filter(is_member).collect()
    }

    impl Usage {
        pub(in super::super) fn measure(processes: &[u32]) -> Self {
            let mut usage = Self { pressure: pressure().unwrap_or_default(), ..Self::default() };
            for process in processes {
                usage.ran += ran(*process).unwrap_or_default();
                let folder = format!("/proc/{process}/task");
                let threads = numbers(Path::new(&folder));
                usage.threads.extend(threads.filter_map(|thread| Some((thread, of_thread(&folder, thread)?))));
            }
            usage
        }
    }

    fn ran(process: u32) -> Option<Duration> {
        let clock = ClockId::pid_cpu_clock_id(Pid::from_raw(process.try_into().ok()?)).ok()?;
        clock.now().ok().map(Duration::from)
    }

    fn of_thread(folder: &str, thread: u32) -> Option<ThreadUsage> {
        let text = read_to_string(format!("{folder}/{thread}/schedstat")).ok()?;
        let mut times = text.split_whitespace().map_while(|word| word.parse().ok()).map(Duration::from_nanos);
        Some(ThreadUsage { ran: times.next()?, waited: times.next()? })
    }

    /// Returns how long at least one program waited for a processor. The file begins with a line such as
    /// `some avg10=0.00 avg60=0.00 avg300=0.00 total=<microseconds>`.
    fn pressure() -> Option<Duration> {
        let text = read_to_string("/proc/pressure/cpu").ok()?;
        let total = text.lines().next()?.split_once("total=")?.1.parse().ok()?;
        Some(Duration::from_micros(total))
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::Usage;

    /// Returns only the leader, because other systems do not report how long a thread has waited.
    pub(in super::super) fn group(leader: u32) -> Vec<u32> {
        vec![leader]
    }

    impl Usage {
        pub(in super::super) fn measure(_processes: &[u32]) -> Self {
            Self::default()
        }
    }
}

pub(super) use system::group;

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    /// Builds a [`Usage`]. `threads` contains thread IDs with running and waiting times; `ended` is the running time of
    /// threads that have ended. All times are in ms.
    fn usage(threads: &[(u32, u64, u64)], ended: u64, pressure: u64) -> Usage {
        let thread = |&(number, ran, waited): &_| (number, ThreadUsage { ran: ms(ran), waited: ms(waited) });
        let ran = threads.iter().map(|(_, ran, _)| ran).sum::<u64>() + ended;
        Usage { threads: threads.iter().map(thread).collect(), ran: ms(ran), pressure: ms(pressure) }
    }

    #[test]
    fn an_answer_is_delayed_by_waiting_and_not_by_sleep_or_work() {
        let before = usage(&[(1, 100, 50), (2, 7, 3)], 400, 1000);
        let held_up = |threads: &[(u32, u64, u64)], ended, pressure| {
            usage(threads, ended, pressure).scheduling_delay_since(&before, ms(40)).as_millis()
        };
        assert_eq!(held_up(&[(1, 110, 80), (2, 7, 3)], 400, 1040), 30, "it ran for 10 ms and waited for the rest");
        assert_eq!(held_up(&[(1, 140, 50), (2, 7, 3)], 400, 1000), 0, "it ran all the time");
        assert_eq!(held_up(&[(1, 101, 50), (2, 7, 3)], 400, 1040), 0, "it slept while others ran");
        assert_eq!(held_up(&[(1, 110, 60), (2, 17, 3)], 400, 1040), 10, "it slept and waited");
        // First two threads wait in parallel, then only a thread that did not exist before.
        assert_eq!(held_up(&[(1, 120, 70), (2, 27, 23)], 400, 1040), 20);
        assert_eq!(held_up(&[(1, 100, 50), (2, 7, 3), (3, 10, 30)], 400, 1040), 30);
        // The searching thread has ended; it ran for 6 ms.
        assert_eq!(held_up(&[(1, 100, 51), (2, 7, 3)], 406, 1033), 33);
        assert_eq!(held_up(&[(1, 100, 50), (2, 7, 3)], 406, 1039), 34, "not while it ran");
        assert_eq!(held_up(&[(1, 100, 50), (2, 7, 3)], 406, 1000), 0, "no thread had to wait");
        assert_eq!(held_up(&[], 0, 1040), 0);
    }

    #[cfg(target_os = "linux")]
    mod linux {
        use super::super::*;
        use crate::machine::bind;
        use crate::process::between_starts;
        use process_wrap::std::{CommandWrap, ProcessGroup};
        use std::time::{Duration, Instant};

        fn start(script: &str) -> Box<dyn process_wrap::std::ChildWrapper> {
            let mut command = CommandWrap::with_new("sh", |command| {
                command.args(["-c", script]);
            });
            let child = between_starts(|| command.wrap(ProcessGroup::leader()).spawn()).unwrap();
            let set = rustix::thread::sched_getaffinity(None).unwrap();
            let core = (0..rustix::thread::CpuSet::MAX_CPU).find(|&core| set.is_set(core)).unwrap();
            bind(child.id(), &[core]).unwrap();
            child
        }

        fn wait_until(mut condition: impl FnMut() -> bool) -> bool {
            let started = Instant::now();
            while !condition() {
                if started.elapsed() > Duration::from_secs(60) {
                    return false;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            true
        }

        #[test]
        fn processes_sharing_a_core_wait_and_a_sleeping_one_does_not_run() {
            const BUSY: &str = "while :; do :; done";
            // The child of a shell belongs to the process group of the shell.
            let children = [start(&format!("{BUSY} & wait")), start(BUSY), start("exec sleep 1000")];
            let [parent, other, sleeper] = children.each_ref().map(|child| child.id());
            assert!(wait_until(|| group(parent).len() == 2), "{:?}", group(parent));
            let (before, started) = (Usage::measure(&group(parent)), Instant::now());
            let held_up = || Usage::measure(&group(parent)).scheduling_delay_since(&before, started.elapsed());
            assert!(wait_until(|| held_up() > Duration::from_millis(50)));
            assert!(held_up() < started.elapsed(), "it ran, too");
            let (sleeping, busy) = (Usage::measure(&[sleeper]), Usage::measure(&[other]));
            assert!(sleeping.ran < busy.ran && sleeping.threads.len() == 1, "{sleeping:?} {busy:?}");
            for mut child in children {
                child.kill().unwrap();
            }
            assert_eq!(Usage::measure(&[parent]).threads.len(), 0, "the process has exited");
        }
    }
}
