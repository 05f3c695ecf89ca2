//! `soffio tavla play`: plays tavla in line mode or on a terminal screen.

mod app;
mod board;
mod table;

#[cfg(test)]
mod tests;

pub use app::run_screen;
pub use table::TavlaPlayState;

use crate::play::lost_before;
use soffio::session::Input;
use soffio_support::stdio::{next_input, skip_byte_order_mark};
use std::io::{self, BufRead, Write};
use table::TavlaReply;

/// Plays until the input ends or the user quits. If `is_interactive` is true, the first `quit` or `new` in an unsaved
/// game only asks for confirmation. Returns true if unsaved turns were lost at the end without confirmation.
pub fn run_lines(
    mut table: TavlaPlayState,
    mut input: impl BufRead,
    mut output: impl Write,
    is_interactive: bool,
) -> io::Result<bool> {
    skip_byte_order_mark(&mut input)?;
    let (mut is_confirming_quit, mut is_confirming_new) = (false, false);
    loop {
        table.resume().iter().try_for_each(|line| writeln!(output, "{line}"))?;
        write!(output, "{} ", table.prompt())?;
        output.flush()?;
        let answer = match next_input(&mut input)? {
            Input::Line(line) if table.is_discarded_by(&line) && is_interactive && !is_confirming_new => {
                writeln!(output, "the game is not saved: use save FILE, or repeat the command to discard the game")?;
                (is_confirming_quit, is_confirming_new) = (false, true);
                continue;
            }
            Input::Line(line) => {
                if table.is_discarded_by(&line) && !is_interactive {
                    drop(writeln!(io::stderr(), "{}", lost_before("new")));
                }
                table.execute(line.trim())
            }
            Input::TooLong(most) => TavlaReply::Rejected(format!("the line has more than {most} bytes")),
            Input::End => {
                writeln!(output)?;
                return Ok(table.is_unsaved());
            }
        };
        let said = match answer {
            TavlaReply::Output(said) => said,
            TavlaReply::Rejected(reason) => vec![format!("error {reason}")],
            TavlaReply::Quit if is_interactive && table.is_unsaved() && !is_confirming_quit => {
                writeln!(output, "the game is not saved: use save FILE, or quit again to leave without saving")?;
                (is_confirming_quit, is_confirming_new) = (true, false);
                continue;
            }
            TavlaReply::Quit => return Ok(table.is_unsaved() && !is_confirming_quit),
        };
        (is_confirming_quit, is_confirming_new) = (false, false);
        said.iter().try_for_each(|line| writeln!(output, "{line}"))?;
    }
}
