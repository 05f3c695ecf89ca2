//! The resources that this process uses.

/// Returns the number of bytes of memory in use and the number of threads.
#[cfg(unix)]
pub fn usage() -> (u64, usize) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0)
    };
    (field("VmRSS:") << 10, field("Threads:") as usize)
}

#[cfg(windows)]
pub fn usage() -> (u64, usize) {
    use windows::Win32::Foundation::CloseHandle;
    use windows::Win32::System::Diagnostics::ToolHelp::{
        CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
    };
    use windows::Win32::System::ProcessStatus::{GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
    use windows::Win32::System::Threading::{GetCurrentProcess, GetCurrentProcessId};
    let mut memory = PROCESS_MEMORY_COUNTERS::default();
    let mut entry = THREADENTRY32 { dwSize: size_of::<THREADENTRY32>() as u32, ..Default::default() };
    let mut threads = 0;
    // SAFETY: the structures have the sizes that they declare, and the snapshot is closed once.
    unsafe {
        let size = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
        let _ = GetProcessMemoryInfo(GetCurrentProcess(), &mut memory, size);
        if let Ok(snapshot) = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) {
            let mut more = Thread32First(snapshot, &mut entry).is_ok();
            while more {
                threads += usize::from(entry.th32OwnerProcessID == GetCurrentProcessId());
                more = Thread32Next(snapshot, &mut entry).is_ok();
            }
            let _ = CloseHandle(snapshot);
        }
    }
    // The committed memory of the process, some of which may be paged out.
    (memory.PagefileUsage as u64, threads)
}
