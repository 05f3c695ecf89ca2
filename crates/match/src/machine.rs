//! Assigns the machine's cores to the games of a match, and measures scheduling delays.

use super::Stop;
use anyhow::{Result, anyhow, ensure};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
fn own_cores() -> io::Result<Vec<usize>> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect())
}

/// Pins the process `id` to `cores`, together with all threads that it starts later.
#[cfg(target_os = "linux")]
pub(super) fn bind(id: u32, cores: &[usize]) -> io::Result<()> {
    use rustix::thread::{CpuSet, Pid, sched_setaffinity};
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    let id = i32::try_from(id).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(sched_setaffinity(Some(id), &set)?)
}

#[cfg(not(target_os = "linux"))]
fn own_cores() -> io::Result<Vec<usize>> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn bind(_id: u32, _cores: &[usize]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns `threads` cores for each of `games` concurrent games. Fails if the machine has too few cores, or if the
/// system is not Linux.
pub fn cores_of_games(games: usize, threads: usize) -> Result<Vec<Vec<usize>>> {
    let cores = own_cores().map_err(|error| anyhow!("cannot determine the cores of this machine: {error}"))?;
    share(&cores, games, threads)
}

fn share(cores: &[usize], games: usize, threads: usize) -> Result<Vec<Vec<usize>>> {
    let parts: Vec<_> = cores.chunks_exact(threads.max(1)).take(games).map(<[usize]>::to_vec).collect();
    let needed = games.saturating_mul(threads.max(1));
    ensure!(parts.len() == games, "{needed} cores needed, {} available: reduce --concurrency", cores.len());
    Ok(parts)
}

const SLEEP: Duration = Duration::from_millis(2);

/// Delays up to this length are normal even on a machine that is not fully loaded.
const NORMAL_DELAY: Duration = Duration::from_millis(3);

const MAX_RECORDED: usize = 1000;

/// Records unusual scheduling delays of a thread that only sleeps. If this thread was delayed, the engines probably
/// were too.
#[derive(Debug, Default)]
pub(super) struct SchedulingDelays(Mutex<VecDeque<(Instant, Duration)>>);

impl SchedulingDelays {
    pub(super) fn watch(&self, stop: &Stop) {
        let mut began = Instant::now();
        while !stop.is_stopped() {
            std::thread::sleep(SLEEP);
            let now = Instant::now();
            self.note(now, now.saturating_duration_since(began).saturating_sub(SLEEP));
            began = now;
        }
    }

    fn note(&self, end: Instant, delay: Duration) {
        if delay <= NORMAL_DELAY {
            return;
        }
        let mut late = self.0.lock();
        if late.len() == MAX_RECORDED {
            late.pop_front();
        }
        late.push_back((end, delay));
    }

    /// Returns the longest recorded delay that ended after `since`, or `None` if there was no such delay.
    pub(super) fn longest_since(&self, since: Instant) -> Option<Duration> {
        let late = self.0.lock();
        late.iter().rev().take_while(|(end, _)| *end >= since).map(|&(_, delay)| delay).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_do_not_share_cores() {
        assert_eq!(share(&[0, 2, 3, 7], 2, 2).unwrap(), [[0, 2], [3, 7]]);
        assert_eq!(share(&[0, 2, 3, 7], 3, 1).unwrap(), [[0], [2], [3]]);
        let error = share(&[0, 2, 3, 7], 3, 2).unwrap_err().to_string();
        assert_eq!(error, "6 cores needed, 4 available: reduce --concurrency");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_keeps_to_its_cores() {
        let core = own_cores().unwrap()[0];
        let start = || std::process::Command::new("sleep").arg("100").spawn();
        let mut child = crate::process::between_starts(start).unwrap();
        bind(child.id(), &[core]).unwrap();
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
        assert_eq!(list.trim(), core.to_string());
    }

    #[test]
    fn the_longest_delay_of_a_time_is_found() {
        let (delays, start) = (SchedulingDelays::default(), Instant::now());
        let after = |ms| start + Duration::from_millis(ms);
        for (end, delay) in [(10, 50), (20, 2), (30, 9), (40, 7)] {
            delays.note(after(end), Duration::from_millis(delay));
        }
        let longest = |ms| delays.longest_since(after(ms)).map(|delay| delay.as_millis());
        assert_eq!([0, 10, 11, 31, 41].map(longest), [Some(50), Some(50), Some(9), Some(7), None]);
        (0..2 * MAX_RECORDED as u64).for_each(|ms| delays.note(after(100 + ms), Duration::from_millis(5)));
        assert_eq!(delays.0.lock().len(), MAX_RECORDED, "a long match needs no more memory");
        assert_eq!(longest(0), Some(5));
        let stop = Stop::new();
        stop.stop();
        SchedulingDelays::default().watch(&stop);
    }
}
