//! Tavla at the keyboard, in lines.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod command;
mod table;

pub use table::Table;

use std::io::{self, BufRead, Write};

/// Plays until the input ends or `quit` is read: each line is answered before the next is read.
///
/// # Errors
/// When the input cannot be read or the reader of the output has gone.
pub fn run(mut table: Table, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut lines = input.lines();
    loop {
        for line in table.go_on() {
            writeln!(output, "{line}")?;
        }
        write!(output, "{} ", table.prompt())?;
        output.flush()?;
        let Some(line) = lines.next() else {
            writeln!(output)?;
            return Ok(());
        };
        let (said, is_over) = table.obey(line?.trim());
        for line in said {
            writeln!(output, "{line}")?;
        }
        if is_over {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests;
