//! Tavla in lines.

use super::Table;
use super::table::Answer;
use std::io::{self, BufRead, Write};

/// Plays until the input ends or `quit` is read: each line is answered before the next is read.
///
/// # Errors
/// When the input cannot be read or the reader of the output has gone.
pub fn run_lines(mut table: Table, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
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
        let said = match table.obey(line?.trim()) {
            Answer::Told(said) => said,
            Answer::Refused(reason) => vec![format!("error {reason}")],
            Answer::Quit => return Ok(()),
        };
        for line in said {
            writeln!(output, "{line}")?;
        }
    }
}
