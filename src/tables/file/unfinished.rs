//! Unfinished files, which are locked while they are written.

use crate::rules::Variant;
use crate::tables::Material;
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

/// The extension of unfinished files.
pub(in crate::tables) const UNFINISHED: &str = "part";

/// Age at which an unfinished file is considered abandoned if files cannot be locked.
const STALE_AFTER: Duration = Duration::from_secs(3600);

/// Creates a file and locks it. The lock marks the file as unfinished. It is released when the file is closed, which
/// also happens when the process is killed.
pub(super) fn create_locked(path: &Path) -> io::Result<File> {
    loop {
        let file = File::create(path)?;
        // Some file systems do not support locks. If `remove_unfinished` removed the file before it was locked, try
        // again.
        if file.try_lock().is_err() || path.exists() {
            return Ok(file);
        }
    }
}

/// Removes unfinished table files from `folder` that were left behind by killed processes.
pub fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_name().and_then(OsStr::to_str).is_some_and(is_unfinished) && is_left_behind(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Returns whether `name` is the name of an unfinished table file, such as `english-1m1k-0m1k.4db711eaba2c4b9a.part`.
fn is_unfinished(name: &str) -> bool {
    let mut parts = name.split('.');
    let slice = parts.next().and_then(|table| {
        let (variant, material) = table.match_indices('-').nth_back(1).map(|(at, _)| table.split_at(at))?;
        Variant::called(variant)?;
        material.get(1..)?.parse::<Material>().ok()
    });
    let is_random = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let has_random = parts.next().is_some_and(is_random);
    let end = [parts.next(), parts.next(), parts.next()];
    slice.is_some()
        && has_random
        && [[Some(UNFINISHED), None, None], [Some("wld"), Some(UNFINISHED), None]].contains(&end)
}

fn is_left_behind(path: &Path) -> bool {
    // Opening a pipe would wait for another process.
    let Some(file) = path.is_file().then(|| File::options().write(true).open(path)).and_then(Result::ok) else {
        return false;
    };
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => {
            let age = || file.metadata()?.modified()?.elapsed().map_err(io::Error::other);
            age().is_ok_and(|age| age >= STALE_AFTER)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::tempdir;

    #[test]
    fn unfinished_files_of_dead_processes_are_removed() {
        let place = tempdir().unwrap();
        let names =
            ["english-0m1k-0m1k.17.part", "english-0m1k-0m1k.18.part", "letter.part", "english-0m1k-0m1k.table"];
        let [left, written, other, whole] = names.map(|name| place.path().join(name));
        for path in [&left, &other, &whole] {
            fs::write(path, "x").unwrap();
        }
        let writer = File::create(&written).unwrap();
        writer.try_lock().unwrap();
        remove_unfinished(place.path()).unwrap();
        assert_eq!([&left, &written, &other, &whole].map(|path| path.exists()), [false, true, true, true]);
        drop(writer);
        remove_unfinished(place.path()).unwrap();
        assert!(!written.exists());
    }
}
