//! `soffio tavla play`: plays tavla in line mode or on a terminal screen.

mod app;
mod board;
mod table;

#[cfg(test)]
mod tests;

pub use app::run_screen;
pub use table::TavlaPlayState;

use soffio::session::Input;
use soffio_support::stdio::{next_input, skip_mark};
use std::io::{self, BufRead, Write};
use table::TavlaReply;

/// Plays until the input ends or the user quits. If `is_attended` is true, the first `quit` in an unsaved game only
/// asks for confirmation. Returns true if unsaved turns were lost without confirmation.
pub fn run_lines(
    mut table: TavlaPlayState,
    mut input: impl BufRead,
    mut output: impl Write,
    is_attended: bool,
) -> io::Result<bool> {
    skip_mark(&mut input)?;
    let mut is_asked = false;
    loop {
        table.resume().iter().try_for_each(|line| writeln!(output, "{line}"))?;
        write!(output, "{} ", table.prompt())?;
        output.flush()?;
        let answer = match next_input(&mut input)? {
            Input::Line(line) => table.obey(line.trim()),
            Input::TooLong(most) => TavlaReply::Rejected(format!("the line has more than {most} bytes")),
            Input::End => {
                writeln!(output)?;
                return Ok(table.is_unsaved());
            }
        };
        let said = match answer {
            TavlaReply::Output(said) => said,
            TavlaReply::Rejected(reason) => vec![format!("error {reason}")],
            TavlaReply::Quit if is_attended && table.is_unsaved() && !is_asked => {
                writeln!(output, "the game is not saved: use save FILE, or quit again to leave without saving")?;
                is_asked = true;
                continue;
            }
            TavlaReply::Quit => return Ok(table.is_unsaved() && !is_asked),
        };
        is_asked = false;
        said.iter().try_for_each(|line| writeln!(output, "{line}"))?;
    }
}
