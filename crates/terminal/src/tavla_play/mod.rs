//! `soffio tavla play`: plays tavla in line mode or on a terminal screen.

mod app;
mod board;
mod table;

#[cfg(test)]
mod tests;

pub use app::run_screen;
pub use table::TavlaPlayState;

use crate::play::{LOST, lost_before};
use soffio::session::Input;
use soffio_support::stdio::{next_input, skip_byte_order_mark};
use std::io::{self, BufRead, Write};
use table::TavlaReply;

/// What the user asked for while the game was not saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    Leave,
    New,
}

/// Plays until the input ends or the user quits. If `is_interactive` is true, the first `quit` or `new` in an unsaved
/// game only asks for confirmation. Turns that are lost without confirmation are reported in `warnings`.
pub fn run_lines(
    mut table: TavlaPlayState,
    mut input: impl BufRead,
    mut output: impl Write,
    mut warnings: impl Write,
    is_interactive: bool,
) -> io::Result<()> {
    skip_byte_order_mark(&mut input)?;
    let mut asked = None;
    let is_lost = loop {
        table.resume().iter().try_for_each(|line| writeln!(output, "{line}"))?;
        write!(output, "{} ", table.prompt())?;
        output.flush()?;
        let confirmed = asked.take();
        let answer = match next_input(&mut input)? {
            Input::Line(line) if table.is_discarded_by(&line) && is_interactive && confirmed != Some(Pending::New) => {
                writeln!(output, "the game is not saved: use save FILE, or repeat the command to discard the game")?;
                asked = Some(Pending::New);
                continue;
            }
            Input::Line(line) => {
                if table.is_discarded_by(&line) && !is_interactive {
                    drop(writeln!(warnings, "{}", lost_before("new")));
                }
                table.execute(line.trim())
            }
            Input::TooLong(most) => TavlaReply::Rejected(format!("the line has more than {most} bytes")),
            Input::End => {
                writeln!(output)?;
                break table.is_unsaved();
            }
        };
        let said = match answer {
            TavlaReply::Output(said) => said,
            TavlaReply::Rejected(reason) => vec![format!("error {reason}")],
            TavlaReply::Quit if is_interactive && table.is_unsaved() && confirmed != Some(Pending::Leave) => {
                writeln!(output, "the game is not saved: use save FILE, or quit again to leave without saving")?;
                asked = Some(Pending::Leave);
                continue;
            }
            TavlaReply::Quit => break table.is_unsaved() && !is_interactive,
        };
        said.iter().try_for_each(|line| writeln!(output, "{line}"))?;
    };
    if is_lost {
        drop(writeln!(warnings, "{LOST}"));
    }
    Ok(())
}
