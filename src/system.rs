//! What the system says of itself.

use sysinfo::{MemoryRefreshKind, System};

/// Bytes that the system could hand out now without taking them from others, where it tells.
pub fn available_memory() -> Option<usize> {
    let mut system = System::new().ok()?;
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    // Systems that do not tell say 0.
    usize::try_from(system.available_memory()).ok().filter(|&bytes| bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(any(target_os = "linux", target_os = "macos", windows))]
    #[test]
    fn the_system_tells_how_much_memory_is_free() {
        let bytes = available_memory();
        // What runs this test needs more than a page and has less than the address space of a processor.
        assert!(bytes.is_some_and(|bytes| (1 << 12..1 << 48).contains(&bytes)), "{bytes:?}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn it_tells_what_linux_calls_available_memory() {
        let kib = || -> usize {
            let text = std::fs::read_to_string("/proc/meminfo").unwrap();
            let amount = text.lines().find_map(|line| line.strip_prefix("MemAvailable:")).unwrap();
            amount.trim().trim_end_matches("kB").trim().parse().unwrap()
        };
        // Others take and give back memory meanwhile: a unit or another line of the file would be further off.
        let (before, told, after) = (kib() << 10, available_memory().unwrap(), kib() << 10);
        assert!(told > before.min(after) / 2 && told < before.max(after) * 2, "{before} {told} {after}");
    }
}
