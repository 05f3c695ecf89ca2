//! Which cores of the processor the games of a match are bound to.

use std::io;

/// The cores that this program may use, by their number in the system.
///
/// # Errors
/// When the system does not tell.
#[cfg(target_os = "linux")]
pub(super) fn own() -> io::Result<Vec<usize>> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect())
}

/// Binds the process `id` and all threads that it starts from now on to `cores`.
///
/// # Errors
/// When the system refuses.
#[cfg(target_os = "linux")]
pub(super) fn bind(id: u32, cores: &[usize]) -> io::Result<()> {
    use rustix::thread::{CpuSet, Pid, sched_setaffinity};
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    let id = i32::try_from(id).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(sched_setaffinity(Some(id), &set)?)
}

/// The cores that this program may use: only Linux tells.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub(super) fn own() -> io::Result<Vec<usize>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Binds a process to cores: only for Linux.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub(super) fn bind(_id: u32, _cores: &[usize]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The cores of each of so many `games` at a time, of which each has `threads`.
///
/// # Errors
/// When there are not so many cores, or the system does not tell.
pub fn cores_of_games(games: usize, threads: usize) -> Result<Vec<Vec<usize>>, String> {
    let cores = own().map_err(|error| format!("the cores of this machine are not known: {error}"))?;
    share(&cores, games, threads)
}

fn share(cores: &[usize], games: usize, threads: usize) -> Result<Vec<Vec<usize>>, String> {
    let parts: Vec<_> = cores.chunks_exact(threads.max(1)).take(games).map(<[usize]>::to_vec).collect();
    let needed = games.saturating_mul(threads.max(1));
    (parts.len() == games)
        .then_some(parts)
        .ok_or_else(|| format!("{needed} cores are needed, {} can be used", cores.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_do_not_share_cores() {
        assert_eq!(share(&[0, 2, 3, 7], 2, 2), Ok(vec![vec![0, 2], vec![3, 7]]));
        assert_eq!(share(&[0, 2, 3, 7], 3, 1), Ok(vec![vec![0], vec![2], vec![3]]));
        assert_eq!(share(&[0, 2, 3, 7], 3, 2), Err("6 cores are needed, 4 can be used".to_owned()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_keeps_to_its_cores() {
        let core = own().unwrap()[0];
        let start = || std::process::Command::new("sleep").arg("100").spawn();
        let mut child = crate::arena::process::between_starts(start).unwrap();
        bind(child.id(), &[core]).unwrap();
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
        assert_eq!(list.trim(), core.to_string());
    }
}
