//! The engine that goes into a file with the board: the script of the package for browsers.

use super::output_file::about;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the script, which stands beside the program or where packages have what programs share.
const NAME: &str = "soffio-single.js";

/// The places where the script is looked for.
fn places() -> Vec<PathBuf> {
    let program = std::env::current_exe().and_then(fs::canonicalize).ok();
    let folder = program.as_deref().and_then(Path::parent);
    let from = |path: &str| folder.map(|folder| folder.join(path).join(NAME));
    [from("."), from("../share/soffio"), from("../../share/soffio")].into_iter().flatten().collect()
}

/// Whether there is a script beside the program.
pub(super) fn has_board_worker() -> bool {
    places().iter().any(|path| path.exists())
}

/// The script in the file `path`, or the one beside the program.
///
/// # Errors
/// When there is none, or it cannot be read.
pub(super) fn board_worker(path: Option<&Path>) -> io::Result<String> {
    let found = path.map(Path::to_owned).or_else(|| places().into_iter().find(|path| path.exists()));
    let Some(path) = found else {
        let text = format!("there is no {NAME} beside the program; --worker names one");
        return Err(io::Error::new(io::ErrorKind::NotFound, text));
    };
    fs::read_to_string(&path).map_err(|error| about(&path, &error))
}
