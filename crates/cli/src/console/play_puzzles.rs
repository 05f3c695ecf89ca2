//! `soffio play --puzzles`: from a file of puzzles to a dialogue about them.

use super::puzzles_command::add_file;
use crate::of_file::OfFile;
use crate::puzzles::{Collection, Trainer};
use crate::stdio::next_input;
use anyhow::{Result, ensure};
use soffio::session::Input;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Has the puzzles of the file at `path` solved on standard input. The score is kept beside it, in a file whose name ends in `.score`, so
/// that the next time goes on from there. Fails when there are no puzzles, or a file cannot be read or written.
pub(super) fn play_puzzles(path: &Path) -> Result<()> {
    let mut collection = Collection::default();
    add_file(&mut collection, path)?;
    ensure!(!collection.puzzles.is_empty(), "{}: there are no puzzles", path.display());
    let score = path.with_added_extension("score");
    let known = match fs::read_to_string(&score) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read.of_file(&score)?,
    };
    // A last line that was cut off is an attempt that was not kept.
    let attempts = known.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut trainer = Trainer::new(collection.puzzles, attempts);
    let mut kept = OpenOptions::new().create(true).append(true).open(&score).of_file(&score)?;
    if !known.is_empty() && !known.ends_with('\n') {
        writeln!(kept).of_file(&score)?;
    }
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    loop {
        output.write_all(trainer.output().as_bytes())?;
        output.flush()?;
        if trainer.is_over {
            return Ok(());
        }
        match next_input(&mut input)? {
            Input::Line(line) => {
                if let Some(attempt) = trainer.line(&line) {
                    writeln!(kept, "{}", serde_json::to_string(&attempt)?).of_file(&score)?;
                }
            }
            Input::TooLong(most) => writeln!(output, "error the line has more than {most} bytes")?,
            Input::End => return Ok(()),
        }
    }
}
